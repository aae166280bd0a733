//! Gated mean of a site of the nonlinear Gaussian process, with the gate on another site.
//!
//! ```math
//! f(e_i)_j=E[\mathbf 1(X_i\ge0)\,X_j]=\frac{\arcsin(\sqrt{\rho_g}\,r_{ij})}{\pi\sqrt{\mathcal Z(g)}},\qquad
//! \rho_g=\frac{2g^2}{1+2g^2}
//! ```
//!
//! # Source
//! Derived; claim L000.26. Note 000 (8) has $`\Sigma e_i`$ for signs, without the factor 1/2 and with the latent
//! covariance.
//!
//! # Symbols
//! * $`r_{ij}`$: `rho`, the latent correlation
//! * $`g`$: `gain`
//! * $`\mathcal Z`$: `nlgp.normalizer`
//! * $`f(e_i)_j`$: the value (twice it is the mean of $`X_j`$ given $`X_i>0`$)
//!
//! # Holds when
//! `|rho| <= 1`, every gain > 0, `inf` included: $`r/\sqrt{2\pi}`$ as the gain falls to 0, half the covariance,
//! $`\tfrac1\pi\arcsin r`$, at `gain = inf`.
//!
//! # Checked by
//! Both limits of the gain; the mean of a filtered field, by the integral of the simulator and sampled.

use super::cov::cov;
use super::normalizer::normalizer;
use crate::form::{Control, Form, number};
use fovea_core::params::{Schema, above, between};
use fovea_core::{Params, params};
use std::f64::consts::PI;

/// Gated mean of a site whose latent correlation with the site of the gate is `rho`.
///
/// ```
/// let f = fovea_theory::nlgp::f_site::f_site(0.5, f64::INFINITY);
/// assert!((f - 1.0 / 6.0).abs() < 1e-15);
/// ```
pub fn f_site(rho: f64, gain: f64) -> f64 {
    if gain < 1e-8 {
        // The next term is g^2 smaller.
        return rho / (2.0 * PI).sqrt();
    }
    // 1 - rho_g r^2 = [1 + 2 g^2 (1 - r^2)] / (1 + 2 g^2): as an arctangent nothing cancels where the arcsine is steep.
    let decorrelation = 2.0 * (1.0 - rho) * (1.0 + rho);
    let h2 = 1.0 / gain / gain;
    let angle = libm::atan2(std::f64::consts::SQRT_2 * rho, (h2 + decorrelation).sqrt());
    angle / (PI * normalizer(gain).sqrt())
}

params! {
    /// Arguments of `nlgp.f_site`.
    pub struct Args {
        /// Latent correlation of the site with the site of the gate.
        rho: f64 = 0.5, between(-1.0, 1.0), "";
        /// Gain of the nonlinearity; `inf` is the sign.
        gain: f64 = 3.0, above(0.0), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "nlgp.f_site",
    text: include_str!("f_site.rs"),
    control: Control {
        what: "the whole covariance, note 000 (8) without the factor 1/2",
        eval: |given| number(given, |a: Args| Ok(cov(a.rho, a.gain))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| Ok(f_site(a.rho, a.gain))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nlgp::marginal::abs_mean;

    #[test]
    fn the_ends_of_the_gain_are_gaussian_and_binary() {
        for rho in [-1.0, -0.3, 0.0, 0.7, 1.0] {
            let gaussian = rho / (2.0 * PI).sqrt();
            for gain in [1e-300, 1e-9, 1e-7] {
                assert!((f_site(rho, gain) - gaussian).abs() < 1e-13, "{rho} {gain}");
            }
            for gain in [1e9, f64::INFINITY] {
                assert!((f_site(rho, gain) - libm::asin(rho) / PI).abs() < 1e-8, "{rho} {gain}");
            }
        }
    }

    #[test]
    fn the_site_of_the_gate_has_half_its_mean_size() {
        for gain in [0.01, 0.5, 3.0, 100.0, f64::INFINITY] {
            assert!((f_site(1.0, gain) - 0.5 * abs_mean(gain)).abs() < 1e-14, "{gain}");
        }
    }
}
