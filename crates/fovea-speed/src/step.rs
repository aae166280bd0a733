//! Whole training steps: on one core, on all of them, and many networks at once.

use super::row::{Cores, Measured, Relation, Row, Work};
use super::workload::{self, Workload};
use fovea_core::ParamError;
use fovea_core::streams::Streams;
use fovea_desk::error::LabError;
use fovea_sim::train::{Precision, held_out_loss, train};
use fovea_sim::{Ended, Network, Plan, Progress, Sgd, Task, Times, Watch, crew, loss};
use std::sync::{Arc, Mutex, PoisonError};

/// A network in training, a stretch of steps at a time, by the same path as `fovea train`.
pub struct Trainer {
    name: &'static str,
    precision: Precision,
    task: Arc<Task>,
    streams: Streams,
    sgd: Sgd,
    step: u64,
    /// The network as it is now.
    pub network: Network,
}

/// Nothing watches: only the training is timed.
struct Unwatched;

impl Watch for Unwatched {
    fn stepped(&self) {}
    fn stopped(&self) -> bool {
        false
    }
}

impl Trainer {
    /// An untrained network of the workload on `task`.
    ///
    /// # Errors
    /// The network does not fit the task.
    pub fn new(workload: &Workload, task: Arc<Task>, seed: u64) -> Result<Self, LabError> {
        let streams = Streams::new(seed);
        let network = workload.network(&streams)?;
        let Workload { name, precision, .. } = *workload;
        Ok(Self { name, precision, task, streams, sgd: workload.sgd(), step: 0, network })
    }

    /// Takes `steps` more steps.
    ///
    /// # Errors
    /// Training diverged.
    pub fn advance(&mut self, steps: u64) -> Result<(), LabError> {
        let plan = Plan {
            steps: self.step + steps,
            record: Times::At(Vec::new()),
            checkpoint_every: 0,
            eval_samples: 0,
            probes: &[],
            loss: &loss::mse::ENTRY,
            precision: self.precision,
        };
        let start = Progress { step: self.step, ..Progress::from(self.network.clone()) };
        let run = train(&self.task, start, &self.sgd, &self.streams, &plan, &Unwatched);
        if run.ended != Ended::Completed {
            return Err(LabError::Param(ParamError::Inconsistent {
                what: format!("the network of workload {} diverged: {:?}", self.name, run.ended),
                hint: "leave the row out with --only, and report it".to_owned(),
            }));
        }
        (self.network, self.step) = (run.network, plan.steps);
        Ok(())
    }

    /// The loss on fresh samples, with its factor 1/2.
    pub fn loss(&self, samples: usize) -> f64 {
        held_out_loss::<f32>(&self.task, &self.network, &loss::mse::ENTRY, &self.streams, samples)
    }
}

/// Steps of every workload on one core and on all, a fleet, and a hundred units in double precision.
pub(super) fn rows() -> Vec<Row> {
    let one = workload::ALL.map(|workload| step(workload, Cores::One));
    let all = workload::ALL.map(|workload| step(workload, Cores::All));
    let double = [2, 3].map(|at| Workload { precision: Precision::Double, ..workload::ALL[at] });
    let double = double.map(|workload| step(workload, Cores::One));
    one.into_iter().chain(double).chain(all).chain([fleet(workload::ALL[1])]).collect()
}

fn step(workload: Workload, cores: Cores) -> Row {
    let (kind, how) = match (cores, workload.precision) {
        (Cores::One, Precision::Single) => ("step", "one core"),
        (Cores::One, Precision::Double) => ("double", "one core, double precision"),
        (Cores::All, _) => ("threads", "one network on all cores"),
    };
    let relate = move |row: &Measured, before: &[Measured]| {
        let mut relations = vec![samples(row, &workload)];
        relations.extend(match (cores, workload.precision) {
            (Cores::One, Precision::Single) => None,
            (Cores::One, Precision::Double) => over_single(row, &workload, before),
            (Cores::All, _) => over_one_core(row, &workload, before),
        });
        relations
    };
    let row = one_network(workload, format!("{kind}-{}", workload.name), how);
    Row { cores, relate: Box::new(relate), ..row }
}

/// Steps of one network.
pub(super) fn one_network(workload: Workload, name: String, how: &str) -> Row {
    let about = format!("training, {how}: {}", workload.about());
    Row::new(name, about, ("steps/s", 1.0), move || {
        let mut trainer = Trainer::new(&workload, Arc::new(workload.task()?), 0)?;
        let work: Work = Box::new(move |count| trainer.advance(count));
        Ok(work)
    })
}

/// Two networks per core.
fn fleet(workload: Workload) -> Row {
    let networks = 2 * std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let relate = move |row: &Measured, before: &[Measured]| {
        [Some(samples(row, &workload)), over_one_core(row, &workload, before)]
            .into_iter()
            .flatten()
            .collect()
    };
    let row = fleet_of(workload, format!("fleet-{}", workload.name), networks);
    Row { relate: Box::new(relate), ..row }
}

/// Steps of many networks, each with a seed of its own.
pub(super) fn fleet_of(workload: Workload, name: String, networks: usize) -> Row {
    let about = format!("training, {networks} networks at once: {}", workload.about());
    let prepare = move || {
        let task = Arc::new(workload.task()?);
        let of_seed = |seed| Trainer::new(&workload, Arc::clone(&task), seed);
        let trainers = (0..networks as u64).map(|seed| of_seed(seed).map(Mutex::new));
        let fleet = trainers.collect::<Result<Vec<_>, _>>()?;
        let advance = |trainer: &Mutex<Trainer>, count| {
            trainer.lock().unwrap_or_else(PoisonError::into_inner).advance(count)
        };
        let work: Work = Box::new(move |count| {
            crew::fleet(&fleet, |trainer| advance(trainer, count)).into_iter().collect()
        });
        Ok(work)
    };
    let row = Row::new(name, about, ("steps/s", networks as f64), prepare);
    Row { cores: Cores::All, ..row }
}

fn samples(row: &Measured, workload: &Workload) -> Relation {
    let value = row.rate.median * workload.batch as f64;
    Relation { key: "samples_per_s", value, text: format!("{:.2} M samples/s", 1e-6 * value) }
}

fn over_single(row: &Measured, workload: &Workload, before: &[Measured]) -> Option<Relation> {
    let value = 1.0 / row.ratio(&format!("step-{}", workload.name), before)?;
    let text = format!("{value:.1} times as long as in single precision");
    Some(Relation { key: "over_single", value, text })
}

fn over_one_core(row: &Measured, workload: &Workload, before: &[Measured]) -> Option<Relation> {
    let value = row.ratio(&format!("step-{}", workload.name), before)?;
    Some(Relation { key: "over_one_core", value, text: format!("{value:.2} times one core") })
}
