//! Small training runs: the distance of SGD from its flow, and fields that follow the gain (note 003, after (21) and
//! "Uncertainty principle").

use super::long_run::{SITES, matrices, over_sites, path, start};
use super::prelude::*;
use fovea_core::ParamError;
use fovea_desk::conditions::{Conditions, Silent};
use fovea_desk::two_class::{StartSize, TwoClass, one_unit};
use fovea_sim::train::{Precision, train};
use fovea_sim::{Labels, Plan, Sgd, Task, Times, crew, loss};
use std::sync::atomic::AtomicBool;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "training-limits",
    summary: "The distance of SGD from its flow, and fields that follow the gain.",
    covers: &["L003.58/noise", "L003.58/step", "L003.62/smooth"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![noise(effort)?, step(effort)?, along_the_gain(effort)?])
}

/// Learning rate, steps and batch of a run.
#[derive(Clone, Copy)]
struct Pace {
    lr: f64,
    steps: usize,
    batch: usize,
}

/// The weights after training from `start`.
fn field(
    task: &Task,
    start: &[f64],
    pace: Pace,
    streams: &Streams,
) -> Result<Vec<f64>, ParamError> {
    let stop = AtomicBool::new(false);
    let conditions = Conditions::new(0, &Silent, &stop);
    let plan = Plan {
        steps: pace.steps as u64,
        record: Times::At(Vec::new()),
        checkpoint_every: 0,
        eval_samples: 0,
        probes: &[],
        loss: &loss::mse::ENTRY,
        precision: Precision::Single,
    };
    let sgd = Sgd::online(pace.lr, pace.batch);
    Ok(train(task, one_unit(start)?, &sgd, streams, &plan, &conditions).network.weights().to_vec())
}

/// A start without any pattern.
fn uneven(n: usize) -> Vec<f64> {
    (0..n).map(|i| ((i * i + 5 * i) % 13) as f64 / 30.0 - 0.2).collect()
}

/// The scatter of SGD about its mean: over batch and rate, at one time.
fn noise(effort: &Effort) -> Result<Comparison, LabError> {
    /// The same time at every pace, t = 1.
    const PACES: [Pace; 4] = [
        Pace { lr: 0.02, steps: 50, batch: 20 },
        Pace { lr: 0.02, steps: 50, batch: 80 },
        Pace { lr: 0.005, steps: 200, batch: 20 },
        Pace { lr: 0.01, steps: 100, batch: 10 },
    ];
    let squares = effort.once("noise", || -> Result<_, LabError> {
        let classes = TwoClass { n: 8, xi_pos: 1.5, xi_neg: 0.8, kernel: Kernel::Ring };
        let (task, start) = (classes.task(0.01, Labels::Balanced)?, uneven(classes.n));
        let runs: Vec<u64> = (0..effort.samples(RUNS) as u64).collect();
        let squares = |(at, pace): (usize, Pace)| -> Result<Estimate, LabError> {
            let streams = effort.streams.part("noise").replica(at as u64);
            let end = |run: &u64| field(&task, &start, pace, &streams.replica(*run));
            let ends = crew::fleet(&runs, end).into_iter().collect::<Result<Vec<_>, _>>()?;
            let count = ends.len() as f64;
            let add = |sum: Vec<f64>, w: &Vec<f64>| combined(1.0, &sum, 1.0 / count, w);
            let mean = ends.iter().fold(vec![0.0; classes.n], add);
            let square = |w: &Vec<f64>| {
                let off = combined(1.0, w, -1.0, &mean);
                dot(&off, &off) * count / (count - 1.0)
            };
            Ok(Estimate::from_samples(&ends.iter().map(square).collect::<Vec<_>>())?)
        };
        PACES.into_iter().enumerate().map(squares).collect::<Result<Vec<_>, _>>()
    })?;
    let power = effort.slip(
        "power of rate over batch",
        "that of the distance, not of its square",
        1.0,
        0.5,
    );
    let first = squares[0];
    let ratio = |i: usize| -> Result<(Estimate, f64), LabError> {
        let ratio = squares[i].mean() / first.mean();
        let relative = |e: &Estimate| e.se() / e.mean();
        let se = ratio * libm::hypot(relative(&squares[i]), relative(&first));
        let of = |pace: Pace| pace.lr / pace.batch as f64;
        let predicted = libm::pow(of(PACES[i]) / of(PACES[0]), power);
        Ok((Estimate::from_parts(ratio, se, first.count())?, predicted))
    };
    let what = "mean square scatter of the weights of one unit about their mean over runs of SGD at t = 1, n = 8, gain 0.01, xi_pos = 1.5, xi_neg = 0.8: with the batch 4 times as large, with a quarter of the rate, and with both halved, over that at rate 0.02 and batch 20: as rate over batch, and trained networks";
    Ok(Comparison::noise(&["L003.58/noise"], what, &[ratio(1)?, ratio(2)?, ratio(3)?])
        .coarse("leading order in the step: the next is half the rate times a rate of decay, below half a percent, less than the standard error"))
}

const RUNS: usize = 12_000;

/// The distance of descent on the population loss from its flow is linear in the step.
fn step(effort: &Effort) -> Result<Comparison, LabError> {
    let rows = [2.0, 1.0].map(|xi| kernel_row(SITES, xi, Kernel::Ring));
    let order = effort.once("step", || -> Result<_, LabError> {
        let (matrices, start) = (matrices(&rows), start(effort, 0, StartSize::Unit));
        let flow = path(&rows, &start, 2.0)?;
        let gap = |steps: usize| {
            let (mut w, mut velocity) = (start.clone(), vec![0.0; SITES]);
            for _ in 0..steps {
                over_sites(&matrices, &w, &mut velocity);
                w = combined(1.0, &w, 2.0 / steps as f64, &velocity);
            }
            let gap = combined(1.0, &w, -1.0, flow.last());
            dot(&gap, &gap).sqrt()
        };
        let gaps = [200, 400, 800].map(gap);
        let orders = [0, 1].map(|at| libm::log2(gaps[at] / gaps[at + 1]));
        Ok(2.0 * orders[1] - orders[0])
    })?;
    let expected = effort.slip("order in the step", "second in place of first", 1.0, 2.0);
    let what = "order in the step of the distance between descent on the population loss and its flow at t = 2, one unit from N(0, 1), n = 40, xi_pos = 2, xi_neg = 1, from steps of 0.01, 0.005 and 0.0025: 1, and both over the sites";
    Ok(Comparison::digits(&["L003.58/step"], what, &[expected], &[order])
        .within(1e-3, "the square of a step of 0.01 times a rate of decay"))
}

/// Fields trained on the same latent samples at neighbouring gains: twice the step in the gain, twice the change.
fn along_the_gain(effort: &Effort) -> Result<Comparison, LabError> {
    let ratios = effort.once("gain", || -> Result<_, LabError> {
        let classes = TwoClass { n: 16, xi_pos: 1.5, xi_neg: 0.8, kernel: Kernel::Ring };
        let pace = Pace { lr: 0.3, steps: 40, batch: 2 * effort.samples(4000) };
        // A start with a fixed place: a random one may end at another site at another gain, which is not a deformation.
        let size = |i: usize| distance(0, i, classes.n) as f64 / 1.5;
        let bump: Vec<f64> =
            (0..classes.n).map(|i| 0.3 * libm::exp(-0.5 * size(i) * size(i))).collect();
        let sets: Vec<u64> = (0..SETS).collect();
        let mut ratios = Vec::new();
        for gain in [0.6, 1.5] {
            let tasks = [-2.0, -1.0, 1.0, 2.0]
                .map(|step| classes.task(gain * libm::exp(0.08 * step), Labels::Balanced))
                .into_iter()
                .collect::<Result<Vec<_>, _>>()?;
            let ratio = |set: &u64| -> Result<f64, ParamError> {
                let streams = effort.streams.part("gain").replica(*set);
                let end = |task: &Task| field(task, &bump, pace, &streams);
                let ends = tasks.iter().map(end).collect::<Result<Vec<_>, _>>()?;
                let apart = |a: usize, b: usize| {
                    let gap = combined(1.0, &ends[a], -1.0, &ends[b]);
                    dot(&gap, &gap).sqrt()
                };
                Ok(apart(0, 3) / apart(1, 2))
            };
            let all = crew::fleet(&sets, ratio).into_iter().collect::<Result<Vec<f64>, _>>()?;
            ratios.push(Estimate::from_samples(&all)?);
        }
        Ok(ratios)
    })?;
    let expected = effort.slip("change with the gain", "a jump between two shapes", 2.0, 1.0);
    let pairs: Vec<_> = ratios.into_iter().map(|ratio| (ratio, expected)).collect();
    let what = "one unit from a bump, n = 16, xi_pos = 1.5, xi_neg = 0.8, t = 12, the same latent samples at gains 0.6 and 1.5 times exp(-0.16, -0.08, 0.08, 0.16): distance of the two outer fields over that of the two inner ones, 2 where they follow the gain smoothly, 1 where they jump; and trained networks";
    Ok(Comparison::noise(&["L003.62/smooth"], what, &pairs)
        .approximate(0.02, "the third order in a step of 0.16 of the logarithm of the gain"))
}

const SETS: u64 = 24;
