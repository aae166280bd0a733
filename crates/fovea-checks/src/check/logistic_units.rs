//! Logistic units compared with tanh and erf units (note 001, section 1).

use super::prelude::*;
use fovea_core::{Function, activation};
use fovea_desk::conditions::{Conditions, Silent};
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_sim::train::{Precision, train};
use fovea_sim::{Bias, Labels, Network, Plan, Sgd, Task, Times};
use std::sync::atomic::AtomicBool;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "logistic-units",
    summary: "Logistic units with labels 1 and 0 learn as tanh units with labels 1 and -1.",
    covers: &["L001.65/exact", "L001.65/close"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![logistic(effort)?, close(effort)])
}

/// Three units of an activation trained on 40 batches in double precision: weights and biases at the end.
fn trained(
    effort: &Effort,
    row: &'static activation::Entry,
    (factor, negative, lr): (f64, f64, f64),
) -> Result<Vec<f64>, LabError> {
    let (n, width) = (12, 3);
    let mut numbers = vec![0.0; width * (n + 1)];
    effort.streams.named("network").normals(0, &mut numbers);
    let class = |xi| Nlgp::on_ring(n, xi, 3.0, Kernel::Ring).sampler();
    let task =
        Task::pair(Box::new(class(1.5)?), Box::new(class(0.8)?), negative, Labels::Balanced)?;
    let numbers = scaled(factor, &numbers);
    let (weights, biases) = numbers.split_at(width * n);
    let network = Network::committee(n, width, row, Bias::Trainable).with(weights, biases)?;
    let plan = Plan { precision: Precision::Double, ..Plan::new(40, Times::At(Vec::new()), &[]) };
    let stop = AtomicBool::new(false);
    let conditions = Conditions::new(0, &Silent, &stop);
    let run = train(&task, network, &Sgd::online(lr, 200), &effort.streams, &plan, &conditions);
    Ok([run.network.weights(), run.network.biases()].concat())
}

/// Tanh units with labels +-1 at half the weights and a sixteenth of the rate follow logistic units with labels 1 and 0.
fn logistic(effort: &Effort) -> Result<Comparison, LabError> {
    // A quarter for the loss, and a half each for the gradient and for the weights.
    let share = effort.slip(
        "tanh(h/2) for logistic(h)",
        "a quarter of the rate, for the loss alone",
        0.0625,
        0.25,
    );
    let lr = 2.0;
    let halves = trained(effort, &activation::tanh::ENTRY, (0.5, -1.0, share * lr))?;
    let measured =
        effort.once("logistic", || trained(effort, &activation::sigmoid::ENTRY, (1.0, 0.0, lr)))?;
    let what = "three units, n = 12, squashed Gaussian data of gain 3, lengths (1.5, 0.8), 40 steps of SGD on the same samples: twice the weights and biases of tanh units with labels 1 and -1, started at half the weights with a sixteenth of the rate, and those of logistic units with labels 1 and 0";
    Ok(Comparison::digits(&["L001.65/exact"], what, &scaled(2.0, &halves), &measured).simulated())
}

/// `erf(sqrt(pi) h/4)` has the slope at 0 and the limits of `tanh(h/2)`.
fn close(effort: &Effort) -> Comparison {
    let scale = effort.slip("erf for tanh(h/2)", "erf(h/sqrt 2)", PI.sqrt() / 4.0, 0.5_f64.sqrt());
    let tanh = Function::Registered(&activation::tanh::ENTRY);
    let predicted =
        [slope(1e-3, |h| libm::erf(scale * h)), libm::erf(40.0 * scale), libm::erf(-40.0 * scale)];
    let measured = [slope(1e-3, |h| tanh.value(0.5 * h)), tanh.value(20.0), tanh.value(-20.0)];
    let what = "erf(sqrt(pi) h/4) and tanh(h/2): the slope at 0, and the values at h = 40 and -40";
    Comparison::digits(&["L001.65/close"], what, &predicted, &measured)
}
