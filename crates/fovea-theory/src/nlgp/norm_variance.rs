//! Variance of the squared norm of the nonlinear Gaussian process, and its part from joint cumulants.
//!
//! ```math
//! \mathrm{Var}\|X\|^2=n\sum_{d}\big(E\,X_0^2X_d^2-1\big)=2\sum_k\lambda_k^2+\sum_{jl}\kappa(\Xi_j,\Xi_j,\Xi_l,\Xi_l)
//! ```
//!
//! # Source
//! Derived for claims L001.78 and L002.21: the norm concentrates as the gain grows, and the last sum is that of the
//! joint cumulants of all pairs of Fourier coefficients.
//!
//! # Symbols
//! * $`g`$: `gain`
//! * $`\lambda_k`$: eigenvalues of the covariance of the process
//! * $`\Xi`$: $`F^\top X`$, Fourier coefficients of the field
//! * $`2\sum\lambda_k^2`$: `gaussian`
//! * $`\sum\kappa`$: `joint_cumulants`
//!
//! # Holds when
//! Every gain > 0, `inf` included: $`2\sum\lambda^2`$ as the gain falls to 0, and 0 at `gain = inf`, where
//! $`\|X\|^2=n`$.
//!
//! # Checked by
//! Both limits of the gain; sampled norms in the experiment `fourier-basis`.

use super::cov::cov;
use super::fourth::fourth;
use crate::form::{Control, Form, FormError, with};
use fovea_core::params::{Schema, above, any, between, finite_above};
use fovea_core::ring::{Kernel, RingKernel};
use fovea_core::{Params, Value, params};

/// The variance of a squared norm and its parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormVariance {
    /// Variance of the squared norm.
    pub variance: f64,
    /// The variance for a Gaussian field of the same covariance.
    pub gaussian: f64,
}

impl NormVariance {
    /// Sum of the joint cumulants of all pairs of Fourier coefficients, each twice.
    pub fn joint_cumulants(self) -> f64 {
        self.variance - self.gaussian
    }
}

impl From<NormVariance> for Value {
    fn from(norm: NormVariance) -> Self {
        Self::table([
            ("variance", norm.variance.into()),
            ("gaussian", norm.gaussian.into()),
            ("joint_cumulants", norm.joint_cumulants().into()),
        ])
    }
}

/// The variance of the squared norm of a process whose latent covariance has this first row.
///
/// ```
/// let norm = fovea_theory::nlgp::norm_variance::norm_variance(&[1.0, 0.5, 0.5], f64::INFINITY);
/// assert!(norm.variance.abs() < 1e-14 && norm.gaussian > 6.0);
/// ```
pub fn norm_variance(latent: &[f64], gain: f64) -> NormVariance {
    let (sites, n) = (latent.len(), latent.len() as f64);
    let pair = |rho: &f64| {
        let between = |a: usize, b: usize| if a / 2 == b / 2 { 1.0 } else { *rho };
        let four = fourth(&std::array::from_fn(|a| std::array::from_fn(|b| between(a, b))), gain);
        // E X0^2 Xd^2 - 1 = cumulant + 2 C^2, in which nothing cancels except at infinite gain.
        let square = cov(*rho, gain) * cov(*rho, gain);
        (four.cumulant, 2.0 * square)
    };
    // The distances on the way back around the ring repeat those on the way out.
    let half: Vec<(f64, f64)> = latent[..=sites / 2].iter().map(pair).collect();
    let (cumulants, gaussian): (Vec<f64>, Vec<f64>) =
        (0..sites).map(|d| half[d.min(sites - d)]).unzip();
    let gaussian = n * gaussian.iter().sum::<f64>();
    NormVariance { variance: gaussian + n * cumulants.iter().sum::<f64>(), gaussian }
}

params! {
    /// Arguments of `nlgp.norm_variance`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
        /// Correlation length of the latent field.
        xi: f64 = 2.0, finite_above(0.0), "sites";
        /// Gain of the nonlinearity; `inf` is the sign.
        gain: f64 = 1.0, above(0.0), "";
        /// Covariance kernel of the latent Gaussian.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {}

impl Args {
    fn value(&self) -> Result<NormVariance, FormError> {
        let row = RingKernel::new(self.n, self.xi, self.kernel)?.first_row;
        Ok(norm_variance(&row, self.gain))
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "nlgp.norm_variance",
    text: include_str!("norm_variance.rs"),
    control: Control {
        what: "independent Fourier coefficients: no joint cumulants",
        eval: |given| {
            with(given, |a: Args| {
                let norm = a.value()?;
                Ok(NormVariance { variance: norm.gaussian, ..norm }.into())
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(a.value()?.into())),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::ring::{circulant_eigs, kernel_row, unfold};

    #[test]
    fn the_norm_is_gaussian_at_low_gain_and_constant_for_signs() {
        for (n, xi) in [(12, 1.5), (7, 0.4)] {
            let row = kernel_row(n, xi, Kernel::Ring);
            let squares: f64 = unfold(&circulant_eigs(&row), n).iter().map(|eig| eig * eig).sum();
            let low = norm_variance(&row, 1e-6);
            assert!((low.variance / (2.0 * squares) - 1.0).abs() < 1e-9, "n={n}");
            let signs = norm_variance(&row, f64::INFINITY);
            assert!(signs.variance.abs() < 1e-12 * signs.gaussian, "n={n}: {signs:?}");
            let mut last = low.variance;
            for gain in [0.1, 0.5, 1.0, 3.0, 100.0] {
                let next = norm_variance(&row, gain).variance;
                assert!(next < last && next > 0.0, "n={n} {gain}");
                last = next;
            }
        }
    }
}
