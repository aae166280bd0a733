//! Whether a training fits into memory: its network, its records, and the gates on its held-out set.

use super::{Parts, Training};
use fovea_core::ParamError;
use fovea_desk::memory::{Readings, allowance, holds, readings};
use fovea_sim::network::Architecture;
use fovea_sim::probe::Needs;
use fovea_sim::train::Precision;
use fovea_sim::{Dynamics, Network, Plan};

/// Most numbers in the sums of a step's chunks, unless two chunks need more: memory of the training step.
const SUMS: f64 = (1 << 25) as f64;
/// Samples of a chunk.
const CHUNK: usize = 512;

/// Refuses a network whose weights do not fit into memory.
///
/// # Errors
/// They do not: by how much, and what to do.
pub(super) fn of_network(
    training: &Training,
    architecture: &dyn Architecture,
    dynamics: &dyn Dynamics,
    inputs: usize,
) -> Result<(), ParamError> {
    let width = architecture.width();
    let what = format!("a network of {width} units on {inputs} inputs");
    let weights = width as f64 * inputs as f64;
    let size = if training.precision == Precision::Single { 4.0 } else { 8.0 };
    let chunks = (dynamics.pace().batch.div_ceil(CHUNK) + 1) as f64;
    // Weights, gradient and change in double precision, the state of the dynamics, and the copy and sums of the training step.
    let copies = 24.0 + 8.0 * dynamics.memory() as f64 + size;
    let sums = size * f64::min(chunks * weights, f64::max(2.0 * weights, SUMS));
    holds(copies * weights + sums, &what, || "choose a smaller width or n".to_owned())
}

/// Bytes that a record takes while the training lasts.
pub(super) fn record(plan: &Plan<'_>, network: &Network, classes: usize) -> f64 {
    Readings::record(&readings(plan.probes, network, classes))
}

/// Refuses records, and gates on a held-out set, that do not fit into memory.
///
/// # Errors
/// They do not: by how much, and what to do.
pub(super) fn check(training: &Training, parts: &Parts) -> Result<(), ParamError> {
    let Parts { task, network, .. } = parts;
    let probes: Vec<_> = training.probes.0.clone();
    let looks_back = Needs::Gates.of(&probes);
    if looks_back {
        // The gates of a record, of the one before, and whether each ever moved.
        let gates = training.eval_samples as f64 * network.width() as f64;
        let what = format!("the gates of {} units on the held-out set", network.width());
        holds(4.0 * gates, &what, || "choose a smaller `eval_samples`".to_owned())?;
    }
    let trail = if looks_back { 8.0 * network.theta().len() as f64 } else { 0.0 };
    let a_record = Readings::written(&readings(&probes, network, task.classes().len())) + trail;
    let records = training.times().count(training.steps as u64) as f64;
    let what = format!("{records} records of {} probes", probes.len());
    holds(records * a_record, &what, || {
        let most = (allowance() / a_record).floor() - 1.0;
        if most < 2.0 {
            "choose a smaller network or fewer probes: even two records do not fit".to_owned()
        } else {
            let every = (training.steps as f64 / most).ceil();
            format!("choose `record_every` >= {every:.0}, or fewer `records`")
        }
    })
}
