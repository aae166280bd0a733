//! Loss, labels and output bias of one unit (note 001, section 1).

use super::dense::solve;
use super::one_unit::{Arm, SITES, Start, ends, sign_row};
use super::prelude::*;
use fovea_desk::cell::vote;
use fovea_sim::loss::{cross_entropy, mse};
use fovea_sim::probe::ipr::ipr;
use fovea_theory::Spins;
use fovea_theory::dictator::labels::{self, Candidate, labels};
use fovea_theory::dictator::output_bias::{self, Biased, output_bias};
use fovea_theory::nlgp::cov as nlgp;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "loss-and-labels",
    summary: "Cross-entropy, labels +-1 and an output bias change what one unit learns.",
    covers: &[
        "L001.63/teacher",
        "L001.63/localization",
        "L001.64/flow",
        "L001.64/candidate",
        "L001.64/held",
        "L001.66/equations",
        "L001.66/centre",
        "L001.66/held",
        "L001.5/output",
    ],
    run,
};

const RING: usize = 7;
const COUPLINGS: [f64; 2] = [0.6, 0.2];
const WEIGHTS: [f64; RING] = [1.0, -0.7, 0.4, 0.25, -0.9, 0.55, 0.15];

/// Starts of a unit in each arm: with a chance of one in two each, all of them together have less than one in a million.
const STARTS: usize = 20;

/// First rows of both covariances, the label of class neg, and the candidate for a state behind a gate on one site.
type Labelled = fn(&[f64], &[f64], f64) -> Candidate;

/// The same with an output bias.
type WithBias = fn(&[f64], &[f64], f64) -> Biased;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let corners = COUPLINGS.map(|coupling| Corners::ising(RING, coupling));
    let spins = |coupling| Spins::ising(RING, coupling).map_err(FormError::from);
    let spins = [spins(COUPLINGS[0])?, spins(COUPLINGS[1])?];
    let biased: WithBias = effort.form(&output_bias::ENTRY, output_bias, |pos, neg, label| {
        let mut right = output_bias(pos, neg, label);
        right.point.w[0] += right.b;
        right.b = 0.0;
        right
    });
    Ok(vec![
        cross_entropy(effort, &corners, &spins),
        less_localized(effort)?,
        opposite_labels(effort, &corners, &spins),
        candidate(effort),
        held(effort, "L001.64/held")?,
        equations(biased, &corners, &spins),
        centre(effort, biased),
        held(effort, "L001.66/held")?,
    ])
}

fn sum_row(spins: &[Spins; 2]) -> Vec<f64> {
    combined(1.0, &spins[0].first_row(), 1.0, &spins[1].first_row())
}

/// `1/4 (f_1 - f_0) - 1/16 M w`, and the slope of the cross-entropy at weights so small that the logistic function is a line.
fn cross_entropy(effort: &Effort, corners: &[Corners; 2], spins: &[Spins; 2]) -> Comparison {
    let other = effort.slip("teacher of L001.63", "f_1, as with squared error", 1.0, 0.0);
    let decay = effort.slip("decay of L001.63", "1/4 M w, as with squared error", 0.0625, 0.25);
    let w = WEIGHTS.map(|w| 1e-3 * w);
    let [pos, neg] = [0, 1].map(|class| spins[class].gated_mean(&w));
    let pull = circulant_apply(&sum_row(spins), &w);
    let teacher = combined(0.25, &pos, -0.25 * other, &neg);
    // Minus the log of the probability that the output gives the label.
    let cost = |w: &[f64], class: usize, label: f64| {
        corners[class].mean(|x| {
            let answer = dot(w, x).max(0.0);
            libm::log1p(libm::exp(answer)) - label * answer
        })
    };
    // No corner is within two steps of the hyperplane: the sums of weights are 5e-5 or more in size.
    let measured = gradient(&w, 1e-5, |w| -0.5 * (cost(w, 0, 1.0) + cost(w, 1, 0.0)));
    let what = "two Ising rings of 7, couplings 0.6 and 0.2, weights of size 1e-3: (f_1 - f_0)/4 - M w/16 with both gated means and M in closed form, and minus the difference quotient of the cross-entropy over all corners";
    Comparison::digits(
        &["L001.63/teacher"],
        what,
        &combined(1.0, &teacher, -decay, &pull),
        &measured,
    )
    .within(
        1e-7,
        "the next term of the logistic function is of order w^3, compared with differences of gated means",
    )
}

/// Random starts under both losses: the IPR relative to that under the squared error.
fn less_localized(effort: &Effort) -> Result<Comparison, LabError> {
    let plain = Arm::plain([2.0, 1.0]);
    let by_loss = |loss| ends(Arm { loss, ..plain }, Start::Random, (effort, "loss", STARTS));
    let squared = effort.once("squared", || by_loss(&mse::ENTRY))?;
    let crossed = effort.once("crossed", || by_loss(&cross_entropy::ENTRY))?;
    let below = |fields: &[Vec<f64>]| {
        fields.iter().zip(&squared).filter(|(a, b)| 2.0 * ipr(a) < ipr(b)).count()
    };
    let trials = squared.len();
    let mut others = squared.clone();
    others.rotate_left(1);
    let others = (below(&others), trials);
    let what = "sign data, n = 40, lengths (2, 1), one bias-free ReLU unit, 20 Glorot starts, SGD of 500 steps: fields trained with the cross-entropy that have less than half the IPR of the field trained with squared error from the same start; for two losses with the same effect at most one in two would";
    Ok(Comparison::all(&["L001.63/localization"], what, (below(&crossed), trials), 0.5)
        .shown()
        .against_cases(
            "fields of the squared error, each compared with that of another start",
            others,
        ))
}

/// The flow for labels 1 and -1.
fn opposite_labels(effort: &Effort, corners: &[Corners; 2], spins: &[Spins; 2]) -> Comparison {
    let other = effort.slip("teacher of L001.64", "f_1, as with labels 1 and 0", 1.0, 0.0);
    let [pos, neg] = [0, 1].map(|class| spins[class].gated_mean(&WEIGHTS));
    let decay = circulant_apply(&sum_row(spins), &WEIGHTS);
    let predicted = combined(1.0, &combined(0.5, &pos, -0.5 * other, &neg), -0.25, &decay);
    let error = |w: &[f64], class: usize, label: f64| {
        corners[class].mean(|x| {
            let gap = dot(w, x).max(0.0) - label;
            gap * gap
        })
    };
    let loss = |w: &[f64]| -0.25 * (error(w, 0, 1.0) + error(w, 1, -1.0));
    let measured = gradient(&WEIGHTS, 1e-3, loss);
    let what = "two Ising rings of 7, couplings 0.6 and 0.2, labels 1 and -1: (f_1 - f_0)/2 - M w/4 in closed form, and minus the difference quotient of the loss over all corners";
    Comparison::digits(&["L001.64/flow"], what, &predicted, &measured)
}

/// First rows of both covariances of sign data, in closed form and by quadrature.
fn sign_rows(effort: &Effort, lengths: [f64; 2]) -> [[Vec<f64>; 2]; 2] {
    let cov: fn(f64, f64) -> f64 = effort.form(&nlgp::ENTRY, nlgp::cov, |rho, _| rho);
    let latent = lengths.map(|xi| kernel_row(SITES, xi, Kernel::Ring));
    let closed = |row: &Vec<f64>| row.iter().map(|rho| cov(*rho, f64::INFINITY)).collect();
    [[closed(&latent[0]), closed(&latent[1])], [sign_row(&latent[0]), sign_row(&latent[1])]]
}

/// The matrix `C_1 + C_0`.
fn sum_matrix(rows: &[Vec<f64>; 2]) -> Vec<Vec<f64>> {
    let entry = |i: usize, j: usize| {
        let d = distance(i, j, SITES);
        rows[0][d] + rows[1][d]
    };
    (0..SITES).map(|i| (0..SITES).map(|j| entry(i, j)).collect()).collect()
}

/// `2 |w_0| / |w|_1 - 1`.
fn margin(w: &[f64]) -> f64 {
    vote(w, 0) - 1.0
}

/// The only candidate for a state behind a gate on one site: its centre is negative, or it is outvoted.
fn candidate(effort: &Effort) -> Comparison {
    let closed: Labelled = effort.form(&labels::ENTRY, labels, |pos, neg, _| labels(pos, neg, 0.0));
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for lengths in [[2.0, 1.0], [1.0, 2.0]] {
        let [rows, found] = sign_rows(effort, lengths);
        let candidate = closed(&rows[0], &rows[1], -1.0);
        predicted.extend([candidate.w[0], candidate.margin]);
        let w = solve(sum_matrix(&found), combined(1.0, &found[0], -1.0, &found[1]));
        measured.extend([w[0], margin(&w)]);
    }
    let what = "sign data, n = 40, labels 1 and -1: centre and margin of the only weights behind a gate on one site, -0.1614 and -0.51 at lengths (2, 1), 0.1614 and -0.51 at (1, 2), by the eigenvalues of closed covariances, and by elimination with covariances by quadrature; the gate needs both to be positive";
    Comparison::digits(&["L001.64/candidate"], what, &predicted, &measured)
}

/// Units started on one site, and whether that site still decides alone.
fn held(effort: &Effort, id: &'static str) -> Result<Comparison, LabError> {
    const HELD: usize = 10;
    let stays = |key: &str, arm: Arm| -> Result<usize, LabError> {
        let fields = effort.once(key, || ends(arm, Start::Site, (effort, key, HELD)))?;
        Ok(fields.iter().filter(|w| vote(w, 0) > 1.0 && w[0] > 0.0).count())
    };
    let orders = [("(2, 1)", [2.0, 1.0]), ("(1, 2)", [1.0, 2.0])];
    let held = effort.samples(HELD);
    let (mut left, mut left_plain) = (0, 0);
    let labels = id == "L001.64/held";
    for (order, lengths) in orders {
        let plain = Arm::plain(lengths);
        let arm = if labels {
            Arm { label_neg: -1.0, ..plain }
        } else {
            Arm { output_bias: true, ..plain }
        };
        left += held - stays(&format!("held {id} {order}"), arm)?;
        left_plain += held - stays(&format!("held {order}"), plain)?;
    }
    let (ids, what): (&'static [&'static str], _) = if labels {
        (
            &["L001.64/held"],
            "sign data, n = 40, labels 1 and -1, 10 units at each order of the lengths 1 and 2, started on one site, SGD of 500 steps: units on whose site no positive weight outvotes all others in the end; by chance one in two",
        )
    } else {
        (
            &["L001.66/held", "L001.5/output"],
            "sign data, n = 40, labels 1 and 0, a trained output bias, 10 units at each order of the lengths 1 and 2, started on one site, SGD of 500 steps: units on whose site no positive weight outvotes all others in the end; by chance one in two",
        )
    };
    Ok(Comparison::all(ids, what, (left, 2 * held), 0.5)
        .shown()
        .against_cases("labels 1 and 0 without an output bias", (left_plain, 2 * held)))
}

/// Weights and output bias behind a gate on one site, in closed form and by least squares over all corners.
fn equations(biased: WithBias, corners: &[Corners; 2], spins: &[Spins; 2]) -> Comparison {
    let point = biased(&spins[0].first_row(), &spins[1].first_row(), 0.0);
    let predicted = [point.point.w, vec![point.b]].concat();
    // Features: the inputs where site 0 is up, and a constant.
    let feature = |x: &[f64], i: usize| match i {
        RING => 1.0,
        _ if x[0] > 0.0 => x[i],
        _ => 0.0,
    };
    let mean = |g: &dyn Fn(&[f64]) -> f64| 0.5 * corners.iter().map(|c| c.mean(g)).sum::<f64>();
    let matrix = (0..=RING)
        .map(|i| (0..=RING).map(|j| mean(&|x| feature(x, i) * feature(x, j))).collect())
        .collect();
    let right = (0..=RING).map(|i| 0.5 * corners[0].mean(|x| feature(x, i))).collect();
    let what = "two Ising rings of 7, couplings 0.6 and 0.2: weights 1/2 M^-1 (C_1 - C_0) e_0 and output bias 1/2 of a unit whose gate one site decides, in closed form, and by least squares over all corners";
    Comparison::digits(&["L001.66/equations"], what, &predicted, &solve(matrix, right))
}

/// The centre of those weights on sign data, which contradicts the gate at lengths (2, 1), and the margin at (1, 2).
fn centre(effort: &Effort, biased: WithBias) -> Comparison {
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for lengths in [[2.0, 1.0], [1.0, 2.0]] {
        let [rows, found] = sign_rows(effort, lengths);
        let closed = biased(&rows[0], &rows[1], 0.0);
        predicted.extend([closed.b, closed.point.w[0], margin(&closed.point.w)]);
        // Inputs where site 0 is up, and a constant: means C_0i/2 and 1, second moments C_ij/2.
        let mut matrix = sum_matrix(&found);
        let column = combined(1.0, &found[0], 1.0, &found[1]);
        for (row, entry) in matrix.iter_mut().zip(&column) {
            row.push(*entry);
        }
        matrix.push([column, vec![4.0]].concat());
        let solution = solve(matrix, [found[0].clone(), vec![2.0]].concat());
        measured.extend([solution[SITES], solution[0], margin(&solution[..SITES])]);
    }
    let what = "sign data, n = 40: output bias, centre and margin of the only weights behind a gate on one site, 1/2, -0.0807 and -0.51 at lengths (2, 1), 1/2, 0.0807 and -0.51 at (1, 2), by the eigenvalues of closed covariances, and by elimination with covariances by quadrature; the gate needs a positive centre and margin";
    Comparison::digits(&["L001.66/centre"], what, &predicted, &measured)
}
