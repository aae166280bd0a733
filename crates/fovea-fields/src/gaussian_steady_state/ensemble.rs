//! The closed flow of many starts: its mean frequency, and how many are led by the stable mode.

use super::{GaussianSteadyState, stable};
use fovea_core::fourier::frequency_of;
use fovea_desk::prelude::*;
use fovea_theory::{FormError, GaussianFlow};

/// How large a start is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// Normal weights of variance 2/(n + 1).
    Glorot,
    /// Standard normal weights.
    Normal,
}

pub(super) const SCALES: [Scale; 2] = [Scale::Normal, Scale::Glorot];

impl Scale {
    /// The name in records.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Glorot => "glorot",
            Self::Normal => "normal",
        }
    }

    /// The name for a reader.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Glorot => "Glorot start, variance 2/(n+1)",
            Self::Normal => "start of variance 1",
        }
    }

    /// Standard deviation of a weight.
    fn std(self, n: usize) -> f64 {
        match self {
            Self::Glorot => (2.0 / (n as f64 + 1.0)).sqrt(),
            Self::Normal => 1.0,
        }
    }

    /// Start `index`, the same at every scale.
    pub(super) fn weights(self, n: usize, streams: &Streams, index: u64) -> Vec<f64> {
        let mut w = vec![0.0; n];
        streams.named("starts").normals(index, &mut w);
        w.into_iter().map(|w| w * self.std(n)).collect()
    }
}

/// Mean frequency of the power of a field, and the share of its power at one frequency.
pub(super) fn spectrum_of(u: &[f64], k: usize) -> [f64; 2] {
    let n = u.len();
    let (mut total, mut first, mut at) = (0.0, 0.0, 0.0);
    for (j, u) in u.iter().enumerate() {
        let (frequency, power) = (frequency_of(j, n), u * u);
        total += power;
        first += frequency as f64 * power;
        at += if frequency == k { power } else { 0.0 };
    }
    [first / total, at / total]
}

/// The flow of many starts of one kind.
pub(super) struct Ensemble {
    pub(super) times: Vec<f64>,
    /// Mean over the starts of the mean frequency.
    pub(super) frequency: Vec<f64>,
    /// Share of the starts with more than 90 % of their power in the stable mode.
    pub(super) led: Vec<f64>,
    /// Share of the starts with the most power in the stable mode.
    pub(super) leading: Vec<f64>,
    /// Mean norm.
    pub(super) norm: Vec<f64>,
}

impl Ensemble {
    /// Follows every start through these times.
    pub(super) fn new(
        settings: &GaussianSteadyState,
        flow: &GaussianFlow,
        scale: Scale,
        desk: &Desk<'_>,
    ) -> Result<Self, LabError> {
        let (stable, streams, times) = (stable(flow), desk.streams(), settings.times());
        let last = times.iter().copied().fold(0.0, f64::max);
        let at = |u: &[f64]| {
            let [frequency, share] = spectrum_of(u, stable);
            let most = (0..=settings.n / 2).all(|k| spectrum_of(u, k)[1] <= share + f64::EPSILON);
            let norm = u.iter().map(|u| u * u).sum::<f64>().sqrt();
            let yes = |held: bool| f64::from(u8::from(held));
            [frequency, yes(share > 0.9), yes(most), norm]
        };
        let indices: Vec<u64> = (0..settings.inits as u64).collect();
        let paths = desk.try_fleet(&indices, |index| -> Result<Vec<[f64; 4]>, FormError> {
            let path = flow.path(&scale.weights(settings.n, &streams, *index), last)?;
            times.iter().map(|t| Ok(at(&path.at(*t)?))).collect()
        })?;
        let mean = |part: usize| -> Vec<f64> {
            let at = |t: usize| paths.iter().map(|path| path[t][part]).sum::<f64>();
            (0..times.len()).map(|t| at(t) / paths.len() as f64).collect()
        };
        let (frequency, led, leading, norm) = (mean(0), mean(1), mean(2), mean(3));
        Ok(Self { times, frequency, led, leading, norm })
    }

    /// The value of a curve at the time nearest to `t`.
    pub(super) fn near(&self, curve: &[f64], t: f64) -> f64 {
        let gap = |i: &usize| (self.times[*i] - t).abs();
        let i = (0..curve.len()).min_by(|a, b| gap(a).total_cmp(&gap(b))).unwrap_or(0);
        curve[i]
    }
}
