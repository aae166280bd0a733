//! Fourier coefficients of drawn fields: their variances, what pairs of them share, and the norm of the field.

use super::FourierBasis;
use fovea_core::Value;
use fovea_core::fourier::frequency_of;
use fovea_core::ring::{RingKernel, circulant_eigs};
use fovea_core::stats::Estimate;
use fovea_core::streams::Streams;
use fovea_desk::error::LabError;
use fovea_record::claim::Claim;
use fovea_record::outcome::Array;
use fovea_sim::expect::{dot, expect};
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_theory::nlgp::cov::cov;
use fovea_theory::nlgp::excess_kurtosis::excess_kurtosis;
use fovea_theory::nlgp::mode_kurtosis::mode_kurtosis;
use fovea_theory::nlgp::norm_variance::{NormVariance, norm_variance};

/// The coefficients at one gain, drawn and in theory.
pub(super) struct Coefficients {
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
        let basis = super::basis::real_basis(n);
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

    /// The name in records.
    pub(super) fn name(&self) -> String {
        format!("gain={}", Value::Real(self.gain))
    }

    pub(super) fn arrays(&self) -> Vec<Array> {
        let means = |list: &[Estimate]| list.iter().map(Estimate::mean).collect::<Vec<f64>>();
        let name = self.name();
        let side = self.kurtosis.len();
        let rows: Vec<Vec<f64>> =
            self.power_correlation.chunks(side).map(<[f64]>::to_vec).collect();
        vec![
            Array::of_entries(format!("variance_{name}"), &means(&self.variance)),
            Array::of_entries(format!("eigenvalues_{name}"), &self.eigs),
            Array::of_entries(format!("kurtosis_{name}"), &means(&self.kurtosis)),
            Array::of_entries(format!("predicted_kurtosis_{name}"), &self.predicted_kurtosis),
            Array::of_rows(format!("power_correlation_{name}"), &rows),
        ]
    }

    /// One line of the summary.
    pub(super) fn summary(&self) -> String {
        let largest = |list: &[f64]| list.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let measured: Vec<f64> = self.kurtosis.iter().map(Estimate::mean).collect();
        format!(
            "{:>8} {:>10.4} {:>11.4} {:>11.4} {:>11.2} {:>11.2} {:>11.2}",
            Value::Real(self.gain).to_string(),
            excess_kurtosis(self.gain),
            largest(&measured),
            largest(&self.predicted_kurtosis),
            self.norm.mean(),
            self.predicted_norm.variance,
            self.predicted_norm.gaussian,
        )
    }
}

/// How many coefficients a frequency has.
fn power_of(k: usize, n: usize) -> f64 {
    if k == 0 || 2 * k == n { 1.0 } else { 2.0 }
}

/// What was drawn beside what theory says, with the wrong form of each.
pub(super) fn claims(all: &[Coefficients]) -> Vec<Claim> {
    type Pairs = Vec<(Estimate, f64)>;
    let gather =
        |of: &dyn Fn(&Coefficients) -> Pairs| -> Pairs { all.iter().flat_map(of).collect() };
    let second = |eigs: &dyn Fn(&Coefficients, usize) -> f64| -> Pairs {
        gather(&|c| {
            let n = c.variance.len();
            let variances =
                c.variance.iter().enumerate().map(|(j, e)| (*e, eigs(c, frequency_of(j, n))));
            variances.chain(c.covariance.iter().map(|e| (*e, 0.0))).collect()
        })
    };
    let kurtosis = |value: &dyn Fn(&Coefficients, usize) -> f64| -> Pairs {
        gather(&|c| c.kurtosis.iter().enumerate().map(|(k, e)| (*e, value(c, k))).collect())
    };
    let norm = |value: &dyn Fn(&Coefficients) -> f64| -> Pairs {
        // The norm of signs is no random number: there is nothing to estimate.
        gather(&|c| if c.gain.is_infinite() { Vec::new() } else { vec![(c.norm, value(c))] })
    };
    let mut claims = vec![
        Claim::family(
            "L001.78",
            "Fourier coefficients are uncorrelated, with the eigenvalues of the covariance for variances",
            &second(&|c, k| c.eigs[k]),
        )
        .rejecting("half the variance, the coefficients of note 003's real parts", &second(&|c, k| {
            let whole = k == 0 || 2 * k == c.variance.len();
            if whole { c.eigs[k] } else { 0.5 * c.eigs[k] }
        })),
        Claim::family(
            "L001.78",
            "one coefficient alone is close to Gaussian: its excess kurtosis at every frequency",
            &kurtosis(&|c, k| c.predicted_kurtosis[k]),
        )
        .rejecting("the kurtosis of a site", &kurtosis(&|c, _| excess_kurtosis(c.gain))),
    ];
    if all.iter().any(|c| c.gain.is_finite()) {
        claims.push(
            Claim::family(
                "L001.78",
                "coefficients are not independent: the variance of the squared norm, which adds up their joint cumulants",
                &norm(&|c| c.predicted_norm.variance),
            )
            .rejecting("independent coefficients", &norm(&|c| c.predicted_norm.gaussian)),
        );
    }
    claims
}
