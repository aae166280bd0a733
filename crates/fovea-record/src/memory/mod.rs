//! Needed against available memory: better refused than killed.

mod budget;
mod readings;

pub use budget::{Budget, Limit, budget};
pub use readings::Readings;

use fovea_core::ParamError;

/// The share of what is free that one thing may take.
const SHARE: f64 = 0.9;

/// Refuses what does not fit into memory now.
///
/// # Errors
/// `count` things of `size` bytes do not fit; `what` names them and `hint` is the next step.
pub fn fits(count: u128, size: u128, what: &str, hint: &str) -> Result<(), ParamError> {
    holds(count.saturating_mul(size) as f64, what, || hint.to_owned())
}

/// The same for a number of bytes, with a hint that is made only where it is needed.
///
/// # Errors
/// They do not fit.
pub fn holds(bytes: f64, what: &str, hint: impl FnOnce() -> String) -> Result<(), ParamError> {
    let budget = budget();
    if bytes <= SHARE * budget.bytes as f64 {
        return Ok(());
    }
    Err(ParamError::Inconsistent {
        what: format!(
            "{what} would take {}, and {} are free: {}",
            in_bytes(bytes),
            in_bytes(budget.bytes as f64),
            budget.limit
        ),
        hint: hint(),
    })
}

/// Bytes that one thing may take now.
pub fn allowance() -> f64 {
    SHARE * budget().bytes as f64
}

/// A number of bytes in a unit that fits.
pub fn in_bytes(bytes: f64) -> String {
    match bytes {
        b if b < 1e6 => format!("{:.1} kB", b / 1e3),
        b if b < 1e9 => format!("{:.1} MB", b / 1e6),
        b if b < 1e15 => format!("{:.1} GB", b / 1e9),
        b => format!("{b:.0e} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_arrays_fit_and_impossible_ones_are_refused_with_both_sizes() {
        assert_eq!(fits(1000, 8, "samples", ""), Ok(()));
        let error = fits(1 << 60, 8, "10 samples", "draw fewer").unwrap_err();
        let said = error.to_string();
        assert!(said.starts_with("10 samples would take 9e18 bytes, and "), "{said}");
        assert!(said.contains(" are free: "), "{said}");
        assert_eq!(error.hint(), "draw fewer");
        assert!(fits(u128::MAX, 8, "", "").is_err());
    }

    #[test]
    fn sizes_are_said_in_units_that_fit() {
        let said = [1234.0, 5.6e6, 7.8e9].map(in_bytes);
        assert_eq!(said, ["1.2 kB", "5.6 MB", "7.8 GB"]);
    }
}
