//! A rehearsal: for each kind of training some steps and records are taken and timed, and the rest is filled in.
//!
//! The resulting run has the shape of the whole one, every record included, so that all later work on it proceeds as usual;
//! its numbers mean nothing.

use super::{Ended, Job, Progress, Record, Run, Trained};
use crate::dynamics::Diverged;
use crate::estimator::Gradients;
use crate::network::{Network, Units};
use crate::probe::Evaluator;
use fovea_core::lanes::LANES;

/// Directs rehearsals: it has the clock, the time limit, and the timings so far.
pub trait Director: Sync {
    /// The time that training of this kind takes, once enough runs were timed.
    fn known(&self, kind: &str) -> Option<Timed>;
    /// The seconds that a timed run may spend on steps.
    fn allowance(&self) -> f64;
    /// The seconds that some work takes on an otherwise idle machine.
    fn time(&self, work: &mut dyn FnMut()) -> f64;
    /// Training of this kind was timed.
    fn learn(&self, kind: &str, timed: &Timed);
    /// The number of records that one run may fill in, at least 3; all of them unless memory is being measured.
    fn most_records(&self) -> u64 {
        u64::MAX
    }
    /// Of all records of a run this many were filled in.
    fn filled(&self, _all: u64, _filled: u64) {}
    /// A run of `steps` steps is over. The whole run takes `beyond` seconds more than its rehearsal; `shared`: one of its steps may be
    /// work for several threads.
    fn end(&self, steps: u64, beyond: f64, shared: bool);
}

/// The times that the parts of a run take, in seconds.
#[derive(Clone, Debug)]
pub struct Timed {
    /// The first record, which allocates memory that the others reuse.
    pub first: f64,
    /// Another record.
    pub other: f64,
    /// A step.
    pub step: f64,
    /// A record, as an example.
    pub record: Record,
}

/// Number of samples above which a step is cut into several chunks.
const CHUNK: usize = 512;

impl Job<'_> {
    /// Rehearses the run.
    pub(super) fn rehearse<T: Trained>(
        &self,
        mut progress: Progress,
        director: &dyn Director,
    ) -> Run {
        let recorded = progress.records.last().map(|record| record.step);
        let (times, from, to) = (&self.plan.record, progress.step, self.plan.steps);
        let mut due = times.some_between(from, to, director.most_records());
        let before = due.len();
        due.retain(|step| Some(*step) != recorded);
        let records = times.count_between(from, to) - (before - due.len()) as u64;
        director.filled(records, due.len() as u64);
        let steps = to - from;
        let kind = self.kind(&progress.network);
        let timed = match director.known(&kind) {
            Some(timed) => Ok((timed, 0.0)),
            None => self
                .time_parts::<T>(&mut progress, director)
                .inspect(|(timed, _)| director.learn(&kind, timed)),
        };
        let (beyond, ended) = match timed {
            Ok((Timed { first, other, step, record }, spent)) => {
                let looks = first + other * records.saturating_sub(1) as f64;
                self.fill(&mut progress.records, &record, &due);
                (looks + step * steps as f64 - spent, Ended::Completed)
            }
            Err(diverged) => (0.0, Ended::Diverged(diverged)),
        };
        director.end(steps, beyond, self.dynamics.pace().batch > CHUNK);
        Run { network: progress.network, records: progress.records, ended }
    }

    /// What determines the cost of a step and of a record, and the shape of a record. Jobs that share a task share its address.
    fn kind(&self, network: &Network) -> String {
        let (plan, pace, memory) = (self.plan, self.dynamics.pace(), self.dynamics.memory());
        let probes: Vec<&str> = plan.probes.iter().map(|probe| probe.name).collect();
        let units = match network.units() {
            Units::Activation(function) => function.name(),
            Units::Gated { .. } => "gated",
        };
        let (loss, precision) = (plan.loss.name, plan.precision.word());
        format!(
            "{:p} {pace:?} {memory} {:?} {units} {probes:?} {} {loss} {precision}",
            self.task,
            network.parts(),
            plan.eval_samples
        )
    }

    /// Takes some steps and records; returns the time of each and the total.
    fn time_parts<T: Trained>(
        &self,
        progress: &mut Progress,
        director: &dyn Director,
    ) -> Result<(Timed, f64), Diverged> {
        let pace = self.dynamics.pace();
        let mut gradients = Gradients::<T>::new(pace.estimator, &progress.network, pace.batch);
        let parameters = progress.network.theta().len();
        progress.memory.resize(self.dynamics.memory(), vec![0.0; parameters]);
        let mut change = vec![0.0; parameters];
        let mut evaluator =
            Evaluator::new::<T>(self.evaluation(), &progress.network, &progress.trail);
        let mut look = |network: &Network| {
            let mut record = Err(Diverged { step: 0 });
            let seconds =
                director.time(&mut || record = self.record::<T>(network, 0, &mut evaluator));
            record.map(|record| (record, seconds))
        };
        let allowance = director.allowance();
        let (record, first) = look(&progress.network)?;
        // Twice as many at a time as before, so that reading the clock costs nothing.
        let (mut cold, mut all, mut taken, mut next) = (0.0, 0.0, 0_u64, 1);
        while progress.step < self.plan.steps && (taken == 0 || all < allowance) {
            let mut outcome = Ok(());
            let count = next.min(self.plan.steps - progress.step);
            let seconds = director.time(&mut || {
                for _ in 0..count {
                    outcome =
                        outcome.and_then(|()| self.step(progress, &mut gradients, &mut change));
                }
            });
            outcome?;
            if taken == 0 {
                cold = seconds;
            }
            (all, taken, next) = (all + seconds, taken + count, 2 * count);
        }
        // The first step fills caches and memory; it is used only where there are no others.
        let step = if taken > 1 { (all - cold) / (taken - 1) as f64 } else { all };
        // In a long record the extra cost of the first is small, so a long one is not taken twice.
        if first > allowance {
            return Ok((Timed { first, other: first, step, record }, first + all));
        }
        let (record, other) = look(&progress.network)?;
        Ok((Timed { first, other, step, record }, first + all + other))
    }

    /// Adds a record at each of these steps, with numbers that compress as badly as measured ones.
    fn fill(&self, records: &mut Vec<Record>, like: &Record, due: &[u64]) {
        let mut rng = self.streams.named("rehearsal").block(0, 0);
        for step in due {
            let mut record = Record { step: *step, ..like.clone() };
            let rows = record.readings.iter_mut().flatten();
            for numbers in rows.flat_map(|row| row.chunks_mut(LANES)) {
                for (number, uniform) in numbers.iter_mut().zip(rng.uniforms()) {
                    // A whole number may be a count or an index, which must stay whole.
                    if number.fract() != 0.0 {
                        *number *= 1.0 + 1e-3 * (2.0 * uniform - 1.0);
                    }
                }
            }
            records.push(record);
        }
    }
}
