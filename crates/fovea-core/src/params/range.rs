//! Intervals of allowed numbers.

use crate::value::Value;
use std::fmt;

/// An interval of allowed numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Smallest value.
    pub low: f64,
    /// Largest value.
    pub high: f64,
    /// Whether `low` itself is excluded.
    pub open_low: bool,
    /// Whether `high` itself is excluded.
    pub open_high: bool,
    /// Whether a list may be empty.
    pub or_none: bool,
}

/// Every number, and the only range of a parameter that is not a number.
#[inline]
pub const fn any() -> Range {
    Range {
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
        open_low: false,
        open_high: false,
        or_none: false,
    }
}

/// `low` and everything above.
#[inline]
pub const fn at_least(low: f64) -> Range {
    Range { low, ..any() }
}

/// Everything above `low`, infinity included.
#[inline]
pub const fn above(low: f64) -> Range {
    Range { low, open_low: true, ..any() }
}

/// Everything above `low`, infinity excluded.
#[inline]
pub const fn finite_above(low: f64) -> Range {
    Range { low, open_low: true, open_high: true, ..any() }
}

/// From `low` to `high`, both included.
#[inline]
pub const fn between(low: f64, high: f64) -> Range {
    Range { low, high, ..any() }
}

/// Between `low` and `high`, neither included.
#[inline]
pub const fn inside(low: f64, high: f64) -> Range {
    Range { low, high, open_low: true, open_high: true, ..any() }
}

/// Every finite number.
#[inline]
pub const fn finite() -> Range {
    Range { open_low: true, open_high: true, ..any() }
}

impl Range {
    /// The same for a list that may also be empty.
    #[inline]
    #[must_use]
    pub const fn or_none(self) -> Self {
        Self { or_none: true, ..self }
    }

    /// Whether `x` is allowed; NaN never is.
    #[inline]
    pub fn contains(&self, x: f64) -> bool {
        let above_low = if self.open_low { x > self.low } else { x >= self.low };
        let below_high = if self.open_high { x < self.high } else { x <= self.high };
        above_low && below_high
    }
}

/// A range as error messages write it: one that excludes nothing still asks for a number.
pub(super) fn in_words(range: &Range) -> String {
    if *range == any() { "a number".to_owned() } else { range.to_string() }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let low = Value::Real(self.low);
        let high = Value::Real(self.high);
        match (self.low.is_finite(), self.high.is_finite()) {
            (false, false) if self.open_high => write!(f, "any finite number"),
            (false, false) => write!(f, "any"),
            (true, false) if self.open_low && self.open_high => write!(f, "> {low}, finite"),
            (true, false) if self.open_low => write!(f, "> {low}"),
            (true, false) if self.open_high => write!(f, ">= {low}, finite"),
            (true, false) => write!(f, ">= {low}"),
            (false, true) if self.open_low => {
                write!(f, "{} {high}, finite", if self.open_high { "<" } else { "<=" })
            }
            (false, true) => write!(f, "{} {high}", if self.open_high { "<" } else { "<=" }),
            (true, true) => {
                let (l, r) =
                    (if self.open_low { '(' } else { '[' }, if self.open_high { ')' } else { ']' });
                write!(f, "in {l}{low}, {high}{r}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_know_their_ends() {
        assert!(above(0.0).contains(f64::INFINITY) && !above(0.0).contains(0.0));
        assert!(!finite_above(0.0).contains(f64::INFINITY));
        assert!(!any().contains(f64::NAN));
        assert!(between(0.0, 1.0).contains(1.0) && !inside(0.0, 1.0).contains(1.0));
    }

    #[test]
    fn a_range_says_which_of_its_ends_it_leaves_out() {
        let endless = Range { low: -2.0, open_high: true, ..any() };
        let sunk = Range { high: 3.0, open_low: true, ..any() };
        let said: Vec<String> = [endless, at_least(-2.0), finite_above(0.0), sunk, any(), finite()]
            .iter()
            .map(in_words)
            .collect();
        let right = [
            ">= -2, finite",
            ">= -2",
            "> 0, finite",
            "<= 3, finite",
            "a number",
            "any finite number",
        ];
        assert_eq!(said, right);
    }
}
