//! Loss of one erf unit without bias on Gaussian data, at given weights.
//!
//! ```math
//! L=\tfrac12+\frac1{2\pi}\Big[\arcsin\frac{s_1^2}{1+s_1^2}+\arcsin\frac{s_0^2}{1+s_0^2}\Big],\qquad s_c^2=w^\top\Sigma_cw
//! ```
//!
//! # Source
//! Note 002 (19)-(25), whose last line is blank, completed; claim L002.20. $`4L=2+E_1\sigma^2+E_0\sigma^2`$, as the
//! mean output is zero in both classes.
//!
//! # Symbols
//! * $`s_c^2`$: variance of the preactivation in class $`c`$
//!
//! # Holds when
//! Gaussian classes, labels 1 and -1, the activation erf(h/sqrt 2), no bias, one unit; 1/2 at w = 0, 1 for huge
//! weights.
//!
//! # Checked by
//! Reference values (`tests/oracle`); quadrature.

use super::erf::{erf, unit_power_at_norm};
use crate::form::{Control, Form, FormError, bump, one_entry_per_site, with};
use fovea_core::params::{Schema, any, between, finite, finite_above};
use fovea_core::ring::{Kernel, RingKernel, circulant_apply};
use fovea_core::{ParamError, Params, Value, params};

/// The loss of one erf unit without bias whose preactivation has these variances in the two classes.
///
/// ```
/// assert_eq!(fovea_theory::starting::erf_gauss::erf_gauss([0.0, 0.0]), 0.5);
/// ```
pub fn erf_gauss(var: [f64; 2]) -> f64 {
    erf(1, var.map(unit_power_at_norm))
}

params! {
    /// Arguments of `starting.erf_gauss`.
    pub struct Args {
        /// Ring size.
        n: usize = 12, between(2.0, 1e4), "sites";
        /// Correlation length of class pos, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class neg, label -1.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Weights, one per site.
        w: Vec<f64> = bump(12), finite(), "";
        /// Covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        one_entry_per_site("w", self.w.len(), self.n)
    }
}

impl Args {
    fn value(&self, factor: f64) -> Result<Value, FormError> {
        let var = |xi| {
            RingKernel::new(self.n, xi, self.kernel).map(|kernel| {
                let image = circulant_apply(&kernel.first_row, &self.w);
                // Rounding of a clipped kernel may leave a variance just below 0.
                let var: f64 = image.iter().zip(&self.w).map(|(x, w)| x * w).sum();
                factor * var.max(0.0)
            })
        };
        Ok(erf_gauss([var(self.xi_pos)?, var(self.xi_neg)?]).into())
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "starting.erf_gauss",
    text: include_str!("erf_gauss.rs"),
    control: Control {
        what: "erf(h) without its sqrt 2, twice the variance",
        eval: |given| with(given, |a: Args| a.value(2.0)),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| a.value(1.0)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::quadrature::normal_expectation;
    use std::f64::consts::FRAC_1_SQRT_2;

    #[test]
    fn quadrature_over_the_preactivation_finds_the_loss() {
        for var in [[0.3, 2.0], [5.0, 0.0], [1e4, 1e-6]] {
            let side = |var: f64, label: f64| {
                let miss = |z: f64| libm::erf(FRAC_1_SQRT_2 * f64::sqrt(var) * z) - label;
                normal_expectation(|z| miss(z) * miss(z), &[0.0, 0.1, -0.1]).value
            };
            let loss = 0.25 * (side(var[0], 1.0) + side(var[1], -1.0));
            assert!((erf_gauss(var) - loss).abs() < 1e-10, "{var:?}");
        }
        for var in [1e308, f64::INFINITY] {
            assert!((erf_gauss([var; 2]) - 1.0).abs() < 1e-15);
        }
    }
}
