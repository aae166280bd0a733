//! Mean norm of a Gaussian field on the ring.
//!
//! ```math
//! E\|X\|=\frac1{\sqrt\pi}\int_0^\infty\Big(1-\prod_i(1+2x^2\lambda_i)^{-1/2}\Big)\frac{dx}{x^2}
//! ```
//!
//! # Source
//! Derived; claim L002.21, for note 002 (26)-(27): $`\sqrt Q=\tfrac1{2\sqrt\pi}\int_0^\infty(1-e^{-sQ})s^{-3/2}ds`$
//! with $`s=x^2`$.
//!
//! # Symbols
//! * $`\lambda_i`$: all `n` eigenvalues of the covariance, with multiplicity
//!
//! # Holds when
//! Gaussian data of unit variance. For the sign of a field the norm is $`\sqrt n`$, whatever the covariance is.
//!
//! # Checked by
//! Reference values (`tests/oracle`) through `starting.relu`; the chi distribution; sampled norms.

use crate::form::{Control, Form, FormError, number, with};
use fovea_core::params::{Schema, any, between, finite_above};
use fovea_core::quadrature::adaptive;
use fovea_core::ring::{Kernel, RingKernel};
use fovea_core::{Params, Value, params};
use std::f64::consts::PI;

/// The mean norm of a Gaussian field whose covariance has these eigenvalues, none negative.
///
/// ```
/// let mean = fovea_theory::starting::norm::norm(&[1.0]);
/// assert!((mean - (2.0 / std::f64::consts::PI).sqrt()).abs() < 1e-14);
/// ```
pub fn norm(eigs: &[f64]) -> f64 {
    let power: f64 = eigs.iter().sum();
    if power <= 0.0 {
        return 0.0;
    }
    // At unit power the integrand changes its behaviour near x = 1: beyond it the variable is 1/x.
    let scaled: Vec<f64> = eigs.iter().map(|eig| eig / power).collect();
    let lost = |x2: f64| {
        let exponent: f64 = scaled.iter().map(|eig| libm::log1p(2.0 * x2 * eig)).sum();
        -libm::expm1(-0.5 * exponent)
    };
    let near = adaptive(|x| lost(x * x) / (x * x), 0.0, 1.0, 1e-13).value;
    let far = adaptive(|y| lost(1.0 / (y * y)), 0.0, 1.0, 1e-13).value;
    (power / PI).sqrt() * (near + far)
}

params! {
    /// Arguments of `starting.norm`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
        /// Correlation length of the field.
        xi: f64 = 2.0, finite_above(0.0), "sites";
        /// Covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {}

impl Args {
    fn value(&self) -> Result<Value, FormError> {
        Ok(norm(&RingKernel::new(self.n, self.xi, self.kernel)?.eigs).into())
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "starting.norm",
    text: include_str!("norm.rs"),
    control: Control {
        what: "the root of the mean square, sqrt(n), which is the norm of signs",
        eval: |given| number(given, |a: Args| Ok((a.n as f64).sqrt())),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| a.value()),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::special::ln_gamma;

    #[test]
    fn independent_sites_have_the_mean_of_the_chi_distribution() {
        for (n, count) in [(1.0, 1), (2.0, 2), (40.0, 40), (1000.0, 1000)] {
            let chi = libm::sqrt(2.0) * libm::exp(ln_gamma(0.5 * n + 0.5) - ln_gamma(0.5 * n));
            for scale in [1e-200, 1.0, 1e200] {
                let got = norm(&vec![scale; count]) / f64::sqrt(scale);
                assert!((got / chi - 1.0).abs() < 1e-11, "{n} {scale:e}: {got} {chi}");
            }
        }
        assert!(norm(&[0.0; 3]) == 0.0 && norm(&[]) == 0.0);
        // One mode alone has the mean of a normal variable, whatever the others' number.
        assert!((norm(&[5.0, 0.0, 0.0]) / (10.0 / PI).sqrt() - 1.0).abs() < 1e-12);
    }
}
