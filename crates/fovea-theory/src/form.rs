//! What a registered closed form is.
//!
//! A form file holds its equation as documentation, the plain function a program calls, an `Args` struct made by
//! [`params!`](fovea_core::params!), and `ENTRY`, the row the shells read. [`with`] is the bridge between the two.

use crate::cell_flow::CellError;
use crate::spins::SpinsError;
use fovea_core::ode::OdeError;
use fovea_core::params::Assignments;
use fovea_core::registry::resolve;
use fovea_core::ring::RingError;
use fovea_core::{Field, ParamError, Params, Value};
use std::cell::{Cell, RefCell};

/// Evaluates a form at the arguments given, the rest at their defaults.
pub type Eval = fn(&Given<'_>) -> Result<Value, FormError>;

/// Where a form is evaluated: at one set of arguments, or at many that differ in some numbers.
pub struct Given<'a> {
    assigned: &'a Assignments,
    many: Option<Many<'a>>,
}

/// Sets of arguments that differ in some numbers.
struct Many<'a> {
    /// The place of a parameter in the schema, and its value in each set.
    columns: &'a [(usize, &'a [f64])],
    /// Where the values go.
    sink: RefCell<Sink<'a>>,
    /// Sets whose value is there.
    done: Cell<usize>,
}

/// Where the values of a form go.
enum Sink<'a> {
    /// To whoever takes them, one after the other.
    Values(&'a mut dyn FnMut(Value)),
    /// Into place, where each is one number.
    Reals(&'a mut [f64]),
}

/// One closed form, as the shells and the checks see it.
pub struct Form {
    /// Folder and file, `nlgp.cov`.
    pub name: &'static str,
    /// One sentence that names the quantity.
    pub summary: &'static str,
    /// The equation in TeX.
    pub equation: &'static str,
    /// Note and equation number, and the catalogue's claim.
    pub source: &'static str,
    /// The source's symbols beside the names used here.
    pub symbols: &'static [(&'static str, &'static str)],
    /// When it holds, and what happens outside.
    pub holds: &'static str,
    /// What it is held against.
    pub checks: &'static str,
    /// The wrong form that a check of this one must reject.
    pub control: Control,
    /// Every argument with its documentation, range, unit and default.
    pub schema: fn() -> Vec<Field>,
    /// The value.
    pub eval: Eval,
}

impl Form {
    /// The value at assigned arguments, the rest at their defaults.
    ///
    /// # Errors
    /// An argument that cannot be used, or a form that has no value there.
    pub fn at(&self, assigned: &Assignments) -> Result<Value, FormError> {
        (self.eval)(&Given { assigned, many: None })
    }

    /// The values at many sets of arguments, handed to `take` one after the other: each of the `columns` is a parameter, by
    /// its place in the schema, and its number in each set. Says how many were taken.
    ///
    /// # Errors
    /// The first set at which the form has no value; those before it were taken.
    pub fn each<'a>(
        &self,
        assigned: &'a Assignments,
        columns: &'a [(usize, &'a [f64])],
        take: &'a mut dyn FnMut(Value),
    ) -> (usize, Result<(), FormError>) {
        self.every(assigned, columns, Sink::Values(take))
    }

    /// The same for a form whose value is one number, written into `out`; ends before the first value that is something else.
    ///
    /// # Errors
    /// The first set at which the form has no value; those before it were written.
    pub fn fill<'a>(
        &self,
        assigned: &'a Assignments,
        columns: &'a [(usize, &'a [f64])],
        out: &'a mut [f64],
    ) -> (usize, Result<(), FormError>) {
        self.every(assigned, columns, Sink::Reals(out))
    }

    fn every<'a>(
        &self,
        assigned: &'a Assignments,
        columns: &'a [(usize, &'a [f64])],
        sink: Sink<'a>,
    ) -> (usize, Result<(), FormError>) {
        let many = Many { columns, sink: RefCell::new(sink), done: Cell::new(0) };
        let given = Given { assigned, many: Some(many) };
        let said = (self.eval)(&given).map(|_| ());
        (given.many.map_or(0, |many| many.done.get()), said)
    }
}

impl Control {
    /// The wrong value at assigned arguments, the rest at their defaults.
    ///
    /// # Errors
    /// As of the form.
    pub fn at(&self, assigned: &Assignments) -> Result<Value, FormError> {
        (self.eval)(&Given { assigned, many: None })
    }
}

/// A documented wrong form: the source's own slip, or the convention most often mistaken for this one.
pub struct Control {
    /// What is wrong with it.
    pub what: &'static str,
    /// Its value, in the shape of the right one.
    pub eval: Eval,
}

/// Why a form has no value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FormError {
    /// An argument cannot be used.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The covariance cannot be used.
    #[error(transparent)]
    Ring(#[from] RingError),
    /// The flow could not be followed to the time asked for.
    #[error(transparent)]
    Ode(#[from] OdeError),
    /// The law on the cube cannot be used.
    #[error(transparent)]
    Spins(#[from] SpinsError),
    /// The flow from cell to cell could not be followed.
    #[error(transparent)]
    Cell(#[from] CellError),
    /// The arguments are so large or small that the value is no number.
    #[error("the value is no number at these arguments: a step of it over- or underflows")]
    Undefined,
    /// No stationary point exists where one was asked for.
    #[error("there is no stationary point at frequency {k}: class pos has no variance there")]
    NoSteadyState {
        /// The frequency.
        k: usize,
    },
}

impl FormError {
    /// The next step for the user.
    pub fn hint(&self) -> String {
        match self {
            Self::Param(error) => error.hint(),
            Self::Ring(error) => error.hint(),
            Self::Ode(_) => "choose a shorter time, or weights closer to 1".to_owned(),
            Self::Spins(error) => error.hint(),
            Self::Cell(error) => error.hint(),
            Self::Undefined => "bring the arguments closer to 1 in size".to_owned(),
            Self::NoSteadyState { .. } => {
                "choose a smaller k, or an xi_pos below the limit that ring.critical_xi gives"
                    .to_owned()
            }
        }
    }
}

/// Reads the arguments of a form and hands them to `value`, set by set where there are many.
///
/// # Errors
/// An argument that cannot be read, or what `value` reports.
pub fn with<P: Params>(
    given: &Given<'_>,
    value: impl Fn(P) -> Result<Value, FormError>,
) -> Result<Value, FormError> {
    let Some(Many { columns, sink, done }) = &given.many else {
        let value = value(resolve(given.assigned)?)?;
        return if has_nan(&value) { Err(FormError::Undefined) } else { Ok(value) };
    };
    let mut base = P::default();
    for (key, value) in given.assigned {
        base.assign(key, value)?;
    }
    let sets = columns.iter().map(|(_, numbers)| numbers.len()).min().unwrap_or(0);
    let mut sink = sink.borrow_mut();
    for set in 0..sets {
        let mut args = base.clone();
        for (field, numbers) in *columns {
            args.put(*field, numbers[set])?;
        }
        args.check()?;
        match (&mut *sink, value(args)?) {
            (Sink::Reals(out), Value::Real(x)) if !x.is_nan() => out[set] = x,
            (_, value) if has_nan(&value) => return Err(FormError::Undefined),
            (Sink::Values(take), value) => take(value),
            (Sink::Reals(_), _) => break,
        }
        done.set(set + 1);
    }
    Ok(Value::Bool(true))
}

fn has_nan(value: &Value) -> bool {
    match value {
        Value::Real(x) => x.is_nan(),
        Value::List(items) => items.iter().any(has_nan),
        Value::Table(rows) => rows.iter().any(|(_, value)| has_nan(value)),
        _ => false,
    }
}

/// Checks that a vector over sites has one entry a site.
///
/// # Errors
/// Another number of entries.
pub fn one_entry_a_site(key: &str, entries: usize, n: usize) -> Result<(), ParamError> {
    if entries == n {
        return Ok(());
    }
    Err(ParamError::Inconsistent {
        what: format!("`{key}` has {entries} entries on a ring of n = {n} sites"),
        hint: match entries {
            0 | 1 => format!("give `{key}` {n} numbers"),
            _ => format!("give `{key}` {n} numbers, or write `n={entries}`"),
        },
    })
}

/// Moment and cumulant of four variables of mean 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fourth {
    /// $`E\,X_iX_jX_kX_l`$.
    pub moment: f64,
    /// The moment less the three products of covariances.
    pub cumulant: f64,
}

impl Fourth {
    /// From the moment and the sum of the three products of covariances.
    pub fn from_moment(moment: f64, pairings: f64) -> Self {
        Self { moment, cumulant: moment - pairings }
    }

    /// The sum of the three products of covariances, the moment of Gaussian variables (Isserlis).
    pub fn pairings<S: Copy>(sites: [S; 4], cov: impl Fn(S, S) -> f64) -> f64 {
        let [i, j, k, l] = sites;
        cov(i, j) * cov(k, l) + cov(i, k) * cov(j, l) + cov(i, l) * cov(j, k)
    }

    /// What Gaussian variables of the same covariances have.
    #[must_use]
    pub fn gaussian(self) -> Self {
        Self { moment: self.moment - self.cumulant, cumulant: 0.0 }
    }
}

impl From<Fourth> for Value {
    fn from(four: Fourth) -> Self {
        Self::table([("moment", four.moment.into()), ("cumulant", four.cumulant.into())])
    }
}

/// Reads sites of the ring from the numbers of a parameter.
///
/// # Errors
/// A number that is no site.
pub fn sites(key: &str, numbers: &[f64], n: usize) -> Result<Vec<usize>, ParamError> {
    let site = |x: &f64| match Value::Real(*x).as_int().map(usize::try_from) {
        Some(Ok(site)) if site < n => Ok(site),
        _ => Err(ParamError::Inconsistent {
            what: format!("`{key}` holds {x}, which is no site of a ring of n = {n} sites"),
            hint: format!("give `{key}` whole numbers from 0 to {}", n - 1),
        }),
    };
    numbers.iter().map(site).collect()
}

/// Reads exactly four sites.
///
/// # Errors
/// A number that is no site, or another number of sites.
pub fn four_sites(key: &str, numbers: &[f64], n: usize) -> Result<[usize; 4], ParamError> {
    sites(key, numbers, n)?.try_into().map_err(|_| ParamError::Inconsistent {
        what: format!("`{key}` has {} entries; a fourth moment needs 4", numbers.len()),
        hint: format!("give `{key}` four sites; the same one may return"),
    })
}

/// A matrix as a list of rows.
pub fn matrix(rows: &[Vec<f64>]) -> Value {
    Value::List(rows.iter().map(|row| Value::reals(row)).collect())
}

/// A small bump at site 0, the default weights of the forms that take some.
pub fn bump(n: usize) -> Vec<f64> {
    (0..n).map(|i| [1.0, 0.5].get(i.min(n - i)).copied().unwrap_or(0.0)).collect()
}

#[cfg(test)]
mod tests;
