//! Comparing preactivations where all norms are equal, and how well a filter can be aligned (note 002, (11), (12)).
//!
//! `|<w,x>| = |w| |x| |cos|`: signs have `|x|^2 = n`, so that only the angles matter. The mean squared cosine of a filter is between
//! the smallest and the largest eigenvalue of the covariance over `n` (L002.36).

use super::prelude::*;
use fovea_sim::sample::Sample;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_theory::nlgp::cov::{self, cov};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "angles-alone",
    summary: "For signs only angles decide which class has the larger response; no filter is aligned with a class.",
    covers: &["L002.36/norms", "L002.36/filter"],
    run,
};

const N: usize = 40;
const LENGTHS: [f64; 2] = [2.0, 1.0];
/// Samples on which the best and the worst filter are found.
const FOUND_ON: usize = 60_000;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![norms(effort)?, filter(effort)?])
}

fn sample(effort: &Effort, gain: f64, class: usize, count: usize) -> Result<Sample, LabError> {
    let field = Nlgp::on_ring(N, LENGTHS[class], gain, Kernel::Ring).sampler()?;
    let name = format!("{gain}/{class}/{count}");
    Ok(Sample::draw(&field, &effort.streams.named(&name), count))
}

fn cosine(w: &[f64], x: &[f64]) -> f64 {
    dot(w, x) / (dot(w, w) * dot(x, x)).sqrt()
}

/// Pairs of samples in which the larger preactivation has the larger cosine.
fn norms(effort: &Effort) -> Result<Comparison, LabError> {
    let trials = effort.samples(20_000);
    let [signs, finite] = effort.once("norms", || -> Result<[usize; 2], LabError> {
        let far = |i: usize| distance(i, 7, N) as f64 / 1.5;
        let w: Vec<f64> = (0..N).map(|i| libm::exp(-0.5 * far(i) * far(i))).collect();
        let agree = |gain: f64| -> Result<usize, LabError> {
            let (pos, neg) = (sample(effort, gain, 0, trials)?, sample(effort, gain, 1, trials)?);
            let same = |(a, b): (&[f64], &[f64])| {
                let larger = dot(&w, a).abs() - dot(&w, b).abs();
                let nearer = cosine(&w, a).abs() - cosine(&w, b).abs();
                // Two signs of one preactivation are equal up to rounding.
                larger * nearer > 0.0 || (larger.abs() < 1e-9 && nearer.abs() < 1e-9)
            };
            Ok(pos.rows().zip(neg.rows()).filter(|pair| same(*pair)).count())
        };
        Ok([agree(f64::INFINITY)?, agree(1.0)?])
    })?;
    let what = "signs of 40 sites, xi_pos = 2, xi_neg = 1, a bump: pairs of samples in which the class of the larger |<w,x>| has the larger |cos(w,x)|; pairs \
                of unequal norms do in fewer than 999 of 1000";
    Ok(Comparison::all(&["L002.36/norms"], what, (signs, trials), 0.999)
        .against_cases("fields of gain 1, whose norms differ", (finite, trials))
        .simulated())
}

/// The best and the worst filter of one sample, and their mean squared cosine on another.
fn filter(effort: &Effort) -> Result<Comparison, LabError> {
    let site = effort.form(&cov::ENTRY, cov as fn(f64, f64) -> f64, |rho, _| rho);
    let measured = effort.once("filter", || -> Result<Vec<Estimate>, LabError> {
        let mut found = Vec::new();
        for class in [0, 1] {
            let seen = sample(effort, f64::INFINITY, class, FOUND_ON)?;
            let mut half = vec![vec![0.0; N]; N];
            for x in seen.rows() {
                for i in 0..N {
                    for j in 0..=i {
                        half[i][j] += x[i] * x[j];
                    }
                }
            }
            let entry = |i: usize, j: usize| half[i.max(j)][i.min(j)];
            let matrix: Vec<Vec<f64>> =
                (0..N).map(|i| (0..N).map(|j| entry(i, j)).collect()).collect();
            let modes = eigen(&matrix).map_err(FormError::from)?;
            let w = if class == 0 { &modes.vectors[0] } else { &modes.vectors[N - 1] };
            let fresh = sample(effort, f64::INFINITY, class, effort.samples(80_000))?;
            let squares: Vec<f64> = fresh.rows().map(|x| cosine(w, x) * cosine(w, x)).collect();
            found.push(Estimate::from_samples(&squares)?);
        }
        Ok(found)
    })?;
    let eigs = LENGTHS.map(|xi| {
        let row = kernel_row(N, xi, Kernel::Ring);
        circulant_eigs(&row.iter().map(|rho| site(*rho, f64::INFINITY)).collect::<Vec<_>>())
    });
    let most = eigs[0].iter().fold(0.0, |top: f64, eig| top.max(*eig));
    let least = eigs[1].iter().fold(f64::INFINITY, |low: f64, eig| low.min(*eig));
    let predicted = [most, least].map(|eig| eig / N as f64);
    let pairs: Vec<_> = measured.into_iter().zip(predicted).collect();
    let what = "signs of 40 sites, xi_pos = 2, xi_neg = 1: largest mean squared cosine with class pos and smallest one with class neg, as eigenvalues over n, and on \
                fresh samples for the best and the worst filter of 60000 others; the source wants 1 and 0";
    Ok(Comparison::noise(&["L002.36/filter"], what, &pairs)
        .source(&[1.0, 0.0])
        .approximate(0.01, "a filter found on 60000 samples is off the best or the worst by about sum_k l_k/|l - l_k| over 60000, 0.2 % and 0.7 %"))
}
