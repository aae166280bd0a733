//! Which class has the larger preactivation, and the best filters for it (note 002, (8)-(14)).
//!
//! Gaussian classes: `P(|S_1| > |S_0|) = (2/pi) arctan(s_1/s_0)` (L002.13), largest at the Fourier mode of smallest `l0_k/l1_k`
//! (L002.14), the same in Fourier coordinates (L002.16). Responses that grow with `|S|` give the same comparison (L002.11).

use super::dense::solve;
use super::prelude::*;
use fovea_core::fourier::power_by_frequency;
use fovea_core::{Item, activation};
use fovea_desk::conditions::{Conditions, Silent};
use fovea_sim::dynamics::Pace;
use fovea_sim::sample::Sample;
use fovea_sim::stimulus::gaussian::Gaussian;
use fovea_sim::train::train;
use fovea_sim::{Bias, Labels, Network, Plan, Sgd, Task, Times, probe};
use fovea_theory::dominance::abs::{self, abs};
use fovea_theory::relu::stable_mode::{self, stable_mode};
use fovea_theory::ring::eigs::{self, eigs};
use std::f64::consts::FRAC_1_SQRT_2;
use std::sync::atomic::AtomicBool;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "comparing-magnitudes",
    summary: "Which class has the larger preactivation, and the best filters for it.",
    covers: &["L002.11", "L002.13", "L002.14/best", "L002.14/flow", "L002.16"],
    run,
};

const N: usize = 12;
const LENGTHS: [f64; 2] = [2.0, 1.0];

/// The chance from two deviations, class pos first.
type Chance = fn(f64, f64) -> f64;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let chance: Chance = effort.form(&abs::ENTRY, abs, |pos, neg| abs(neg, pos));
    Ok(vec![
        responses(effort, chance)?,
        arctangent(chance),
        best(effort)?,
        flow(effort)?,
        in_fourier(effort),
    ])
}

/// Filters of three kinds: a bump, a Mexican hat, an oscillation.
fn filters() -> [Vec<f64>; 3] {
    let at = |of: &dyn Fn(f64) -> f64| (0..N).map(|i| of(distance(i, 4, N) as f64)).collect();
    [
        at(&|d| libm::exp(-0.5 * d * d)),
        at(&|d| (1.0 - d * d) * libm::exp(-0.5 * d * d)),
        at(&|d| libm::cos(TAU * 5.0 * d / N as f64) + 0.1),
    ]
}

/// Deviations of a preactivation in both Gaussian classes.
fn deviations(w: &[f64]) -> [f64; 2] {
    LENGTHS.map(|xi| form(&kernel_row(N, xi, Kernel::Ring), w, w).sqrt())
}

/// `P(|S_0| < |s_1 z|)` over a standard normal `z`.
fn by_quadrature([pos, neg]: [f64; 2]) -> f64 {
    normal_expectation(|z| libm::erf(FRAC_1_SQRT_2 * pos / neg * z.abs()), &[0.0]).value
}

/// Responses of a unit and of a mirrored pair, each at a random position of an independent sample.
fn responses(effort: &Effort, chance: Chance) -> Result<Comparison, LabError> {
    let count = effort.samples(100_000);
    let shares = effort.once("responses", || -> Result<Vec<Estimate>, LabError> {
        let sample = |name: &str, xi: f64| -> Result<Sample, LabError> {
            let field = Gaussian::on_ring(N, xi, Kernel::Ring).sampler()?;
            Ok(Sample::draw(&field, &effort.streams.named(name), count))
        };
        let (pos, neg) = (sample("pos", LENGTHS[0])?, sample("neg", LENGTHS[1])?);
        let erf = |h: f64| libm::erf(FRAC_1_SQRT_2 * h);
        let (unit, pair) =
            (|s: f64| erf(s.abs() - 1.0), |b: f64| move |s: f64| 0.5 * (erf(s + b) + erf(-s + b)));
        let kinds: [&dyn Fn(f64) -> f64; 3] = [&unit, &pair(-0.8), &pair(0.8)];
        let mut shares = Vec::new();
        for w in filters() {
            let w = scaled(0.7, &w);
            // The positions go through all pairs.
            let at = |x: &[f64], shift: usize| (0..N).map(|i| w[i] * x[(i + shift) % N]).sum();
            for kind in kinds {
                let ahead = |(i, (pos, neg)): (usize, (&[f64], &[f64]))| {
                    let responses = [kind(at(pos, i % N)), kind(at(neg, i / N % N))];
                    f64::from(u8::from(responses[0] > responses[1]))
                };
                let hits: Vec<f64> = pos.rows().zip(neg.rows()).enumerate().map(ahead).collect();
                shares.push(Estimate::from_samples(&hits)?);
            }
        }
        Ok(shares)
    })?;
    let signed: Chance = |_, _| 0.5;
    let chance = effort.slip("what is compared", "S_1 and S_0 with their signs", chance, signed);
    let predicted = filters().into_iter().flat_map(|w| {
        let [pos, neg] = deviations(&w);
        let larger = chance(pos, neg);
        // With a positive bias the response of a pair falls with |S|.
        [larger, larger, 1.0 - larger]
    });
    let pairs: Vec<_> = shares.into_iter().zip(predicted).collect();
    let what = "Gaussian classes, n = 12, xi_pos = 2, xi_neg = 1, three filters: P(|S_1| > |S_0|) = (2/pi) arctan(s_1/s_0), and how often the response of \
                class pos at one position exceeds that of class neg at another, all pairs of positions in turn: the response erf(|S| - 1), and that of an erf pair w, -w of bias -0.8; \
                and 1 less that chance for a pair of bias 0.8, whose response falls with |S|";
    Ok(Comparison::noise(&["L002.11"], what, &pairs))
}

fn arctangent(chance: Chance) -> Comparison {
    let spreads = filters().map(|w| deviations(&w));
    let predicted = spreads.map(|[pos, neg]| chance(pos, neg));
    let measured = spreads.map(by_quadrature);
    let what = "Gaussian classes, n = 12, xi_pos = 2, xi_neg = 1, three filters: (2/pi) arctan(s_1/s_0), and the chance of |S_0| < |s_1 z| integrated over a \
                standard normal z";
    Comparison::digits(&["L002.13"], what, &predicted, &measured)
}

/// Spectra of both classes, and their stable mode.
type Mode = fn(&[f64], &[f64]) -> (usize, f64);

fn stable(effort: &Effort) -> Mode {
    let right: Mode = |pos, neg| {
        let mode = stable_mode(pos, neg, 0.0);
        (mode.k, mode.ratio)
    };
    effort.form(&stable_mode::ENTRY, right, |pos, neg| {
        let sum = |k: &usize| pos[*k] + neg[*k];
        let k = (0..=pos.len() / 2).max_by(|a, b| sum(a).total_cmp(&sum(b))).unwrap_or(0);
        (k, neg[k] / pos[k])
    })
}

/// An eigenvalue for every `k = 0..n`.
fn spectrum(n: usize, xi: f64) -> Vec<f64> {
    unfold(&eigs(n, xi), n)
}

/// Both orders of two lengths.
const ORDERS: [[f64; 2]; 2] = [[1.2, 0.8], [0.8, 1.2]];

/// `K_1 - mu K_0` has no positive direction beyond the largest ratio of variances: found by power steps of `K_0^-1 K_1`.
fn best(effort: &Effort) -> Result<Comparison, LabError> {
    let mode = stable(effort);
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for lengths in ORDERS {
        let (k, ratio) = mode(&spectrum(N, lengths[0]), &spectrum(N, lengths[1]));
        predicted.extend([k as f64, by_quadrature([1.0, ratio.sqrt()])]);
        let rows = lengths.map(|xi| kernel_row(N, xi, Kernel::Ring));
        let matrix: Vec<Vec<f64>> =
            (0..N).map(|i| (0..N).map(|j| rows[1][distance(i, j, N)]).collect()).collect();
        let mut w: Vec<f64> = (0..N).map(|i| libm::cos(1.0 + 2.3 * i as f64)).collect();
        for _ in 0..600 {
            w = solve(matrix.clone(), circulant_apply(&rows[0], &w));
            w = scaled(1.0 / dot(&w, &w).sqrt(), &w);
        }
        let power = power_by_frequency(&w);
        let top = (0..power.len()).max_by(|a, b| power[*a].total_cmp(&power[*b])).unwrap_or(0);
        let spread = |row: &[f64]| form(row, &w, &w).sqrt();
        measured.extend([top as f64, by_quadrature([spread(&rows[0]), spread(&rows[1])])]);
    }
    let what = "Gaussian classes, n = 12, lengths (1.2, 0.8) and (0.8, 1.2): frequency of smallest l0_k/l1_k and its P(|S_1| > |S_0|), and those of the filter of \
                largest variance ratio that power steps over sites find";
    Ok(Comparison::digits(&["L002.14/best"], what, &predicted, &measured))
}

/// One ReLU unit trained from random weights.
fn flow(effort: &Effort) -> Result<Comparison, LabError> {
    let mode = stable(effort);
    let runs = effort.samples(10);
    let ends = effort.once("flow", || -> Result<Vec<Vec<f64>>, LabError> {
        let mut ends = Vec::new();
        for (order, lengths) in ORDERS.into_iter().enumerate() {
            let [pos, neg] = lengths.map(|xi| Gaussian::on_ring(N, xi, Kernel::Ring).sampler());
            let task = Task::pair(Box::new(pos?), Box::new(neg?), 0.0, Labels::Balanced)?;
            for run in 0..runs {
                let streams = effort.streams.replica((order << 16 | run) as u64);
                let mut w = vec![0.0; N];
                streams.named("start").normals(0, &mut w);
                let unit = Network::committee(N, 1, &activation::relu::ENTRY, Bias::None);
                let unit = unit.with(&scaled(0.4, &w), &[0.0])?;
                let plan = Plan::new(2000, Times::Every(2000), &[&probe::weights::ENTRY]);
                let stop = AtomicBool::new(false);
                let watch = Conditions::new(0, &Silent, &stop);
                let falling = Item::named("linear");
                let pace = Pace { schedule: falling, ..Pace::online(0.6, 500) };
                let end = train(&task, unit, &Sgd { pace }, &streams, &plan, &watch);
                ends.push(power_by_frequency(end.network.weights()));
            }
        }
        Ok(ends)
    })?;
    let modes = ORDERS.map(|[pos, neg]| mode(&spectrum(N, pos), &spectrum(N, neg)).0);
    let holds = |(run, power): (usize, &Vec<f64>)| {
        power[modes[run / runs]] > 0.5 * power.iter().sum::<f64>()
    };
    let hits = ends.iter().enumerate().filter(|case| holds(*case)).count();
    let swapped = |(run, power): (usize, &Vec<f64>)| {
        power[modes[1 - run / runs]] > 0.5 * power.iter().sum::<f64>()
    };
    let others = ends.iter().enumerate().filter(|case| swapped(*case)).count();
    let what = "one ReLU unit, labels 1 and 0, Gaussian classes, n = 12, lengths (1.2, 0.8) and (0.8, 1.2), 2000 steps of SGD (batch 500, rate from 0.6 to 0) from random weights, about ten times the slowest relaxation: runs that end \
                with more than half of their power at the frequency of smallest l0_k/l1_k, which one of seven frequencies does by chance";
    Ok(Comparison::all(&["L002.14/flow"], what, (hits, ends.len()), 1.0 / 7.0)
        .against_cases("the frequency of the other order", (others, ends.len()))
        .simulated())
}

/// The variance of a preactivation from Fourier coefficients.
fn in_fourier(effort: &Effort) -> Comparison {
    let open: fn(usize, f64) -> Vec<f64> = |n, xi| {
        let term = |k: usize, d: usize| {
            let x = d as f64 / xi;
            libm::exp(-x * x) * libm::cos(TAU * (k * d % n) as f64 / n as f64)
        };
        (0..=n / 2).map(|k| (0..n).map(|d| term(k, d)).sum()).collect()
    };
    let eigenvalues = effort.form(&eigs::ENTRY, eigs as fn(usize, f64) -> Vec<f64>, open);
    let power: fn(&[f64]) -> Vec<f64> = effort.slip(
        "power of a frequency",
        "real and imaginary parts of plane waves, of length 1/sqrt 2 and not 1",
        power_by_frequency,
        |w| {
            let half = |(k, p): (usize, f64)| if k == 0 || 2 * k == N { p } else { 0.5 * p };
            power_by_frequency(w).into_iter().enumerate().map(half).collect()
        },
    );
    let predicted = filters().map(|w| {
        let spread = LENGTHS.map(|xi| dot(&eigenvalues(N, xi), &power(&w)).sqrt());
        FRAC_2_PI * libm::atan2(spread[0], spread[1])
    });
    let measured = filters().map(|w| by_quadrature(deviations(&w)));
    let what = "P(|S_1| > |S_0|) of three filters on Gaussian classes, n = 12, xi_pos = 2, xi_neg = 1: (2/pi) arctan(s_1/s_0) with s_c^2 the eigenvalues times the \
                power of each frequency, and P(|S_0| < |s_1 z|) integrated over a standard normal z with s_c^2 summed over pairs of sites";
    let classes = Comparison::digits(&["L002.16"], what, &predicted, &measured);
    products(effort).and(classes)
}

/// The preactivation itself, for data with any distribution.
fn products(effort: &Effort) -> Comparison {
    let coefficients: fn(&[f64]) -> Vec<f64> = effort.slip(
        "Fourier coefficients",
        "real and imaginary parts of plane waves, of length 1/sqrt 2 and not 1",
        to_fourier,
        |v| {
            let half = |(j, u): (usize, f64)| {
                let k = frequency_of(j, N);
                if k == 0 || 2 * k == N { u } else { u * FRAC_1_SQRT_2 }
            };
            to_fourier(v).into_iter().enumerate().map(half).collect()
        },
    );
    let data: [fn(usize) -> f64; 3] = [
        |i| if i * i % 5 < 2 { 1.0 } else { -1.0 },
        |i| i as f64 / N as f64,
        |i| if (3..6).contains(&i) { 1.0 } else { 0.0 },
    ];
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for w in filters() {
        for x in data.map(|of| (0..N).map(of).collect::<Vec<f64>>()) {
            predicted.push(dot(&coefficients(&w), &coefficients(&x)));
            measured.push(w.iter().zip(&x).map(|(w, x)| w * x).sum());
        }
    }
    let what = "<w,x> of three filters and three vectors of 12 sites, signs, a ramp and a pulse: sum of products of their coefficients in the real Fourier basis, and of their sites";
    Comparison::digits(&["L002.16"], what, &predicted, &measured)
}
