//! Loss of one erf unit without bias whose only input is one site of the nonlinear Gaussian process.
//!
//! ```math
//! L=\tfrac12+\tfrac12E\,\mathrm{erf}\Big(\frac{\alpha X}{\sqrt2}\Big)^2,\qquad X=\frac{\mathrm{erf}(gZ)}{\sqrt{\mathcal Z(g)}}
//! ```
//!
//! # Source
//! Note 002 (19)-(25), whose last line is blank, completed; claim L002.20. By quadrature.
//!
//! # Symbols
//! * $`\alpha`$: `alpha`, the one weight
//! * $`g`$: `gain`
//!
//! # Holds when
//! Labels 1 and -1, the activation erf(h/sqrt 2), no bias; a site has the same distribution in both classes, so that
//! their parts are equal. Every gain > 0, `inf` included: $`\tfrac12+\tfrac1\pi\arcsin\tfrac{\alpha^2}{1+\alpha^2}`$ as
//! the gain falls to 0, $`\tfrac12+\tfrac12\mathrm{erf}(\alpha/\sqrt2)^2`$ at `gain = inf`.
//!
//! # Checked by
//! Reference values (`tests/oracle`); both limits of the gain.

use crate::form::{Control, Form, number};
use crate::nlgp::normalizer::normalizer;
use crate::starting::erf_gauss::erf_gauss;
use fovea_core::params::{Schema, above, finite};
use fovea_core::quadrature::normal_expectation;
use fovea_core::{Params, params};
use std::f64::consts::FRAC_1_SQRT_2;

/// The loss of one erf unit with weight `alpha` on one site.
///
/// ```
/// let loss = fovea_theory::starting::erf_site::erf_site(1.0, 1e-9);
/// assert!((loss - 2.0 / 3.0).abs() < 1e-15);
/// ```
pub fn erf_site(alpha: f64, gain: f64) -> f64 {
    // The Gaussian limit, to g^2.
    if gain < 1e-9 {
        return erf_gauss([alpha * alpha; 2]);
    }
    if gain.is_infinite() {
        let output = libm::erf(FRAC_1_SQRT_2 * alpha);
        return 0.5 + 0.5 * output * output;
    }
    let slope = FRAC_1_SQRT_2 * alpha / normalizer(gain).sqrt();
    let power = |z: f64| {
        let output = libm::erf(slope * libm::erf(gain * z));
        output * output
    };
    // Both functions saturate on their own scale; panels end there.
    let inner = 1.0 / gain;
    let outer = inner / (1.0 + slope.abs());
    let turns =
        [0.0, inner, -inner, 3.0 * inner, -3.0 * inner, outer, -outer, 3.0 * outer, -3.0 * outer];
    0.5 + 0.5 * normal_expectation(power, &turns).value
}

params! {
    /// Arguments of `starting.erf_site`.
    pub struct Args {
        /// The weight.
        alpha: f64 = 1.0, finite(), "";
        /// Gain of the nonlinearity; `inf` is the sign.
        gain: f64 = 3.0, above(0.0), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "starting.erf_site",
    text: include_str!("erf_site.rs"),
    control: Control {
        what: "erf(alpha X) without its sqrt 2",
        eval: |given| {
            number(given, |a: Args| Ok(erf_site(a.alpha * std::f64::consts::SQRT_2, a.gain)))
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| Ok(erf_site(a.alpha, a.gain))),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_the_gain_are_gaussian_and_binary() {
        for alpha in [0.0, 0.3, -1.0, 20.0] {
            let (gaussian, binary) =
                (erf_gauss([alpha * alpha; 2]), erf_site(alpha, f64::INFINITY));
            assert!((erf_site(alpha, 1e-5) - gaussian).abs() < 1e-8, "{alpha}");
            assert!((erf_site(alpha, 1e-12) - gaussian).abs() < 1e-15, "{alpha}");
            assert!((erf_site(alpha, 1e7) - binary).abs() < 1e-6, "{alpha}");
            assert!(erf_site(alpha, 1e300).is_finite() && erf_site(alpha, 1e-300).is_finite());
        }
        assert!((erf_site(0.0, 3.0) - 0.5).abs() < 1e-16);
    }
}
