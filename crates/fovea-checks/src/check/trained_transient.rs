//! Units trained on Gaussian data through the transient of the population flow (note 001 end, figure 1 of note 003).

use super::long_run::{SITES, exact, powers, share, start};
use super::prelude::*;
use fovea_desk::conditions::{Conditions, Silent};
use fovea_desk::two_class::{StartSize, TwoClass, one_unit};
use fovea_sim::train::{Precision, train};
use fovea_sim::{Labels, Plan, Sgd, Times, crew, loss, probe};
use fovea_theory::relu::flow_single;
use std::sync::atomic::AtomicBool;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "trained-transient",
    summary: "One unit trained on Gaussian data: short waves first, then long ones, far from the end at t = 20.",
    covers: &["L001.81/trained", "L003.57/trained"],
    run,
};

const CLASSES: TwoClass = TwoClass { n: SITES, xi_pos: 2.0, xi_neg: 1.0, kernel: Kernel::Ring };

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let rows = [2.0, 1.0].map(|xi| kernel_row(SITES, xi, Kernel::Ring));
    Ok(vec![transient(&rows, effort)?, figure_trained(&rows, effort)?])
}

/// Mean frequency of the power.
fn mean_frequency(w: &[f64]) -> f64 {
    let power = powers(w);
    let first: f64 = power.iter().enumerate().map(|(k, p)| k as f64 * p).sum();
    first / power.iter().sum::<f64>()
}

/// Both covariances and weights, and the velocity there.
type Velocity = fn(&[f64], &[f64], &[f64]) -> Vec<f64>;

/// Learning rate, batch, and steps at which the field is recorded.
struct Pace {
    rate: f64,
    batch: usize,
    steps: &'static [usize],
    /// Starts, from each of which two networks are trained.
    starts: u64,
}

const TRANSIENT: Pace = Pace { rate: 0.1, batch: 1600, steps: &[10, 80, 300], starts: 24 };
const FIGURE: Pace = Pace { rate: 0.01, batch: 400, steps: &[2000], starts: 48 };

/// Mean frequency over time: units trained, and descent on the population loss from the same starts at the same rate.
fn transient(rows: &[Vec<f64>; 2], effort: &Effort) -> Result<Comparison, LabError> {
    // Note 000 (4): 1/2 f less twice the decay of the right velocity.
    let twice: Velocity = |pos, neg, w| {
        let f = scaled(0.5 / (TAU * form(pos, w, w)).sqrt(), &circulant_apply(pos, w));
        combined(2.0, &flow_single::velocity(pos, neg, w), -1.0, &f)
    };
    let velocity: Velocity = effort.form(&flow_single::ENTRY, flow_single::velocity, twice);
    let mut predicted = [0.0; 3];
    for index in 0..TRANSIENT.starts {
        let mut w = start(effort, index, StartSize::Unit);
        for step in 1..=TRANSIENT.steps[2] {
            w = combined(1.0, &w, TRANSIENT.rate, &velocity(&rows[0], &rows[1], &w));
            if let Some(at) = TRANSIENT.steps.iter().position(|record| *record == step) {
                predicted[at] += mean_frequency(&w) / TRANSIENT.starts as f64;
            }
        }
    }
    let measured = effort.once("trained", || {
        trained(effort, StartSize::Unit, &TRANSIENT, |w| vec![mean_frequency(w)])
    })?;
    let pairs: Vec<_> = measured.into_iter().zip(predicted).collect();
    let what = "mean |k| of the power of one unit at t = 1, 8 and 30, averaged over 24 starts from N(0, 1): descent on the population loss in closed form at the same rate, and two runs of SGD from every start (rate 0.1, batch 1600, gain 0.01, n = 40, xi_pos = 2, xi_neg = 1), which differ only by their samples";
    Ok(Comparison::noise(&["L001.81/trained"], what, &pairs)
        .against("what it was at the start, uniform over the frequencies", &[10.0; 3])
        .approximate(0.02, "the samples of a step add power of order rate over batch to every mode, compared with a power of order 0.1/40 of a mode of the flow"))
}

/// The numbers that `read` computes of fields trained twice from every start, record by record; the error is that of the samples.
fn trained(
    effort: &Effort,
    size: StartSize,
    pace: &Pace,
    read: impl Fn(&[f64]) -> Vec<f64> + Sync,
) -> Result<Vec<Estimate>, LabError> {
    let task = CLASSES.task(0.01, Labels::Balanced)?;
    let batch = 2 * effort.samples(pace.batch / 2);
    let plan = Plan {
        steps: pace.steps[pace.steps.len() - 1] as u64,
        record: Times::At(pace.steps.iter().map(|step| *step as u64).collect()),
        checkpoint_every: 0,
        eval_samples: 0,
        probes: &[&probe::weights::ENTRY],
        loss: &loss::mse::ENTRY,
        precision: Precision::Single,
    };
    let readings = |index: &u64| -> Result<Vec<f64>, LabError> {
        let (streams, stop) =
            (effort.streams.part("trained").replica(*index), AtomicBool::new(false));
        let conditions = Conditions::new(0, &Silent, &stop);
        let network = one_unit(&start(effort, index / 2, size))?;
        let run =
            train(&task, network, &Sgd::online(pace.rate, batch), &streams, &plan, &conditions);
        let records = run.records.iter().filter(|record| record.step > 0);
        Ok(records.flat_map(|record| read(&record.readings[0][0])).collect())
    };
    let runs = crew::fleet(&(0..2 * pace.starts).collect::<Vec<u64>>(), readings);
    let runs = runs.into_iter().collect::<Result<Vec<_>, _>>()?;
    let of = |at: usize| -> Result<Estimate, LabError> {
        let mean = runs.iter().map(|run| run[at]).sum::<f64>() / runs.len() as f64;
        let half = |two: &[Vec<f64>]| (two[0][at] - two[1][at]) / 2.0;
        let square: f64 = runs.chunks(2).map(half).map(|half| half * half).sum();
        Ok(Estimate::from_parts(
            mean,
            square.sqrt() / pace.starts as f64,
            pace.starts as usize + 1,
        )?)
    };
    (0..runs[0].len()).map(of).collect()
}

/// The same of trained networks, by the means of the shares.
fn figure_trained(rows: &[Vec<f64>; 2], effort: &Effort) -> Result<Comparison, LabError> {
    let [pos, neg] = rows.each_ref().map(|row| circulant_eigs(row));
    let exact = exact(effort);
    let mut predicted = vec![0.0; 4];
    for index in 0..FIGURE.starts {
        let w = exact(&pos, &neg, &start(effort, index, StartSize::Glorot), 20.0)?;
        predicted = combined(1.0, &predicted, 1.0 / FIGURE.starts as f64, &share(&w)[..4]);
    }
    let measured = effort.once("figure trained", || {
        trained(effort, StartSize::Glorot, &FIGURE, |w| share(w)[..4].to_vec())
    })?;
    let pairs: Vec<_> = measured.into_iter().zip(predicted).collect();
    let what = "mean shares of the power at |k| = 0, 1, 2, 3 of one unit over 48 Glorot starts at t = 20, n = 40, xi_pos = 2, xi_neg = 1: the closed solution of the population flow, and two runs of SGD from every start (2000 steps of 0.01, batch 400, gain 0.01), which differ only by their samples";
    Ok(Comparison::noise(&["L003.57/trained"], what, &pairs)
        .coarse("the noise of the samples, which falls with the root of their number")
        .against("the stable state, all power at k = 0", &[1.0, 0.0, 0.0, 0.0]))
}
