//! A readout and an output bias that are trained or fixed (note 001, (1)).
//!
//! `y = (1/K) sum_k v_k relu(S_k) + c`: descent moves `v_k` by `(1/K) E[(Y - y) relu(S_k)]` and `c` by `E[Y - y]` where they are trained
//! (L001.62). Gaussian data: `E relu(S) = s/sqrt(2 pi)`, `E relu(S) relu(T)` is the pair moment of L001.15.

use super::prelude::*;
use fovea_core::activation;
use fovea_core::stats::VectorAccumulator;
use fovea_desk::conditions::{Conditions, Silent};
use fovea_sim::stimulus::gaussian::Gaussian;
use fovea_sim::train::{Precision, train};
use fovea_sim::{Bias, Labels, Network, Plan, Sgd, Task, Times, probe};
use fovea_theory::relu::pair_moments::{self, pair_moments};
use std::sync::atomic::AtomicBool;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "readout-arms",
    summary: "A readout and an output bias, trained or fixed: what moves in the first step, and how far.",
    covers: &["L001.62/trained", "L001.62/held"],
    run,
};

const N: usize = 8;
const LENGTHS: [f64; 2] = [1.5, 0.8];
/// Three units: with two of them 1/K is the share of a class.
const K: usize = 3;
const READOUT: [f64; K] = [1.2, 0.7, -0.4];
const OUTPUT_BIAS: f64 = 0.1;
const RATE: f64 = 0.5;

/// Whether the readout and the output bias are trained.
const ARMS: [[bool; 2]; 4] = [[false, false], [false, true], [true, false], [true, true]];

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let moved = ARMS.iter().enumerate().map(|(at, arm)| step(effort, at, *arm));
    let moved: Vec<Vec<Estimate>> = moved.collect::<Result<_, _>>()?;
    Ok(vec![trained(effort, &moved), held(&moved)])
}

fn weights() -> [Vec<f64>; K] {
    [0.9, 2.1, 1.4].map(|rate| (0..N).map(|i| 0.5 * libm::cos(0.4 + rate * i as f64)).collect())
}

/// Readout and output bias after one step, less those before, over the rate.
fn step(effort: &Effort, at: usize, [readout, bias]: [bool; 2]) -> Result<Vec<Estimate>, LabError> {
    effort.once(&format!("arm {at}"), || {
        let [pos, neg] = LENGTHS.map(|xi| Gaussian::on_ring(N, xi, Kernel::Ring).sampler());
        let task = Task::pair(Box::new(pos?), Box::new(neg?), 0.0, Labels::Balanced)?;
        let output = if bias { Bias::Trainable } else { Bias::Frozen };
        let network = Network::committee(N, K, &activation::relu::ENTRY, Bias::None)
            .with(&weights().concat(), &[0.0; K])?
            .with_readout(READOUT.to_vec(), readout, vec![OUTPUT_BIAS], output);
        let plan = Plan {
            precision: Precision::Double,
            ..Plan::new(1, Times::Every(1), &[&probe::weights::ENTRY])
        };
        let stop = AtomicBool::new(false);
        let mut means = VectorAccumulator::new(K + 1);
        for run in 0..effort.samples(400) as u64 {
            let streams = effort.streams.replica((at as u64) << 16 | run);
            let watch = Conditions::new(0, &Silent, &stop);
            let sgd = Sgd::online(RATE, 5000);
            let end = train(&task, network.clone(), &sgd, &streams, &plan, &watch).network;
            let readout = end.readout().unwrap_or(&READOUT);
            let mut moved = combined(1.0, readout, -1.0, &READOUT);
            moved.push(end.output_biases()[0] - OUTPUT_BIAS);
            means.push(&scaled(1.0 / RATE, &moved))?;
        }
        Ok(means.estimates()?)
    })
}

fn trained(effort: &Effort, moved: &[Vec<Estimate>]) -> Comparison {
    let product: fn(f64, f64, f64) -> f64 = effort.form(
        &pair_moments::ENTRY,
        |s, t, st| pair_moments(s, t, st).map_or(f64::NAN, |both| both.st),
        // Note 001 (30), an arcsine.
        |s, t, st| {
            let bend = st / (s * t) * (s * t - st * st).max(0.0).sqrt();
            st / TAU * (libm::asin(st / (s * t).sqrt()) + bend)
        },
    );
    let mean_of = 1.0 / K as f64;
    let share = effort.slip("move of the readout", "the 1/K of the mean left out", mean_of, 1.0);
    let share = effort.slip("move of the readout", "1/2 instead of 1/K", share, 0.5);
    let w = weights();
    let mut moves = [0.0; K + 1];
    for (class, xi) in LENGTHS.into_iter().enumerate() {
        let row = kernel_row(N, xi, Kernel::Ring);
        let q = |j: usize, k: usize| form(&row, &w[j], &w[k]);
        let mean = |k: usize| (q(k, k) / TAU).sqrt();
        let pair = |j: usize, k: usize| {
            if j == k { 0.5 * q(k, k) } else { product(q(j, j), q(k, k), q(j, k)) }
        };
        let label = [1.0, 0.0][class];
        for k in 0..K {
            let answered: f64 = (0..K).map(|j| mean_of * READOUT[j] * pair(j, k)).sum();
            moves[k] += 0.5 * share * ((label - OUTPUT_BIAS) * mean(k) - answered);
        }
        let answer: f64 = (0..K).map(|k| mean_of * READOUT[k] * mean(k)).sum();
        moves[K] += 0.5 * (label - OUTPUT_BIAS - answer);
    }
    let mut pairs = Vec::new();
    for ([readout, bias], moved) in ARMS.into_iter().zip(moved) {
        for (at, trained) in [readout, readout, readout, bias].into_iter().enumerate() {
            if trained {
                pairs.push((moved[at], moves[at]));
            }
        }
    }
    let what = "three ReLU units with readout (1.2, 0.7, -0.4) and output bias 0.1, Gaussian classes, n = 8, xi_pos = 1.5, xi_neg = 0.8: (1/K) E[(Y - y) relu(S_k)] and \
                E[Y - y] in closed form, and the first step of descent in the three arms that train one or both";
    Comparison::noise(&["L001.62/trained"], what, &pairs)
}

fn held(moved: &[Vec<Estimate>]) -> Comparison {
    let (mut still, mut held, mut free, mut open) = (0, 0, 0, 0);
    for ([readout, bias], moved) in ARMS.into_iter().zip(moved) {
        for (trained, moved) in [readout, readout, readout, bias].into_iter().zip(moved) {
            let rests = usize::from(moved.mean().abs() + moved.se() <= 0.0);
            if trained {
                (free, open) = (free + rests, open + 1);
            } else {
                (still, held) = (still + rests, held + 1);
            }
        }
    }
    let what = "the same four arms: numbers of the readout and output biases that are fixed and do not change by a bit in the first step of 400 runs";
    Comparison::all(&["L001.62/held"], what, (still, held), 0.0)
        .against_cases("the numbers that are trained", (free, open))
        .simulated()
}
