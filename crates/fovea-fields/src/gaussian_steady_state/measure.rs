//! Training beside descent on the closed loss, and the stationary point: how fast small departures from it die out, and how
//! high the field of SGD stands there.

use super::ensemble::{Scale, spectrum_of};
use super::{GaussianSteadyState, stable};
use fovea_core::fourier::{frequency_of, from_fourier, to_fourier};
use fovea_core::ode::OdeError;
use fovea_desk::prelude::*;
use fovea_desk::replicas::mean;
use fovea_desk::two_class::at_records;
use fovea_theory::relu::relaxation::relaxation;
use fovea_theory::relu::steady::{Steady, steady};
use fovea_theory::{FormError, GaussianFlow};
use std::f64::consts::FRAC_2_PI;

/// Mean frequency, share of the stable mode and norm of one kind of start, over time.
pub(super) struct Transient {
    pub(super) scale: Scale,
    pub(super) times: Vec<f64>,
    /// Of the runs: mean over the starts, with the standard error of its distance to the closed side.
    pub(super) runs: Vec<[Estimate; 3]>,
    /// Of descent on the closed loss from the same starts at the same rate.
    pub(super) closed: Vec<[f64; 3]>,
    /// Norm when only the second term acts, as note 001 has it.
    pub(super) decayed: Vec<f64>,
}

/// Mean frequency, share of the stable mode, and norm of a field.
fn numbers(w: &[f64], stable: usize) -> [f64; 3] {
    let u = to_fourier(w);
    let [frequency, share] = spectrum_of(&u, stable);
    [frequency, share, u.iter().map(|u| u * u).sum::<f64>().sqrt()]
}

impl Transient {
    /// Compares the runs of one scale with descent on the closed loss, start by start.
    pub(super) fn new(
        settings: &GaussianSteadyState,
        flow: &GaussianFlow,
        scale: Scale,
        runs: &Group<'_>,
    ) -> Result<Self, LabError> {
        let stable = stable(flow);
        let schedule = (settings.lr, settings.steps, settings.record_every);
        let trained = |run: &&Trained| -> Vec<Vec<f64>> {
            run.readings(&probe::weights::ENTRY).iter().map(|units| units[0].clone()).collect()
        };
        let fields: Vec<Vec<Vec<f64>>> = runs.runs.iter().map(trained).collect();
        let starts: Vec<&[f64]> = fields.iter().map(|path| &path[0][..]).collect();
        let of = |path: &Vec<Vec<f64>>| -> Vec<[f64; 3]> {
            path.iter().map(|w| numbers(w, stable)).collect()
        };
        let own: Vec<_> = fields.iter().map(of).collect();
        let closed: Vec<_> =
            starts.iter().map(|start| of(&at_records(flow, start, schedule))).collect();
        // The first record is the common start, exact on both sides.
        let times: Vec<f64> = runs.runs[0].records().iter().skip(1).map(|r| r.time).collect();
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
        let closed = (1..=times.len()).map(|t| [mean(t, 0), mean(t, 1), mean(t, 2)]).collect();
        let decayed = decay(flow, &starts, &times);
        Ok(Self { scale, times, runs: paired, closed, decayed })
    }
}

/// Mean norm of the starts when each mode decays at a quarter of the sum of its eigenvalues and nothing else acts.
fn decay(flow: &GaussianFlow, starts: &[&[f64]], times: &[f64]) -> Vec<f64> {
    let n = flow.n();
    let rate = |j: usize| {
        let k = frequency_of(j, n);
        0.25 * (flow.eigs_pos[k] + flow.eigs_neg[k])
    };
    let norm = |start: &[f64], t: f64| {
        let u = to_fourier(start);
        let square = |(j, u): (usize, &f64)| u * u * libm::exp(-2.0 * rate(j) * t);
        u.iter().enumerate().map(square).sum::<f64>().sqrt()
    };
    let mean = |t: &f64| starts.iter().map(|w| norm(w, *t)).sum::<f64>() / starts.len() as f64;
    times.iter().map(mean).collect()
}

/// The stable mode, its stationary point and the field there: the mode at its amplitude.
pub(super) fn stationary(flow: &GaussianFlow) -> Result<(usize, Steady, Vec<f64>), FormError> {
    let k = stable(flow);
    let point = steady(&flow.eigs_pos, &flow.eigs_neg, k).ok_or(FormError::NoSteadyState { k })?;
    let mut u = vec![0.0; flow.n()];
    u[if k == 0 { 0 } else { 2 * k - 1 }] = point.amplitude;
    Ok((k, point, from_fourier(&u)))
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

/// The norm, and the slowest modes beside the stable one.
pub(super) fn departures(flow: &GaussianFlow) -> Result<Vec<Departure>, LabError> {
    let (k, _, field) = stationary(flow)?;
    let rates =
        relaxation(&flow.eigs_pos, &flow.eigs_neg, k).ok_or(FormError::NoSteadyState { k })?;
    let point = to_fourier(&field);
    let own = (0..point.len()).find(|j| frequency_of(*j, point.len()) == k).unwrap_or(0);
    let mut slowest: Vec<usize> =
        (0..rates.rates.len()).filter(|j| rates.rates[*j] < 0.0).collect();
    slowest.sort_by(|a, b| rates.rates[*b].total_cmp(&rates.rates[*a]));
    let modes =
        slowest.into_iter().take(3).map(|j| (if j == 0 { 0 } else { 2 * j - 1 }, rates.rates[j]));
    let all = [(own, rates.radial)].into_iter().chain(modes);
    all.map(|(j, rate)| departure(flow, &point, (own, j), rate)).collect()
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
    pub(super) point: Steady,
    pub(super) k: usize,
    /// Note 003 (25) for the amplitude.
    pub(super) source: f64,
    /// Mean field over the later half, replica by replica.
    pub(super) fields: Vec<Vec<f64>>,
    /// The closed field.
    pub(super) closed: Vec<f64>,
}

impl Rest {
    /// Averages the later half of every run.
    pub(super) fn new(flow: &GaussianFlow, runs: &Group<'_>) -> Result<Self, LabError> {
        let (k, point, closed) = stationary(flow)?;
        let late = |run: &&Trained| {
            let fields = run.readings(&probe::weights::ENTRY);
            let late = fields[fields.len() / 2..].iter().map(|units| units[0].clone());
            mean(&late.collect::<Vec<_>>(), None)
        };
        let fields = runs.runs.iter().map(late).collect();
        let source = (FRAC_2_PI.sqrt() / (flow.eigs_pos[k] + flow.eigs_neg[k])).sqrt();
        Ok(Self { point, k, source, fields, closed })
    }

    /// Size of the fields along the closed one, over the root of n: the height of a flat field.
    pub(super) fn height(&self) -> Result<Estimate, LabError> {
        let scale = self.closed.iter().map(|w| w * w).sum::<f64>().sqrt();
        let n = self.closed.len() as f64;
        let along = |field: &Vec<f64>| {
            field.iter().zip(&self.closed).map(|(w, v)| w * v).sum::<f64>() / scale / n.sqrt()
        };
        Ok(Estimate::from_samples(&self.fields.iter().map(along).collect::<Vec<_>>())?)
    }

    /// The closed height, and that of note 003.
    pub(super) fn heights(&self) -> [f64; 2] {
        let root = (self.closed.len() as f64).sqrt();
        [self.point.amplitude / root, self.source / root]
    }
}
