//! Variance of erf(g z), z standard normal.
//!
//! ```math
//! \mathcal Z(g)=E\,\mathrm{erf}(gZ)^2=\frac2\pi\arcsin\frac{2g^2}{1+2g^2}
//! ```
//!
//! # Source
//! Note 000 (7), whose $`X`$ inside erf is the latent $`Z`$; claim L000.18.
//!
//! # Symbols
//! * $`g`$: `gain`
//! * $`\mathcal Z`$: the value, by which the process is normalised
//!
//! # Holds when
//! Every gain > 0, `inf` included: $`4g^2/\pi`$ as the gain falls to 0, 1 at `gain = inf`.
//!
//! # Checked by
//! Quadrature; both limits of the gain; the numerical integral of the simulator.

use super::arc;
use crate::form::{Control, Form, number};
use fovea_core::params::{Schema, above};
use fovea_core::{Params, params};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI};

/// The variance of `erf(gain z)` for a standard normal `z`.
///
/// ```
/// let var = fovea_theory::nlgp::normalizer::normalizer(f64::INFINITY);
/// assert!((var - 1.0).abs() < 1e-15);
/// ```
pub fn normalizer(gain: f64) -> f64 {
    FRAC_2_PI * arc(1.0, gain)
}

params! {
    /// Arguments of `nlgp.normalizer`.
    pub struct Args {
        /// Gain of the nonlinearity; `inf` is the sign.
        gain: f64 = 3.0, above(0.0), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "nlgp.normalizer",
    text: include_str!("normalizer.rs"),
    control: Control {
        what: "the convention erf(g z/sqrt 2), whose argument is g^2/(1+g^2)",
        eval: |given| number(given, |a: Args| Ok(normalizer(a.gain * FRAC_1_SQRT_2))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| Ok(normalizer(a.gain))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::quadrature::normal_expectation;
    use std::f64::consts::PI;

    #[test]
    fn quadrature_finds_the_same_variance_and_rejects_the_other_convention() {
        for gain in [0.01, 0.5, 3.0, 50.0] {
            let square = |z: f64| libm::erf(gain * z) * libm::erf(gain * z);
            let var = normal_expectation(square, &[0.0]).value;
            assert!((normalizer(gain) / var - 1.0).abs() < 1e-12, "{gain}");
            assert!((normalizer(gain * FRAC_1_SQRT_2) / var - 1.0).abs() > 1e-3, "{gain}");
        }
    }

    #[test]
    fn both_ends_of_the_gain_keep_all_digits() {
        for gain in [1e-150, 1e-30, 1e-9] {
            assert!((normalizer(gain) / (4.0 * gain * gain / PI) - 1.0).abs() < 1e-15, "{gain:e}");
        }
        // 1 - Z -> (2/pi)/g; an arcsine would lose half the digits of this difference.
        for gain in [1e6, 1e9, 1e12] {
            let gap = FRAC_2_PI * libm::atan(libm::hypot(1.0 / gain, 2.0) / (2.0 * gain));
            assert!((1.0 - normalizer(gain) - gap).abs() < 2e-16, "{gain:e}");
        }
        assert!((normalizer(f64::INFINITY) - 1.0).abs() < 1e-15);
    }
}
