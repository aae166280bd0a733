//! Probability that the preactivation of class pos is larger in size than that of class neg.
//!
//! ```math
//! P(|S_1|>|S_0|)=\frac2\pi\arctan\frac{s_1}{s_0}
//! ```
//!
//! # Source
//! The unfinished Gaussian integral of note 002 after (10), completed; claim L002.13.
//!
//! # Symbols
//! * $`s_1, s_0`$: `std_pos`, `std_neg`, the standard deviations of the preactivations
//!
//! # Holds when
//! Gaussian data: independent Gaussian preactivations of mean 0. It depends only on the ratio and grows with it, so
//! that the best weights are those of the largest variance ratio (L002.14).
//!
//! # Checked by
//! Reference values (`tests/oracle`); quadrature.

use crate::form::{Control, Form, number};
use fovea_core::params::{Schema, finite_above};
use fovea_core::{Params, params};
use std::f64::consts::FRAC_2_PI;

/// The probability that a centred normal variable of deviation `std_pos` is larger in size than one of `std_neg`.
///
/// ```
/// assert!((fovea_theory::dominance::abs::abs(3.0, 3.0) - 0.5).abs() < 1e-15);
/// ```
pub fn abs(std_pos: f64, std_neg: f64) -> f64 {
    FRAC_2_PI * libm::atan2(std_pos, std_neg)
}

params! {
    /// Arguments of `dominance.abs`.
    pub struct Args {
        /// Standard deviation of the preactivation in class pos.
        std_pos: f64 = 2.0, finite_above(0.0), "";
        /// Standard deviation of the preactivation in class neg.
        std_neg: f64 = 1.0, finite_above(0.0), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "dominance.abs",
    text: include_str!("abs.rs"),
    control: Control {
        what: "the classes exchanged",
        eval: |given| number(given, |a: Args| Ok(abs(a.std_neg, a.std_pos))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| Ok(abs(a.std_pos, a.std_neg))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::quadrature::normal_expectation;
    use std::f64::consts::FRAC_1_SQRT_2;

    #[test]
    fn quadrature_over_one_of_the_two_finds_the_chance() {
        for ratio in [0.01, 0.5, 1.0, 7.0] {
            // P(|S0| < |s1 z|), S0 standard normal.
            let below = |z: f64| libm::erf(FRAC_1_SQRT_2 * ratio * z.abs());
            let chance = normal_expectation(below, &[0.0]).value;
            assert!((abs(ratio, 1.0) - chance).abs() < 1e-12, "{ratio}");
            assert!((abs(ratio, 1.0) + abs(1.0, ratio) - 1.0).abs() < 1e-15);
        }
    }
}
