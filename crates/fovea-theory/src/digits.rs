//! The number of correct digits of a closed form over the whole range of its arguments.
//!
//! Where the last digit of an argument changes the value by more, as between two nearly equal weights, fewer digits are
//! determined, and the statement says so. `tests/edges` checks the statement for every form that is also computed in a second way.

use crate::Form;

/// Correct digits of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Digits {
    /// Their number.
    pub count: u8,
    /// The number relative to which they are counted.
    pub of: Of,
}

/// The number relative to which digits are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// The number itself; in a list or a matrix the largest number there.
    Number,
    /// The largest number of the whole value.
    Value,
    /// The number itself, or 1 if it is smaller.
    One,
}

/// The statement of a form that is not an exception.
const USUAL: Digits = Digits { count: 12, of: Of::Number };

/// Relative to the largest number: one of the numbers is a small difference of the others, or vanishes by a symmetry.
const OF_LARGEST: Digits = Digits { of: Of::Value, ..USUAL };

/// Relative to 1: shares of a whole and margins between them, which cancel where they are small.
const OF_ONE: Digits = Digits { of: Of::One, ..USUAL };

/// Paths of differential equations, along which errors of 1e-11 per step add up.
const PATH: Digits = Digits { count: 8, ..USUAL };

/// The forms with another statement.
const EXCEPTIONS: &[(&str, Digits)] = &[
    ("relu.flow_exact", PATH),
    ("relu.order_parameters", PATH),
    ("dictator.dominance", OF_ONE),
    ("dictator.fixed_point", OF_ONE),
    ("dictator.labels", OF_ONE),
    ("dictator.output_bias", OF_ONE),
    ("elliptical.excess_kurtosis", OF_ONE),
    ("elliptical.fourth", OF_LARGEST),
    ("ising.dictator", OF_ONE),
    ("ising.fourth", OF_LARGEST),
    ("ising.majority", OF_ONE),
    ("criticality.chi", OF_LARGEST),
    ("criticality.kernel", OF_LARGEST),
    ("criticality.phase", OF_ONE),
    ("criticality.recursion", OF_LARGEST),
    ("nngp.variance", OF_LARGEST),
    ("ntk.gram", Digits { count: 9, ..USUAL }),
    ("ntk.kernel", OF_LARGEST),
];

impl Digits {
    /// The allowed error of a number whose own list or matrix has the largest entry `entry`, in a value whose largest
    /// number is `value`; a single number is its own largest entry.
    ///
    /// ```
    /// let digits = fovea_theory::form("nlgp.cov").unwrap().digits();
    /// assert!((digits.error(0.5, 0.5) - 0.5e-12).abs() < 1e-20);
    /// ```
    pub fn error(self, entry: f64, value: f64) -> f64 {
        let unit = match self.of {
            Of::Number => entry,
            Of::Value => value,
            Of::One => entry.abs().max(1.0),
        };
        unit.abs() * libm::exp10(-f64::from(self.count))
    }
}

impl std::fmt::Display for Digits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let to = match self.of {
            Of::Number => "each number (in a list or matrix, to its largest entry)",
            Of::Value => "the largest number of the value",
            Of::One => "each number, or to 1 if it is smaller",
        };
        write!(
            f,
            "{}, relative to {to}; fewer where the last digit of an argument changes the value by more",
            self.count
        )
    }
}

impl Form {
    /// The number of correct digits over the whole range of the arguments.
    pub fn digits(&self) -> Digits {
        EXCEPTIONS.iter().find(|row| row.0 == self.name).map_or(USUAL, |row| row.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form;

    #[test]
    fn every_exception_is_a_form_and_is_one() {
        for (name, digits) in EXCEPTIONS {
            assert_eq!(form(name).map(Form::digits), Some(*digits), "{name}");
            assert_ne!(*digits, USUAL, "{name}");
        }
    }

    #[test]
    fn digits_are_counted_relative_to_the_stated_number() {
        let allowed = |of, entry, value| Digits { count: 3, of }.error(entry, value);
        for (of, expected) in [(Of::Number, 2e-4), (Of::Value, 5e-3), (Of::One, 1e-3)] {
            assert!((allowed(of, -0.2, 5.0) - expected).abs() < 1e-15);
        }
        assert!(
            USUAL.to_string().starts_with("12, relative to each number (in a list or matrix, to")
        );
    }
}
