//! Mean of erf(g Z_i) restricted to positive Z_i.
//!
//! ```math
//! E[\mathrm{erf}(gZ_i);Z_i>0]=\frac{\arcsin\sqrt{\rho_g}}\pi=\frac{\arctan(\sqrt2\,g)}\pi
//! ```
//!
//! # Source
//! Note 003 (36), which is unfinished, completed; claim L003.24.
//!
//! # Symbols
//! * $`g`$: `gain`
//! * $`\rho_g`$: $`2g^2/(1+2g^2)`$
//! * $`E[\mathrm{erf}(gZ_i);Z_i>0]`$: the value (over the root of `nlgp.normalizer` it is `nlgp.f_site` at
//!   `rho = 1`, half of $`E|X_i|`$)
//!
//! # Holds when
//! Every gain > 0, `inf` included: $`\sqrt2g/\pi`$ as the gain falls to 0, 1/2 at `gain = inf`.
//!
//! # Checked by
//! Quadrature; `nlgp.cond_mean` at `rho = 1`.

use super::normalizer::normalizer;
use crate::form::{Control, Form, number};
use fovea_core::params::{Schema, above};
use fovea_core::{Params, params};
use std::f64::consts::{PI, SQRT_2};

/// The mean of a site, restricted to where it is positive.
///
/// ```
/// let half = fovea_theory::nlgp::half_moment::half_moment(f64::INFINITY);
/// assert!((half - 0.5).abs() < 1e-16);
/// ```
pub fn half_moment(gain: f64) -> f64 {
    libm::atan(SQRT_2 * gain) / PI
}

params! {
    /// Arguments of `nlgp.half_moment`.
    pub struct Args {
        /// Gain of the nonlinearity; `inf` is the sign.
        gain: f64 = 1.0, above(0.0), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "nlgp.half_moment",
    text: include_str!("half_moment.rs"),
    control: Control {
        what: "the normalised site, divided by the root of Z(g)",
        eval: |given| number(given, |a: Args| Ok(half_moment(a.gain) / normalizer(a.gain).sqrt())),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| Ok(half_moment(a.gain))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nlgp::cond_mean::cond_mean;
    use fovea_core::agree::within;
    use fovea_core::quadrature::normal_expectation;
    use fovea_core::special::erf;

    #[test]
    fn quadrature_and_the_form_for_another_site_find_the_same() {
        for gain in [1e-6, 0.01, 0.5, 3.0, 100.0] {
            let positive = |z: f64| if z > 0.0 { erf(gain * z) } else { 0.0 };
            let kinks = [0.0, 1.0 / gain];
            within(half_moment(gain), normal_expectation(positive, &kinks).value, 1e-12, 0.0)
                .unwrap();
            within(half_moment(gain), cond_mean(1.0, gain, 0.0).half, 1e-15, 0.0).unwrap();
        }
    }
}
