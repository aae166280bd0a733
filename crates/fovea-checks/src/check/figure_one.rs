//! Figure 1 of note 003, smaller: one unit trained on nearly Gaussian data follows the diagonal flow.

use super::prelude::*;
use fovea_core::activation;
use fovea_core::stats::VectorAccumulator;
use fovea_desk::bench::{Bench, Silent};
use fovea_desk::two_class::{TwoClass, at_records};
use fovea_sim::dynamics::sgd::Sgd;
use fovea_sim::train::{Precision, train};
use fovea_sim::{Bias, Labels, Network, Plan, Times, crew, loss, probe};
use std::sync::atomic::AtomicBool;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "figure-one",
    summary: "One unit trained on nearly Gaussian data follows the diagonal flow, at every record.",
    covers: &["L003.10"],
    run,
};

/// Learning rate, steps and steps between records: `t = 4` at the end, a fifth of the figure's.
const SCHEDULE: (f64, usize, usize) = (0.02, 200, 50);

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let (n, gain, seeds) = (40, 0.01, 32);
    let classes = TwoClass { n, xi_pos: 2.0, xi_neg: 1.0, kernel: Kernel::Ring };
    let start: Vec<f64> = (0..n).map(|i| ((i * i + 5 * i) % 13) as f64 / 30.0 - 0.2).collect();
    let network =
        Network::committee(n, 1, &activation::relu::ENTRY, Bias::None).with(&start, &[0.0])?;
    let task = classes.task(gain, Labels::Balanced)?;
    let (lr, steps, record_every) = SCHEDULE;
    let plan = Plan {
        steps: steps as u64,
        record: Times::Every(record_every as u64),
        checkpoint_every: 0,
        eval_samples: 0,
        probes: &[&probe::weights::ENTRY],
        loss: &loss::mse::ENTRY,
        precision: Precision::Single,
    };
    let batch = 2 * effort.samples(1000);
    let fields = |seed: &u64| -> Vec<f64> {
        let (stop, sgd) = (AtomicBool::new(false), Sgd::online(lr, batch));
        let bench = Bench::new(0, &Silent, &stop);
        let run =
            train(&task, network.clone(), &sgd, &effort.streams.replica(*seed), &plan, &bench);
        run.records.iter().skip(1).flat_map(|record| record.readings[0][0].clone()).collect()
    };
    let runs = crew::fleet(&(0..seeds).collect::<Vec<u64>>(), fields);
    let theory = at_records(&classes.matched_gaussian_flow(gain)?, &start, SCHEDULE);
    let mut mean = VectorAccumulator::new(theory[1..].concat().len());
    runs.iter().try_for_each(|fields| mean.push(fields))?;
    let pairs: Vec<_> = mean.estimates()?.into_iter().zip(theory[1..].concat()).collect();
    let what = "the field of one unit at t = 1, 2, 3, 4, mean of 32 runs of SGD at gain 0.01, and the flow at the same learning rate, n = 40, xi_pos = 2, xi_neg = 1";
    Ok(vec![Comparison::noise(&["L003.10"], what, &pairs)])
}
