//! The localized state of one unit: when it is a stationary point and a strict minimum, and how it is reached (notes 000 and 003).

use super::dense::solve;
use super::one_unit::{SITES, sign_row};
use super::prelude::*;
use fovea_core::ode::DormandPrince;
use fovea_desk::cell::{mirrored, vote};
use fovea_desk::conditions::{Conditions, Silent};
use fovea_desk::two_class::{TwoClass, one_unit};
use fovea_sim::train::train;
use fovea_sim::{Labels, Plan, Run, Sgd, Times, probe};
use fovea_theory::dictator::fixed_point::{self, FixedPoint, fixed_point};
use fovea_theory::dictator::path::{self, path};
use fovea_theory::ising::cov as ising;
use fovea_theory::nlgp::cov as nlgp;
use std::sync::atomic::AtomicBool;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "localized-state",
    summary: "The localized state of one unit: a strict minimum where its site outvotes the rest, reached by a linear flow.",
    covers: &[
        "L000.39/path",
        "L000.39/minimum",
        "L000.39/condition",
        "L000.39/margins",
        "L003.61/line",
    ],
    run,
};

/// First rows of both covariances, and the localized state.
type State = fn(&[f64], &[f64]) -> FixedPoint;

/// First rows of both covariances, the weight at the start, time and step, and the weights there.
type Path = fn(&[f64], &[f64], f64, f64, f64) -> Vec<f64>;

/// The closed forms of this check.
struct Forms {
    state: State,
    path: Path,
    spins: fn(usize, f64) -> Vec<f64>,
    signs: fn(f64, f64) -> f64,
}

impl Forms {
    fn of(effort: &Effort) -> Self {
        Self {
            // Twice the weights: their loss is 1/4 [1 + 1/2 w'Mw - w'C_1 e_0], where w'Mw is w'C_1 e_0 for the right ones.
            state: effort.form(&fixed_point::ENTRY, fixed_point, |pos, neg| {
                let right = fixed_point(pos, neg);
                FixedPoint { w: scaled(2.0, &right.w), loss: 0.25, ..right }
            }),
            path: effort.form(&path::ENTRY, path, |pos, neg, scale, t, lr| {
                path(pos, neg, scale, 2.0 * t, 2.0 * lr)
            }),
            spins: effort.form(&ising::ENTRY, ising::cov, |n, coupling| {
                (0..=n / 2).map(|d| libm::pow(libm::tanh(coupling), d as f64)).collect()
            }),
            signs: effort.form(&nlgp::ENTRY, nlgp::cov, |rho, _| rho),
        }
    }

    /// First rows of both covariances of sign data.
    fn sign_rows(&self, n: usize, lengths: [f64; 2]) -> [Vec<f64>; 2] {
        let entry = |rho: &f64| (self.signs)(*rho, f64::INFINITY);
        lengths.map(|xi| kernel_row(n, xi, Kernel::Ring).iter().map(entry).collect())
    }
}

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let forms = Forms::of(effort);
    Ok(vec![
        along_the_path(effort, &forms)?,
        minimum(effort, &forms),
        condition(effort),
        margins(effort, &forms)?,
        in_a_line(effort, &forms)?,
    ])
}

/// Tight enough that a comparison at 1e-9 tests the equation and not the solver.
const SOLVER: DormandPrince =
    DormandPrince { rtol: 1e-11, atol: 1e-13, max_steps: 1_000_000, h0: None };

/// `C_1 + C_0` over all corners.
fn sum_matrix(laws: &[Corners; 2], n: usize) -> Vec<Vec<f64>> {
    let entry = |i: usize, j: usize| laws.iter().map(|law| law.mean(|x| x[i] * x[j])).sum::<f64>();
    (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
}

/// Ising rings of seven: path and end in closed form, and the flow over all corners.
fn along_the_path(effort: &Effort, forms: &Forms) -> Result<Comparison, LabError> {
    const RING: usize = 7;
    const COUPLINGS: [f64; 2] = [0.6, 0.2];
    let [pos, neg] = COUPLINGS.map(|coupling| unfold(&(forms.spins)(RING, coupling), RING));
    let predicted = [(forms.path)(&pos, &neg, 0.7, 3.0, 0.0), (forms.state)(&pos, &neg).w].concat();

    let measured = effort.once("path", || -> Result<Vec<f64>, LabError> {
        let laws = COUPLINGS.map(|coupling| Corners::ising(RING, coupling));
        let matrix = sum_matrix(&laws, RING);
        let flow = |_: f64, w: &[f64], out: &mut [f64]| {
            let f = laws[0].gated_mean(w, false);
            for (i, out) in out.iter_mut().enumerate() {
                *out = 0.5 * f[i] - 0.25 * dot(&matrix[i], w);
            }
        };
        let mut start = vec![0.0; RING];
        start[0] = 0.7;
        let along = SOLVER.solve(flow, 0.0, 3.0, &start).map_err(FormError::from)?;
        let end = SOLVER.solve(flow, 0.0, 110.0, &start).map_err(FormError::from)?;
        Ok([along.last(), end.last()].concat())
    })?;
    let what = "Ising rings of 7, couplings 0.6 and 0.2, from weight 0.7 on one site: w(3) and w* in closed form, and the flow with f and both covariances over all corners by an ODE solver, at t = 3 and 110";
    Ok(Comparison::digits(&["L000.39/path"], what, &predicted, &measured))
}

/// Signs of four sites: the loss at the state, and how it rises around it.
fn minimum(effort: &Effort, forms: &Forms) -> Comparison {
    const RING: usize = 4;
    const LENGTHS: [f64; 2] = [1.2, 0.8];
    let curvature =
        effort.slip("curvature at w*", "1/2 (C0 + C1), of note 000 (4), for 1/4", 0.125, 0.25);
    let [pos, neg] = forms.sign_rows(RING, LENGTHS);
    let sum = combined(1.0, &pos, 1.0, &neg);

    let laws = LENGTHS.map(|xi| Corners::signs(RING, xi));
    let column = (0..RING).map(|i| laws[0].mean(|x| x[0] * x[i])).collect();
    let state = solve(sum_matrix(&laws, RING), column);
    let cost = |w: &[f64]| {
        let answer = |x: &[f64]| dot(w, x).max(0.0);
        let square = |x: f64| x * x;
        0.25 * (laws[0].mean(|x| square(answer(x) - 1.0)) + laws[1].mean(|x| square(answer(x))))
    };
    // Displacements that leave the site a part of its lead.
    let lead = state[0] - state[1..].iter().map(|w| w.abs()).sum::<f64>();
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for push in 0..8 {
        let along: Vec<f64> =
            (0..RING).map(|i| libm::sin(1.0 + 2.3 * (RING * push + i) as f64)).collect();
        let size = along.iter().map(|x| x.abs()).sum::<f64>();
        for share in [0.1, 0.9] {
            let push = scaled(share * lead / size, &along);
            predicted.push(curvature * dot(&push, &circulant_apply(&sum, &push)));
            measured.push(cost(&combined(1.0, &state, 1.0, &push)) - cost(&state));
        }
    }
    let what = "sign data, n = 4, lengths (1.2, 0.8): the loss of w* in closed form and over all corners, with the probability of each by quadrature over its orthant, w* by elimination";
    let rise = "the rise 1/8 d'(C0 + C1)d with closed covariances, and the loss over all corners, for eight directions d at a tenth and nine tenths of the length that keeps the gate";
    Comparison::digits(
        &["L000.39/minimum"],
        what,
        &[(forms.state)(&pos, &neg).loss],
        &[cost(&state)],
    )
    .and(Comparison::digits(&["L000.39/minimum"], rise, &predicted, &measured))
}

/// Ising rings of eight, all pairs of nine couplings: the state is stationary where its site outvotes the rest, and nowhere else.
fn condition(effort: &Effort) -> Comparison {
    const RING: usize = 8;
    const COUPLINGS: [f64; 9] = [0.1, 0.3, 0.5, 0.7, 0.9, 1.1, 1.3, 1.5, 1.7];
    let agrees: fn(&[f64]) -> bool = effort.slip(
        "condition of L000.39",
        "the centre is the largest weight, in place of more than all others together",
        |w| vote(w, 0) > 1.0,
        |w| w[1..].iter().all(|rest| rest.abs() < w[0]),
    );
    let laws = COUPLINGS.map(|coupling| Corners::ising(RING, coupling));
    let second =
        |law: &Corners| -> Vec<f64> { (0..RING).map(|d| law.mean(|x| x[0] * x[d])).collect() };
    let rows: Vec<Vec<f64>> = laws.iter().map(second).collect();
    let (mut hits, mut still, mut trials) = (0, 0, 0);
    for (a, law) in laws.iter().enumerate() {
        for b in (0..laws.len()).filter(|b| *b != a) {
            let sum = combined(1.0, &rows[a], 1.0, &rows[b]);
            let entry = |i: usize, j: usize| sum[distance(i, j, RING)];
            let matrix = (0..RING).map(|i| (0..RING).map(|j| entry(i, j)).collect()).collect();
            let w = solve(matrix, rows[a].clone());
            let velocity =
                combined(0.5, &law.gated_mean(&w, false), -0.25, &circulant_apply(&sum, &w));
            let stands = velocity.iter().all(|v| v.abs() < 1e-12);
            hits += usize::from(stands == agrees(&w));
            still += usize::from(stands);
            trials += 1;
        }
    }
    let by_chance = still.max(trials - still) as f64 / trials as f64;
    let what = "Ising rings of 8, the 72 ordered pairs of nine couplings from 0.1 to 1.7: whether the centre of w* exceeds the rest, and whether the flow over all corners is stationary at w*, by elimination; a guess that never changes is right as often as the more frequent answer";
    Comparison::all(&["L000.39/condition"], what, (hits, trials), by_chance).enumerated()
}

/// Margins of sign data, positive or negative.
fn margins(effort: &Effort, forms: &Forms) -> Result<Comparison, LabError> {
    const LENGTHS: [[f64; 2]; 4] = [[2.0, 1.0], [1.0, 2.0], [2.5, 1.0], [3.0, 1.0]];
    let centre = effort.slip("margin of L000.39", "|w_0| for 2 |w_0| over |w|_1", 2.0, 1.0);
    let mut predicted = Vec::new();
    for lengths in LENGTHS {
        let [pos, neg] = forms.sign_rows(SITES, lengths);
        let w = (forms.state)(&pos, &neg).w;
        let all = w.iter().map(|w| w.abs()).sum::<f64>();
        predicted.extend([centre * w[0].abs() / all - 1.0, w[0]]);
    }
    let measured = effort.once("margins", || -> Result<Vec<f64>, LabError> {
        let of = |lengths: [f64; 2]| {
            let [one, other] = lengths.map(|xi| sign_row(&kernel_row(SITES, xi, Kernel::Ring)));
            let sum = combined(1.0, &one, 1.0, &other);
            let entry = |i: usize, j: usize| sum[distance(i, j, SITES)];
            let matrix = (0..SITES).map(|i| (0..SITES).map(|j| entry(i, j)).collect()).collect();
            let w = solve(matrix, one);
            [vote(&w, 0) - 1.0, w[0]]
        };
        Ok(LENGTHS.into_iter().flat_map(of).collect())
    })?;
    let what = "sign data, n = 40: margin 2 |w*_i|/|w*|_1 - 1 and centre of w* by the eigenvalues of closed covariances, and by elimination with covariances by quadrature, at lengths (2, 1), (1, 2), (2.5, 1) and (3, 1)";
    let printed = [0.2513, 0.3966, 0.0734, -0.0556];
    let said = "margins 0.2513, 0.3966, 0.0734 and -0.0556, and those by elimination";
    let found: Vec<f64> = measured.iter().step_by(2).copied().collect();
    Ok(Comparison::digits(&["L000.39/margins"], what, &predicted, &measured).and(
        Comparison::digits(&["L000.39/margins"], said, &printed, &found)
            .within(2e-4, "numbers of four decimals"),
    ))
}

/// Trains one unit from weight 1 on one site, on independent samples, with intermediate records.
fn recorded(two: &TwoClass, effort: &Effort, replica: u64) -> Result<Run, LabError> {
    let record = Times::At(RECORDS[..2].to_vec());
    let plan = Plan::new(RECORDS[2] as usize, record, WEIGHTS_ALONE);
    let mut start = vec![0.0; two.n];
    start[0] = 1.0;
    let stop = AtomicBool::new(false);
    let watch = Conditions::new(0, &Silent, &stop);
    let (task, streams) =
        (two.task(f64::INFINITY, Labels::Balanced)?, effort.streams.part("line").replica(replica));
    let sgd = Sgd::online(RATE, 2000);
    Ok(train(&task, one_unit(&start)?, &sgd, &streams, &plan, &watch))
}

const WEIGHTS_ALONE: &[&probe::Probe] = &[&probe::weights::ENTRY];
const RECORDS: [u64; 3] = [10, 30, 100];
const RATE: f64 = 0.2;

/// Sign data on 16 sites: the mean of stochastic descent from one site, and the linear flow in steps.
fn in_a_line(effort: &Effort, forms: &Forms) -> Result<Comparison, LabError> {
    const LENGTHS: [f64; 2] = [1.5, 0.8];
    let two = TwoClass { n: 16, xi_pos: LENGTHS[0], xi_neg: LENGTHS[1], kernel: Kernel::Ring };
    let count = effort.samples(32).max(6) as u64;
    // By record, then by distance from the site.
    let means = effort.once("line", || -> Result<Vec<Estimate>, LabError> {
        let runs: Vec<Run> =
            (0..count).map(|run| recorded(&two, effort, run)).collect::<Result<_, _>>()?;
        let mut means = Vec::new();
        for record in 1..=RECORDS.len() {
            for distance in 0..=2 {
                let at = |run: &Run| mirrored(&run.records[record].readings[0][0], 0, distance);
                means.push(Estimate::from_samples(&runs.iter().map(at).collect::<Vec<f64>>())?);
            }
        }
        Ok(means)
    })?;
    let [pos, neg] = forms.sign_rows(two.n, LENGTHS);
    let closed = RECORDS.iter().flat_map(|step| {
        (forms.path)(&pos, &neg, 1.0, *step as f64 * RATE, RATE).into_iter().take(3)
    });
    let pairs: Vec<(Estimate, f64)> = means.into_iter().zip(closed).collect();
    let what = "sign data, n = 16, lengths (1.5, 0.8), one ReLU unit from weight 1 on one site: the linear flow in steps of 0.2, and the mean of 32 runs of SGD on batches of 2000, 0 to 2 sites from the centre after 10, 30 and 100 steps";
    Ok(Comparison::noise(&["L003.61/line"], what, &pairs))
}
