//! How many digits of the value of a closed form hold, over the whole range of its arguments.
//!
//! Where the last digit of an argument changes the value by more, as between two nearly equal weights, no more than that is
//! known and no more is stated. `tests/edges` holds every form that has a second way to its statement.

use crate::Form;

/// Digits of a value that hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Digits {
    /// How many.
    pub count: u8,
    /// Of what.
    pub of: Of,
}

/// What the digits of a number are counted of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// The number itself; in a list or a matrix the largest number there.
    Number,
    /// The largest number of the whole value.
    Value,
    /// The number itself, or 1 where it is smaller.
    One,
}

/// What a form states that is no exception.
const USUAL: Digits = Digits { count: 12, of: Of::Number };

/// Of the largest number: one of them is a small difference of the others, or vanishes by a symmetry.
const OF_LARGEST: Digits = Digits { of: Of::Value, ..USUAL };

/// Of one: shares of a whole and margins between them, which cancel against each other where they are small.
const OF_ONE: Digits = Digits { of: Of::One, ..USUAL };

/// Paths of differential equations, along which errors of 1e-11 per step add up.
const PATH: Digits = Digits { count: 8, ..USUAL };

/// The forms that state something else.
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
    /// The error that is allowed of a number whose own list or matrix has the largest entry `entry`, in a value whose largest
    /// number is `value`; a number that stands alone is its own largest entry.
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
        let of = match self.of {
            Of::Number => "each number; in a list or a matrix, of its largest",
            Of::Value => "the largest number of the value",
            Of::One => "each number, or of 1 where it is smaller",
        };
        write!(f, "{} of {of}; fewer where the last digit of an argument changes more", self.count)
    }
}

impl Form {
    /// How many digits of the value hold, over the whole range of the arguments.
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
    fn digits_are_counted_of_what_they_say() {
        let allowed = |of, entry, value| Digits { count: 3, of }.error(entry, value);
        for (of, expected) in [(Of::Number, 2e-4), (Of::Value, 5e-3), (Of::One, 1e-3)] {
            assert!((allowed(of, -0.2, 5.0) - expected).abs() < 1e-15);
        }
        assert!(USUAL.to_string().starts_with("12 of each number; in a list or a matrix, of its"));
    }
}
