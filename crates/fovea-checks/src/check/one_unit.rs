//! Shared by checks of where training ends: one ReLU unit trained on sign data.

use super::prelude::*;
use fovea_core::Item;
use fovea_desk::conditions::{Conditions, Silent};
use fovea_desk::two_class::{glorot, one_unit};
use fovea_sim::dynamics::Pace;
use fovea_sim::loss::{self, mse};
use fovea_sim::network::Bias;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_sim::train::{Precision, train};
use fovea_sim::{Labels, Network, Plan, Sgd, Task, Times, crew};
use std::sync::atomic::AtomicBool;

/// Sites of the ring.
pub(super) const SITES: usize = 40;

/// Steps of a run, whose learning rate falls from 1 to 0 in a straight line.
const STEPS: u64 = 500;

/// Fresh samples per step.
const BATCH: usize = 500;

/// The task of a unit.
#[derive(Clone, Copy)]
pub(super) struct Arm {
    /// Correlation lengths of class pos and class neg.
    pub(super) lengths: [f64; 2],
    /// The loss.
    pub(super) loss: &'static loss::Entry,
    /// Label of class neg.
    pub(super) label_neg: f64,
    /// Whether the unit has an output bias, which starts at 0 and is trained.
    pub(super) output_bias: bool,
}

impl Arm {
    /// Squared error, labels 1 and 0, no output bias.
    pub(super) fn plain(lengths: [f64; 2]) -> Self {
        Self { lengths, loss: &mse::ENTRY, label_neg: 0.0, output_bias: false }
    }
}

/// Where a unit starts.
#[derive(Clone, Copy)]
pub(super) enum Start {
    /// At Glorot weights.
    Random,
    /// On one site, with weight 1/2.
    Site,
}

/// The weights at the end of this many runs of `name`, a tenth of them in a quick run: fewer samples per step would be another setting.
/// Runs of one name and number have the same start and the same random numbers behind their samples.
pub(super) fn ends(
    arm: Arm,
    start: Start,
    (effort, name, runs): (&Effort, &str, usize),
) -> Result<Vec<Vec<f64>>, LabError> {
    let [pos, neg] =
        arm.lengths.map(|xi| Nlgp::on_ring(SITES, xi, f64::INFINITY, Kernel::Ring).sampler());
    let task = Task::pair(Box::new(pos?), Box::new(neg?), arm.label_neg, Labels::Balanced)?;
    let plan = Plan {
        steps: STEPS,
        record: Times::At(Vec::new()),
        checkpoint_every: 0,
        eval_samples: 0,
        probes: &[],
        loss: arm.loss,
        precision: Precision::Single,
    };
    let schedule = Item::named("linear");
    let sgd = Sgd { pace: Pace { schedule, ..Pace::online(1.0, BATCH) } };
    let unit = |weights: &[f64]| -> Result<Network, LabError> {
        let unit = one_unit(weights)?;
        if arm.output_bias {
            return Ok(unit.with_readout(vec![1.0], false, vec![0.0], Bias::Trainable));
        }
        Ok(unit)
    };
    let run = |run: &u64| -> Result<Vec<f64>, LabError> {
        let (streams, stop) = (effort.streams.part(name).replica(*run), AtomicBool::new(false));
        let conditions = Conditions::new(0, &Silent, &stop);
        let weights = match start {
            Start::Random => glorot(SITES, 1.0, &streams)?,
            Start::Site => (0..SITES).map(|i| if i == 0 { 0.5 } else { 0.0 }).collect(),
        };
        let run = train(&task, unit(&weights)?, &sgd, &streams, &plan, &conditions);
        Ok(run.network.weights().to_vec())
    };
    let runs: Vec<u64> = (0..effort.samples(runs) as u64).collect();
    crew::fleet(&runs, run).into_iter().collect()
}

/// First row of the covariance of the signs of Gaussians, by quadrature over one of the two.
pub(super) fn sign_row(latent: &[f64]) -> Vec<f64> {
    let entry = |rho: &f64| {
        let rest = (1.0 - rho * rho).sqrt();
        if rest < 1e-12 {
            return 1.0;
        }
        let given = |z: f64| z.signum() * (2.0 * normal_cdf(rho * z / rest) - 1.0);
        normal_expectation(given, &[0.0]).value
    };
    let half: Vec<f64> = latent[..=latent.len() / 2].iter().map(entry).collect();
    unfold(&half, latent.len())
}
