//! Numbers as a reader sees them.

use serde::{Deserialize, Serialize};

/// To how many places a reader sees a number; files have all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Places {
    /// So many decimals.
    Decimals(usize),
    /// So many significant digits.
    Digits(usize),
    /// All that there are: a setting, as it was given.
    All,
}

impl Places {
    /// A number rounded to these places: a dash for none, and powers of ten where it would be all zeros or very long.
    pub fn shown(self, x: f64) -> String {
        if x.is_nan() {
            return "\u{2013}".to_owned();
        }
        if x.is_infinite() {
            return if x > 0.0 { "inf" } else { "-inf" }.to_owned();
        }
        let size = x.abs();
        let digits = match self {
            Self::All => return fovea_core::Value::Real(x).to_string(),
            Self::Decimals(decimals) => {
                if !self.hides(x) && size < 1e7 {
                    let text = format!("{x:.decimals$}");
                    // A zero has no sign.
                    let zero = text.trim_start_matches('-').chars().all(|c| matches!(c, '0' | '.'));
                    return if zero { text.trim_start_matches('-').to_owned() } else { text };
                }
                3
            }
            Self::Digits(digits) => digits.max(1),
        };
        if size == 0.0 {
            return "0".to_owned();
        }
        let power = libm::floor(libm::log10(size));
        if matches!(self, Self::Digits(_)) && (-4.0..7.0).contains(&power) {
            let decimals = (digits as f64 - 1.0 - power).max(0.0) as usize;
            return format!("{x:.decimals$}");
        }
        format!("{x:.*e}", digits - 1)
    }

    /// A mean and its standard error, rounded alike; an error that would be all zeros has its first digit.
    pub(super) fn with_error(self, mean: f64, error: f64) -> String {
        let places = self.like(mean);
        let Self::Decimals(decimals) = places else {
            return format!("{} \u{b1} {}", self.shown(mean), self.shown(error));
        };
        if places.hides(error) {
            return format!("{} \u{b1} {error:.0e}", self.shown(mean));
        }
        // Beside an error that shows, a mean that does not is zero.
        let mean =
            if places.hides(mean) { format!("{:.decimals$}", 0.0) } else { self.shown(mean) };
        format!("{mean} \u{b1} {}", places.shown(error))
    }

    /// Whether a number that is not zero would be all zeros.
    fn hides(self, x: f64) -> bool {
        match self {
            Self::Decimals(decimals) => {
                x != 0.0 && x.abs() < 0.5 * libm::pow(10.0, -(decimals as f64))
            }
            Self::Digits(_) | Self::All => false,
        }
    }

    /// The decimals that these places give a number of this size: a standard error is rounded as its mean is.
    fn like(self, mean: f64) -> Self {
        match self {
            Self::Digits(digits) if mean.is_finite() && mean != 0.0 => {
                let power = libm::floor(libm::log10(mean.abs()));
                Self::Decimals((digits as f64 - 1.0 - power).max(0.0) as usize)
            }
            same => same,
        }
    }
}
