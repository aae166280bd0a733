//! Gates on the cube: which weights decide them, and how they expand over single sites (note 000, sections 3 and 3.1).

use super::prelude::*;
use fovea_core::stats::Accumulator;
use fovea_theory::Spins;
use fovea_theory::cube::chow::{banzhaf_of_integers, chow};
use fovea_theory::cube::delta::delta;
use fovea_theory::cube::polygon::polygon;
use fovea_theory::cube::walsh::{note_20, walsh};
use fovea_theory::dictator::dominance::dominance;
use fovea_theory::ising::cov::cov;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "threshold-gates",
    summary: "Which weights decide a gate on the cube, and how it expands over single sites.",
    covers: &[
        "L000.28", "L000.30", "L000.31", "L000.33", "L000.34", "L000.35", "L000.36", "L000.37",
        "L000.46", "L000.49", "L000.50",
    ],
    run,
};

const RING: usize = 7;
const COUPLING: f64 = 0.5;
const WEIGHTS: [f64; RING] = [1.0, -0.7, 0.4, 0.25, -0.9, 0.55, 0.15];

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let corners = Corners::ising(RING, COUPLING);
    let spins = Spins::ising(RING, COUPLING).map_err(FormError::from)?;
    Ok(vec![
        separated(),
        integer_program(),
        relaxed(),
        products(&corners, &spins),
        indicators(&corners),
        expansion(&corners, &spins)?,
        indices(),
        counts(&corners),
        dominated(effort)?,
        growing(),
        degree_one(&corners),
    ])
}

/// Weights, in order of size, whose heads separate for some `k` and not for others; the last has ties.
const SORTED: [[f64; 5]; 4] = [
    [8.0, 3.0, 2.0, 1.0, 0.5],
    [8.0, 4.5, 2.75, 0.5, 0.25],
    [5.0, 4.0, 3.0, 2.0, 0.125],
    [1.0, 1.0, 0.3125, 0.25, 0.03125],
];

/// Whether the first `k` weights decide the gate: by the least sum and the tail, and by comparing gates on all corners.
fn separated() -> Comparison {
    let cube = Corners::ising(5, 0.0);
    let same = |w: &[f64; 5], k: usize| {
        cube.states().all(|x| (dot(w, x) >= 0.0) == (dot(&w[..k], &x[..k]) >= 0.0))
    };
    let cases = || SORTED.iter().flat_map(|w| (1..5).map(move |k| (w, k)));
    let flag = |yes: bool| f64::from(u8::from(yes));
    let predicted: Vec<f64> = cases().map(|(w, k)| flag(delta(w, k).separated)).collect();
    let measured: Vec<f64> = cases().map(|(w, k)| flag(same(w, k))).collect();
    let what = "sixteen cases: 1 where the tail is below the least sum of the head, and where both gates agree on all 32 corners";
    Comparison::digits(&["L000.28"], what, &predicted, &measured)
}

fn integer_program() -> Comparison {
    let cube = Corners::ising(5, 0.0);
    let best = |w: &[f64; 5]| {
        cube.states().map(|x| -dot(w, x) * dot(w, x)).fold(f64::NEG_INFINITY, f64::max)
    };
    let predicted: Vec<f64> = SORTED.iter().map(|w| delta(w, 5).delta_int).collect();
    let measured: Vec<f64> = SORTED.iter().map(best).collect();
    let source: Vec<f64> = SORTED.iter().map(|w| -delta(w, 5).delta.sqrt()).collect();
    let what = "delta_INT as minus the square of the least sum by meeting in the middle, and the best of all corners";
    Comparison::digits(&["L000.30"], what, &predicted, &measured).source(&source)
}

/// The least length of a sum of weighted unit vectors, in closed form and by turning one vector of the plane at a time.
fn relaxed() -> Comparison {
    let cases: [&[f64]; 4] =
        [&[4.0, 1.0, 1.5], &[-6.0, 1.0, 2.0, 0.5], &[3.0, 2.9, 0.5, 0.4], &[1.0, 1.0, 1.0]];
    let predicted: Vec<f64> = cases.iter().map(|w| polygon(w)).collect();
    let measured: Vec<f64> = cases.iter().map(|w| turned_to_rest(w)).collect();
    let what = "least length of a sum of weighted unit vectors: the polygon inequality, and turning vectors of the plane until they rest";
    Comparison::digits(&["L000.31"], what, &predicted, &measured)
}

fn turned_to_rest(w: &[f64]) -> f64 {
    let mut angles: Vec<f64> = (0..w.len()).map(|i| 2.4 * i as f64).collect();
    let total = |angles: &[f64], skip: usize| {
        let kept = || w.iter().zip(angles).enumerate().filter(move |(j, _)| *j != skip);
        let along = |trig: fn(f64) -> f64| -> f64 { kept().map(|(_, (w, a))| w * trig(*a)).sum() };
        (along(libm::sin), along(libm::cos))
    };
    for _ in 0..2000 {
        for i in 0..w.len() {
            // The best direction of one vector is against the sum of the others.
            let (sin, cos) = total(&angles, i);
            angles[i] = libm::atan2(sin, cos) + if w[i] > 0.0 { PI } else { 0.0 };
        }
    }
    let (sin, cos) = total(&angles, w.len());
    libm::hypot(sin, cos)
}

/// The gated mean as a double sum over accepted corners and states, each indicator linear in its spin.
fn products(corners: &Corners, spins: &Spins) -> Comparison {
    let accepted: Vec<&[f64]> = corners.states().filter(|y| dot(&WEIGHTS, y) >= 0.0).collect();
    let gate = |x: &[f64]| -> f64 {
        accepted
            .iter()
            .map(|y| y.iter().zip(x).map(|(y, x)| 0.5 * y.signum() * (x + y)).product::<f64>())
            .sum()
    };
    let measured: Vec<f64> = (0..RING).map(|j| corners.mean(|x| gate(x) * x[j])).collect();
    let what = "f(w) on an Ising ring of 7, by meeting in the middle and by the product expansion of every accepted corner";
    Comparison::digits(&["L000.33"], what, &spins.gated_mean(&WEIGHTS), &measured)
}

/// The gate itself, and the sum over accepted corners of products of single-site indicators.
fn indicators(corners: &Corners) -> Comparison {
    let accepted: Vec<&[f64]> = corners.states().filter(|y| dot(&WEIGHTS, y) >= 0.0).collect();
    let sum = |x: &[f64]| -> f64 {
        let all = |y: &&[f64]| y.iter().zip(x).all(|(y, x)| y * x > 0.0);
        accepted.iter().filter(|y| all(y)).count() as f64
    };
    let gate = |x: &[f64]| f64::from(u8::from(dot(&WEIGHTS, x) >= 0.0));
    let predicted: Vec<f64> = corners.states().map(gate).collect();
    let measured: Vec<f64> = corners.states().map(sum).collect();
    let what =
        "the gate at 128 corners, and how many accepted corners agree with each in every spin";
    Comparison::digits(&["L000.34"], what, &predicted, &measured)
}

fn expansion(corners: &Corners, spins: &Spins) -> Result<Comparison, LabError> {
    let predicted = walsh(spins, &WEIGHTS)?.f;
    let measured = corners.gated_mean(&WEIGHTS, true);
    let what = "f(w) on an Ising ring of 7 by the Walsh expansion of its gate, and corner by corner; the note sums over sites";
    let source = note_20(spins, &WEIGHTS);
    Ok(Comparison::digits(&["L000.35"], what, &predicted, &measured).source(&source))
}

/// Banzhaf indices from counts, and as chances that the other weights leave room; with and without ties.
fn indices() -> Comparison {
    let cases: [[f64; 6]; 3] = [
        [1.0, 0.75, -0.375, 0.25, 0.5, 0.125],
        [2.0, 1.0, 1.0, 0.5, -0.5, 0.25],
        [0.9, 0.8, 0.7, 0.6, 0.5, 0.4],
    ];
    let others = Corners::ising(5, 0.0);
    let chance = |w: &[f64; 6], j: usize| {
        let rest: Vec<f64> = (0..6).filter(|i| *i != j).map(|i| w[i]).collect();
        let room = |x: &[f64]| {
            let gap = w[j].abs() - dot(&rest, x).abs();
            if gap.abs() < 1e-12 { 0.5 } else { f64::from(u8::from(gap > 0.0)) }
        };
        w[j].signum() * others.mean(room)
    };
    let predicted: Vec<f64> = cases.iter().flat_map(|w| chow(w).banzhaf).collect();
    let measured: Vec<f64> = cases.iter().flat_map(|w| (0..6).map(move |j| chance(w, j))).collect();
    // All or nothing: the nearer of the two for every weight.
    let source: Vec<f64> = predicted.iter().map(|beta: &f64| beta.round()).collect();
    let what = "Banzhaf indices by counting a half space, and as the chance that the others leave room; the note has all or nothing";
    Comparison::digits(&["L000.36"], what, &predicted, &measured).source(&source)
}

/// `g_j(x) = N+ 1(x_j = 1) + N- 1(x_j = -1)`.
fn counts(corners: &Corners) -> Comparison {
    let chow = chow(&WEIGHTS);
    let accepted: Vec<&[f64]> = corners.states().filter(|y| dot(&WEIGHTS, y) >= 0.0).collect();
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for x in corners.states().take(20) {
        for j in 0..RING {
            predicted.push(if x[j] > 0.0 { chow.n_plus[j] } else { chow.n_minus[j] });
            measured.push(accepted.iter().filter(|y| y[j] * x[j] > 0.0).count() as f64);
        }
    }
    let what = "the site functions g_j at 20 corners, from N+ and N- by meeting in the middle and by counting";
    Comparison::digits(&["L000.37"], what, &predicted, &measured)
}

/// How often one of a few normal weights outvotes the others.
fn dominated(effort: &Effort) -> Result<Comparison, LabError> {
    let stream = effort.streams.named("dominance");
    let mut pairs = Vec::new();
    for n in [3, 4, 5, 6] {
        let (mut hits, mut w) = (Accumulator::new(), vec![0.0; n]);
        for sample in 0..effort.samples(800_000) {
            stream.normals((n * 10_000_000 + sample) as u64, &mut w);
            let largest = w.iter().fold(0.0, |m: f64, w| m.max(w.abs()));
            let all: f64 = w.iter().map(|w| w.abs()).sum();
            hits.push(f64::from(u8::from(2.0 * largest > all)));
        }
        pairs.push((hits.estimate()?, dominance(n)));
    }
    let what = "how often one of 3, 4, 5, 6 normal weights exceeds all others together: the integral, and draws";
    Ok(Comparison::noise(&["L000.46"], what, &pairs))
}

/// One weight grows past the sum of eleven others: the law of a sum against counts of the half space.
fn growing() -> Comparison {
    const OTHERS: [i64; 11] = [9, 8, 7, 6, 6, 5, 4, 3, 3, 2, 1];
    let cube = Corners::ising(12, 0.0);
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    // The others add up to 54: at 55 the first one decides alone.
    for first in [1, 5, 13, 29, 55, 70] {
        let whole: Vec<i64> = std::iter::once(first).chain(OTHERS).collect();
        let w: Vec<f64> = whole.iter().map(|w| *w as f64).collect();
        predicted.extend(banzhaf_of_integers(&whole));
        // Ties cancel between a corner and its mirror image.
        let side = |x: &[f64], j: usize| {
            let sum = dot(&w, x);
            if sum.abs() < 0.5 { 0.0 } else { sum.signum() * x[j] }
        };
        measured.extend((0..12).map(|j| cube.mean(|x| side(x, j))));
    }
    let what = "influences of 12 sites as the first weight grows past the sum of the others: law of a sum, and all 4096 corners";
    Comparison::digits(&["L000.49"], what, &predicted, &measured)
}

/// The part of f that is linear in single sites: influences times columns of the covariance, and both by counting corners.
fn degree_one(corners: &Corners) -> Comparison {
    let cov = unfold(&cov(RING, COUPLING), RING);
    let influences = chow(&WEIGHTS).banzhaf;
    let column =
        |i: usize| (0..RING).map(|j| 0.5 * influences[j] * cov[(RING + i - j) % RING]).sum();
    let predicted: Vec<f64> = (0..RING).map(column).collect();
    let free = Corners::ising(RING, 0.0);
    let gate = free.gated_mean(&WEIGHTS, true);
    let counted = |i: usize| (0..RING).map(|j| gate[j] * corners.mean(|x| x[i] * x[j])).sum();
    let measured: Vec<f64> = (0..RING).map(counted).collect();
    let what = "degree-one part of f on an Ising ring of 7: half the influences times closed covariances, and Walsh coefficients and \
                covariances corner by corner";
    Comparison::digits(&["L000.50"], what, &predicted, &measured)
}
