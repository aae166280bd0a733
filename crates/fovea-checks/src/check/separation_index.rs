//! How many of the largest weights decide a gate on the cube (note 000, after (13)).
//!
//! `k* = min{k: min_x |sum_(i<=k) w_i x_i| > sum_(i>k) |w_i|}`, else `n`, weights in order of size (L000.47).

use super::prelude::*;
use fovea_desk::replicas::share;
use fovea_theory::cube::smallest_k::{self, smallest_k};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "separation-index",
    summary: "How many of the largest weights decide a gate; of normal weights nearly always all do.",
    covers: &["L000.47/index", "L000.47/normal"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let least: fn(&[f64]) -> usize = effort.form(&smallest_k::ENTRY, smallest_k, <[f64]>::len);
    Ok(vec![index(effort, least)?, normal(effort, least)?])
}

/// The smallest number of largest weights whose gate is that of all of them on every corner, corner by corner.
fn by_gates(w: &[f64]) -> usize {
    let n = w.len();
    let mut sizes: Vec<f64> = w.iter().map(|w| w.abs()).collect();
    sizes.sort_unstable_by(|a, b| b.total_cmp(a));
    let (mut needed, mut sums) = (1, vec![0.0; n]);
    for corner in 0..1_usize << n {
        let mut sum = 0.0;
        for (i, size) in sizes.iter().enumerate() {
            sum += if corner >> i & 1 == 1 { *size } else { -size };
            sums[i] = sum;
        }
        let gate = sum >= 0.0;
        // The first k weights give another gate here: more are needed.
        while needed < n && (sums[needed - 1] >= 0.0) != gate {
            needed += 1;
        }
    }
    // A prefix may have failed at an earlier corner only, so every one from the smallest on is checked.
    (needed..n).find(|k| agrees(&sizes, *k)).unwrap_or(n)
}

fn agrees(sizes: &[f64], k: usize) -> bool {
    (0..1_usize << sizes.len()).all(|corner| {
        let sum = |some: &[f64]| -> f64 {
            let spin = |i: usize| if corner >> i & 1 == 1 { 1.0 } else { -1.0 };
            some.iter().enumerate().map(|(i, size)| spin(i) * size).sum()
        };
        (sum(sizes) >= 0.0) == (sum(&sizes[..k]) >= 0.0)
    })
}

/// The smallest k whose smallest sum exceeds the next weight, as if one weight at a time could turn the gate.
fn without_tail(w: &[f64]) -> usize {
    let mut sizes: Vec<f64> = w.iter().map(|w| w.abs()).collect();
    sizes.sort_unstable_by(|a, b| b.total_cmp(a));
    let mut sums = vec![sizes[0]];
    for k in 1..sizes.len() {
        if sums.iter().all(|sum| sum.abs() > sizes[k]) {
            return k;
        }
        sums = sums.iter().flat_map(|sum| [sum + sizes[k], sum - sizes[k]]).collect();
    }
    sizes.len()
}

/// Weights that fall by a factor: few of them decide where it is small.
fn index(effort: &Effort, least: fn(&[f64]) -> usize) -> Result<Comparison, LabError> {
    const N: usize = 8;
    let mut weights = Vec::new();
    for (at, factor) in [0.4, 0.55, 0.65, 0.75, 0.9].into_iter().enumerate() {
        for draw in 0..30 {
            let mut w = vec![0.0; N];
            effort.streams.named("falling").normals((at * 100 + draw) as u64, &mut w);
            let fall = |i: usize| libm::pow(factor, i as f64);
            weights.push(w.iter().enumerate().map(|(i, w)| fall(i) * w).collect::<Vec<f64>>());
        }
    }
    let least = effort.slip(
        "k* of L000.47",
        "the next weight in place of the whole tail",
        least,
        without_tail,
    );
    let predicted: Vec<f64> = weights.iter().map(|w| least(w) as f64).collect();
    let measured = effort.once("index", || -> Result<Vec<f64>, LabError> {
        Ok(weights.iter().map(|w| by_gates(w) as f64).collect())
    })?;
    let what = "150 sets of eight normal weights times falling factors: k* by smallest sums and tails, and the fewest largest weights with the gate of all eight on \
                all 256 corners";
    Ok(Comparison::digits(&["L000.47/index"], what, &predicted, &measured))
}

/// Twelve normal weights.
fn normal(effort: &Effort, least: fn(&[f64]) -> usize) -> Result<Comparison, LabError> {
    const N: usize = 12;
    let drawn = |name: &str, index: usize| {
        let mut w = vec![0.0; N];
        effort.streams.named(name).normals(index as u64, &mut w);
        w
    };
    let count = effort.samples(4000);
    let all = |of: fn(&[f64]) -> usize, name: &str| {
        (0..count).filter(|index| of(&drawn(name, *index)) == N).count()
    };
    let [gates, sums] = effort.once("normal", || -> Result<[Estimate; 2], LabError> {
        Ok([share(all(by_gates, "gates"), count)?, share(all(smallest_k, "sums"), count)?])
    })?;
    let predicted = all(least, "sums") as f64 / count as f64;
    let what = "twelve normal weights, share in which all twelve are needed: k* of 4000 sets by smallest sums and tails, and the gates of 4000 others on all 4096 \
                corners, with the errors of both";
    Ok(Comparison::noise(&["L000.47/normal"], what, &[(gates.with_error_of(&sums), predicted)]))
}
