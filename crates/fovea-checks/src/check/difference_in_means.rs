//! The difference of the two classes' mean squared preactivations, and its best filter (note 002, 'Difference in means').
//!
//! It is `<(K_1 - K_0) w, w>` with the covariances of the data (L002.17). The leading eigenvector of `K_1 - K_0` is constant for
//! `xi_pos > xi_neg`; else it oscillates, on a long ring at `w^2 = 12 ln(xi_0/xi_1)/(xi_0^2 - xi_1^2)` (L002.18).

use super::prelude::*;
use fovea_core::fourier::power_by_frequency;
use fovea_sim::expect::expect;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_theory::diff::leading_mode::{self, continuum_frequency, leading_mode};
use fovea_theory::nlgp::cov::{self, cov};
use fovea_theory::ring::eigs::eigs;
use std::f64::consts::FRAC_1_SQRT_2;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "difference-in-means",
    summary: "The difference of mean squared preactivations, and its best filter.",
    covers: &["L002.17", "L002.18/ring", "L002.18/long"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![mean_squares(effort)?, leading(effort)?, long_ring(effort)])
}

const N: usize = 12;
const LENGTHS: [f64; 2] = [2.0, 1.0];

/// A bump, a Mexican hat, and an oscillation that class neg has more of.
fn filters() -> [Vec<f64>; 3] {
    let at = |of: &dyn Fn(f64) -> f64| (0..N).map(|i| of(distance(i, 4, N) as f64)).collect();
    [
        at(&|d| libm::exp(-0.5 * d * d)),
        at(&|d| (1.0 - d * d) * libm::exp(-0.5 * d * d)),
        at(&|d| libm::cos(TAU * 5.0 * d / N as f64)),
    ]
}

fn mean_squares(effort: &Effort) -> Result<Comparison, LabError> {
    let site = effort.form(&cov::ENTRY, cov as fn(f64, f64) -> f64, |rho, _| rho);
    let mut pairs = Vec::new();
    for gain in [1.0, f64::INFINITY] {
        let mut squares = Vec::new();
        for xi in LENGTHS {
            let name = format!("squares/{gain}/{xi}");
            squares.push(effort.once(&name, || -> Result<Vec<Estimate>, LabError> {
                let field = Nlgp::on_ring(N, xi, gain, Kernel::Ring).sampler()?;
                let filters = filters();
                let square = |x: &[f64], out: &mut [f64]| {
                    for (out, w) in out.iter_mut().zip(&filters) {
                        *out = dot(w, x) * dot(w, x);
                    }
                };
                let stream = effort.streams.named(&name);
                Ok(expect(&field, &stream, effort.samples(300_000), filters.len(), square)?)
            })?);
        }
        let covariance = |xi: f64| -> Vec<f64> {
            kernel_row(N, xi, Kernel::Ring).iter().map(|rho| site(*rho, gain)).collect()
        };
        let gap = combined(1.0, &covariance(LENGTHS[0]), -1.0, &covariance(LENGTHS[1]));
        for (i, w) in filters().iter().enumerate() {
            pairs.push((squares[0][i].difference(&squares[1][i]), form(&gap, w, w)));
        }
    }
    let what = "fields of gain 1 and infinity, n = 12, xi_pos = 2, xi_neg = 1, three filters: <(K_1 - K_0) w, w> with the covariances of the data in closed \
                form, and the difference of sampled mean squares";
    Ok(Comparison::noise(&["L002.17"], what, &pairs))
}

/// Spectra of both classes, for `k = 0..n`; the frequency and the value of the largest difference.
type Lead = fn(&[f64], &[f64]) -> (usize, f64);

fn leading(effort: &Effort) -> Result<Comparison, LabError> {
    let lead: Lead =
        effort.form(&leading_mode::ENTRY, leading_mode, |pos, neg| (0, pos[0] - neg[0]));
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for [pos, neg] in [[2.0, 1.0], [1.0, 2.0], [3.0, 1.5], [1.5, 3.0], [0.7, 0.9]] {
        let (k, value) = lead(&unfold(&eigs(40, pos), 40), &unfold(&eigs(40, neg), 40));
        predicted.extend([k as f64, value]);
        let rows = [pos, neg].map(|xi| kernel_row(40, xi, Kernel::Ring));
        let entry = |i: usize, j: usize| rows[0][distance(i, j, 40)] - rows[1][distance(i, j, 40)];
        let matrix: Vec<Vec<f64>> =
            (0..40).map(|i| (0..40).map(|j| entry(i, j)).collect()).collect();
        let found = eigen(&matrix).map_err(FormError::from)?;
        let power = power_by_frequency(&found.vectors[0]);
        let top = (0..power.len()).max_by(|a, b| power[*a].total_cmp(&power[*b])).unwrap_or(0);
        measured.extend([top as f64, found.values[0]]);
    }
    let what = "Gaussian data, n = 40, lengths (2, 1), (1, 2), (3, 1.5), (1.5, 3) and (0.7, 0.9): frequency and value of the largest difference of eigenvalues, and those of \
                the leading eigenvector of the matrix K_1 - K_0; constant only where xi_pos > xi_neg";
    Ok(Comparison::digits(&["L002.18/ring"], what, &predicted, &measured))
}

/// Where the slope of the difference of two spectra of a chain changes sign. At lengths below two sites the lattice folds a part of
/// the spectrum back: at (1, 2) the maximum is 0.7 % higher.
fn long_ring(effort: &Effort) -> Comparison {
    let form = effort.slip(
        "diff.leading_mode, k_continuum",
        "6 in place of 12, as if the spectrum fell twice as fast",
        continuum_frequency as fn(f64, f64) -> f64,
        |pos, neg| FRAC_1_SQRT_2 * continuum_frequency(pos, neg),
    );
    let cases = [[2.0, 4.0], [3.0, 4.5], [4.0, 5.0]];
    let zero = |[pos, neg]: [f64; 2]| {
        // The spectrum is 1 + 2 sum_d exp(-d^2/xi^2) cos(w d); beyond forty sites the terms vanish.
        let kernel = |d: f64, xi: f64| libm::exp(-d * d / (xi * xi));
        let gap: Vec<(f64, f64)> =
            (1..=40).map(f64::from).map(|d| (d, kernel(d, pos) - kernel(d, neg))).collect();
        let rise = |w: f64| -> f64 { gap.iter().map(|(d, gap)| -d * gap * libm::sin(w * d)).sum() };
        let (mut low, mut high) = (0.1, 2.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if rise(middle) > 0.0 { low = middle } else { high = middle }
        }
        low
    };
    let what = "lengths (2, 4), (3, 4.5) and (4, 5): omega of omega^2 = 12 ln(xi_neg/xi_pos)/(xi_neg^2 - xi_pos^2), and where the slope of the difference of the two \
                spectra of an infinite chain, summed over sites, changes sign";
    Comparison::digits(&["L002.18/long"], what, &cases.map(|[a, b]| form(a, b)), &cases.map(zero))
}
