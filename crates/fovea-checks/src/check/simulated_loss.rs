//! Shared by checks of losses: a two-class task on a ring, and the simulator's loss and gradient of a committee on it.

use super::prelude::*;
use fovea_core::activation::Entry as Activation;
use fovea_core::stats::VectorAccumulator;
use fovea_desk::error::refused;
use fovea_sim::fused::Workspace;
use fovea_sim::loss::Entry as Loss;
use fovea_sim::stimulus::gaussian::Gaussian;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_sim::{Batch, Bias, Class, Labels, Network, Stimulus, Task};

/// A field on a ring; gain 0 is Gaussian.
pub(super) fn field(n: usize, xi: f64, gain: f64) -> Result<Box<dyn Stimulus>, LabError> {
    Ok(if gain > 0.0 {
        Box::new(Nlgp::on_ring(n, xi, gain, Kernel::Ring).sampler()?)
    } else {
        Box::new(Gaussian::on_ring(n, xi, Kernel::Ring).sampler()?)
    })
}

/// Two such fields, labels 1 and `negative`.
pub(super) fn task(
    n: usize,
    [pos, neg]: [f64; 2],
    gain: f64,
    negative: f64,
) -> Result<Task, LabError> {
    Ok(Task::pair(field(n, pos, gain)?, field(n, neg, gain)?, negative, Labels::Balanced)?)
}

/// The weights of a committee.
pub(super) enum Weights<'a> {
    /// The same in every batch.
    Given(&'a [f64]),
    /// Normal ones for every batch, of this standard deviation.
    Drawn {
        std_w: f64,
        /// Roughly the growth of the loss per unit of variance of a preactivation: this fluctuation, whose mean is known, is subtracted.
        slope: f64,
    },
}

/// A committee without readout.
pub(super) struct Committee<'a> {
    pub(super) activation: &'static Activation,
    pub(super) width: usize,
    pub(super) weights: Weights<'a>,
    pub(super) biases: &'a [f64],
}

/// The simulator's mean loss, and the gradient by the first unit's weights and bias, over independent batches.
pub(super) fn simulated(
    effort: &Effort,
    (name, task, loss): (&str, &Task, &'static Loss),
    committee: &Committee<'_>,
    (batches, size): (usize, usize),
) -> Result<Vec<Estimate>, LabError> {
    effort.once(name, || {
        let (n, width, streams) = (task.dim(), committee.width, effort.streams.part(name));
        let empty = Network::committee(n, width, committee.activation, Bias::Trainable);
        let mut space = Workspace::<f64>::new(&empty, size);
        let row = |class: &Class| -> Result<Vec<f64>, LabError> {
            let field = &class.stimulus;
            let moments =
                field.moments().map_err(|error| refused(error, "choose another field"))?;
            Ok((0..n).map(|d| moments.covariance.at(0, d)).collect())
        };
        let rows: Vec<Vec<f64>> = task.classes().iter().map(row).collect::<Result<_, _>>()?;
        let (mut means, mut w) = (VectorAccumulator::new(n + 2), vec![0.0; n * width]);
        for step in 0..effort.samples(batches) as u64 {
            let batch = Batch::new(task, &streams, "samples", step, size);
            let mut at = |w: &[f64]| -> Result<Vec<f64>, LabError> {
                let network = empty.clone().with(w, committee.biases)?;
                let mut numbers = vec![space.loss_and_grad(&network, loss, &batch)];
                numbers.extend(&space.grad[..n]);
                numbers.push(space.grad[n * width]);
                Ok(numbers)
            };
            let numbers = match &committee.weights {
                Weights::Given(weights) => at(weights)?,
                // Weights and their negatives, which are equally likely, on the same batch.
                Weights::Drawn { std_w, slope } => {
                    streams.named("weights").normals(step, &mut w);
                    let (one, other) = (scaled(*std_w, &w), scaled(-std_w, &w));
                    let mut numbers = combined(0.5, &at(&one)?, 0.5, &at(&other)?);
                    let variance: f64 =
                        rows.iter().map(|row| form(row, &one[..n], &one[..n])).sum();
                    numbers[0] -= slope * (variance - 2.0 * n as f64 * std_w * std_w);
                    numbers
                }
            };
            means.push(&numbers)?;
        }
        Ok(means.estimates()?)
    })
}

/// Twelve sites, a bump of this height.
pub(super) fn bump(height: f64) -> Vec<f64> {
    let at = |i: usize| distance(i, 3, 12) as f64;
    (0..12).map(|i| height * libm::exp(-0.5 * at(i) * at(i))).collect()
}

/// Correlation lengths of class pos and neg.
pub(super) const LENGTHS: [f64; 2] = [2.0, 1.0];

/// Variances of a preactivation in both classes of Gaussian data.
pub(super) fn variances(w: &[f64]) -> [f64; 2] {
    LENGTHS.map(|xi| form(&kernel_row(w.len(), xi, Kernel::Ring), w, w))
}
