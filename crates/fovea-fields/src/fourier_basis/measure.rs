//! The two matrices, the real Fourier basis and the source's real parts of the complex one; and Fourier coefficients of sampled
//! fields: their variances, the covariances and powers of pairs, and the norm of the field.

use super::FourierBasis;
use fovea_core::fourier::{basis_vector, cos_turns, frequency_of};
use fovea_core::ring::{RingKernel, circulant_eigs};
use fovea_desk::cell::peak;
use fovea_desk::prelude::*;
use fovea_sim::expect::expect;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_theory::nlgp::cov::cov;
use fovea_theory::nlgp::mode_kurtosis::mode_kurtosis;
use fovea_theory::nlgp::norm_variance::{NormVariance, norm_variance};

/// Rounding of sums of some tens of products of numbers below one.
pub(super) const ROUNDING: f64 = 1e-12;

/// Columns of a matrix.
pub(super) type Columns = Vec<Vec<f64>>;

/// The orthonormal real basis, sorted by frequency: constant, cosine 1, sine 1, cosine 2, ...
pub fn real_basis(n: usize) -> Columns {
    (0..n).map(|j| basis_vector(j, n)).collect()
}

/// Note 003 (35): the real parts of the complex columns, $`\cos(2\pi ji/n)/\sqrt n`$ for every $`j`$.
pub fn real_parts(n: usize) -> Columns {
    let norm = 1.0 / (n as f64).sqrt();
    (0..n).map(|j| (0..n).map(|i| norm * cos_turns(j * i, n)).collect()).collect()
}

/// How many columns are independent, by elimination with the largest pivot.
pub fn rank(columns: &Columns) -> usize {
    let mut rest = columns.clone();
    for done in 0..rest.len() {
        let size = |i: &usize| largest(&rest[*i]);
        let next = (done..rest.len()).max_by(|a, b| size(a).total_cmp(&size(b)));
        let Some(next) = next.filter(|i| size(i) > ROUNDING) else { return done };
        rest.swap(done, next);
        let pivot = rest[done].clone();
        let at = peak(&pivot);
        for column in &mut rest[done + 1..] {
            let factor = column[at] / pivot[at];
            column.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
        }
    }
    columns.len()
}

/// The coefficients at one gain, sampled and in theory.
pub struct Coefficients {
    pub(super) gain: f64,
    /// Variance of coefficient `j = 0..n`.
    pub(super) variance: Vec<Estimate>,
    /// Covariances of coefficients `j < l`, row by row.
    pub(super) covariance: Vec<Estimate>,
    /// Excess kurtosis of the first coefficient of every frequency, with the variance of theory.
    pub(super) kurtosis: Vec<Estimate>,
    /// Variance of the squared norm.
    pub(super) norm: Estimate,
    /// Correlation of the powers at two frequencies, row by row.
    pub(super) power_correlation: Vec<f64>,
    /// Eigenvalues of the covariance by frequency.
    pub(super) eigs: Vec<f64>,
    pub(super) predicted_kurtosis: Vec<f64>,
    pub(super) predicted_norm: NormVariance,
}

impl Coefficients {
    /// Samples the process at one gain and averages over its coefficients.
    pub(super) fn new(
        settings: &FourierBasis,
        kernel: &RingKernel,
        gain: f64,
        streams: &Streams,
    ) -> Result<Self, LabError> {
        let n = settings.n;
        let (pairs, frequencies) = (n * (n - 1) / 2, n / 2 + 1);
        let row: Vec<f64> = kernel.first_row.iter().map(|rho| cov(*rho, gain)).collect();
        let (eigs, basis) = (circulant_eigs(&row), real_basis(n));
        let stimulus = Nlgp::on_ring(n, settings.xi, gain, settings.kernel).sampler()?;
        // The same latent fields at every gain.
        let stream = streams.named("fourier-basis");
        let mean_power = |k: usize| {
            // One coefficient, or a cosine and a sine.
            let coefficients = if k == 0 || 2 * k == n { 1.0 } else { 2.0 };
            coefficients * eigs[k]
        };
        let count = n + pairs + frequencies + 1 + frequencies * frequencies;
        let numbers = expect(&stimulus, &stream, settings.samples, count, |x, out| {
            let mut slots = out.iter_mut();
            let mut keep = |number: f64| *slots.next().expect("a slot for each number") = number;
            let xi: Vec<f64> = basis.iter().map(|v| dot(v, x)).collect();
            let mut power = vec![0.0; frequencies];
            for j in 0..n {
                keep(xi[j] * xi[j]);
                power[frequency_of(j, n)] += xi[j] * xi[j];
            }
            for j in 0..n {
                for l in j + 1..n {
                    keep(xi[j] * xi[l]);
                }
            }
            for k in 0..frequencies {
                // The first coefficient of the frequency.
                let first = xi[if k == 0 { 0 } else { 2 * k - 1 }];
                let square = first * first / eigs[k];
                keep(square * square - 3.0);
                power[k] -= mean_power(k);
            }
            let excess = dot(x, x) - n as f64;
            keep(excess * excess);
            for p in &power {
                for q in &power {
                    keep(p * q);
                }
            }
        })?;
        let mut numbers = numbers.into_iter();
        let mut take = |count: usize| numbers.by_ref().take(count).collect::<Vec<Estimate>>();
        let (variance, covariance, kurtosis) = (take(n), take(pairs), take(frequencies));
        let (norm, shared) = (take(1)[0], take(frequencies * frequencies));
        let size = |k: usize| shared[k * (frequencies + 1)].mean().sqrt();
        let correlation = |(i, shared): (usize, &Estimate)| {
            shared.mean() / (size(i / frequencies) * size(i % frequencies))
        };
        let power_correlation = shared.iter().enumerate().map(correlation).collect();
        Ok(Self {
            gain,
            variance,
            covariance,
            kurtosis,
            norm,
            power_correlation,
            eigs,
            predicted_kurtosis: mode_kurtosis(&kernel.first_row, gain),
            predicted_norm: norm_variance(&kernel.first_row, gain),
        })
    }
}
