//! Normaliser, mean absolute value, fourth moment and excess kurtosis of one site.
//!
//! ```math
//! \mathcal Z=\tfrac2\pi A,\qquad E|X|=\frac{2}{\pi}\frac{\arcsin\sqrt{\rho_g}}{\sqrt{\mathcal Z}},\qquad
//! EX^4=\frac6{A^2}\int_0^A\arcsin\frac{\sin\varphi}{1+2\sin\varphi}\,d\varphi,\qquad A=\arcsin\rho_g
//! ```
//!
//! # Source
//! Claim L000.21, derived by Plackett's identity; it writes $`E\,\mathrm{erf}(gZ)^4=\tfrac{24}{\pi^2}\int`$, which is
//! $`\mathcal Z^2EX^4`$.
//!
//! # Symbols
//! * $`g`$: `gain`
//! * $`\mathcal Z`$: `Z`
//! * $`\rho_g`$: $`2g^2/(1+2g^2)`$
//!
//! # Holds when
//! Every gain > 0, `inf` included: with the gain $`E|X|`$ rises from $`\sqrt{2/\pi}`$ to 1 and $`EX^4`$ falls from 3
//! to 1.
//!
//! # Checked by
//! Reference values (`tests/oracle`); both limits of the gain; sampled moments.

use super::arc;
use super::excess_kurtosis::excess_kurtosis;
use super::normalizer::normalizer;
use crate::form::{Control, Form, with};
use fovea_core::params::{Schema, above};
use fovea_core::quadrature::adaptive;
use fovea_core::{Params, Value, params};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI, SQRT_2};

/// The moments of one site.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marginal {
    /// Variance of `erf(gain z)` before the site is normalised.
    pub normalizer: f64,
    /// Mean absolute value.
    pub abs_mean: f64,
    /// Fourth moment.
    pub m4: f64,
    /// Fourth moment less three.
    pub excess_kurtosis: f64,
}

impl From<Marginal> for Value {
    fn from(site: Marginal) -> Self {
        Self::table([
            ("Z", site.normalizer.into()),
            ("abs_mean", site.abs_mean.into()),
            ("m4", site.m4.into()),
            ("excess_kurtosis", site.excess_kurtosis.into()),
        ])
    }
}

/// The moments of one site of unit variance.
///
/// ```
/// let site = fovea_theory::nlgp::marginal::marginal(f64::INFINITY);
/// assert!((site.abs_mean - 1.0).abs() < 1e-15 && (site.m4 - 1.0).abs() < 1e-14);
/// ```
pub fn marginal(gain: f64) -> Marginal {
    Marginal {
        normalizer: normalizer(gain),
        abs_mean: abs_mean(gain),
        m4: fourth_moment(gain),
        excess_kurtosis: excess_kurtosis(gain),
    }
}

/// Mean absolute value of one site.
pub fn abs_mean(gain: f64) -> f64 {
    // sqrt(2/pi) [1 + O(g^2)]: below 1e-9 the difference is less than rounding, and Z would eventually underflow.
    if gain < 1e-9 {
        return FRAC_2_PI.sqrt();
    }
    // arcsin(sqrt(rho)) = arctan(sqrt(2) g), which keeps its digits at large gain.
    FRAC_2_PI * libm::atan(SQRT_2 * gain) / normalizer(gain).sqrt()
}

/// Fourth moment of one site.
pub fn fourth_moment(gain: f64) -> f64 {
    let end = arc(1.0, gain);
    if end < 1e-17 {
        return 3.0;
    }
    let share = |t: f64| {
        let s = libm::sin(end * t);
        libm::asin(s / (1.0 + 2.0 * s)) / end
    };
    6.0 * adaptive(share, 0.0, 1.0, 1e-14).value
}

params! {
    /// Arguments of `nlgp.marginal`.
    pub struct Args {
        /// Gain of the nonlinearity; `inf` is the sign.
        gain: f64 = 3.0, above(0.0), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "nlgp.marginal",
    text: include_str!("marginal.rs"),
    control: Control {
        what: "the convention erf(g z/sqrt 2)",
        eval: |given| with(given, |a: Args| Ok(marginal(a.gain * FRAC_1_SQRT_2).into())),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(marginal(a.gain).into())),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_gaussian_at_small_gain_and_a_sign_at_large() {
        for gain in [1e-300, 1e-12, 0.99e-9, 1.01e-9] {
            assert!((abs_mean(gain) / FRAC_2_PI.sqrt() - 1.0).abs() < 1e-15, "{gain:e}");
            assert!((fourth_moment(gain) - 3.0).abs() < 1e-14, "{gain:e}");
        }
        for gain in [1e15, f64::INFINITY] {
            assert!(
                (abs_mean(gain) - 1.0).abs() < 1e-14 && (fourth_moment(gain) - 1.0).abs() < 1e-14
            );
        }
    }
}
