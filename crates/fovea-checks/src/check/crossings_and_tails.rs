//! How often a squashed field crosses zero, and how heavy its tails are (note 002, footnotes 1 and 2 and figure 1).
//!
//! Around the ring `n arccos(r_1) / pi` changes of sign, `r_1 = exp(-1/xi^2)` (L002.2, L002.25); the excess kurtosis of a site
//! is `6/A^2 int_0^A [arcsin(sin p / (1 + 2 sin p)) - p] dp`, `A = arcsin(2g^2/(1 + 2g^2))` (L002.3).

use super::prelude::*;
use fovea_sim::expect::expect;
use fovea_sim::sample::Sample;
use fovea_sim::stimulus::gaussian::Gaussian;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_theory::nlgp::excess_kurtosis::{self, excess_kurtosis};
use fovea_theory::nlgp::normalizer::normalizer;
use fovea_theory::nlgp::zero_crossings::{self, zero_crossings};
use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "crossings-and-tails",
    summary: "Zero crossings of a squashed field do not depend on the gain; its tails are light.",
    covers: &["L002.2/mean", "L002.2/gain", "L002.3/kurtosis", "L002.3/bounded", "L002.25"],
    run,
};

/// Ring size and correlation length, and the mean number of crossings.
type Count = fn(usize, f64) -> f64;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let rice: Count = |n, xi| n as f64 * SQRT_2 / (PI * xi);
    let mean = effort.form(&zero_crossings::ENTRY, zero_crossings as Count, rice);
    Ok(vec![
        crossings(effort, mean)?,
        every_gain(effort)?,
        kurtosis(effort)?,
        bounded(effort)?,
        figure(effort)?,
    ])
}

/// How often neighbours on the ring are on different sides of a level.
fn changes(x: &[f64], level: f64) -> usize {
    (0..x.len()).filter(|i| (x[*i] > level) != (x[(i + 1) % x.len()] > level)).count()
}

/// The sampled mean number of zero crossings.
fn counted(
    effort: &Effort,
    (n, xi, gain): (usize, f64, f64),
    samples: usize,
) -> Result<Estimate, LabError> {
    let name = format!("{n}/{xi}/{gain}");
    effort.once(&name, || {
        let field = Nlgp::on_ring(n, xi, gain, Kernel::Ring).sampler()?;
        let stream = effort.streams.named(&name);
        let count = |x: &[f64], out: &mut [f64]| out[0] = changes(x, 0.0) as f64;
        Ok(expect(&field, &stream, effort.samples(samples), 1, count)?[0])
    })
}

fn crossings(effort: &Effort, mean: Count) -> Result<Comparison, LabError> {
    let mut pairs = Vec::new();
    for xi in [2.0, 1.0, 0.5] {
        for gain in [0.3, 3.0, f64::INFINITY] {
            pairs.push((counted(effort, (40, xi, gain), 20_000)?, mean(40, xi)));
        }
    }
    let what = "40 sites, correlation lengths 2, 1, 0.5, gains 0.3, 3, infinity: n arccos(exp(-1/xi^2))/pi, and the mean number of \
                sign changes around the ring of sampled fields";
    Ok(Comparison::noise(&["L002.2/mean"], what, &pairs))
}

/// The same latent field squashed at three gains.
fn every_gain(effort: &Effort) -> Result<Comparison, LabError> {
    let trials = effort.samples(4000);
    let [zero, above] = effort.once("levels", || at_levels(effort, trials))?;
    let what = "latent fields of 40 sites, xi = 2, each squashed at the gains 0.3, 3 and infinity: those that cross zero equally often at all \
                three; two independent fields do in less than half of all cases";
    Ok(Comparison::all(&["L002.2/gain"], what, (zero, trials), 0.5)
        .against_cases("crossings of the level 0.8", (above, trials))
        .simulated())
}

/// How many latent fields cross 0, and the level 0.8, equally often at all gains.
fn at_levels(effort: &Effort, trials: usize) -> Result<[usize; 2], LabError> {
    let mut samples = Vec::new();
    for gain in [0.3, 3.0, f64::INFINITY] {
        let field = Nlgp::on_ring(40, 2.0, gain, Kernel::Ring).sampler()?;
        // One stream for all gains: the latent fields are the same.
        samples.push(Sample::draw(&field, &effort.streams.named("latent"), trials));
    }
    let same = |level: f64| {
        let counts: Vec<Vec<usize>> =
            samples.iter().map(|s| s.rows().map(|x| changes(x, level)).collect()).collect();
        (0..trials).filter(|i| counts.iter().all(|c| c[*i] == counts[0][*i])).count()
    };
    Ok([same(0.0), same(0.8)])
}

fn kurtosis(effort: &Effort) -> Result<Comparison, LabError> {
    let form: fn(f64) -> f64 = effort.form(&excess_kurtosis::ENTRY, excess_kurtosis, |gain| {
        excess_kurtosis(gain * FRAC_1_SQRT_2)
    });
    let mut pairs = Vec::new();
    for gain in [0.3, 1.0, 3.0, 30.0] {
        let name = format!("kurtosis/{gain}");
        let measured = effort.once(&name, || -> Result<Estimate, LabError> {
            let field = Nlgp::on_ring(40, 1.0, gain, Kernel::Ring).sampler()?;
            let stream = effort.streams.named(&name);
            // The variance of a site is 1 by construction, which `L000.18` compares with quadrature.
            let fourth = |x: &[f64], out: &mut [f64]| {
                out[0] = x.iter().map(|x| x * x * x * x).sum::<f64>() / x.len() as f64 - 3.0;
            };
            Ok(expect(&field, &stream, effort.samples(100_000), 1, fourth)?[0])
        })?;
        pairs.push((measured, form(gain)));
    }
    let what = "excess kurtosis of a site at the gains 0.3, 1, 3 and 30, between -2 and 0: the arcsine integral, and the sampled fourth moment less 3";
    Ok(Comparison::noise(&["L002.3/kurtosis"], what, &pairs)
        .no_source("heavier tails than Gaussian: a positive excess kurtosis, of unstated size"))
}

fn bounded(effort: &Effort) -> Result<Comparison, LabError> {
    let trials = effort.samples(4000);
    let inside = |x: &[f64], gain: f64| {
        let bound = 1.0 / normalizer(gain).sqrt();
        x.iter().all(|x| x.abs() <= bound * (1.0 + 1e-12))
    };
    let mut hits = 0;
    let gains = [0.3, 1.0, 3.0, f64::INFINITY];
    for gain in gains {
        let field = Nlgp::on_ring(40, 2.0, gain, Kernel::Ring).sampler()?;
        let sample = Sample::draw(&field, &effort.streams.named("bounded"), trials);
        hits += sample.rows().filter(|x| inside(x, gain)).count();
    }
    let gaussian = Gaussian::on_ring(40, 2.0, Kernel::Ring).sampler()?;
    let sample = Sample::draw(&gaussian, &effort.streams.named("bounded"), trials);
    let outside: usize =
        gains.iter().map(|gain| sample.rows().filter(|x| inside(x, *gain)).count()).sum();
    let all = gains.len() * trials;
    let what = "samples of 40 sites at the gains 0.3, 1, 3 and infinity that obey |x| <= 1/sqrt Z(g); a Gaussian field has two distant sites \
                within the bound at g = 0.3 with a chance below 0.998";
    // One site is within the bound at the lowest gain with chance 0.99864, two distant ones with its square; at the other gains less often.
    Ok(Comparison::all(&["L002.3/bounded"], what, (hits, all), 0.998)
        .against_cases("Gaussian fields of the same variance", (outside, all))
        .simulated())
}

fn figure(effort: &Effort) -> Result<Comparison, LabError> {
    let (mut pairs, mut exchanged) = (Vec::new(), Vec::new());
    for gain in [0.01, 1.0, 3.0, 100.0] {
        for (xi, other) in [(20.0, 10.0), (10.0, 20.0)] {
            pairs.push((counted(effort, (400, xi, gain), 4000)?, zero_crossings(400, xi)));
            exchanged.push(zero_crossings(400, other));
        }
    }
    let what = "400 sites, xi_pos = 20 and xi_neg = 10, gains 0.01, 1, 3 and 100: n arccos(exp(-1/xi^2))/pi, and the mean number of sign \
                changes of sampled fields";
    Ok(Comparison::noise(&["L002.25"], what, &pairs).against("the classes exchanged", &exchanged))
}
