//! Excess kurtosis of one site of the nonlinear Gaussian process.
//!
//! ```math
//! \kappa(g)=E X^4-3=\frac6{A^2}\int_0^A\Big[\arcsin\frac{\sin\varphi}{1+2\sin\varphi}-\varphi\Big]d\varphi,\qquad
//! A=\arcsin\frac{2g^2}{1+2g^2}
//! ```
//!
//! # Source
//! Claim L000.21, derived by Plackett's identity (the claim integrates only the first term and subtracts 3 afterwards;
//! here the 3 is inside). Contrary to note 002 footnote 2, which claims heavy tails (L002.3), the tails are light.
//!
//! # Symbols
//! * $`g`$: `gain`
//!
//! # Holds when
//! Every gain > 0, `inf` included: $`-8g^2`$ as the gain falls to 0, with full relative accuracy, and -2 at
//! `gain = inf`.
//!
//! # Checked by
//! Reference values (`tests/oracle`), as part of `nlgp.marginal`; the fourth moment; both limits of the gain; sampled
//! fourth moments.

use super::arc;
use crate::form::{Control, Form, number};
use fovea_core::params::{Schema, above};
use fovea_core::quadrature::adaptive;
use fovea_core::{Params, params};
use std::f64::consts::FRAC_1_SQRT_2;

/// Excess kurtosis of one site.
///
/// ```
/// let kurtosis = fovea_theory::nlgp::excess_kurtosis::excess_kurtosis(0.5);
/// assert!((kurtosis + 0.912210).abs() < 5e-7);
/// ```
pub fn excess_kurtosis(gain: f64) -> f64 {
    let end = arc(1.0, gain);
    if end < 1e-17 {
        // The first term of the series, exact to rounding; the integrand would eventually underflow.
        return -4.0 * end;
    }
    // With phi = A t the integrand is of order A^2 t^2; one factor of A stays outside.
    6.0 * end * adaptive(|t| shortfall(end * t) / (end * end), 0.0, 1.0, 1e-14).value
}

/// $`\arcsin\frac{s}{1+2s}-\varphi`$ with $`s=\sin\varphi`$, for $`0\le\varphi\le\pi/2`$.
///
/// The two terms are nearly equal at small angles. As the arcsine of the sine of the difference,
/// $`\sin(\alpha-\varphi)=(\sin^2\alpha-s^2)/(\sin\alpha\cos\varphi+s\cos\alpha)`$, nothing cancels:
/// it is $`-4s^2(1+s)/\{(1+2s)[\cos\varphi+\sqrt{(1+s)(1+3s)}]\}`$.
fn shortfall(phi: f64) -> f64 {
    let (s, c) = libm::sincos(phi);
    let spread = c + ((1.0 + s) * (1.0 + 3.0 * s)).sqrt();
    -libm::asin(4.0 * s * s * (1.0 + s) / ((1.0 + 2.0 * s) * spread))
}

params! {
    /// Arguments of `nlgp.excess_kurtosis`.
    pub struct Args {
        /// Gain of the nonlinearity; `inf` is the sign.
        gain: f64 = 3.0, above(0.0), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "nlgp.excess_kurtosis",
    text: include_str!("excess_kurtosis.rs"),
    control: Control {
        what: "the convention erf(g z/sqrt 2)",
        eval: |given| number(given, |a: Args| Ok(excess_kurtosis(a.gain * FRAC_1_SQRT_2))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| Ok(excess_kurtosis(a.gain))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nlgp::marginal::fourth_moment;

    #[test]
    fn small_gain_keeps_the_digits_of_a_small_kurtosis() {
        // kappa = -8 g^2 [1 + O(g^2)].
        for gain in [1e-150, 1e-100, 1e-12, 1e-9, 1e-8] {
            let ratio = excess_kurtosis(gain) / (-8.0 * gain * gain);
            assert!((ratio - 1.0).abs() < 1e-14, "{gain:e}: {ratio}");
        }
        assert!(excess_kurtosis(1e-300).abs() < f64::MIN_POSITIVE, "g^2 underflows");
    }

    #[test]
    fn infinite_gain_gives_the_kurtosis_of_a_sign() {
        assert!((excess_kurtosis(f64::INFINITY) + 2.0).abs() < 1e-14);
        assert!((excess_kurtosis(1e12) + 2.0).abs() < 1e-11);
    }

    #[test]
    fn it_is_the_fourth_moment_less_three() {
        for gain in [0.01, 0.3, 1.0, 3.0, 100.0, f64::INFINITY] {
            assert!((excess_kurtosis(gain) - (fourth_moment(gain) - 3.0)).abs() < 1e-13, "{gain}");
        }
    }
}
