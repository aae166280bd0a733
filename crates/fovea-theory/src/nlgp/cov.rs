//! Covariance of two sites of the nonlinear Gaussian process.
//!
//! ```math
//! C(r)=E\,X_iX_j=\frac{\arcsin(\rho_g r)}{\arcsin\rho_g},\qquad \rho_g=\frac{2g^2}{1+2g^2}
//! ```
//!
//! # Source
//! Note 000 after (7), "pretty close to Σ", made exact; claim L000.19.
//!
//! # Symbols
//! * $`r`$: `rho`, the latent correlation
//! * $`g`$: `gain`
//!
//! # Holds when
//! `|rho| <= 1`, every gain > 0, `inf` included: $`r`$ as the gain falls to 0, $`\tfrac2\pi\arcsin r`$ at `gain = inf`.
//! Its largest difference from $`r`$ is 0.2105, at $`r=\sqrt{1-4/\pi^2}`$ and `gain = inf`.
//!
//! # Checked by
//! Reference values (`tests/oracle`); both limits of the gain; sampled covariances.

use super::arc;
use crate::form::{Control, Form, number};
use fovea_core::params::{Schema, above, between};
use fovea_core::ring::unfold;
use fovea_core::{Params, params};

/// Covariance of two sites with latent correlation `rho`.
///
/// ```
/// let cov = fovea_theory::nlgp::cov::cov(0.5, f64::INFINITY);
/// assert!((cov - 1.0 / 3.0).abs() < 1e-15);
/// ```
pub fn cov(rho: f64, gain: f64) -> f64 {
    // C = r [1 + O(g^4)]: below 1e-5 the difference is less than rounding, and g^2 would eventually underflow.
    if gain < 1e-5 { rho } else { arc(rho, gain) / arc(1.0, gain) }
}

/// First row of the covariance on a ring, from that of the latent Gaussian.
pub(super) fn cov_row(latent: &[f64], gain: f64) -> Vec<f64> {
    let n = latent.len();
    let half: Vec<f64> = latent[..=n / 2].iter().map(|rho| cov(*rho, gain)).collect();
    unfold(&half, n)
}

params! {
    /// Arguments of `nlgp.cov`.
    pub struct Args {
        /// Correlation of the two latent sites.
        rho: f64 = 0.5, between(-1.0, 1.0), "";
        /// Gain of the nonlinearity; `inf` is the sign.
        gain: f64 = 3.0, above(0.0), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "nlgp.cov",
    text: include_str!("cov.rs"),
    control: Control {
        what: "the latent correlation itself, note 000 (1)-(2)",
        eval: |given| number(given, |a: Args| Ok(a.rho)),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| Ok(cov(a.rho, a.gain))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_2_PI;

    const RHOS: [f64; 7] = [-1.0, -0.7, -1e-9, 0.0, 0.3, 0.999, 1.0];

    #[test]
    fn small_gain_keeps_the_latent_correlation() {
        for rho in RHOS {
            for gain in [1e-200, 1e-6, 0.99e-5, 1.01e-5] {
                assert!((cov(rho, gain) - rho).abs() <= 2e-16 * rho.abs(), "{rho} {gain:e}");
            }
        }
    }

    #[test]
    fn infinite_gain_gives_the_arcsine_law() {
        for rho in RHOS {
            assert!((cov(rho, f64::INFINITY) - FRAC_2_PI * libm::asin(rho)).abs() < 3e-16);
            assert!((cov(rho, 1e12) - cov(rho, f64::INFINITY)).abs() < 1e-11);
        }
    }

    #[test]
    fn perfect_correlation_stays_perfect_at_every_gain() {
        for gain in [1e-300, 1e-3, 1.0, 50.0, 1e200, f64::INFINITY] {
            assert!((cov(1.0, gain) - 1.0).abs() < 1e-15 && (cov(-1.0, gain) + 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn the_largest_gap_is_where_the_catalogue_puts_it() {
        let rho = (1.0 - FRAC_2_PI * FRAC_2_PI).sqrt();
        assert!((rho - cov(rho, f64::INFINITY) - 0.210514).abs() < 5e-7);
    }
}
