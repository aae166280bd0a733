//! The closed flow of many starts, training compared with descent on the closed loss, and the stationary point: how fast small
//! departures from it die out, and the height of the field of SGD there.

use super::{GaussianSteadyState, Kind, REST};
use fovea_core::fourier::{frequency_of, from_fourier, to_fourier};
use fovea_core::ode::OdeError;
use fovea_desk::prelude::*;
use fovea_desk::replicas;
use fovea_desk::two_class::at_records;
use fovea_theory::relu::relaxation::relaxation;
use fovea_theory::relu::stable_mode::stable_mode;
use fovea_theory::relu::steady::steady;
use fovea_theory::{FormError, GaussianFlow};
use std::f64::consts::FRAC_2_PI;

/// The frequency of the stable mode.
fn stable(flow: &GaussianFlow) -> usize {
    stable_mode(&flow.eigs_pos, &flow.eigs_neg, 0.0).k
}

/// The first coefficient of a frequency.
fn first_of(k: usize) -> usize {
    if k == 0 { 0 } else { 2 * k - 1 }
}

/// Mean frequency of the power of a field, and the share of its power at one frequency.
fn spectrum_of(u: &[f64], k: usize) -> [f64; 2] {
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
        kind: Kind,
        desk: &Desk<'_>,
    ) -> Result<Self, LabError> {
        let (stable, streams, times) = (stable(flow), desk.streams(), settings.times());
        let (n, last) = (settings.two.n, times[times.len() - 1]);
        let at = |u: &[f64]| {
            let [frequency, share] = spectrum_of(u, stable);
            let most = (0..=n / 2).all(|k| spectrum_of(u, k)[1] <= share + f64::EPSILON);
            let yes = |held: bool| f64::from(u8::from(held));
            [frequency, yes(share > 0.9), yes(most), norm(u)]
        };
        let indices: Vec<u64> = (0..settings.inits as u64).collect();
        let paths = desk.try_fleet(&indices, |index| -> Result<Vec<[f64; 4]>, FormError> {
            let path = flow.path(&kind.start(n, &streams, *index), last)?;
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

/// Mean frequency, share of the stable mode and norm of one kind of start, over time.
pub(super) struct Transient {
    pub(super) times: Vec<f64>,
    /// Of the runs: mean over the starts, with the standard error of its distance to the closed side.
    pub(super) runs: Vec<[Estimate; 3]>,
    /// Of descent on the closed loss from the same starts at the same rate.
    pub(super) closed: Vec<[f64; 3]>,
    /// Norm when only the second term acts, as note 001 has it.
    pub(super) decayed: Vec<f64>,
}

impl Transient {
    /// Compares the runs of one kind of start with descent on the closed loss, start by start.
    pub(super) fn new(
        settings: &GaussianSteadyState,
        flow: &GaussianFlow,
        runs: &Group<'_>,
    ) -> Result<Self, LabError> {
        let (stable, fields) = (stable(flow), runs.fields());
        let schedule = (settings.descent.lr, settings.descent.steps, settings.record_every);
        let numbers = |w: &Vec<f64>| {
            let u = to_fourier(w);
            let [frequency, share] = spectrum_of(&u, stable);
            [frequency, share, norm(&u)]
        };
        let of = |path: &[Vec<f64>]| -> Vec<[f64; 3]> { path.iter().map(numbers).collect() };
        let own: Vec<_> = fields.iter().map(|path| of(path)).collect();
        let descend = |path: &Vec<Vec<f64>>| of(&at_records(flow, &path[0], schedule));
        let closed: Vec<_> = fields.iter().map(descend).collect();
        // The first record is the common start, exact on both sides.
        let times = runs.times().split_off(1);
        let mut paired = Vec::new();
        for t in 1..=times.len() {
            let estimate = |part: usize| -> Result<Estimate, LabError> {
                let pairs = own.iter().zip(&closed).map(|(a, b)| (a[t][part], b[t][part]));
                let gaps: Vec<f64> = pairs.clone().map(|(a, b)| a - b).collect();
                let mean = pairs.map(|(a, _)| a).sum::<f64>() / gaps.len() as f64;
                let gap = Estimate::from_samples(&gaps)?;
                Ok(Estimate::from_parts(mean, gap.se(), gap.count())?)
            };
            paired.push([estimate(0)?, estimate(1)?, estimate(2)?]);
        }
        let mean = |t: usize, part: usize| {
            closed.iter().map(|path| path[t][part]).sum::<f64>() / closed.len() as f64
        };
        let closed = (1..=times.len()).map(|t| [0, 1, 2].map(|part| mean(t, part))).collect();
        let starts: Vec<Vec<f64>> = fields.iter().map(|path| to_fourier(&path[0])).collect();
        let decayed = times.iter().map(|t| decay(flow, &starts, *t)).collect();
        Ok(Self { times, runs: paired, closed, decayed })
    }
}

/// Mean norm of the starts when each mode decays at a quarter of the sum of its eigenvalues and nothing else acts.
fn decay(flow: &GaussianFlow, starts: &[Vec<f64>], t: f64) -> f64 {
    let rate = |j: usize| {
        let k = frequency_of(j, flow.n());
        0.25 * (flow.eigs_pos[k] + flow.eigs_neg[k])
    };
    let norm = |start: &Vec<f64>| {
        let square = |(j, u): (usize, &f64)| u * u * libm::exp(-2.0 * rate(j) * t);
        start.iter().enumerate().map(square).sum::<f64>().sqrt()
    };
    starts.iter().map(norm).sum::<f64>() / starts.len() as f64
}

/// The stable mode, its amplitude at the stationary point and the field there.
pub(super) fn stationary(flow: &GaussianFlow) -> Result<(usize, f64, Vec<f64>), FormError> {
    let k = stable(flow);
    let point = steady(&flow.eigs_pos, &flow.eigs_neg, k).ok_or(FormError::NoSteadyState { k })?;
    let mut u = vec![0.0; flow.n()];
    u[first_of(k)] = point.amplitude;
    Ok((k, point.amplitude, from_fourier(&u)))
}

/// A departure from the stationary point, relative to its size: its square is what the linear rate leaves out.
const SMALL: f64 = 1e-4;

/// A departure and how it dies out.
pub(super) struct Departure {
    /// What departs.
    pub(super) label: String,
    pub(super) times: Vec<f64>,
    /// Its size over that at time 0, along the full flow.
    pub(super) followed: Vec<f64>,
    /// The rate in closed form, negative.
    pub(super) rate: f64,
    /// The rate of the second term of the flow alone.
    pub(super) without_teacher: f64,
}

impl Departure {
    /// The rate found along the flow.
    pub(super) fn measured(&self) -> f64 {
        let last = self.times.len() - 1;
        libm::log(self.followed[last]) / self.times[last]
    }
}

/// The norm, and the slowest of the other modes.
pub(super) fn departures(flow: &GaussianFlow) -> Result<Vec<Departure>, LabError> {
    let (k, _, field) = stationary(flow)?;
    let rates =
        relaxation(&flow.eigs_pos, &flow.eigs_neg, k).ok_or(FormError::NoSteadyState { k })?;
    let point = to_fourier(&field);
    let mut slowest: Vec<usize> =
        (0..rates.rates.len()).filter(|j| rates.rates[*j] < 0.0).collect();
    slowest.sort_by(|a, b| rates.rates[*b].total_cmp(&rates.rates[*a]));
    let modes = slowest.into_iter().take(3).map(|j| (first_of(j), rates.rates[j]));
    let all = [(first_of(k), rates.radial)].into_iter().chain(modes);
    all.map(|(j, rate)| departure(flow, &point, (first_of(k), j), rate)).collect()
}

/// Follows the flow from the stationary point pushed to either side along coefficient `j`.
fn departure(
    flow: &GaussianFlow,
    point: &[f64],
    (own, j): (usize, usize),
    rate: f64,
) -> Result<Departure, LabError> {
    let times: Vec<f64> = (0..=40).map(|i| f64::from(i) / 40.0 * 2.0 / rate.abs()).collect();
    let push = |sign: f64| {
        let mut u = point.to_vec();
        u[j] += sign * SMALL * point[own];
        flow.path(&from_fourier(&u), times[times.len() - 1]).map_err(FormError::from)
    };
    let (up, down) = (push(1.0)?, push(-1.0)?);
    let followed = times
        .iter()
        .map(|t| Ok(0.5 * (up.at(*t)?[j] - down.at(*t)?[j]) / (SMALL * point[own])))
        .collect::<Result<Vec<f64>, OdeError>>()
        .map_err(FormError::from)?;
    let k = frequency_of(j, point.len());
    let label = if j == own { "norm".to_owned() } else { format!("$|k|$ = {k}") };
    let without_teacher = -0.25 * (flow.eigs_pos[k] + flow.eigs_neg[k]);
    Ok(Departure { label, times, followed, rate, without_teacher })
}

/// Fields of SGD around the stationary point.
pub(super) struct Rest {
    /// The frequency of the stable mode.
    pub(super) k: usize,
    /// Mean field over the later half, replica by replica.
    pub(super) fields: Vec<Vec<f64>>,
    /// The closed field.
    pub(super) closed: Vec<f64>,
    /// Size of the fields along the closed one, over the root of n: the height of a flat field.
    pub(super) height: Estimate,
    /// The closed height, and that of note 003 (25).
    pub(super) heights: [f64; 2],
}

impl Rest {
    /// Averages the later half of every run.
    pub(super) fn new(flow: &GaussianFlow, runs: &Runs) -> Result<Self, LabError> {
        let (k, amplitude, closed) = stationary(flow)?;
        let late = |path: &Vec<Vec<f64>>| replicas::mean(&path[path.len() / 2..], None);
        let fields: Vec<Vec<f64>> = runs.group(REST).fields().iter().map(late).collect();
        let (scale, root) = (norm(&closed), (closed.len() as f64).sqrt());
        let along: Vec<f64> = fields.iter().map(|w| dot(w, &closed) / scale / root).collect();
        let height = Estimate::from_samples(&along)?;
        let source = (FRAC_2_PI.sqrt() / (flow.eigs_pos[k] + flow.eigs_neg[k])).sqrt();
        Ok(Self { k, fields, closed, height, heights: [amplitude / root, source / root] })
    }
}
