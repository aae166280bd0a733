//! Gain above which weights on one site are better than flat weights, by the variational principle.
//!
//! ```math
//! \tfrac12(E|X_i|)^2=\frac2\pi\,\frac1{1+q_0},\qquad q_0=\frac{\lambda^0_0(g)}{\lambda^1_0(g)}
//! ```
//!
//! # Source
//! Derived; claim L000.38.
//!
//! # Symbols
//! * $`\tfrac12(E|X_i|)^2`$: $`R(e_i)`$, `variational.r_site` (the right side is $`R`$ of flat weights, whose
//!   preactivation counts as Gaussian by the central limit theorem)
//! * $`q_0`$: ratio of the top eigenvalues of the covariance of the process at gain $`g`$, neg over pos
//!
//! # Holds when
//! A crossing exists: `xi_pos > xi_neg`, not too far apart; refused otherwise. The ratio of one site rises from
//! $`1/\pi`$ to 1/2 with the gain; there is no crossing if the flat mode lies below $`1/\pi`$ at every gain, as for
//! `xi_pos <= xi_neg`, or above 1/2 at every gain. The best weights are neither of the two: the true change is smooth.
//!
//! # Checked by
//! Reference values (`tests/oracle`); both sides at the value.

use super::r_site::r_site;
use crate::form::{Control, Form, FormError, number};
use crate::nlgp::cov::cov;
use crate::site::Site;
use fovea_core::params::{Schema, any, between, finite_above};
use fovea_core::ring::{Kernel, RingKernel};
use fovea_core::{ParamError, Params, params};
use std::f64::consts::FRAC_2_PI;

/// The gain at which weights on one site and flat weights have the same ratio, if there is one; latent first rows.
///
/// ```
/// use fovea_core::ring::{Kernel, kernel_row};
/// let row = |xi| kernel_row(40, xi, Kernel::Ring);
/// let gain = fovea_theory::variational::crossing_gain::crossing_gain(&row(2.0), &row(1.0)).unwrap();
/// assert!((gain - 1.4572918058334978).abs() < 1e-12);
/// ```
pub fn crossing_gain(latent_pos: &[f64], latent_neg: &[f64]) -> Option<f64> {
    // In s = g/(1+g) the whole range of the gain is an interval.
    let lead = |s: f64| {
        let gain = if s < 1.0 { s / (1.0 - s) } else { f64::INFINITY };
        r_site(Site::Nlgp { gain }) - flat(latent_pos, latent_neg, gain)
    };
    let (mut low, mut high) = (1e-12, 1.0);
    if lead(low) >= 0.0 || lead(high) <= 0.0 {
        return None;
    }
    while high - low > 1e-16 * high {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if lead(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(high / (1.0 - high))
}

/// The ratio of flat weights, taken as Gaussian.
pub fn flat(latent_pos: &[f64], latent_neg: &[f64], gain: f64) -> f64 {
    let top = |row: &[f64]| row.iter().map(|rho| cov(*rho, gain)).sum::<f64>();
    let (pos, neg) = (top(latent_pos), top(latent_neg));
    FRAC_2_PI * pos / (pos + neg)
}

params! {
    /// Arguments of `variational.crossing_gain`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
        /// Correlation length of class pos, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class neg, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Covariance kernel of the latent Gaussian.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {}

impl Args {
    fn value(&self) -> Result<f64, FormError> {
        let row = |xi| RingKernel::new(self.n, xi, self.kernel).map(|kernel| kernel.first_row);
        let (pos, neg) = (row(self.xi_pos)?, row(self.xi_neg)?);
        crossing_gain(&pos, &neg).ok_or_else(|| {
            let site = "one site, from 1/pi at gain 0 to 1/2 at gain inf";
            let [weak, strong] = [1e-9, f64::INFINITY].map(|gain| flat(&pos, &neg, gain));
            ParamError::Inconsistent {
                what: format!(
                    "the ratio of flat weights, {weak:.4} to {strong:.4}, never equals that of {site}"
                ),
                hint: "choose an xi_pos above xi_neg, and closer to it if it already is".to_owned(),
            }
            .into()
        })
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "variational.crossing_gain",
    text: include_str!("crossing_gain.rs"),
    control: Control {
        what: "the convention erf(g z/sqrt 2), whose gain is larger by sqrt 2",
        eval: |given| number(given, |a: Args| Ok(a.value()? * std::f64::consts::SQRT_2)),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| a.value()),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_agree_at_the_value_and_its_absence_is_explained() {
        for (n, xi_pos, xi_neg) in [(2, 1.0, 0.5), (12, 1.5, 0.8), (40, 2.0, 1.0), (40, 3.0, 1.0)] {
            let args = Args { n, xi_pos, xi_neg, ..Args::default() };
            let gain = args.value().unwrap();
            let row = |xi| RingKernel::new(n, xi, Kernel::Ring).unwrap().first_row;
            let gap = r_site(Site::Nlgp { gain }) - flat(&row(xi_pos), &row(xi_neg), gain);
            assert!(gap.abs() < 1e-14, "{args:?}: {gap:e}");
        }
        for (xi_pos, xi_neg) in [(1.0, 2.0), (1.0, 1.0), (3.0, 0.1)] {
            let error = Args { xi_pos, xi_neg, ..Args::default() }.value().unwrap_err();
            assert!(error.to_string().contains("never equals"), "{error}");
        }
    }
}
