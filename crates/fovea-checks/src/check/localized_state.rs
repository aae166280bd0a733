//! The localized state of one unit: that it stands still and is strict, how it is reached, and what takes it away
//! (notes 000, 001 and 003).

use super::prelude::*;
use fovea_core::ode::DormandPrince;
use fovea_core::{Item, ParamError};
use fovea_desk::bench::{Bench, Silent};
use fovea_desk::cell::mirrored;
use fovea_desk::replicas::mean;
use fovea_desk::two_class::{TwoClass, one_unit};
use fovea_sim::dynamics::Pace;
use fovea_sim::expect::expect;
use fovea_sim::train::{Precision, train};
use fovea_sim::{Labels, Plan, Run, Sgd, Times, loss, probe};
use fovea_theory::dictator::fixed_point::{fixed_point, sign_cov};
use fovea_theory::dictator::path::path;
use fovea_theory::ising::cov::cov as ising_cov;
use fovea_theory::relu::f_gauss::f_gauss;
use fovea_theory::relu::stable_mode::stable_mode;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};
use std::sync::atomic::AtomicBool;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "localized-state",
    summary: "The localized state of one unit: still and strict, in either order, and reached in a line.",
    covers: &["L000.39", "L001.4", "L001.5", "L003.61"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![theorem()?, both_orders(effort)?, biases(), from_a_site(effort)?])
}

/// Tight enough that a comparison at 1e-9 sees the equation and not the solver.
const SOLVER: DormandPrince =
    DormandPrince { rtol: 1e-11, atol: 1e-13, max_steps: 1_000_000, h0: None };

/// Ising rings of nine: path, end, loss and curvature in closed form, and the flow and the loss over all corners.
fn theorem() -> Result<Comparison, LabError> {
    const SITES: usize = 9;
    const COUPLINGS: [f64; 2] = [0.6, 0.2];
    let [pos, neg] = COUPLINGS.map(|coupling| unfold(&ising_cov(SITES, coupling), SITES));
    let point = fixed_point(&pos, &neg);
    let sum: Vec<f64> = pos.iter().zip(&neg).map(|(p, n)| p + n).collect();
    let push: Vec<f64> = (0..SITES).map(|i| 0.01 * libm::sin(1.0 + 2.3 * i as f64)).collect();
    let there: Vec<f64> = point.w.iter().zip(&push).map(|(w, d)| w + d).collect();
    let bowl = 0.125 * dot(&push, &circulant_apply(&sum, &push));
    let scale = 0.7;
    let mut predicted = [path(&pos, &neg, scale, 3.0, 0.0), point.w.clone()].concat();
    predicted.extend([point.loss, bowl]);

    let [one, other] = COUPLINGS.map(|coupling| Corners::ising(SITES, coupling));
    let second = |law: &Corners, i: usize, j: usize| law.mean(|x| x[i] * x[j]);
    let matrix: Vec<Vec<f64>> = (0..SITES)
        .map(|i| (0..SITES).map(|j| second(&one, i, j) + second(&other, i, j)).collect())
        .collect();
    let flow = |_: f64, w: &[f64], out: &mut [f64]| {
        let f = one.gated_mean(w, false);
        for (i, out) in out.iter_mut().enumerate() {
            *out = 0.5 * f[i] - 0.25 * dot(&matrix[i], w);
        }
    };
    let cost = |w: &[f64]| {
        let answer = |x: &[f64]| dot(w, x).max(0.0);
        let square = |x: f64| x * x;
        0.25 * (one.mean(|x| square(answer(x) - 1.0)) + other.mean(|x| square(answer(x))))
    };
    let mut start = vec![0.0; SITES];
    start[0] = scale;
    let along = SOLVER.solve(flow, 0.0, 3.0, &start).map_err(FormError::from)?;
    let end = SOLVER.solve(flow, 0.0, 160.0, &start).map_err(FormError::from)?;
    let mut measured = [along.last(), end.last()].concat();
    measured.extend([cost(&point.w), cost(&there) - cost(&point.w)]);
    let what = "Ising rings of 9, couplings 0.6 and 0.2: w(3) from one site, w*, its loss and the loss 0.01 away in closed \
                form; the flow by an ODE solver and the loss, over all corners";
    Ok(Comparison::digits(&["L000.39"], what, &predicted, &measured))
}

/// Trains one unit from one site of a ring at infinite gain, on samples of its own.
fn trained(
    two: &TwoClass,
    pace: Pace,
    (steps, record): (u64, Times),
    (effort, replica): (&Effort, u64),
) -> Result<Run, ParamError> {
    let plan = Plan {
        steps,
        record,
        checkpoint_every: 0,
        eval_samples: 0,
        probes: &[&probe::weights::ENTRY],
        loss: &loss::mse::ENTRY,
        precision: Precision::Single,
    };
    let mut start = vec![0.0; two.n];
    start[0] = 1.0;
    let stop = AtomicBool::new(false);
    let watch = Bench::new(0, &Silent, &stop);
    let (task, streams) =
        (two.task(f64::INFINITY, Labels::Balanced)?, effort.streams.replica(replica));
    Ok(train(&task, one_unit(&start)?, &Sgd { pace }, &streams, &plan, &watch))
}

/// Sign data on 40 sites, both orders of the lengths 1 and 2: the loss of the field that training finds from one site.
fn both_orders(effort: &Effort) -> Result<Comparison, LabError> {
    const RUNS: u64 = 6;
    let (mut pairs, mut source) = (Vec::new(), Vec::new());
    for (index, (xi_pos, xi_neg)) in [(1.0, 2.0), (2.0, 1.0)].into_iter().enumerate() {
        let two = TwoClass { n: 40, xi_pos, xi_neg, kernel: Kernel::Ring };
        let mut fields = Vec::new();
        for run in 0..RUNS {
            let pace = Pace { schedule: Item::named("linear"), ..Pace::online(1.0, 1000) };
            let replica = (index as u64) << 8 | run;
            let run = trained(&two, pace, (200, Times::At(Vec::new())), (effort, replica))?;
            fields.push(run.network.weights().to_vec());
        }
        let w = mean(&fields, None);
        let task = two.task(f64::INFINITY, Labels::Balanced)?;
        let mut halves = Vec::new();
        for class in task.classes() {
            let cost = |x: &[f64], out: &mut [f64]| {
                let error = dot(&w, x).max(0.0) - class.label;
                out[0] = 0.5 * error * error;
            };
            let stream = effort.streams.named(&format!("loss/{index}/{}", class.name));
            let samples = effort.samples(600_000);
            halves.push((0.5, expect(class.stimulus.as_ref(), &stream, samples, 1, cost)?[0]));
        }
        let closed = two.dictator()?.loss;
        pairs.push((Estimate::combination(&halves)?, closed));
        let flow = two.matched_gaussian_flow(f64::INFINITY)?;
        let mode = stable_mode(&flow.eigs_pos, &flow.eigs_neg, 0.0);
        let wave = 0.25 * (1.0 - 0.5 * FRAC_2_PI / (1.0 + mode.ratio));
        source.push(if xi_pos < xi_neg { wave } else { closed });
    }
    let what = "sign data, 40 sites, lengths (1, 2) and (2, 1): loss of the dictator state in closed form, and of the field trained from \
                one site; the source has an oscillation in the first order, at best that of the Gaussian mode";
    Ok(Comparison::noise(&["L001.4"], what, &pairs).source(&source))
}

/// The teacher term `E[sigma'(S + b) X]` on Gaussian data: without a bias none is left for erf, and all of it for ReLU.
fn biases() -> Comparison {
    let row = kernel_row(8, 1.2, Kernel::Ring);
    let w: Vec<f64> = (0..8).map(|i| libm::cos(0.4 + 1.7 * f64::from(i))).collect();
    let image = circulant_apply(&row, &w);
    let variance = dot(&w, &image);
    let spread = variance.sqrt();
    // L002.23: -sqrt(2/pi) b (1 + s^2)^(-3/2) e^(-b^2 / 2 (1 + s^2)) S w.
    let closed = |b: f64| {
        let broad = 1.0 + variance;
        let size = -2.0 * b / broad * normal_pdf(b / broad.sqrt()) / broad.sqrt();
        image.iter().map(move |x| size * x).collect::<Vec<f64>>()
    };
    let predicted = [closed(0.0), closed(0.6), f_gauss(&row, &w)].concat();
    // X_j = (S w)_j / s^2 S + what is independent of S.
    let by_parts = |slope: &dyn Fn(f64) -> f64, kinks: &[f64]| -> Vec<f64> {
        let mean = normal_expectation(|z| slope(spread * z) * spread * z, kinks).value;
        image.iter().map(|x| x / variance * mean).collect()
    };
    // sigma(h) = erf(h / sqrt 2) has the slope sqrt(2/pi) e^(-h^2/2).
    let erf = |h: f64| FRAC_2_SQRT_PI * FRAC_1_SQRT_2 * libm::exp(-0.5 * h * h);
    let measured = [
        by_parts(&|h| erf(h), &[]),
        by_parts(&|h| erf(h + 0.6), &[]),
        by_parts(&|h| if h > 0.0 { 1.0 } else { 0.0 }, &[0.0]),
    ];
    let what = "teacher term E[sigma'(S + b) X] of erf at b = 0 (none) and b = 0.6, and of ReLU at b = 0, n = 8: closed forms and quadrature";
    Comparison::digits(&["L001.5"], what, &predicted, &measured.concat())
}

/// Sign data on 16 sites: the mean of stochastic descent from one site, and the linear flow in steps.
fn from_a_site(effort: &Effort) -> Result<Comparison, LabError> {
    const RUNS: u64 = 32;
    const RECORDS: [u64; 3] = [10, 30, 100];
    let (lr, batch) = (0.2, effort.samples(2000));
    let two = TwoClass { n: 16, xi_pos: 1.5, xi_neg: 0.8, kernel: Kernel::Ring };
    let mut runs = Vec::new();
    for run in 0..RUNS {
        let record = Times::At(RECORDS[..2].to_vec());
        runs.push(trained(
            &two,
            Pace::online(lr, batch),
            (RECORDS[2], record),
            (effort, 1 << 12 | run),
        )?);
    }
    let [pos, neg] = two.kernels()?.map(|kernel| sign_cov(&kernel.first_row));
    let mut pairs = Vec::new();
    for (record, step) in RECORDS.iter().enumerate() {
        let closed = path(&pos, &neg, 1.0, *step as f64 * lr, lr);
        for distance in 0..=2 {
            let at = |run: &Run| mirrored(&run.records[record + 1].readings[0][0], 0, distance);
            let samples: Vec<f64> = runs.iter().map(at).collect();
            pairs.push((Estimate::from_samples(&samples)?, closed[distance]));
        }
    }
    let what = "sign data, 16 sites, lengths (1.5, 0.8), from one site: linear flow in steps, and the mean of 32 runs of SGD, 0 to 2 sites \
                from the centre after 10, 30 and 100 steps";
    Ok(Comparison::noise(&["L003.61"], what, &pairs))
}
