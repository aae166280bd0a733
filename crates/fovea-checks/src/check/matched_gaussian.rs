//! Training on Gaussian data with the covariance of signs: one unit does not localize where it does on the signs (note 003).

use super::prelude::*;
use fovea_core::Item;
use fovea_desk::conditions::{Conditions, Silent};
use fovea_desk::two_class::{one_unit, random_start};
use fovea_sim::dynamics::Pace;
use fovea_sim::dynamics::sgd::Sgd;
use fovea_sim::probe::ipr::ipr;
use fovea_sim::stimulus::Stimulus;
use fovea_sim::stimulus::gaussian_clone::GaussianClone;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_sim::task::Task;
use fovea_sim::train::train;
use fovea_sim::{Labels, Plan, Times, crew, probe};
use std::sync::atomic::AtomicBool;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "matched-gaussian",
    summary: "One unit trained on Gaussian data with the covariance of signs, and on the signs.",
    covers: &["L003.18/trained"],
    run,
};

const N: usize = 40;
const LENGTHS: [f64; 2] = [2.0, 1.0];
const RUNS: u64 = 8;
/// Learning rate, steps and batch: t = 60 at the end.
const SCHEDULE: (f64, usize, usize) = (0.2, 300, 500);
/// A field with a larger inverse participation ratio counts as localized.
const LOCALIZED: f64 = 0.2;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let gaussian = |signs: &Nlgp| -> Result<Box<dyn Stimulus>, LabError> {
        Ok(Box::new(GaussianClone { base: Item::of("nlgp", signs) }.sampler()?))
    };
    let itself =
        |signs: &Nlgp| -> Result<Box<dyn Stimulus>, LabError> { Ok(Box::new(signs.sampler()?)) };
    let gaussian = effort.once("gaussian", || trained(effort, "gaussian", gaussian))?;
    let signs = effort.once("signs", || trained(effort, "signs", itself))?;
    let slipped = effort.slip("data of L003.18", "the signs themselves", false, true);
    let judged = if slipped { &signs } else { &gaussian };
    let below = |found: &[Vec<f64>]| found.iter().filter(|w| ipr(w) < LOCALIZED).count();
    let what = format!(
        "n = 40, xi_pos = 2, xi_neg = 1, one ReLU unit, t = 60 by SGD of rate 0.2 and batches of 500 from Glorot starts: runs on Gaussian data with the covariance of signs that end with an inverse participation ratio below 0.2 (largest {:.3}); on signs, where the catalogue has 12 of 12 runs localized, one stays below with chance 0.175 at most, at 90 % confidence",
        gaussian.iter().map(|w| ipr(w)).fold(0.0, f64::max)
    );
    Ok(vec![
        Comparison::all(&["L003.18/trained"], what, (below(judged), judged.len()), 0.175)
            .against_cases("signs, from the same starts", (below(&signs), signs.len()))
            .shown(),
    ])
}

/// The fields at the end, one per start.
fn trained(
    effort: &Effort,
    name: &str,
    data: impl Fn(&Nlgp) -> Result<Box<dyn Stimulus>, LabError>,
) -> Result<Vec<Vec<f64>>, LabError> {
    let [pos, neg] = LENGTHS.map(|xi| Nlgp::on_ring(N, xi, f64::INFINITY, Kernel::Ring));
    let task = Task::pair(data(&pos)?, data(&neg)?, 0.0, Labels::Balanced)?;
    let (lr, steps, batch) = SCHEDULE;
    one_unit_trained(effort, name, &task, (Pace::online(lr, batch), steps), RUNS)
}

/// One ReLU unit on 40 sites trained from each of this many Glorot starts, the same ones for every task: the fields at the end.
pub(super) fn one_unit_trained(
    effort: &Effort,
    name: &str,
    task: &Task,
    (pace, steps): (Pace, usize),
    runs: u64,
) -> Result<Vec<Vec<f64>>, LabError> {
    let sgd = Sgd { pace };
    let plan = Plan::new(steps, Times::Every(steps as u64), &[&probe::weights::ENTRY]);
    let starts = effort.streams.named("starts");
    let field = |index: &u64| -> Result<Vec<f64>, LabError> {
        let network = one_unit(&random_start(N, 1.0, &starts, *index))?;
        let stop = AtomicBool::new(false);
        let streams = effort.streams.part(name).replica(*index);
        let run = train(task, network, &sgd, &streams, &plan, &Conditions::new(0, &Silent, &stop));
        Ok(run.records.last().map_or_else(Vec::new, |end| end.readings[0][0].clone()))
    };
    crew::fleet(&(0..runs).collect::<Vec<u64>>(), field).into_iter().collect()
}
