//! Jobs that ended, kept in the directory of an unfinished run as they end: an engine that trains only missing jobs.
//!
//! A job is identified by everything that determines its numbers, not by its name alone. Jobs of a second or more are kept in
//! a file each; shorter ones are collected until together they are worth a file, so that a quick run writes none and
//! a killed one loses seconds, or a hundredth of what was done.

use crate::clock::now;
use crate::error::LabError;
use fovea_core::ParamError;
use fovea_record::directory::{NUMERIC_VERSION, Shelf, sha256};
use fovea_sim::engine::{Tasks, carry_out, on_all_threads};
use fovea_sim::network::Units;
use fovea_sim::train::Record;
use fovea_sim::{Diverged, Ended, Engine, Job, Network, Run, Start, Trained, Watch};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Seconds of training that are worth a file.
const WORTH: f64 = 1.0;
/// The share of all training so far that may be lost in addition.
const SHARE: f64 = 0.01;

/// A digest of what determines the numbers of a job.
type Key = [u8; 32];

/// A stage as it was kept.
struct Stage {
    ended: Ended,
    records: Vec<Record>,
    theta: Vec<f64>,
}

/// The jobs of an unfinished run that ended, and the engine that trains the others.
pub struct Finished {
    shelf: Shelf,
    found: BTreeMap<Key, Vec<Stage>>,
    damaged: usize,
    waiting: Mutex<Waiting>,
}

/// Jobs that ended and are not kept yet.
#[derive(Default)]
struct Waiting {
    bytes: Vec<u8>,
    seconds: f64,
    /// Seconds of all training so far.
    all: f64,
}

impl Finished {
    /// Those in a run directory.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn open(dir: &Path) -> Result<Self, LabError> {
        let shelf = Shelf::of(dir);
        let (files, damaged) = shelf.all()?;
        let mut found = BTreeMap::new();
        for file in &files {
            let mut rest = Bytes(file);
            while let Some((key, stages)) = rest.job() {
                found.insert(key, stages);
            }
        }
        Ok(Self { shelf, found, damaged, waiting: Mutex::default() })
    }

    /// How many jobs there are.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// How many files could not be used.
    pub fn damaged(&self) -> usize {
        self.damaged
    }

    /// Keeps the jobs that still wait: the run is about to end without a record.
    pub fn keep_all(&self) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        self.put(&mut waiting);
    }

    fn put(&self, waiting: &mut Waiting) {
        if !waiting.bytes.is_empty() {
            // What cannot be kept is trained again; a full disk is reported where the record is written.
            let _ = self.shelf.put(&std::mem::take(&mut waiting.bytes));
            waiting.seconds = 0.0;
        }
    }

    /// Receives a job that ended after this many seconds.
    fn keep(&self, key: &Key, trained: &Trained, seconds: f64) {
        if matches!(trained.ended(), Ended::Interrupted { .. }) {
            return;
        }
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.bytes.extend(key);
        write_stages(&mut waiting.bytes, &trained.stages);
        waiting.seconds += seconds;
        waiting.all += seconds;
        if waiting.seconds >= WORTH.max(SHARE * waiting.all) {
            self.put(&mut waiting);
        }
    }

    /// A job that was kept, where it has the shape of this one.
    fn find(&self, key: &Key, job: &Job, tasks: &Tasks, from: Option<&Trained>) -> Option<Trained> {
        let kept = self.found.get(key)?;
        let start = job.begin(tasks.get(&job.stages[0].task), from).ok()?.network;
        let (mut stages, mut notes) = (Vec::new(), Vec::new());
        for (stage, kept) in job.stages.iter().zip(kept) {
            let network = start.clone().with_theta(kept.theta.clone()).ok()?;
            notes.extend(tasks.get(&stage.task).notes());
            stages.push(Run { network, records: kept.records.clone(), ended: kept.ended });
        }
        Some(Trained { job: job.clone(), stages, notes })
    }
}

impl Engine for Finished {
    fn train(&self, jobs: &[Job], watch: &dyn Watch) -> Result<Vec<Trained>, ParamError> {
        let trained = on_all_threads(jobs, |job, tasks, from| {
            let key = key(job);
            if let Some(trained) = self.find(&key, job, tasks, from) {
                (0..job.steps()).for_each(|_| watch.stepped());
                return Ok(trained);
            }
            let began = now();
            let trained = carry_out(job, tasks, from, watch)?;
            self.keep(&key, &trained, began.elapsed().as_secs_f64());
            Ok(trained)
        });
        if watch.stopped() {
            self.keep_all();
        }
        trained
    }
}

/// What determines the numbers of a job.
fn key(job: &Job) -> Key {
    let mut text = format!("{NUMERIC_VERSION} {} {}\n", job.label, job.group);
    let mut numbers: Vec<u8> = Vec::new();
    let mut say = |words: std::fmt::Arguments<'_>| {
        text.write_fmt(words).expect("writing to memory cannot fail");
    };
    match &job.start {
        Start::Drawn { network, streams } => say(format_args!("{network:?} {streams:?}")),
        Start::Given(network) => {
            say(format_args!("{:?} {:?} {}", network.shape(), network.parts(), units(network)));
            if let Units::Gated { gates, offsets } = network.units() {
                put_numbers(&mut numbers, gates);
                put_numbers(&mut numbers, offsets);
            }
            put_numbers(&mut numbers, network.theta());
        }
        from @ Start::From { .. } => say(format_args!("{from:?}")),
    }
    for stage in &job.stages {
        let (task, plan) = (&stage.task, &stage.plan);
        let probes: Vec<&str> = plan.probes.iter().map(|probe| probe.name).collect();
        say(format_args!("\n{task:?} {:?} {:?}", stage.dynamics, stage.streams));
        let (steps, record, samples) = (plan.steps, &plan.record, plan.eval_samples);
        let (loss, precision) = (plan.loss.name, plan.precision.word());
        say(format_args!(" {steps} {record:?} {samples} {probes:?} {loss} {precision}"));
    }
    sha256(&[text.as_bytes(), &numbers].concat())
}

/// The name of the units of a network.
fn units(network: &Network) -> &str {
    match network.units() {
        Units::Activation(function) => function.name(),
        Units::Gated { .. } => "gated",
    }
}

fn put_count(to: &mut Vec<u8>, count: u64) {
    to.extend(count.to_le_bytes());
}

fn put_numbers(to: &mut Vec<u8>, numbers: &[f64]) {
    put_count(to, numbers.len() as u64);
    to.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
}

fn write_stages(to: &mut Vec<u8>, stages: &[Run]) {
    put_count(to, stages.len() as u64);
    for run in stages {
        let (how, step) = match run.ended {
            Ended::Completed => (0, 0),
            Ended::Interrupted { step } => (1, step),
            Ended::Diverged(Diverged { step }) => (2, step),
        };
        put_count(to, how);
        put_count(to, step);
        put_count(to, run.records.len() as u64);
        for record in &run.records {
            put_count(to, record.step);
            put_count(to, record.readings.len() as u64);
            for rows in &record.readings {
                put_count(to, rows.len() as u64);
                for row in rows {
                    put_numbers(to, row);
                }
            }
        }
        put_numbers(to, run.network.theta());
    }
}

/// Bytes that are read from the beginning; none once they end too early.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn count(&mut self) -> Option<u64> {
        let (first, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*first))
    }

    /// This many of what `one` reads, each of at least a byte.
    fn list<T>(&mut self, one: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = usize::try_from(self.count()?).ok().filter(|count| *count <= self.0.len())?;
        (0..count).map(|_| one(self)).collect()
    }

    fn numbers(&mut self) -> Option<Vec<f64>> {
        self.list(|rest| rest.count().map(f64::from_bits))
    }

    fn job(&mut self) -> Option<(Key, Vec<Stage>)> {
        let (key, rest) = self.0.split_first_chunk::<32>()?;
        self.0 = rest;
        Some((*key, self.list(Self::stage)?))
    }

    fn stage(&mut self) -> Option<Stage> {
        let (how, step) = (self.count()?, self.count()?);
        let ended = match how {
            0 => Ended::Completed,
            1 => Ended::Interrupted { step },
            2 => Ended::Diverged(Diverged { step }),
            _ => return None,
        };
        let record = |rest: &mut Self| {
            let step = rest.count()?;
            Some(Record { step, readings: rest.list(|rest| rest.list(Self::numbers))? })
        };
        Some(Stage { ended, records: self.list(record)?, theta: self.numbers()? })
    }
}

#[cfg(test)]
mod tests;
