//! A training run taken record by record, for users who look at the network in between.

use super::keeper::Keeper;
use super::{Parts, TrainingJob};
use fovea_core::streams::Streams;
use fovea_core::work::Stopped;
use fovea_desk::conditions::Conditions;
use fovea_desk::error::LabError;
use fovea_record::outcome::{Array, Outcome, Status};
use fovea_sim::train::{Ended, Record, train};
use fovea_sim::{Progress, Run, Watch};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// A run between two records. Its numbers are those of an uninterrupted run.
pub struct Session {
    job: TrainingJob,
    streams: Streams,
    parts: Parts,
    state: State,
}

enum State {
    /// There is more to do.
    Before(Box<Progress>),
    /// It has ended.
    Over(Run),
}

impl Session {
    /// The run at its start, or at the checkpoint the job starts from.
    ///
    /// # Errors
    /// A setting or the checkpoint cannot be used.
    pub fn new(job: TrainingJob, seed: u64) -> Result<Self, LabError> {
        let streams = Streams::new(seed).drawn_by(job.training.rng);
        let parts = job.training.parts(&streams)?;
        let start = match &job.start {
            Some(saved) => saved.progress(parts.network.clone(), &job.training)?,
            None => Progress::from(parts.network.clone()),
        };
        Ok(Self { job, streams, parts, state: State::Before(Box::new(start)) })
    }

    /// Trains until the next record, the one at step 0 included; `false` where there are no more.
    ///
    /// # Errors
    /// A checkpoint cannot be written.
    pub fn advance(&mut self, conditions: &Conditions<'_>) -> Result<bool, LabError> {
        let State::Before(progress) = &mut self.state else { return Ok(false) };
        let plan = self.job.training.plan();
        let before = progress.records.len();
        let watch = NextRecord {
            conditions,
            keeper: self.job.keeper.as_ref(),
            every: plan.checkpoint_every,
            seen: AtomicBool::new(false),
            rest: Mutex::default(),
            failure: Mutex::new(None),
        };
        let empty = Progress::from(progress.network.clone());
        let start = std::mem::replace(progress.as_mut(), empty);
        let dynamics = self.parts.dynamics.as_ref();
        let (task, streams) = (&self.parts.task, &self.streams);
        let run =
            conditions.unless_stopped(|| train(task, start, dynamics, streams, &plan, &watch));
        let run = run.map_err(|Stopped| LabError::Unfinished(Status::Interrupted))?;
        let failure = watch.failure.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (memory, trail) = watch.rest.into_inner().unwrap_or_else(PoisonError::into_inner);
        let more = run.records.len() > before;
        self.state = match run.ended {
            Ended::Interrupted { step } => {
                let Run { network, records, .. } = run;
                State::Before(Box::new(Progress { step, network, memory, records, trail }))
            }
            Ended::Completed | Ended::Diverged(_) => State::Over(run),
        };
        failure.map_or(Ok(more), Err)
    }

    /// Every record so far.
    pub fn records(&self) -> &[Record] {
        match &self.state {
            State::Before(progress) => &progress.records,
            State::Over(run) => &run.records,
        }
    }

    /// The latest record, as the names of its numbers and their values: one number per unit, output or network.
    pub fn readings(&self) -> Vec<(String, Vec<f64>)> {
        let Some(record) = self.records().last() else { return Vec::new() };
        let mut named: Vec<(String, Vec<f64>)> = Vec::new();
        for (probe, rows) in self.job.training.probes.0.iter().zip(&record.readings) {
            for (name, value) in rows.iter().flat_map(|row| probe.named(row)) {
                match named.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, values)) => values.push(value),
                    None => named.push((name, vec![value])),
                }
            }
        }
        named
    }

    /// Every block of the network's parameters as it is now.
    pub fn parameters(&self) -> Vec<Array> {
        let network = match &self.state {
            State::Before(progress) => &progress.network,
            State::Over(run) => &run.network,
        };
        super::readings::parameters(network)
    }

    /// The outcome of the run; where it has not ended it counts as interrupted.
    pub fn outcome(&self) -> Outcome {
        let (training, Parts { task, dynamics, .. }) = (&self.job.training, &self.parts);
        let conclude = |run: &Run| training.outcome(task, dynamics.as_ref(), &training.plan(), run);
        match &self.state {
            State::Over(run) => conclude(run),
            State::Before(progress) => conclude(&Run {
                network: progress.network.clone(),
                records: progress.records.clone(),
                ended: Ended::Interrupted { step: progress.step },
            }),
        }
    }
}

/// The state of the dynamics, and the parameters that a probe needs later.
type Rest = (Vec<Vec<f64>>, Vec<Vec<f64>>);

/// Ends a run at its next record and keeps what the run itself does not return.
struct NextRecord<'a> {
    conditions: &'a Conditions<'a>,
    keeper: Option<&'a Keeper>,
    /// Steps between checkpoints.
    every: u64,
    seen: AtomicBool,
    rest: Mutex<Rest>,
    failure: Mutex<Option<LabError>>,
}

impl Watch for NextRecord<'_> {
    fn stepped(&self) {
        self.conditions.stepped();
    }
    fn recorded(&self, _: &Record) {
        self.seen.store(true, Ordering::Relaxed);
    }
    fn stopped(&self) -> bool {
        self.seen.load(Ordering::Relaxed) || self.conditions.stopped()
    }
    fn keep(&self, progress: &Progress) -> bool {
        let due = self.every > 0 && progress.step > 0 && progress.step.is_multiple_of(self.every);
        let keeper = self.keeper.filter(|_| due || self.conditions.stopped());
        let kept = keeper.map_or(Ok(()), |keeper| keeper.keep(progress));
        *self.rest.lock().unwrap_or_else(PoisonError::into_inner) =
            (progress.memory.clone(), progress.trail.clone());
        match kept {
            Ok(()) => true,
            Err(error) => {
                *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Prepared, Silent};
    use fovea_core::Value;
    use fovea_core::agree::same_bits;

    #[test]
    fn a_run_taken_record_by_record_has_the_numbers_of_a_run_in_one_go() {
        let adam = Value::table([("name", "adam".into()), ("batch", 64_usize.into())]);
        let probes = ["loss", "gates", "weights"].map(Value::from).to_vec();
        let settings = vec![
            ("steps".to_owned(), 50_usize.into()),
            ("record_every".to_owned(), 7_usize.into()),
            ("dynamics".to_owned(), adam),
            ("probes".to_owned(), Value::List(probes)),
            ("eval_samples".to_owned(), 256_usize.into()),
        ];
        let job = || TrainingJob::new(&settings).unwrap();
        let stop = AtomicBool::new(false);
        let conditions = Conditions::new(5, &Silent, &stop);
        let whole = job().run(&conditions).unwrap();
        let mut session = Session::new(job(), 5).unwrap();
        let mut records = 0;
        while session.advance(&conditions).unwrap() {
            records += 1;
            assert_eq!(session.records().len(), records);
            assert_eq!(session.readings()[0].0, "loss");
        }
        assert_eq!(records, 9);
        let parts = session.outcome();
        assert_eq!(parts.status, whole.status);
        same_bits(&parts.series.value, &whole.series.value).unwrap();
        for (part, whole) in parts.arrays.iter().zip(&whole.arrays) {
            same_bits(&part.data, &whole.data).unwrap();
        }
    }
}
