//! How efficient the estimators of the gradient are: variance times CPU time, compared with independent samples.
//!
//! The variance of a mean falls as one over the work that is put in, so the time until the gradient is known to a given
//! standard error is in proportion to `variance * time` of one step, whatever its batch; a ratio of such products is how
//! many times sooner the same error is reached. The variance is the trace of the covariance of a step's gradient.

use fovea_core::activation;
use fovea_core::ring::Kernel;
use fovea_core::stats::Estimate;
use fovea_core::streams::Streams;
use fovea_desk::error::LabError;
use fovea_desk::two_class::TwoClass;
use fovea_sim::dynamics::Pace;
use fovea_sim::estimator::Gradients;
use fovea_sim::init::Initializer;
use fovea_sim::loss::mse;
use fovea_sim::{Batch, Bias, Estimator, Labels, Network, Task};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Groups of steps; the spread over them is the standard error.
    pub groups: usize,
    /// Steps of a group.
    pub steps: usize,
    /// Entries sampled for a step, so that larger rings do not take longer.
    pub entries: usize,
    /// Steps of training before the second measurement of a case.
    pub training: usize,
}

/// Where a gradient is measured: ReLU units on nonlinear Gaussian processes of gain 3, lengths 2 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// Ring size.
    pub n: usize,
    /// Hidden units.
    pub width: usize,
    /// Whether class counts are sampled, which no symmetry of the stimuli averages over, or exact.
    pub labels: Labels,
    /// Whether the weights were trained before, or are those of the initializer.
    pub trained: bool,
}

impl Case {
    /// What is learned, and the network where the gradient is measured.
    ///
    /// # Errors
    /// The task or the network cannot be made.
    pub fn task_and_network(&self, setting: &Setting) -> Result<(Task, Network), LabError> {
        let Self { n, width, labels, trained } = *self;
        let streams = Streams::new(1);
        let two = TwoClass { n, xi_pos: 2.0, xi_neg: 1.0, kernel: Kernel::Ring };
        let task = two.task(3.0, labels)?;
        let glorot = fovea_core::Item::<Box<dyn Initializer>>::named("glorot").build("init")?;
        let start = glorot.start(&[n], width, &streams)?;
        let network = Network::committee(n, width, &activation::relu::ENTRY, Bias::None);
        let mut network = network.with(&start.weights, &vec![0.0; width])?;
        if trained {
            train(&task, &mut network, &streams, setting.training);
        }
        Ok((task, network))
    }
}

/// Descends by the estimator with the least noise; the mean over units makes gradients small.
fn train(task: &Task, network: &mut Network, streams: &Streams, steps: usize) {
    let pace = Pace::online(0.05 * network.width() as f64, 128);
    let mut gradients = Gradients::<f32>::new(Estimator::Orbit, network, pace.batch);
    for step in 0..steps as u64 {
        let batch = Batch::new(task, streams, "train", step, pace.batch);
        gradients.loss_and_grad(network, &mse::ENTRY, &batch);
        let step = gradients.grad().iter().zip(network.theta()).map(|(g, t)| t - pace.lr * g);
        network.exchange(&mut step.collect());
    }
}

/// Trace of the covariance of the gradient from one draw, with its standard error over groups of steps.
///
/// # Errors
/// Fewer than two groups.
pub fn variance(
    estimator: Estimator,
    (task, network): (&Task, &Network),
    setting: &Setting,
) -> Result<Estimate, LabError> {
    let draws = (setting.entries / task.dim()).max(64);
    let mut gradients = Gradients::<f32>::new(estimator, network, draws);
    let of_group = |group: usize| {
        let streams = Streams::new(2).replica(group as u64);
        let steps: Vec<Vec<f64>> = (0..setting.steps as u64)
            .map(|step| {
                let batch = Batch::new(task, &streams, "train", step, draws);
                gradients.loss_and_grad(network, &mse::ENTRY, &batch);
                gradients.grad().to_vec()
            })
            .collect();
        draws as f64 * trace(&steps)
    };
    Ok(Estimate::from_samples(&(0..setting.groups).map(of_group).collect::<Vec<_>>())?)
}

/// Trace of the covariance of some vectors.
pub fn trace(vectors: &[Vec<f64>]) -> f64 {
    let count = vectors.len() as f64;
    let entry = |i: usize| {
        let mean = vectors.iter().map(|v| v[i]).sum::<f64>() / count;
        vectors.iter().map(|v| (v[i] - mean) * (v[i] - mean)).sum::<f64>() / (count - 1.0)
    };
    (0..vectors[0].len()).map(entry).sum()
}
