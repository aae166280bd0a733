//! Small training runs: how far SGD lies from its flow, and fields that follow the gain (note 003, after (21) and
//! "Uncertainty principle").

use super::prelude::*;
use fovea_core::ParamError;
use fovea_desk::bench::{Bench, Silent};
use fovea_desk::two_class::{TwoClass, at_records, one_unit};
use fovea_sim::train::{Precision, train};
use fovea_sim::{Labels, Plan, Sgd, Task, Times, crew, loss};
use std::sync::atomic::AtomicBool;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "training-limits",
    summary: "The distance of SGD to its flow, and fields that follow the gain.",
    covers: &["L003.58", "L003.62"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![gap(effort)?, along_the_gain(effort)?])
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
    let bench = Bench::new(0, &Silent, &stop);
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
    Ok(train(task, one_unit(start)?, &sgd, streams, &plan, &bench).network.weights().to_vec())
}

/// A start without any pattern.
fn uneven(n: usize) -> Vec<f64> {
    (0..n).map(|i| ((i * i + 5 * i) % 13) as f64 / 30.0 - 0.2).collect()
}

/// The mean square distance of SGD to descent on the population loss is proportional to the rate over the batch.
fn gap(effort: &Effort) -> Result<Comparison, LabError> {
    let classes = TwoClass { n: 12, xi_pos: 1.5, xi_neg: 0.8, kernel: Kernel::Ring };
    let (task, start) = (classes.task(0.01, Labels::Balanced)?, uneven(classes.n));
    let flow = classes.matched_gaussian_flow(0.01)?;
    let runs: Vec<u64> = (0..effort.samples(320) as u64).collect();
    let mut squares = Vec::new();
    // The same time at every pace: t = 2.
    let paces = [(0.05, 40, 200), (0.05, 40, 800), (0.0125, 160, 200), (0.025, 80, 100)];
    for (at, (lr, steps, batch)) in paces.into_iter().enumerate() {
        let theory = at_records(&flow, &start, (lr, steps, steps));
        let theory = &theory[theory.len() - 1];
        let square = |run: &u64| -> Result<f64, ParamError> {
            let streams = effort.streams.replica((at * runs.len()) as u64 + run);
            let w = field(&task, &start, Pace { lr, steps, batch }, &streams)?;
            Ok(w.iter().zip(theory).map(|(w, v)| (w - v) * (w - v)).sum())
        };
        let all = crew::fleet(&runs, square).into_iter().collect::<Result<Vec<f64>, _>>()?;
        squares.push(Estimate::from_samples(&all)?);
    }
    let first = squares[0];
    let ratio = |i: usize| -> Result<(Estimate, f64), LabError> {
        let (lr, _, batch) = paces[i];
        let ratio = squares[i].mean() / first.mean();
        let relative = |e: &Estimate| e.se() / e.mean();
        let se = ratio * libm::hypot(relative(&squares[i]), relative(&first));
        let predicted = (lr / batch as f64) / (paces[0].0 / paces[0].2 as f64);
        Ok((Estimate::from_parts(ratio, se, first.count())?, predicted))
    };
    let what = "mean square distance of SGD to gradient descent on the population loss at t = 2, n = 12: batch 4 times as large, rate 4 times as small, and both halved, over the first; it goes as rate over batch; the term linear in the step is taken out by comparing with descent at the same rate";
    Ok(Comparison::noise(&["L003.58"], what, &[ratio(1)?, ratio(2)?, ratio(3)?])
        .coarse("a mean square over some hundred runs"))
}

/// Fields trained on the same latent samples at neighbouring gains: twice the step in the gain, twice the change.
fn along_the_gain(effort: &Effort) -> Result<Comparison, LabError> {
    let classes = TwoClass { n: 16, xi_pos: 1.5, xi_neg: 0.8, kernel: Kernel::Ring };
    let pace = Pace { lr: 0.3, steps: 40, batch: 2 * effort.samples(4000) };
    // A start with a place of its own: a random one may end at another site at another gain, which is no deformation.
    let size = |i: usize| distance(0, i, classes.n) as f64 / 1.5;
    let bump: Vec<f64> =
        (0..classes.n).map(|i| 0.3 * libm::exp(-0.5 * size(i) * size(i))).collect();
    let sets: Vec<u64> = (0..12).collect();
    let mut pairs = Vec::new();
    for gain in [0.6, 1.5] {
        let tasks = [-2.0, -1.0, 1.0, 2.0]
            .map(|step| classes.task(gain * libm::exp(0.08 * step), Labels::Balanced));
        let [a, b, c, d] = tasks;
        let tasks = [a?, b?, c?, d?];
        let ratio = |set: &u64| -> Result<f64, ParamError> {
            let streams = effort.streams.replica((1 << 21) + set);
            let mut ends = Vec::new();
            for task in &tasks {
                ends.push(field(task, &bump, pace, &streams)?);
            }
            let apart = |a: &[f64], b: &[f64]| {
                a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
            };
            Ok(apart(&ends[0], &ends[3]) / apart(&ends[1], &ends[2]))
        };
        let ratios = crew::fleet(&sets, ratio).into_iter().collect::<Result<Vec<f64>, _>>()?;
        pairs.push((Estimate::from_samples(&ratios)?, 2.0));
    }
    let what = "one unit from a bump, n = 16, xi_pos = 1.5, xi_neg = 0.8, t = 12, the same latent samples at gains 0.6 and 1.5 times exp(-0.16, -0.08, 0.08, 0.16): distance of the outer fields over that of the inner ones, 2 where they follow the gain smoothly; the way from long waves, and many units, are not tested";
    Ok(Comparison::noise(&["L003.62"], what, &pairs).coarse(
        "twelve sets of samples; a jump between two shapes would be seen as a ratio far from 2",
    ))
}
