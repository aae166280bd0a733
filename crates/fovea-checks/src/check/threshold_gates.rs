//! Which weights decide a gate on the cube (note 000, sections 3 and 3.1).

use super::prelude::*;
use fovea_core::stats::Accumulator;
use fovea_theory::cube::chow::{self, Chow, banzhaf_of_integers, chow};
use fovea_theory::cube::delta::{self, Delta, delta};
use fovea_theory::cube::polygon::{self, polygon};
use fovea_theory::dictator::dominance;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "threshold-gates",
    summary: "Which weights decide a gate on the cube, and how often one decides alone.",
    covers: &[
        "L000.28",
        "L000.30",
        "L000.31/value",
        "L000.31/dictator",
        "L000.36",
        "L000.46",
        "L000.49/influences",
        "L000.49/rises",
    ],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let least_length: fn(&[f64]) -> f64 =
        effort.form(&polygon::ENTRY, polygon, |w| polygon(w) / 1.783);
    Ok(vec![
        separated(effort),
        integer_program(effort),
        relaxed(effort, least_length)?,
        of_a_dictator(least_length),
        indices(effort),
        dominated(effort)?,
        growing(effort),
        rising(effort)?,
    ])
}

/// Weights, in order of size, whose first `k` decide for some `k` and not for others; the fourth has a tie of its first two only, and
/// in the last every tail is as large as the smallest sum of its head.
const SORTED: [[f64; 5]; 5] = [
    [8.0, 3.0, 2.0, 1.0, 0.5],
    [8.0, 4.5, 2.75, 0.5, 0.25],
    [5.0, 4.0, 3.0, 2.0, 0.125],
    [1.0, 1.0, 0.3125, 0.25, 0.03125],
    [8.0, 4.0, 2.0, 1.0, 1.0],
];

/// Whether the first `k` weights decide the gate: by the smallest sum and the tail, and by comparing gates on all corners.
fn separated(effort: &Effort) -> Comparison {
    let says: fn(&[f64], usize) -> bool = effort.slip(
        "separation",
        "the smallest of the first k weights in place of their smallest sum",
        |w, k| delta(w, k).separated,
        |w, k| w[k..].iter().sum::<f64>() < w[k - 1],
    );
    let mut cases: Vec<Vec<f64>> = SORTED.iter().map(|w| w.to_vec()).collect();
    let stream = effort.streams.named("lognormal");
    for draw in 0..60 {
        let mut w = vec![0.0; 6];
        stream.normals(draw, &mut w);
        for z in &mut w {
            *z = libm::exp(1.5 * *z);
        }
        w.sort_unstable_by(|a, b| b.total_cmp(a));
        cases.push(w);
    }
    let cubes = [5, 6].map(|n| Corners::ising(n, 0.0));
    let same = |w: &[f64], k: usize| {
        let same = |x: &[f64]| (dot(w, x) >= 0.0) == (dot(&w[..k], &x[..k]) >= 0.0);
        cubes[w.len() - 5].states().all(same)
    };
    let (mut hits, mut alike, mut trials) = (0, 0, 0);
    for w in &cases {
        for k in 1..w.len() {
            let same = same(w, k);
            hits += usize::from(says(w, k) == same);
            alike += usize::from(same);
            trials += 1;
        }
    }
    // A guess that never changes is right as often as the more frequent answer.
    let by_chance = alike.max(trials - alike) as f64 / trials as f64;
    let what = "weights in order of size, 5 lists of five, one with a tie of its first two and one whose others add up to just that sum at every k, and 60 random lists of six lognormal ones, every k below their number: whether the rest adds up to less than the smallest |partial sum| of the first k, and whether both gates agree on all corners; a guess that never changes is right as often as the more frequent answer";
    Comparison::all(&["L000.28"], what, (hits, trials), by_chance).enumerated()
}

fn integer_program(effort: &Effort) -> Comparison {
    let delta: fn(&[f64], usize) -> Delta = effort.form(&delta::ENTRY, delta, |w, k| {
        let right = delta(w, k);
        Delta { delta_int: -right.delta.sqrt(), ..right }
    });
    let cube = Corners::ising(5, 0.0);
    let best = |w: &[f64; 5]| {
        cube.states().map(|x| -dot(w, x) * dot(w, x)).fold(f64::NEG_INFINITY, f64::max)
    };
    let predicted: Vec<f64> = SORTED.iter().map(|w| delta(w, 5).delta_int).collect();
    let measured: Vec<f64> = SORTED.iter().map(best).collect();
    let source: Vec<f64> = SORTED.iter().map(|w| -delta(w, 5).delta.sqrt()).collect();
    let what = "five lists of five weights: delta_INT as minus the square of the smallest |<w,x>| by meeting in the middle, and the largest x'(-ww')x over all corners";
    Comparison::digits(&["L000.30"], what, &predicted, &measured).source(&source)
}

/// The smallest length of a sum of weighted unit vectors, in closed form and by turning one vector at a time.
fn relaxed(effort: &Effort, least_length: fn(&[f64]) -> f64) -> Result<Comparison, LabError> {
    let cases: [&[f64]; 5] = [
        &[4.0, 1.0, 1.5],
        &[-6.0, 1.0, 2.0, 0.5],
        &[3.0, 2.9, 0.5, 0.4],
        &[1.0, 1.0, 1.0],
        &[5.0, 4.0, 3.0, 0.5],
    ];
    let in_both = |of: &dyn Fn(&[f64], usize) -> f64| -> Vec<f64> {
        cases.iter().flat_map(|w| [2, 5].map(|dimensions| of(w, dimensions))).collect()
    };
    let predicted = in_both(&|w, _| least_length(w));
    let measured = effort.once("turned", || Ok::<_, LabError>(in_both(&turned_to_rest)))?;
    let what = "five lists of three or four weights, two with one that dominates: max(0, 2 max|w_i| - sum|w_i|), and the smallest length of a sum of weighted unit vectors of two and of five dimensions, turned one by one until they stop moving";
    Ok(Comparison::digits(&["L000.31/value"], what, &predicted, &measured))
}

/// Where one weight dominates, the relaxed value is the smallest sum over signs.
fn of_a_dictator(least_length: fn(&[f64]) -> f64) -> Comparison {
    let cases =
        [[4.0, 1.0, 1.5, 0.25, 0.5], [-6.0, 1.0, 2.0, 0.5, -1.25], [9.0, 2.0, 2.0, 2.0, 2.0]];
    let cube = Corners::ising(5, 0.0);
    let least = |w: &[f64; 5]| cube.states().map(|x| dot(w, x).abs()).fold(f64::INFINITY, f64::min);
    let predicted: Vec<f64> = cases.iter().map(|w| least_length(w)).collect();
    let measured: Vec<f64> = cases.iter().map(least).collect();
    let what = "three lists of five weights with one that dominates: the relaxed value 2 max|w_i| - sum|w_i|, and the smallest |<w,x>| over all corners";
    Comparison::digits(&["L000.31/dictator"], what, &predicted, &measured)
}

fn turned_to_rest(w: &[f64], dimensions: usize) -> f64 {
    let unit = |x: Vec<f64>, sign: f64| scaled(sign / dot(&x, &x).sqrt(), &x);
    let start = |i: usize| (1..=dimensions).map(|k| libm::cos(2.4 * (i * k) as f64)).collect();
    let mut units: Vec<Vec<f64>> = (0..w.len()).map(|i| unit(start(i), 1.0)).collect();
    let total = |units: &[Vec<f64>], skip: usize| {
        let kept = w.iter().zip(units).enumerate().filter(|(j, _)| *j != skip);
        kept.fold(vec![0.0; dimensions], |sum, (_, (w, u))| combined(1.0, &sum, *w, u))
    };
    for _ in 0..2000 {
        for i in 0..w.len() {
            // The best direction of one vector is opposite to the sum of the others.
            units[i] = unit(total(&units, i), -w[i].signum());
        }
    }
    let sum = total(&units, w.len());
    dot(&sum, &sum).sqrt()
}

/// The largest weight decides alone, and nothing lies in between.
fn extracted(w: &[f64]) -> Vec<f64> {
    let size = |i: &usize| w[*i].abs();
    let peak = (0..w.len()).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(0);
    (0..w.len()).map(|j| if j == peak { w[j].signum() } else { 0.0 }).collect()
}

/// Banzhaf indices from counts, and as the chance that the others add up to less; with and without ties.
fn indices(effort: &Effort) -> Comparison {
    let cases: [[f64; 6]; 3] = [
        [1.0, 0.75, -0.375, 0.25, 0.5, 0.125],
        [2.0, 1.0, 1.0, 0.5, -0.5, 0.25],
        [0.9, 0.8, 0.7, 0.6, 0.5, 0.4],
    ];
    let chow: fn(&[f64]) -> Chow =
        effort.form(&chow::ENTRY, chow, |w| Chow { banzhaf: extracted(w), ..chow(w) });
    let others = Corners::ising(5, 0.0);
    let chance = |w: &[f64; 6], j: usize| {
        let rest: Vec<f64> = (0..6).filter(|i| *i != j).map(|i| w[i]).collect();
        let room = |x: &[f64]| {
            let gap = w[j].abs() - dot(&rest, x).abs();
            if gap.abs() < 1e-12 { 0.5 } else { f64::from(u8::from(gap > 0.0)) }
        };
        w[j].signum() * others.mean(room)
    };
    let cube = Corners::ising(6, 0.0);
    // The indices, and half of them: the gated mean of independent signs.
    let both = |of: &dyn Fn(&[f64; 6]) -> Vec<f64>| -> Vec<f64> {
        let each = |w: &[f64; 6]| [of(w), scaled(0.5, &of(w))].concat();
        cases.iter().flat_map(each).collect()
    };
    let predicted = both(&|w| chow(w).banzhaf);
    let source = both(&|w| extracted(w));
    let found = |w: &[f64; 6]| {
        let chances: Vec<f64> = (0..6).map(|j| chance(w, j)).collect();
        [chances, cube.gated_mean(w, true)].concat()
    };
    let measured: Vec<f64> = cases.iter().flat_map(found).collect();
    let what = "three lists of six weights, with and without ties: Banzhaf indices by counting the corners of a half space, and the chance, over all signs of the others, that they add up to less in size; half of each, and the gated mean of independent signs over all corners; the note has 1 for the largest weight and 0 for the rest";
    Comparison::digits(&["L000.36"], what, &predicted, &measured).source(&source)
}

/// How often one of a few normal weights outvotes the others.
fn dominated(effort: &Effort) -> Result<Comparison, LabError> {
    let share: fn(usize) -> f64 = effort
        .form(&dominance::ENTRY, dominance::dominance, |n| n as f64 * libm::exp2(1.0 - n as f64));
    let found = effort.once("dominance", || counted(effort))?;
    let pairs: Vec<(Estimate, f64)> =
        DRAWN.iter().zip(found).map(|(n, found)| (found, share(*n))).collect();
    let what = "how often one of 3, 4, 5, 6 and 8 normal weights exceeds all others together: the integral, and counted among 800 000 random lists";
    Ok(Comparison::noise(&["L000.46"], what, &pairs))
}

/// Number of weights in a list.
const DRAWN: [usize; 5] = [3, 4, 5, 6, 8];

fn counted(effort: &Effort) -> Result<Vec<Estimate>, LabError> {
    let stream = effort.streams.named("dominance");
    let mut found = Vec::new();
    for n in DRAWN {
        let (mut hits, mut w) = (Accumulator::new(), vec![0.0; n]);
        for sample in 0..effort.samples(800_000) {
            stream.normals((n * 10_000_000 + sample) as u64, &mut w);
            let largest = w.iter().fold(0.0, |m: f64, w| m.max(w.abs()));
            let all: f64 = w.iter().map(|w| w.abs()).sum();
            hits.push(f64::from(u8::from(2.0 * largest > all)));
        }
        found.push(hits.estimate()?);
    }
    Ok(found)
}

/// The weights other than the growing one; they add up to 54.
const OTHERS: [i64; 11] = [9, 8, 7, 6, 6, 5, 4, 3, 3, 2, 1];

/// Influences of all sites where the first weight is `first`, over all corners.
fn over_corners(cube: &Corners, first: i64) -> Vec<f64> {
    let w: Vec<f64> = std::iter::once(first).chain(OTHERS).map(|w| w as f64).collect();
    // Ties cancel between a corner and its mirror image.
    let side = |sum: f64| if sum.abs() < 0.5 { 0.0 } else { sum.signum() };
    cube.mean_of_site(&w, side)
}

/// One weight grows past the sum of eleven others: the distribution of a sum against counts of the half space.
fn growing(effort: &Effort) -> Comparison {
    let banzhaf: fn(&[i64]) -> Vec<f64> = effort.form(&chow::ENTRY, banzhaf_of_integers, |w| {
        extracted(&w.iter().map(|w| *w as f64).collect::<Vec<_>>())
    });
    let cube = Corners::ising(12, 0.0);
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for first in [1, 6, 13, 29, 55, 70] {
        let whole: Vec<i64> = std::iter::once(first).chain(OTHERS).collect();
        predicted.extend(banzhaf(&whole));
        measured.extend(over_corners(&cube, first));
    }
    let what = "whole weights, the first 1, 6 (with ties), 13, 29, 55 and 70, the eleven others adding up to 54: influences of all 12 sites by the distribution of the sum of the others, and over all 4096 corners";
    Comparison::digits(&["L000.49/influences"], what, &predicted, &measured)
}

/// The influence of the weight that grows never falls and is 1 from 55 on, where the others have none.
fn rising(effort: &Effort) -> Result<Comparison, LabError> {
    let influences = effort.once("rising", || {
        let cube = Corners::ising(12, 0.0);
        Ok::<_, LabError>((1..=70).map(|first| over_corners(&cube, first)).collect::<Vec<_>>())
    })?;
    let follows = |site: usize, step: usize| {
        let (before, after) = (influences[step][site], influences[step + 1][site]);
        let ended = step + 2 < 55 || (after - 1.0).abs() < 1e-12;
        let alone = influences[step + 1].iter().filter(|b| b.abs() > 1e-12).count() == 1;
        after >= before - 1e-12 && ended && alone == (step + 2 >= 55)
    };
    let hits = |site: usize| (0..69).filter(|step| follows(site, *step)).count();
    let what = "the same others, the first weight 1 to 70, all 4096 corners: from each whole value to the next its influence does not fall, and it is 1, with no influence left to the others, from 55 on and not before; by chance a step up or down is one in two";
    Ok(Comparison::all(&["L000.49/rises"], what, (hits(0), 69), 0.5)
        .enumerated()
        .against_cases("the influence of the largest of the others", (hits(1), 69)))
}
