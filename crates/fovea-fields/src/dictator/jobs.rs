//! What is trained: from one site, from near the dictator state, and from random weights.

use super::{Dictator, Pair};
use fovea_core::{Item, ParamError};
use fovea_desk::bench::Bench;
use fovea_desk::two_class::one_unit;
use fovea_sim::dynamics::Pace;
use fovea_sim::init::Initializer;
use fovea_sim::init::glorot::Glorot;
use fovea_sim::train::train;
use fovea_sim::{Labels, Plan, Run, Sgd, Times, loss, probe};

/// Where the streams of evaluations begin, beyond those of any run.
pub const EVALUATION: u64 = 1 << 50;

/// Where a field starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// On one site: the path into the state.
    Path,
    /// Away from the state in a random direction.
    Random,
    /// Away from it towards the flat field.
    Flat,
    /// Away from it towards the neighbour's state.
    Neighbour,
    /// At random weights.
    Glorot,
}

/// The ways out of the state.
pub const WAYS: [Kind; 3] = [Kind::Random, Kind::Flat, Kind::Neighbour];

impl Kind {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Random => "random",
            Self::Flat => "flat",
            Self::Neighbour => "neighbour",
            Self::Glorot => "glorot",
        }
    }
}

/// One run.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    pub(super) pair: usize,
    pub(super) kind: Kind,
    /// Which of the distances, for those that start near the state.
    pub(super) distance: usize,
    pub(super) start: usize,
}

impl Job {
    /// Whether its field is recorded on the way, at a constant rate.
    pub(super) fn is_recorded(&self) -> bool {
        matches!(self.kind, Kind::Path | Kind::Glorot)
    }

    /// The name in records.
    pub(super) fn name(&self, pairs: &[Pair]) -> String {
        let (pair, kind) = (pairs[self.pair].name(), self.kind.word());
        if self.is_recorded() {
            format!("xi={pair},{kind}={}", self.start)
        } else {
            format!("xi={pair},{kind}={},distance={}", self.start, self.distance)
        }
    }

    /// The number of its streams.
    pub fn stream(&self) -> u64 {
        let place = [self.pair, self.kind as usize, self.distance, self.start];
        place.iter().fold(0, |at, part| (at << 12) + *part as u64)
    }
}

/// Every job.
pub fn jobs(settings: &Dictator, pairs: &[Pair]) -> Vec<Job> {
    let mut jobs = Vec::new();
    for pair in 0..pairs.len() {
        let mut add = |kind: Kind, distance: usize, starts: usize| {
            jobs.extend((0..starts).map(|start| Job { pair, kind, distance, start }));
        };
        add(Kind::Path, 0, settings.replicas);
        if pair < settings.basins {
            add(Kind::Glorot, 0, settings.glorot);
            for distance in 0..settings.distance.len() {
                add(Kind::Random, distance, settings.starts);
                add(Kind::Flat, distance, settings.starts / 4);
                add(Kind::Neighbour, distance, settings.starts / 4);
            }
        }
    }
    jobs
}

/// How long a job trains and what is recorded of it.
pub(super) fn plan(settings: &Dictator, job: &Job) -> Plan<'static> {
    let plan = Plan {
        steps: settings.steps as u64,
        record: Times::Every(settings.record_every as u64),
        checkpoint_every: 0,
        eval_samples: 0,
        probes: &[&probe::weights::ENTRY, &probe::ipr::ENTRY],
        loss: &loss::mse::ENTRY,
        precision: settings.precision,
    };
    if job.is_recorded() {
        return plan;
    }
    Plan { steps: settings.basin_steps as u64, record: Times::At(Vec::new()), ..plan }
}

/// A unit vector that leads away from the state.
pub fn direction(kind: Kind, random: &[f64]) -> Vec<f64> {
    let n = random.len();
    let raw: Vec<f64> = match kind {
        Kind::Flat => vec![1.0; n],
        Kind::Neighbour => (0..n).map(|i| if i == 1 { 1.0 } else { 0.0 }).collect(),
        _ => random.to_vec(),
    };
    let norm = raw.iter().map(|x| x * x).sum::<f64>().sqrt();
    raw.iter().map(|x| x / norm).collect()
}

/// Trains one field.
pub(super) fn run(
    settings: &Dictator,
    job: &Job,
    pair: &Pair,
    bench: &Bench<'_>,
) -> Result<Run, ParamError> {
    let streams = bench.streams().replica(job.stream());
    let n = settings.n;
    let start = match job.kind {
        Kind::Path => (0..n).map(|i| if i == 0 { settings.scale } else { 0.0 }).collect(),
        Kind::Glorot => Glorot::default().start(&[n], 1, &streams)?.weights,
        kind => {
            let mut random = vec![0.0; n];
            streams.named("direction").normals(0, &mut random);
            let reach = settings.distance[job.distance] * pair.norm();
            let away = direction(kind, &random);
            pair.point.w.iter().zip(away).map(|(w, x)| w + reach * x).collect::<Vec<f64>>()
        }
    };
    let pace = if job.is_recorded() {
        Pace::online(settings.lr, settings.batch)
    } else {
        // A rate that falls to zero: the noise of SGD dies out and the end can be told.
        let schedule = Item::named("linear");
        Pace { schedule, ..Pace::online(settings.basin_lr, settings.basin_batch) }
    };
    let task = pair.two.task(f64::INFINITY, Labels::Iid)?;
    let network = one_unit(&start)?;
    Ok(train(&task, network, &Sgd { pace }, &streams, &plan(settings, job), bench))
}
