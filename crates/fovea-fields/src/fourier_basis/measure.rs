//! The two matrices, the real Fourier basis and the source's real parts of the complex one; and Fourier coefficients of drawn
//! fields: their variances, what pairs of them share, and the norm of the field.

use super::FourierBasis;
use fovea_core::fourier::{basis_vector, cos_turns, frequency_of};
use fovea_core::ring::{RingKernel, circulant_eigs};
use fovea_desk::prelude::*;
use fovea_sim::expect::{dot, expect};
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
        let size = |v: &Vec<f64>| v.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let largest = (done..rest.len()).max_by(|a, b| size(&rest[*a]).total_cmp(&size(&rest[*b])));
        let Some(largest) = largest.filter(|i| size(&rest[*i]) > ROUNDING) else { return done };
        rest.swap(done, largest);
        let pivot = rest[done].clone();
        let at = (0..pivot.len()).max_by(|a, b| pivot[*a].abs().total_cmp(&pivot[*b].abs()));
        let at = at.unwrap_or(0);
        for column in &mut rest[done + 1..] {
            let factor = column[at] / pivot[at];
            column.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
        }
    }
    columns.len()
}

/// The coefficients at one gain, drawn and in theory.
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

/// Where each kind of number begins among those kept of a sample.
struct Layout {
    n: usize,
    pairs: usize,
    frequencies: usize,
}

impl Layout {
    fn new(n: usize) -> Self {
        Self { n, pairs: n * (n - 1) / 2, frequencies: n / 2 + 1 }
    }
    fn kurtosis(&self) -> usize {
        self.n + self.pairs
    }
    fn norm(&self) -> usize {
        self.kurtosis() + self.frequencies
    }
    fn powers(&self) -> usize {
        self.norm() + 1
    }
    fn all(&self) -> usize {
        self.powers() + self.frequencies * self.frequencies
    }
}

/// The first coefficient of frequency `k`.
fn first_of(k: usize) -> usize {
    if k == 0 { 0 } else { 2 * k - 1 }
}

impl Coefficients {
    /// Draws the process at one gain and adds up its coefficients.
    pub(super) fn new(
        settings: &FourierBasis,
        kernel: &RingKernel,
        gain: f64,
        streams: &Streams,
    ) -> Result<Self, LabError> {
        let n = settings.n;
        let row: Vec<f64> = kernel.first_row.iter().map(|rho| cov(*rho, gain)).collect();
        let (eigs, layout) = (circulant_eigs(&row), Layout::new(n));
        let basis = real_basis(n);
        let stimulus = Nlgp::on_ring(n, settings.xi, gain, settings.kernel).sampler()?;
        // The same latent fields at every gain.
        let stream = streams.named("fourier-basis");
        let mean_power: Vec<f64> =
            (0..layout.frequencies).map(|k| power_of(k, n) * eigs[k]).collect();
        let numbers = expect(&stimulus, &stream, settings.samples, layout.all(), |x, out| {
            let xi: Vec<f64> = basis.iter().map(|v| dot(v, x)).collect();
            let mut at = n;
            let mut power = vec![0.0; layout.frequencies];
            for j in 0..n {
                out[j] = xi[j] * xi[j];
                power[frequency_of(j, n)] += out[j];
                for l in j + 1..n {
                    out[at] = xi[j] * xi[l];
                    at += 1;
                }
            }
            for k in 0..layout.frequencies {
                let square = xi[first_of(k)] * xi[first_of(k)] / eigs[k];
                out[layout.kurtosis() + k] = square * square - 3.0;
            }
            let excess: f64 = x.iter().map(|x| x * x).sum::<f64>() - n as f64;
            out[layout.norm()] = excess * excess;
            for (k, p) in power.iter_mut().enumerate() {
                *p -= mean_power[k];
            }
            for k in 0..layout.frequencies {
                for l in 0..layout.frequencies {
                    out[layout.powers() + k * layout.frequencies + l] = power[k] * power[l];
                }
            }
        })?;
        let shared = &numbers[layout.powers()..];
        let size = |k: usize| shared[k * (layout.frequencies + 1)].mean().sqrt();
        let power_correlation = (0..shared.len())
            .map(|i| {
                let (k, l) = (i / layout.frequencies, i % layout.frequencies);
                shared[i].mean() / (size(k) * size(l))
            })
            .collect();
        Ok(Self {
            gain,
            variance: numbers[..n].to_vec(),
            covariance: numbers[n..layout.kurtosis()].to_vec(),
            kurtosis: numbers[layout.kurtosis()..layout.norm()].to_vec(),
            norm: numbers[layout.norm()],
            power_correlation,
            predicted_kurtosis: mode_kurtosis(&kernel.first_row, gain),
            predicted_norm: norm_variance(&kernel.first_row, gain),
            eigs,
        })
    }
}

/// How many coefficients a frequency has.
fn power_of(k: usize, n: usize) -> f64 {
    if k == 0 || 2 * k == n { 1.0 } else { 2.0 }
}
