//! A reference that evaluated all its seeds on one held-out set, which adds an error that their spread does not show.

use crate::error::LabError;
use fovea_core::stats::{Accumulator, Estimate};
use fovea_core::streams::Streams;
use fovea_sim::{Batch, Network, Task, plain};

/// A mean over seeds that share one evaluation set, with the standard error of that set added to its own.
///
/// # Errors
/// The error is not finite.
pub fn with_shared_error(mean: &Estimate, error: f64) -> Result<Estimate, LabError> {
    let se = (mean.se() * mean.se() + error * error).sqrt();
    Ok(Estimate::from_parts(mean.mean(), se, mean.count())?)
}

/// The standard error of a mean of `(y_hat - y)^2` over one balanced set of `samples`, estimated on a smaller one.
pub fn evaluation_error(task: &Task, network: &Network, streams: &Streams, samples: usize) -> f64 {
    const DRAWN: usize = 20_000;
    let batch = Batch::new(task, streams, "evaluation-error", 0, DRAWN);
    let mut classes = [Accumulator::new(), Accumulator::new()];
    for (x, y) in plain::samples::<f32>(&batch) {
        let gap = plain::outputs(network, &x)[0] - y[0];
        classes[usize::from(y[0] > 0.5)].push(gap * gap);
    }
    // Half of the set is of each class, so that only the spread within the classes counts.
    let within: f64 = classes.iter().filter_map(|class| class.variance().ok()).sum();
    (0.5 * within / samples as f64).sqrt()
}
