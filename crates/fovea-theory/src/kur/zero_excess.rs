//! Exponent at which the algebraic distribution Kur(k) has excess kurtosis 0, or a given one.
//!
//! ```math
//! \kappa(k^*)=0,\qquad k^*=5.890115\ldots
//! ```
//!
//! # Source
//! Derived: the root of `kur.excess_kurtosis`, for the distribution of lufkin2024.
//!
//! # Symbols
//! * $`k^*`$: the value
//! * $`\kappa`$: `excess`, 0 or that of another distribution, to match one family with another
//!
//! # Holds when
//! An excess kurtosis above -6/5, where the kurtosis falls strictly with `k` and the root is the only one. Towards -6/5
//! the exponent grows as $`k\sim(\kappa+\tfrac65)^{-1/2}`$ and loses half its digits.
//!
//! # Checked by
//! The published root; the kurtosis at the exponent found.

use super::abs_moment;
use super::excess_kurtosis::excess_kurtosis;
use crate::form::{Control, Form, number, with};
use fovea_core::params::{Schema, between};
use fovea_core::{Params, params};

/// The exponent of zero excess kurtosis.
///
/// ```
/// assert!((fovea_theory::kur::zero_excess::zero_excess() - 5.890115).abs() < 5e-7);
/// ```
pub fn zero_excess() -> f64 {
    exponent_at(0.0)
}

/// The exponent at which the excess kurtosis is `excess`, above $`-6/5`$.
pub fn exponent_at(excess: f64) -> f64 {
    exponent_where(|k| excess_kurtosis(k) > excess)
}

/// The exponent above 4 up to which `above` holds, by halving the interval of $`\ln(k-4)`$.
fn exponent_where(above: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (-30.0, 30.0);
    for _ in 0..64 {
        let middle = 0.5 * (low + high);
        if above(4.0 + libm::exp(middle)) { low = middle } else { high = middle }
    }
    4.0 + libm::exp(low)
}

params! {
    /// Arguments of `kur.zero_excess`.
    pub struct Args {
        /// Excess kurtosis sought.
        excess: f64 = 0.0, between(-1.199999, 1e9), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "kur.zero_excess",
    text: include_str!("zero_excess.rs"),
    control: Control {
        what: "the distribution not scaled to unit variance, E x^4 = 3",
        eval: |given| {
            with(
                given,
                |a: Args| Ok(exponent_where(|k| abs_moment(k, 4.0) > 3.0 + a.excess).into()),
            )
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| Ok(exponent_at(a.excess))),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_is_the_published_one() {
        // mpmath 1.3, 40 digits.
        assert!((zero_excess() - 5.890115444926598).abs() < 1e-13);
    }

    #[test]
    fn the_distribution_found_has_the_given_kurtosis() {
        for excess in [-1.19, -0.5, 0.0, 1.285, 26.33, 1e6] {
            let gap = excess_kurtosis(exponent_at(excess)) - excess;
            assert!(gap.abs() < 1e-9 * (1.0 + excess * excess), "{excess}: {gap:e}");
        }
    }
}
