//! One training run: steps, records, and how it ended.

use crate::batch::{Batch, Element};
use crate::dynamics::{Diverged, Sgd};
use crate::kernel::Workspace;
use crate::network::Committee;
use crate::probe::{Probe, View};
use crate::task::Task;
use fovea_core::streams::Streams;

fovea_core::choice! {
    /// Number type of sampling and training; the weights themselves are always kept in double precision.
    pub enum Precision {
        /// Single precision kernels.
        Single = "f32",
        /// Double precision throughout.
        Double = "f64",
    }
}

/// Someone who watches a run from outside and may end it.
pub trait Watch: Sync {
    /// Called after every step.
    fn stepped(&self);
    /// Whether the run should end now.
    fn stopped(&self) -> bool;
}

/// How long to train and what to record.
pub struct Plan<'a> {
    /// Steps to take.
    pub steps: u64,
    /// Steps between records; the first record is the start, the last the end.
    pub record_every: u64,
    /// Samples of the held-out set behind the `loss` probe; 0 where no probe reads it.
    pub eval_samples: usize,
    /// What to measure.
    pub probes: &'a [&'static Probe],
    /// Number type of the kernels.
    pub precision: Precision,
}

/// The readings of one record, in the order of the plan's probes.
#[derive(Clone, Debug)]
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

/// A finished run; its network is the last one that was finite.
pub struct Run {
    /// The network at the end.
    pub network: Committee,
    /// Every record, the first at step 0.
    pub records: Vec<Record>,
    /// How it ended.
    pub ended: Ended,
}

/// Trains `network` on `task`, drawing from `streams`.
pub fn train(
    task: &Task,
    network: Committee,
    sgd: &Sgd,
    streams: &Streams,
    plan: &Plan<'_>,
    watch: &dyn Watch,
) -> Run {
    match plan.precision {
        Precision::Single => train_in::<f32>(task, network, sgd, streams, plan, watch),
        Precision::Double => train_in::<f64>(task, network, sgd, streams, plan, watch),
    }
}

fn train_in<T: Element>(
    task: &Task,
    mut network: Committee,
    sgd: &Sgd,
    streams: &Streams,
    plan: &Plan<'_>,
    watch: &dyn Watch,
) -> Run {
    let mut workspace = Workspace::<T>::new(&network, sgd.batch);
    let mut records = Vec::new();
    let mut ended = Ended::Completed;
    for step in 0..=plan.steps {
        if step % plan.record_every == 0 || step == plan.steps {
            match record::<T>(task, &network, streams, plan, step) {
                Ok(record) => records.push(record),
                Err(diverged) => {
                    ended = Ended::Diverged(diverged);
                    break;
                }
            }
        }
        if step == plan.steps {
            break;
        }
        if watch.stopped() {
            ended = Ended::Interrupted { step };
            break;
        }
        if let Err(diverged) = sgd.step(&mut network, task, streams, step, &mut workspace) {
            ended = Ended::Diverged(diverged);
            break;
        }
        watch.stepped();
    }
    Run { network, records, ended }
}

/// Takes every reading, or says that the held-out loss or a reading left the finite numbers.
fn record<T: Element>(
    task: &Task,
    network: &Committee,
    streams: &Streams,
    plan: &Plan<'_>,
    step: u64,
) -> Result<Record, Diverged> {
    let loss = held_out_loss::<T>(task, network, streams, plan.eval_samples);
    if !loss.is_finite() {
        return Err(Diverged { step });
    }
    let view = View { network, loss };
    let readings: Vec<Vec<Vec<f64>>> =
        plan.probes.iter().map(|probe| (probe.observe)(&view)).collect();
    // Squares and fourth powers of a weight overflow before the weight does.
    if readings.iter().flatten().flatten().any(|reading| !reading.is_finite()) {
        return Err(Diverged { step });
    }
    Ok(Record { step, readings })
}

/// Loss on a fixed set of `samples` fresh samples, in slices so that memory stays bounded; zero for no samples.
pub fn held_out_loss<T: Element>(
    task: &Task,
    network: &Committee,
    streams: &Streams,
    samples: usize,
) -> f64 {
    const SLICE: usize = 8192;
    let mut workspace = Workspace::<T>::new(network, SLICE.min(samples));
    let mut total = 0.0;
    for (slice, start) in (0..samples).step_by(SLICE).enumerate() {
        let size = SLICE.min(samples - start);
        let batch = Batch::new(task, streams, "eval", slice as u64, size);
        total += workspace.loss_and_grad(network, &batch) * size as f64;
    }
    if samples > 0 { total / samples as f64 } else { 0.0 }
}
