//! Excess kurtosis of one Fourier coefficient of the nonlinear Gaussian process.
//!
//! ```math
//! \frac{\kappa_4(\Xi_k)}{\lambda_k^2}=\frac{3}{2n\lambda_k^2}\sum_{d_1d_2d_3}\kappa_{0d_1d_2d_3}\cos\frac{2\pi k(d_1+d_2-d_3)}n,\qquad 0<k<\tfrac n2
//! ```
//!
//! # Source
//! Claim L001.78, made exact, for the question in note 001 after (136): the product of four cosines is averaged over
//! the ring.
//!
//! # Symbols
//! * $`\Xi_k`$: coefficient of $`\sqrt{2/n}\cos(2\pi ki/n)`$, the cosine of `k` periods, the first of its pair
//! * $`\kappa`$: `nlgp.fourth`
//! * $`\lambda_k`$: eigenvalue of the covariance of the process
//!
//! # Holds when
//! `n <= 64`, since the sum has n^3 terms; every gain > 0, `inf` included. It vanishes as $`g^2`$ with the gain. At
//! $`k=0`$ and $`n/2`$ the sum is $`\tfrac1n\sum\kappa\cos(2\pi k(d_1+d_2+d_3)/n)`$. Where $`4k`$ is a multiple of
//! $`n`$ a third of that is added for the cosine and subtracted for the sine; the value is for the cosine.
//!
//! # Checked by
//! The sum over all sites without symmetry; sampled coefficients in the experiment `fourier-basis`.

use super::cov::cov;
use crate::cumulants::Cumulants;
use crate::form::{Control, Form, FormError, number, with};
use fovea_core::fourier::basis_vector;
use fovea_core::params::{Schema, above, any, at_least, between, finite_above};
use fovea_core::ring::{Kernel, RingKernel, circulant_eigs};
use fovea_core::{ParamError, Params, Value, params};

/// Excess kurtosis at the frequencies `0..=n/2` of a process whose latent covariance has this first row.
///
/// ```
/// let all = fovea_theory::nlgp::mode_kurtosis::mode_kurtosis(&[1.0, 0.0], f64::INFINITY);
/// assert!((all[0] + 1.0).abs() < 1e-14);
/// ```
pub fn mode_kurtosis(latent: &[f64], gain: f64) -> Vec<f64> {
    let n = latent.len();
    let eigs = circulant_eigs(&latent.iter().map(|rho| cov(*rho, gain)).collect::<Vec<_>>());
    let cumulants = Cumulants::nlgp(latent, gain);
    let kurtosis = |k: usize| {
        let wave = basis_vector(if k == 0 { 0 } else { 2 * k - 1 }, n);
        let fourth: f64 = cumulants.contract(&wave).iter().zip(&wave).map(|(c, v)| c * v).sum();
        fourth / (eigs[k] * eigs[k])
    };
    (0..=n / 2).map(kurtosis).collect()
}

params! {
    /// Arguments of `nlgp.mode_kurtosis`.
    pub struct Args {
        /// Ring size.
        n: usize = 10, between(2.0, 64.0), "sites";
        /// Correlation length of the latent field.
        xi: f64 = 1.0, finite_above(0.0), "sites";
        /// Gain of the nonlinearity; `inf` is the sign.
        gain: f64 = 3.0, above(0.0), "";
        /// Frequency of the coefficient, at most n/2.
        k: usize = 1, at_least(0.0), "cycles";
        /// Covariance kernel of the latent Gaussian.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        if self.k <= self.n / 2 {
            return Ok(());
        }
        Err(ParamError::Inconsistent {
            what: format!("`k` is {} on a ring of n = {} sites", self.k, self.n),
            hint: format!("choose k <= {}", self.n / 2),
        })
    }
}

impl Args {
    fn value(&self) -> Result<Value, FormError> {
        let row = RingKernel::new(self.n, self.xi, self.kernel)?.first_row;
        Ok(mode_kurtosis(&row, self.gain)[self.k].into())
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "nlgp.mode_kurtosis",
    text: include_str!("mode_kurtosis.rs"),
    control: Control {
        what: "the kurtosis of one site, as if a coefficient were distributed like a site",
        eval: |given| number(given, |a: Args| Ok(super::excess_kurtosis::excess_kurtosis(a.gain))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| a.value()),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nlgp::fourth::fourth;
    use fovea_core::ring::{distance, kernel_row};

    #[test]
    fn the_sum_over_all_sites_finds_the_same() {
        for (n, gain) in [(4, 1.0), (5, f64::INFINITY), (6, 0.3)] {
            let row = kernel_row(n, 1.0, Kernel::Ring);
            let got = mode_kurtosis(&row, gain);
            for (k, got) in got.iter().enumerate() {
                let v = basis_vector(if k == 0 { 0 } else { 2 * k - 1 }, n);
                let (mut fourth_cumulant, mut var) = (0.0, 0.0);
                let at = |i: usize, j: usize| row[distance(i, j, n)];
                for i in 0..n {
                    for j in 0..n {
                        var += v[i] * v[j] * cov(at(i, j), gain);
                        for l in 0..n {
                            for m in 0..n {
                                let sites = [i, j, l, m];
                                let r = sites.map(|a| sites.map(|b| at(a, b)));
                                let product: f64 = sites.iter().map(|i| v[*i]).product();
                                fourth_cumulant += product * fourth(&r, gain).cumulant;
                            }
                        }
                    }
                }
                let want = fourth_cumulant / (var * var);
                assert!((got - want).abs() < 1e-11, "n={n} k={k}: {got} {want}");
            }
        }
    }
}
