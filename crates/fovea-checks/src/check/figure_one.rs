//! Figure 1 of note 003: one unit trained on nearly Gaussian data follows the diagonal flow.

use super::prelude::*;
use fovea_core::stats::VectorAccumulator;
use fovea_desk::conditions::{Conditions, Silent};
use fovea_desk::two_class::{TwoClass, at_records, first_note_flow, one_unit, random_start};
use fovea_sim::dynamics::Pace;
use fovea_sim::dynamics::sgd::Sgd;
use fovea_sim::estimator::Estimator;
use fovea_sim::train::train;
use fovea_sim::{Labels, Plan, Times, crew, probe};
use fovea_theory::relu::flow_fourier;
use std::sync::atomic::AtomicBool;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "figure-one",
    summary: "One unit trained on nearly Gaussian data follows the diagonal flow, at every record.",
    covers: &["L003.10"],
    run,
};

const N: usize = 40;
const GAIN: f64 = 0.01;
/// Learning rate, steps and steps between records, those of the figure: t = 20 at the end.
const SCHEDULE: (f64, usize, usize) = (0.01, 2000, 500);
const BATCH: usize = 250;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let classes = TwoClass { n: N, xi_pos: 2.0, xi_neg: 1.0, kernel: Kernel::Ring };
    let start = random_start(N, 1.0, &effort.streams.named("start"), 0);
    let runs = effort.once("runs", || trained(effort, &classes, &start))?;
    let (lr, steps, every) = SCHEDULE;
    // Both constants of note 000 (6) are twice the right ones: the same path at twice the rate.
    let lr = effort.form(&flow_fourier::ENTRY, lr, 2.0 * lr);
    let exchanged = effort.slip("classes of the flow", "exchanged", false, true);
    let first =
        effort.slip("flow of L003.10", "that of note 000 (4), twice the decay", false, true);
    let TwoClass { xi_pos, xi_neg, .. } = classes;
    let (xi_pos, xi_neg) = if exchanged { (xi_neg, xi_pos) } else { (xi_pos, xi_neg) };
    let flow = TwoClass { xi_pos, xi_neg, ..classes }.matched_gaussian_flow(GAIN)?;
    let flow = if first { first_note_flow(&flow) } else { flow };
    let theory = at_records(&flow, &start, (lr, steps, every))[1..].concat();
    let mut mean = VectorAccumulator::new(theory.len());
    runs.iter().try_for_each(|fields| mean.push(fields))?;
    let pairs: Vec<_> = mean.estimates()?.into_iter().zip(theory).collect();
    let what = format!(
        "n = 40, xi_pos = 2, xi_neg = 1, gain 0.01: the field of one unit at t = 5, 10, 15, 20, mean of {} runs of SGD of rate 0.01 with batches of 250 and all their shifts and signs from one Glorot start, and the diagonal flow in steps of the same size",
        runs.len()
    );
    Ok(vec![Comparison::noise(&["L003.10"], what, &pairs)])
}

/// The fields of every run at every record but the first.
fn trained(effort: &Effort, classes: &TwoClass, start: &[f64]) -> Result<Vec<Vec<f64>>, LabError> {
    let (network, task) = (one_unit(start)?, classes.task(GAIN, Labels::Balanced)?);
    let (lr, steps, every) = SCHEDULE;
    let (sgd, plan) = (
        Sgd { pace: Pace { estimator: Estimator::Orbit, ..Pace::online(lr, BATCH) } },
        Plan::new(steps, Times::Every(every as u64), &[&probe::weights::ENTRY]),
    );
    let fields = |seed: &u64| -> Vec<f64> {
        let stop = AtomicBool::new(false);
        let streams = effort.streams.replica(*seed);
        let run = train(
            &task,
            network.clone(),
            &sgd,
            &streams,
            &plan,
            &Conditions::new(0, &Silent, &stop),
        );
        run.records.iter().skip(1).flat_map(|record| record.readings[0][0].clone()).collect()
    };
    let seeds = if effort.quick { 8 } else { 48 };
    Ok(crew::fleet(&(0..seeds).collect::<Vec<u64>>(), fields))
}
