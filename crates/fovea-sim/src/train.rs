//! One training run: its steps, records and checkpoints, and how it ended.

mod rehearsal;
mod times;

use crate::batch::Batch;
use crate::dynamics::{Diverged, Dynamics, Gradient, Rate};
use crate::estimator::{Gradients, ImageElement};
use crate::fused::FusedElement;
use crate::loss;
use crate::network::Network;
use crate::probe::{Evaluation, Evaluator, Needs, Probe, View};
use crate::simd::{Body, Simd, dispatch};
use crate::task::Task;
use fovea_core::lanes::Real;
use fovea_core::streams::Streams;
use fovea_core::work::{self, Stopped};
use std::marker::PhantomData;

pub use crate::probe::held_out_loss;
pub use rehearsal::{Director, Timed};
pub use times::Times;

fovea_core::choice! {
    /// Number type of sampling and training; the weights themselves are always kept in double precision.
    pub enum Precision {
        /// Single precision.
        Single = "f32",
        /// Double precision.
        Double = "f64",
    }
}

/// Watches a run from outside and may end it.
pub trait Watch: Sync {
    /// Called after every step.
    fn stepped(&self);
    /// Whether the run should end now.
    fn stopped(&self) -> bool;
    /// Called after every record, before it is asked whether the run should end.
    fn recorded(&self, _: &Record) {}
    /// Whether a checkpoint is due after this many steps for reasons other than the plan's.
    fn due(&self, _step: u64) -> bool {
        false
    }
    /// Keeps a checkpoint when one is due or the run is being stopped; `false` ends the run.
    fn keep(&self, _: &Progress) -> bool {
        true
    }
    /// The director, where the run is a rehearsal.
    fn director(&self) -> Option<&dyn Director> {
        None
    }
}

/// How long to train and what to record.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// Steps to take.
    pub steps: u64,
    /// When to record.
    pub record: Times,
    /// Steps between checkpoints; 0 for none.
    pub checkpoint_every: u64,
    /// Number of samples that probes use, of rows at most this many; 0 where no probe uses samples.
    pub eval_samples: usize,
    /// What to measure.
    pub probes: &'a [&'static Probe],
    /// The loss.
    pub loss: &'static loss::Entry,
    /// Number type of sampling and training.
    pub precision: Precision,
}

impl<'a> Plan<'a> {
    /// This many steps with the squared error in single precision, without checkpoints and without a held-out set.
    pub fn new(steps: usize, record: Times, probes: &'a [&'static Probe]) -> Self {
        Self {
            steps: steps as u64,
            record,
            checkpoint_every: 0,
            eval_samples: 0,
            probes,
            loss: &loss::mse::ENTRY,
            precision: Precision::Single,
        }
    }
}

/// The readings of one record, in the order of the plan's probes.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Steps taken so far.
    pub step: u64,
    /// `readings[probe][unit]` is a row of numbers.
    pub readings: Vec<Vec<Vec<f64>>>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All steps were taken.
    Completed,
    /// The watcher stopped it after this many steps.
    Interrupted {
        /// Steps taken.
        step: u64,
    },
    /// The loss or a weight was no longer finite.
    Diverged(Diverged),
}

/// The complete state of a run between two steps; with its seed the run continues bit for bit, since draws are keyed by the step.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Steps taken.
    pub step: u64,
    /// The network.
    pub network: Network,
    /// What the dynamics remember of earlier gradients.
    pub memory: Vec<Vec<f64>>,
    /// Every record so far; one that is due at this step is among them.
    pub records: Vec<Record>,
    /// The parameters at every record, where a probe needs earlier ones.
    pub trail: Vec<Vec<f64>>,
}

impl From<Network> for Progress {
    fn from(network: Network) -> Self {
        Self { step: 0, network, memory: Vec::new(), records: Vec::new(), trail: Vec::new() }
    }
}

/// A finished run; its network is the last finite one.
pub struct Run {
    /// The network at the end.
    pub network: Network,
    /// Every record, the first at step 0.
    pub records: Vec<Record>,
    /// How it ended.
    pub ended: Ended,
}

/// Trains on `task` from a network or from the progress of an earlier run, drawing from `streams`.
///
/// # Panics
/// The estimator needs a symmetry that the data does not have; [`crate::Estimator::fits`] checks this beforehand.
pub fn train(
    task: &Task,
    start: impl Into<Progress>,
    dynamics: &dyn Dynamics,
    streams: &Streams,
    plan: &Plan<'_>,
    watch: &dyn Watch,
) -> Run {
    let estimator = dynamics.pace().estimator;
    assert!(estimator.fits(task).is_ok(), "the data has the symmetries of {}", estimator.word());
    Job { task, dynamics, streams, plan, rate: dynamics.pace().rate() }.start(start.into(), watch)
}

/// A number type with all that a run needs.
trait Trained: FusedElement + ImageElement {}

impl<T: FusedElement + ImageElement> Trained for T {}

struct Job<'a> {
    task: &'a Task,
    dynamics: &'a dyn Dynamics,
    streams: &'a Streams,
    plan: &'a Plan<'a>,
    rate: Rate,
}

impl Job<'_> {
    /// Not generic, so that the training code is compiled here and not again, less optimised, in every crate that trains.
    fn start(&self, progress: Progress, watch: &dyn Watch) -> Run {
        match (self.plan.precision, watch.director()) {
            (Precision::Single, None) => self.run::<f32>(progress, watch),
            (Precision::Double, None) => self.run::<f64>(progress, watch),
            (Precision::Single, Some(director)) => self.rehearse::<f32>(progress, director),
            (Precision::Double, Some(director)) => self.rehearse::<f64>(progress, director),
        }
    }

    /// What the probes are evaluated on.
    fn evaluation(&self) -> Evaluation<'_> {
        let Plan { eval_samples: samples, loss, probes, .. } = *self.plan;
        let pace = self.dynamics.pace();
        Evaluation { task: self.task, streams: self.streams, samples, pace, loss, probes }
    }

    fn run<T: Trained>(&self, mut progress: Progress, watch: &dyn Watch) -> Run {
        let parameters = progress.network.theta().len();
        progress.memory.resize(self.dynamics.memory(), vec![0.0; parameters]);
        let ended = work::unless_stopped(|| self.all_steps::<T>(&mut progress, watch));
        let ended = ended.unwrap_or_else(|Stopped| {
            if !watch.stopped() {
                // The caller of this run is being stopped too, not the run alone.
                work::poll();
            }
            // A step or a record is completed or not made at all, so the progress is that of the step before.
            Ended::Interrupted { step: progress.step }
        });
        if matches!(ended, Ended::Interrupted { .. }) {
            watch.keep(&progress);
        }
        Run { network: progress.network, records: progress.records, ended }
    }

    /// Takes every remaining step and record.
    fn all_steps<T: Trained>(&self, progress: &mut Progress, watch: &dyn Watch) -> Ended {
        let pace = self.dynamics.pace();
        let mut gradients = Gradients::<T>::new(pace.estimator, &progress.network, pace.batch);
        let mut change = vec![0.0; progress.network.theta().len()];
        let resumed_at = progress.records.last().map(|record| record.step);
        let mut evaluator =
            Evaluator::new::<T>(self.evaluation(), &progress.network, &progress.trail);
        let looks_back = Needs::Gates.of(self.plan.probes);
        loop {
            let step = progress.step;
            if self.plan.record.due(step, self.plan.steps) && resumed_at != Some(step) {
                match self.record::<T>(&progress.network, step, &mut evaluator) {
                    Ok(record) => {
                        watch.recorded(&record);
                        progress.records.push(record);
                    }
                    Err(diverged) => break Ended::Diverged(diverged),
                }
                if looks_back {
                    progress.trail.push(progress.network.theta().to_vec());
                }
            }
            if step == self.plan.steps {
                break Ended::Completed;
            }
            let every = self.plan.checkpoint_every;
            let due = every > 0 && step > 0 && step.is_multiple_of(every) || watch.due(step);
            if due && !watch.keep(progress) || watch.stopped() {
                break Ended::Interrupted { step };
            }
            if let Err(diverged) = self.step(progress, &mut gradients, &mut change) {
                break Ended::Diverged(diverged);
            }
            watch.stepped();
        }
    }

    /// Takes one step. A step that would diverge is not taken, so the network stays finite.
    fn step<T: Trained>(
        &self,
        progress: &mut Progress,
        gradients: &mut Gradients<T>,
        change: &mut Vec<f64>,
    ) -> Result<(), Diverged> {
        let (step, network) = (progress.step, &mut progress.network);
        let pace = self.dynamics.pace();
        let index = pace.batch_index(step);
        let batch = Batch::new(self.task, self.streams, "train", index, pace.batch);
        let loss = gradients.loss_and_grad(network, self.plan.loss, &batch);
        let lr = self.rate.at(step, self.plan.steps);
        let at = Gradient { step, lr, theta: network.theta(), grad: gradients.grad() };
        self.dynamics.change(&at, &mut progress.memory, change);
        for part in network.parts().iter().filter(|part| !part.trained) {
            change[part.at.clone()].fill(0.0);
        }
        let stays_finite = dispatch(Moved::<T>(network.theta(), change, PhantomData));
        if !(loss.is_finite() && stays_finite) {
            return Err(Diverged { step });
        }
        network.exchange(change);
        progress.step += 1;
        Ok(())
    }

    /// Takes every reading, or reports that the held-out loss or a reading is not finite.
    fn record<T: FusedElement>(
        &self,
        network: &Network,
        step: u64,
        evaluator: &mut Evaluator<'_>,
    ) -> Result<Record, Diverged> {
        let plan = self.plan;
        let (held_out, on_training) = &evaluator.look::<T>(network);
        if !held_out.loss.is_finite() {
            return Err(Diverged { step });
        }
        let view = View { network, held_out, on_training };
        let readings: Vec<Vec<Vec<f64>>> =
            plan.probes.iter().map(|probe| (probe.observe)(&view)).collect();
        // Squares and fourth powers of a weight overflow before the weight does.
        if readings.iter().flatten().flatten().any(|reading| !reading.is_finite()) {
            return Err(Diverged { step });
        }
        Ok(Record { step, readings })
    }
}

/// Adds the parameters to their change; returns whether all stay finite.
///
/// The check is in the number type of the fused pass, where an infinite weight could silence a unit instead of showing in the loss.
struct Moved<'a, T>(&'a [f64], &'a mut [f64], PhantomData<T>);

impl<T: Real> Body for Moved<'_, T> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> bool {
        // Without an early exit, so that several are checked at a time.
        let mut finite = true;
        for (theta, change) in self.0.iter().zip(self.1) {
            *change += theta;
            finite &= T::from_f64(*change).to_f64().is_finite();
        }
        finite
    }
}

#[cfg(test)]
mod tests;
