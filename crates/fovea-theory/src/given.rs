//! Where a closed form is evaluated: at one set of arguments, or at many that differ in some numbers.
//!
//! [`with`] and [`number`] connect the settings of a shell with the plain function of a form.

use crate::error::FormError;
use crate::head;
use fovea_core::params::Assignments;
use fovea_core::registry::resolve;
use fovea_core::{Params, Value, work};
use std::cell::{Cell, OnceCell, RefCell};

/// Units of work that one evaluation may take: points of integrals, components of velocities, steps of searches.
pub const BUDGET: u64 = 100_000_000;

/// Where a form is evaluated: at one set of arguments, or at many that differ in some numbers.
pub struct Given<'a> {
    assigned: &'a Assignments,
    many: Option<Many<'a>>,
    /// The file of the form, whose head says whether an infinite value is correct or means that a step overflowed.
    text: Option<&'static str>,
    /// That statement, read at the first infinite value.
    infinite: OnceCell<bool>,
}

/// Sets of arguments that differ in some numbers.
struct Many<'a> {
    /// The index of a parameter in the schema, and its value in each set.
    columns: &'a [(usize, &'a [f64])],
    /// Where the values go.
    sink: RefCell<Sink<'a>>,
    /// Sets whose value has been computed.
    done: Cell<usize>,
}

/// Where the values of a form go.
enum Sink<'a> {
    /// To a callback, one after the other.
    Values(&'a mut dyn FnMut(Value)),
    /// Into a slice, if each is one number.
    Reals(&'a mut [f64]),
}

impl<'a> Given<'a> {
    /// One set of arguments.
    pub(crate) fn one(assigned: &'a Assignments) -> Self {
        Self { assigned, many: None, text: None, infinite: OnceCell::new() }
    }

    /// The same for a form whose values are infinite only if the head of its file says so.
    pub(crate) fn of(self, text: &'static str) -> Self {
        Self { text: Some(text), ..self }
    }

    /// Whether an infinite value of the form is correct.
    fn infinite(&self) -> bool {
        *self.infinite.get_or_init(|| self.text.is_none_or(head::infinite))
    }

    /// Many sets of arguments, whose values are passed to `take` one after the other.
    pub(crate) fn each(
        assigned: &'a Assignments,
        columns: &'a [(usize, &'a [f64])],
        take: &'a mut dyn FnMut(Value),
    ) -> Self {
        Self::every(assigned, columns, Sink::Values(take))
    }

    /// Many sets of arguments, whose values are numbers that are written into `out`.
    pub(crate) fn fill(
        assigned: &'a Assignments,
        columns: &'a [(usize, &'a [f64])],
        out: &'a mut [f64],
    ) -> Self {
        Self::every(assigned, columns, Sink::Reals(out))
    }

    fn every(assigned: &'a Assignments, columns: &'a [(usize, &'a [f64])], sink: Sink<'a>) -> Self {
        let many = Many { columns, sink: RefCell::new(sink), done: Cell::new(0) };
        Self { assigned, many: Some(many), text: None, infinite: OnceCell::new() }
    }

    /// The number of sets whose value has been computed.
    pub(crate) fn done(&self) -> usize {
        self.many.as_ref().map_or(0, |many| many.done.get())
    }
}

/// Reads the arguments of a form and passes them to `value`, set by set if there are many.
///
/// # Errors
/// An argument that cannot be read, or what `value` reports.
pub fn with<P: Params>(
    given: &Given<'_>,
    value: impl Fn(P) -> Result<Value, FormError>,
) -> Result<Value, FormError> {
    answers(given, value)
}

/// The same for a form whose value is one number, which then goes straight into the output slice.
///
/// # Errors
/// As for [`with`].
pub fn number<P: Params>(
    given: &Given<'_>,
    value: impl Fn(P) -> Result<f64, FormError>,
) -> Result<Value, FormError> {
    answers(given, value)
}

/// The result of a form.
trait Answer {
    /// The number, if it is one.
    fn real(&self) -> Option<f64>;
    /// The result as a value.
    fn value(self) -> Value;
}

impl Answer for f64 {
    #[inline(always)]
    fn real(&self) -> Option<f64> {
        Some(*self)
    }
    fn value(self) -> Value {
        Value::Real(self)
    }
}

impl Answer for Value {
    fn real(&self) -> Option<f64> {
        if let Value::Real(x) = self { Some(*x) } else { None }
    }
    fn value(self) -> Value {
        self
    }
}

fn answers<P: Params, A: Answer>(
    given: &Given<'_>,
    value: impl Fn(P) -> Result<A, FormError>,
) -> Result<Value, FormError> {
    let value = |args: P| work::within(BUDGET, || value(args))?;
    let Some(Many { columns, sink, done }) = &given.many else {
        let args: P = resolve(given.assigned)?;
        let settings = args.values();
        let value = value(args).map_err(|error| named(error, &settings))?.value();
        let fine = is_value(&value, given);
        return if fine { Ok(value) } else { Err(undefined(&settings)) };
    };
    let mut args = P::default();
    for (key, value) in given.assigned {
        args.assign(key, value)?;
    }
    let sets = columns.iter().map(|(_, numbers)| numbers.len()).min().unwrap_or(0);
    let mut batch = vec![args; BATCH.min(sets)];
    let mut sink = sink.borrow_mut();
    for start in (0..sets).step_by(BATCH) {
        // Sets are read first and then evaluated, those before the first one that cannot be read.
        let mut readable = BATCH.min(sets - start);
        let mut unreadable = None;
        for (field, numbers) in *columns {
            if let Err((i, error)) = P::put_each(&mut batch[..readable], *field, &numbers[start..])
            {
                (readable, unreadable) = (i, Some(error));
            }
        }
        let (taken, said) = match &mut *sink {
            Sink::Reals(out) => {
                let fine = |x: f64| is_number(x, given);
                numbers_of(&batch[..readable], &value, fine, &mut out[start..])
            }
            Sink::Values(take) => {
                let fine = |value: &Value| is_value(value, given);
                values_of(&batch[..readable], &value, fine, *take)
            }
        };
        done.set(start + taken);
        if !said? {
            break;
        }
        if let Some(error) = unreadable {
            return Err(error.into());
        }
    }
    Ok(Value::Bool(true))
}

/// Adds the argument to blame, if it is evident, to an error that only says there is no number.
fn named(error: FormError, settings: &Assignments) -> FormError {
    if error == FormError::Undefined { undefined(settings) } else { error }
}

/// Why there is no number at these arguments: a list of zeros, or their size.
fn undefined(settings: &Assignments) -> FormError {
    let zero = |value: &Value| match value {
        Value::List(items) => items.iter().all(|x| x.as_real().is_some_and(|x| x.abs() <= 0.0)),
        _ => false,
    };
    let whose = settings.iter().find_map(|(key, value)| match value {
        list if zero(list) => Some(format!("`{key}`")),
        Value::List(rows) => rows.iter().position(zero).map(|row| format!("row {row} of `{key}`")),
        _ => None,
    });
    whose.map_or(FormError::Undefined, |whose| FormError::Within {
        what: format!("the value is not a number if every entry of {whose} is 0"),
        hint: format!("give {whose} an entry that is not 0"),
    })
}

/// Writes the numbers at some sets of arguments; returns how many, and whether all of them are numbers.
///
/// The loop contains nothing but the form, so that an array costs as much as calls of the plain function.
fn numbers_of<P: Params, A: Answer>(
    sets: &[P],
    value: &impl Fn(P) -> Result<A, FormError>,
    fine: impl Fn(f64) -> bool,
    out: &mut [f64],
) -> (usize, Result<bool, FormError>) {
    let (mut taken, mut said) = (sets.len(), Ok(true));
    for (i, (args, out)) in sets.iter().zip(&mut *out).enumerate() {
        match args.check().map_err(FormError::from).and_then(|()| value(args.clone())) {
            Err(error) => (taken, said) = (i, Err(named(error, &args.values()))),
            Ok(answer) => {
                if let Some(x) = answer.real() {
                    *out = x;
                } else {
                    (taken, said) = (i, Ok(false));
                }
            }
        }
        if taken == i {
            break;
        }
    }
    // Checked afterwards, so that no evaluation waits for the one before.
    match out[..taken].iter().position(|x| !fine(*x)) {
        Some(i) => (i, Err(undefined(&sets[i].values()))),
        None => (taken, said),
    }
}

/// Passes on the values at some sets of arguments; returns how many.
fn values_of<P: Params, A: Answer>(
    sets: &[P],
    value: &impl Fn(P) -> Result<A, FormError>,
    fine: impl Fn(&Value) -> bool,
    take: &mut dyn FnMut(Value),
) -> (usize, Result<bool, FormError>) {
    for (i, args) in sets.iter().enumerate() {
        match args.check().map_err(FormError::from).and_then(|()| value(args.clone())) {
            Err(error) => return (i, Err(named(error, &args.values()))),
            Ok(answer) => {
                let value = answer.value();
                if !fine(&value) {
                    return (i, Err(undefined(&args.values())));
                }
                take(value);
            }
        }
    }
    (sets.len(), Ok(true))
}

/// The number of sets of arguments that are read at a time.
const BATCH: usize = 64;

/// Whether every number of a value is a number; infinity counts if the form has infinite values.
fn is_value(value: &Value, given: &Given<'_>) -> bool {
    match value {
        Value::Real(x) => is_number(*x, given),
        Value::List(items) => items.iter().all(|item| is_value(item, given)),
        Value::Table(rows) => rows.iter().all(|(_, value)| is_value(value, given)),
        _ => true,
    }
}

#[inline]
fn is_number(x: f64, given: &Given<'_>) -> bool {
    x.is_finite() || !x.is_nan() && given.infinite()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form;

    #[test]
    fn many_sets_of_arguments_have_the_values_of_each() {
        let cov = form("nlgp.cov").unwrap();
        let (rhos, gains) = ([-0.5, 0.25, 1.0], [0.1, 3.0, f64::INFINITY]);
        let columns: [(usize, &[f64]); 2] = [(0, &rhos), (1, &gains)];
        let (mut values, mut numbers) = (Vec::new(), [0.0; 3]);
        let taken = cov.each(&Vec::new(), &columns, &mut |value| values.push(value));
        assert_eq!(taken, (3, Ok(())));
        assert_eq!(cov.fill(&Vec::new(), &columns, &mut numbers), (3, Ok(())));
        for (i, value) in values.iter().enumerate() {
            let given =
                vec![("rho".to_owned(), rhos[i].into()), ("gain".to_owned(), gains[i].into())];
            assert_eq!(cov.at(&given).unwrap(), *value);
            assert_eq!(*value, Value::Real(numbers[i]));
        }
        // The first set without a value ends it, with the same error as for a single set.
        let said = cov.fill(&Vec::new(), &[(0, &[0.5, 2.0, 0.5])], &mut numbers);
        assert_eq!(said, (1, Err(cov.at(&vec![("rho".to_owned(), 2.0.into())]).unwrap_err())));
        // A value that is not one number cannot be written among numbers.
        let marginal = form("nlgp.marginal").unwrap();
        assert_eq!(marginal.fill(&Vec::new(), &[(0, &[0.5])], &mut numbers), (0, Ok(())));
    }
}
