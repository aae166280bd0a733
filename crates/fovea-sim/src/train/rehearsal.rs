//! A rehearsal: some steps and records of a run are taken and timed, and the rest is filled in.
//!
//! The run that comes out has the shape of the whole one, every record included, so that whatever is done with it goes
//! on as it would; its numbers mean nothing.

use super::{Ended, Job, Progress, Record, Run, Trained};
use crate::dynamics::Diverged;
use crate::estimator::Gradients;
use crate::network::Network;
use crate::probe::Evaluator;
use fovea_core::lanes::LANES;
use fovea_core::streams::{BlockRng, Streams};

/// Whoever directs rehearsals: the clock, the patience, and the book of what things cost.
pub trait Director: Sync {
    /// A training begins.
    fn begin(&self);
    /// The seconds that some work takes on a machine that does nothing else.
    fn time(&self, work: &mut dyn FnMut()) -> f64;
    /// The seconds that this training may spend on its steps.
    fn allowance(&self) -> f64;
    /// A record of a training like this one with its seconds, once enough of them were timed.
    fn known(&self, like: &str) -> Option<(Record, f64)>;
    /// A record of a training like this one took so many seconds.
    fn learn(&self, like: &str, record: &Record, seconds: f64);
    /// The training is over.
    fn end(&self, cost: &Cost);
}

/// What a training costs.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Steps of the whole training.
    pub steps: u64,
    /// Its records.
    pub records: u64,
    /// Seconds of the whole training.
    pub seconds: f64,
    /// Seconds that the rehearsal itself took of them.
    pub spent: f64,
    /// Whether a step is work for several threads.
    pub shared: bool,
}

/// Samples above which a step is cut in several chunks.
const CHUNK: usize = 512;

impl Job<'_> {
    /// Rehearses the run.
    pub(super) fn rehearse<T: Trained>(
        &self,
        mut progress: Progress,
        director: &dyn Director,
    ) -> Run {
        director.begin();
        let recorded = progress.records.last().map(|record| record.step);
        let mut due = self.plan.record.between(progress.step, self.plan.steps);
        due.retain(|step| Some(*step) != recorded);
        let mut cost = Cost {
            steps: self.plan.steps - progress.step,
            records: due.len() as u64,
            seconds: 0.0,
            spent: 0.0,
            shared: self.dynamics.pace().batch > CHUNK,
        };
        let ended = match self.sound_out::<T>(&mut progress, &mut cost, director) {
            Ok(record) => {
                let mut shaker = Shaker::new(self.streams);
                progress.records.extend(due.iter().map(|step| shaker.shaken(&record, *step)));
                Ended::Completed
            }
            Err(diverged) => Ended::Diverged(diverged),
        };
        director.end(&cost);
        Run { network: progress.network, records: progress.records, ended }
    }

    /// Takes some steps and records, says what all of them cost and hands back a record.
    fn sound_out<T: Trained>(
        &self,
        progress: &mut Progress,
        cost: &mut Cost,
        director: &dyn Director,
    ) -> Result<Record, Diverged> {
        let like = self.like(&progress.network);
        let pace = self.dynamics.pace();
        let mut workspace = Gradients::<T>::new(pace.estimator, &progress.network, pace.batch);
        let parameters = progress.network.theta().len();
        progress.memory.resize(self.dynamics.memory(), vec![0.0; parameters]);
        let mut change = vec![0.0; parameters];
        let mut evaluator =
            Evaluator::new::<T>(self.evaluation(), &progress.network, &progress.trail);
        let known = director.known(&like);
        let mut look = |network: &Network| {
            if let Some((record, seconds)) = &known {
                return Ok((record.clone(), *seconds, 0.0));
            }
            let mut record = Err(Diverged { step: 0 });
            let seconds =
                director.time(&mut || record = self.record::<T>(network, 0, &mut evaluator));
            record.map(|record| (record, seconds, seconds))
        };
        // One record before the steps and one after: the first pays for memory that the others find there.
        let (mut record, mut each, spent) = look(&progress.network)?;
        (cost.seconds, cost.spent) = (each, spent);
        let (step, steps) = self.some_steps(progress, &mut workspace, &mut change, director)?;
        if cost.records > 1 {
            let spent;
            (record, each, spent) = look(&progress.network)?;
            cost.spent += spent;
        }
        cost.spent += steps;
        cost.seconds += step * cost.steps as f64 + each * cost.records.saturating_sub(1) as f64;
        director.learn(&like, &record, each);
        Ok(record)
    }

    /// What decides the cost and the shape of a record.
    fn like(&self, network: &Network) -> String {
        let probes: Vec<&str> = self.plan.probes.iter().map(|probe| probe.name).collect();
        let shape = [network.inputs(), network.width(), network.outputs(), self.plan.eval_samples];
        format!("{shape:?} {probes:?} {:?}", self.plan.precision)
    }

    /// Takes steps for as long as is allowed: the seconds of one, and of all that were taken.
    fn some_steps<T: Trained>(
        &self,
        progress: &mut Progress,
        workspace: &mut Gradients<T>,
        change: &mut Vec<f64>,
        director: &dyn Director,
    ) -> Result<(f64, f64), Diverged> {
        let (mut each, mut all, mut counted, mut taken) = (0.0, 0.0, 0.0, 0_u64);
        let allowance = director.allowance();
        let mut count = 1;
        while progress.step < self.plan.steps && (taken == 0 || all < allowance) {
            let mut outcome = Ok(());
            let count_now = count.min(self.plan.steps - progress.step);
            let seconds = director.time(&mut || {
                for _ in 0..count_now {
                    outcome = outcome.and_then(|()| self.step(progress, workspace, change));
                }
            });
            outcome?;
            all += seconds;
            // The first steps fill caches and memory; they count only where there are no others.
            if taken == 0 {
                each = seconds / count_now as f64;
            } else {
                counted += seconds;
                each = counted / (taken + count_now - 1) as f64;
            }
            taken += count_now;
            count = 2 * count_now;
        }
        Ok((each, all))
    }
}

/// Fills records in with numbers that pack as badly as measured ones do.
struct Shaker {
    rng: BlockRng,
    words: [u32; LANES],
    used: usize,
}

impl Shaker {
    fn new(streams: &Streams) -> Self {
        let mut rng = streams.named("rehearsal").block(0, 0);
        Self { words: rng.next_lanes(), rng, used: 0 }
    }

    fn shaken(&mut self, record: &Record, step: u64) -> Record {
        let mut readings = record.readings.clone();
        for number in readings.iter_mut().flatten().flatten() {
            // A whole number may be a count or a place, which nobody expects in between.
            if number.fract() != 0.0 {
                *number *= 1.0 + 1e-3 * self.next();
            }
        }
        Record { step, readings }
    }

    /// A number in [-1, 1).
    fn next(&mut self) -> f64 {
        if self.used == LANES {
            (self.words, self.used) = (self.rng.next_lanes(), 0);
        }
        self.used += 1;
        f64::from(self.words[self.used - 1]) / 2_147_483_648.0 - 1.0
    }
}
