//! Bound on the size of one site of the nonlinear Gaussian process.
//!
//! ```math
//! |X_i|<\mathcal Z(g)^{-1/2},\qquad \mathcal Z(g)=\frac2\pi\arcsin\frac{2g^2}{1+2g^2}
//! ```
//!
//! # Source
//! Note 001, closing sections; claim L001.67: the note gives the process all of $`\mathbb R^n`$ as its support; it is a
//! cube, since $`|\mathrm{erf}|<1`$.
//!
//! # Symbols
//! * $`g`$: `gain`
//! * $`\mathcal Z`$: `nlgp.normalizer`
//!
//! # Holds when
//! Every gain > 1e-150, `inf` included: $`\sqrt\pi/(2g)`$ as the gain falls to 0, where the process has no bound, and 1 at
//! `gain = inf`, where it is attained.
//!
//! # Checked by
//! Both limits of the gain.

use super::normalizer::normalizer;
use crate::form::{Control, Form, number};
use fovea_core::params::{Schema, above};
use fovea_core::{Params, params};

/// The number below which every `|X_i|` stays.
///
/// ```
/// let bound = fovea_theory::nlgp::bound::bound(f64::INFINITY);
/// assert!((bound - 1.0).abs() < 1e-15);
/// ```
pub fn bound(gain: f64) -> f64 {
    1.0 / normalizer(gain).sqrt()
}

params! {
    /// Arguments of `nlgp.bound`.
    pub struct Args {
        /// Gain of the nonlinearity; `inf` is the sign.
        gain: f64 = 3.0, above(1e-150), "";
    }
}

impl Params for Args {}

/// The row of this form.
pub const ENTRY: Form = Form {
    name: "nlgp.bound",
    text: include_str!("bound.rs"),
    control: Control {
        what: "the variance of erf(g z) taken for its standard deviation, 1/Z(g)",
        eval: |given| number(given, |a: Args| Ok(1.0 / normalizer(a.gain))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| Ok(bound(a.gain))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn both_limits_of_the_gain_are_met() {
        for gain in [1e-140, 1e-6, 1e-3] {
            assert!((bound(gain) * 2.0 * gain / PI.sqrt() - 1.0).abs() < 2.0 * gain * gain + 1e-14);
        }
        assert!((bound(f64::INFINITY) - 1.0).abs() < 1e-15 && bound(1e3) > 1.0);
    }
}
