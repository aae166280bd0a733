//! The type of a registered closed form.
//!
//! The [`head`] of a form file says what the form is. The file holds the plain function that a program calls, an `Args` struct made by
//! [`params!`](fovea_core::params!), and `ENTRY`, which the shells read. [`with`] and [`number`] connect the two.

use crate::head;
use fovea_core::params::Assignments;
use fovea_core::{Field, ParamError, Value};

pub use crate::error::FormError;
pub use crate::given::{BUDGET, Given, number, with};

/// Evaluates a form at the arguments given, the rest at their defaults.
pub type Eval = fn(&Given<'_>) -> Result<Value, FormError>;

/// One closed form, as the shells and the checks see it.
pub struct Form {
    /// Folder and file, `nlgp.cov`.
    pub name: &'static str,
    /// The file that it is written in; [its head](crate::head) says what it is.
    pub text: &'static str,
    /// The wrong form that a check of this one must reject.
    pub control: Control,
    /// Every argument with its documentation, range, unit and default.
    pub schema: fn() -> Vec<Field>,
    /// The argument whose velocity is the value, if the form is a flow.
    pub moves: Option<&'static str>,
    /// The value.
    pub eval: Eval,
}

/// A documented wrong form: the source's own error, or the convention most often mistaken for this one.
pub struct Control {
    /// What is wrong with it.
    pub what: &'static str,
    /// Its value, in the shape of the right one.
    pub eval: Eval,
}

impl Form {
    /// One sentence that names the quantity, without its period.
    pub fn summary(&self) -> &'static str {
        head::summary(self.text)
    }

    /// The equation in TeX, in one line.
    pub fn equation(&self) -> String {
        head::equation(self.text)
    }

    /// Note and equation number, the catalogue's claim, and what the source has instead.
    pub fn source(&self) -> String {
        head::section(self.text, 0)
    }

    /// The source's symbols in TeX, and names of outputs, each with its meaning here.
    pub fn symbols(&self) -> Vec<(String, String)> {
        head::symbols(self.text)
    }

    /// When it holds, and what happens outside.
    pub fn holds(&self) -> String {
        head::section(self.text, 2)
    }

    /// What it is compared with; in the tests of its own file unless a place is named.
    pub fn checks(&self) -> String {
        head::section(self.text, 3)
    }

    /// Whether some of its values are infinite, which [`holds`](Self::holds) then says; otherwise infinity means that a step overflowed.
    pub fn infinite(&self) -> bool {
        head::infinite(self.text)
    }
}

impl Form {
    /// The value at assigned arguments, the rest at their defaults.
    ///
    /// # Errors
    /// An argument that cannot be used, or a form that has no value there.
    pub fn at(&self, assigned: &Assignments) -> Result<Value, FormError> {
        (self.eval)(&Given::one(assigned).of(self.text))
    }

    /// The values at many sets of arguments, passed to `take` one after the other: each of the `columns` is a parameter, by
    /// its index in the schema, and its number in each set. Returns how many were taken.
    ///
    /// # Errors
    /// The first set at which the form has no value; those before it were taken.
    pub fn each<'a>(
        &self,
        assigned: &'a Assignments,
        columns: &'a [(usize, &'a [f64])],
        take: &'a mut dyn FnMut(Value),
    ) -> (usize, Result<(), FormError>) {
        self.at_each(&Given::each(assigned, columns, take).of(self.text))
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
        self.at_each(&Given::fill(assigned, columns, out).of(self.text))
    }

    /// Evaluates the form at many sets of arguments; returns how many have a value.
    fn at_each(&self, given: &Given<'_>) -> (usize, Result<(), FormError>) {
        let said = (self.eval)(given).map(|_| ());
        (given.done(), said)
    }
}

impl Control {
    /// The wrong value at assigned arguments, the rest at their defaults.
    ///
    /// # Errors
    /// As for the form.
    pub fn at(&self, assigned: &Assignments) -> Result<Value, FormError> {
        (self.eval)(&Given::one(assigned))
    }
}

/// Checks that a vector over sites has one entry per site.
///
/// # Errors
/// Another number of entries.
pub fn one_entry_per_site(key: &str, entries: usize, n: usize) -> Result<(), ParamError> {
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

    /// Those of Gaussian variables with the same covariances.
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
/// A number that is not a site.
pub fn sites(key: &str, numbers: &[f64], n: usize) -> Result<Vec<usize>, ParamError> {
    let site = |x: &f64| match Value::Real(*x).as_int().map(usize::try_from) {
        Some(Ok(site)) if site < n => Ok(site),
        _ => Err(ParamError::Inconsistent {
            what: format!(
                "`{key}` contains {}, which is not a site of a ring of n = {n} sites",
                Value::Real(*x)
            ),
            hint: format!("give `{key}` whole numbers from 0 to {}", n - 1),
        }),
    };
    numbers.iter().map(site).collect()
}

/// Reads exactly four sites.
///
/// # Errors
/// A number that is not a site, or another number of sites.
pub fn four_sites(key: &str, numbers: &[f64], n: usize) -> Result<[usize; 4], ParamError> {
    sites(key, numbers, n)?.try_into().map_err(|_| ParamError::Inconsistent {
        what: format!("`{key}` has {} entries; a fourth moment needs 4", numbers.len()),
        hint: format!("give `{key}` four sites; repeats are allowed"),
    })
}

/// A matrix as a list of rows.
pub fn matrix(rows: &[Vec<f64>]) -> Value {
    Value::List(rows.iter().map(|row| Value::reals(row)).collect())
}

/// A small bump at site 0, the default weights of forms.
pub fn bump(n: usize) -> Vec<f64> {
    (0..n).map(|i| [1.0, 0.5].get(i.min(n - i)).copied().unwrap_or(0.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{form, forms};

    /// Every number in a value, in order.
    fn numbers(value: &Value) -> Vec<f64> {
        match value {
            Value::List(items) => items.iter().flat_map(numbers).collect(),
            Value::Table(rows) => rows.iter().flat_map(|(_, value)| numbers(value)).collect(),
            Value::Bool(b) => vec![f64::from(u8::from(*b))],
            one => one.as_real().into_iter().collect(),
        }
    }

    #[test]
    fn every_form_has_a_value_without_arguments() {
        for form in forms() {
            let value = form.at(&Vec::new()).unwrap();
            let numbers = numbers(&value);
            assert!(!numbers.is_empty() && numbers.iter().all(|x| x.is_finite()), "{}", form.name);
        }
    }

    #[test]
    fn every_control_differs_from_its_form() {
        for form in forms() {
            let right = numbers(&form.at(&Vec::new()).unwrap());
            let wrong = numbers(&form.control.at(&Vec::new()).unwrap());
            assert_eq!(right.len(), wrong.len(), "{}", form.name);
            let gap = |(r, w): (&f64, &f64)| (r - w).abs() / r.abs().max(1e-12);
            let largest = right.iter().zip(&wrong).map(gap).fold(0.0, f64::max);
            assert!(largest > 1e-3, "{}: the control is within {largest:e}", form.name);
        }
    }

    #[test]
    fn a_velocity_has_the_shape_of_the_argument_that_it_moves() {
        /// The lengths of the lists of a value, outermost first; `None` if they contain anything but numbers.
        fn shape(value: &Value) -> Option<Vec<usize>> {
            let Value::List(items) = value else { return value.as_real().map(|_| Vec::new()) };
            let inner = shape(items.first()?)?;
            let alike = items.iter().all(|item| shape(item).as_ref() == Some(&inner));
            alike.then(|| [&[items.len()], &inner[..]].concat())
        }
        let mut flows = 0;
        for (form, state) in forms().filter_map(|form| Some((form, form.moves?))) {
            let schema = (form.schema)();
            let field = schema.iter().find(|field| field.name == state);
            let field = field.unwrap_or_else(|| panic!("{} has no argument {state}", form.name));
            let (at, velocity) = (shape(&field.default), shape(&form.at(&Vec::new()).unwrap()));
            assert!(at.as_ref().is_some_and(|at| !at.is_empty()), "{}", form.name);
            assert_eq!(at, velocity, "{}", form.name);
            flows += 1;
        }
        assert!(flows > 0);
    }

    #[test]
    fn a_bad_argument_is_an_error_that_says_what_to_do() {
        let value = |name: &str, key: &str, typed: &str| {
            let given = vec![(key.to_owned(), Value::from_typed(typed))];
            form(name).unwrap().at(&given).unwrap_err()
        };
        assert_eq!(value("nlgp.cov", "gian", "3").hint(), "did you mean `gain`?");
        assert!(value("relu.f_gauss", "xi", "7").hint().contains("kernel=wrapped"));
        assert!(value("relu.f_gauss", "n", "5").hint().contains("`n=12`"));
        assert!(value("relu.steady", "k", "21").hint().contains("k <= 20"));
        assert!(value("ising.fourth", "sites", "0,1,2").hint().contains("four sites"));
        assert!(value("ising.fourth", "sites", "0,1,2,40").hint().contains("0 to 39"));
        assert!(value("ising.fourth", "sites", "0,1,2,0.5").hint().contains("whole numbers"));
        let huge = vec![
            ("n".to_owned(), Value::Int(2)),
            ("xi_pos".to_owned(), Value::Real(0.5)),
            ("w".to_owned(), Value::List(vec![Value::reals(&[1e200, 0.0])])),
        ];
        assert_eq!(form("relu.loss").unwrap().at(&huge), Err(FormError::Undefined));
    }
}
