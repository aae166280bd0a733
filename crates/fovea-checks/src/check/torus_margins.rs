//! Two dimensions: product eigenvalues, and the margins by which one site outvotes the others (note 002, section 1).
//!
//! `w* = (C_1 + C_0)^-1 C_1 e_0` on signs, `margin = 2 |w*_0| / |w*|_1 - 1` (L000.39), with `C = (2/pi) arcsin` of a product of
//! kernels (L002.26).

use super::dense::solve;
use super::prelude::*;
use fovea_desk::error::refused;
use fovea_sim::Stimulus;
use fovea_sim::lattice::Lattice;
use fovea_sim::stimulus::gaussian::Gaussian;
use fovea_theory::nlgp::cov::{self, cov};
use fovea_theory::ring::eigs::{self, eigs};
use std::f64::consts::FRAC_1_SQRT_2;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "torus-margins",
    summary: "On a torus eigenvalues multiply, and one site outvotes the others by less.",
    covers: &["L002.26/eigenvalues", "L002.26/margins"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![eigenvalues_multiply(effort)?, margins(effort)?])
}

fn lattice(n: usize, dim: usize, xi: f64) -> Lattice {
    Lattice { n, dim, xi, kernel: Kernel::Ring, waves: 0 }
}

/// A matrix from the covariance of site 0 with every site of a torus or a ring of this side.
fn matrix(row: &[f64], side: usize) -> Vec<Vec<f64>> {
    let along = |a: usize, b: usize| (side + b - a) % side;
    let lag = |i: usize, j: usize| {
        along(i / side, j / side) * side % row.len() + along(i % side, j % side)
    };
    (0..row.len()).map(|i| (0..row.len()).map(|j| row[lag(i, j)]).collect()).collect()
}

fn eigenvalues_multiply(effort: &Effort) -> Result<Comparison, LabError> {
    const N: usize = 6;
    let open: fn(usize, f64) -> Vec<f64> = |n, xi| {
        let term = |k: usize, d: usize| {
            let x = d as f64 / xi;
            libm::exp(-x * x) * libm::cos(TAU * (k * d % n) as f64 / n as f64)
        };
        (0..=n / 2).map(|k| (0..n).map(|d| term(k, d)).sum()).collect()
    };
    let axis = effort.form(&eigs::ENTRY, eigs as fn(usize, f64) -> Vec<f64>, open);
    let join: fn(f64, f64) -> f64 = effort.slip(
        "eigenvalues on a torus",
        "sums in place of products",
        |a, b| a * b,
        |a, b| a + b,
    );
    let along = unfold(&axis(N, 1.2), N);
    let mut predicted: Vec<f64> =
        along.iter().flat_map(|a| along.iter().map(move |b| join(*a, *b))).collect();
    predicted.sort_by(|a, b| b.total_cmp(a));
    let field = Gaussian { lattice: lattice(N, 2, 1.2) }.sampler()?;
    let moments = field.moments().map_err(|error| refused(error, "choose another field"))?;
    let row: Vec<f64> = (0..N * N).map(|j| moments.covariance.at(0, j)).collect();
    let measured = eigenvalues(&matrix(&row, N)).map_err(FormError::from)?;
    let what = "a torus of 6 x 6, xi = 1.2: products of the ring's eigenvalues, in order of size, and eigenvalues of the matrix of the simulator's covariances";
    Ok(Comparison::digits(&["L002.26/eigenvalues"], what, &predicted, &measured)
        .no_source("one letter for the probability space and for the index set: no number"))
}

/// Orders of the lengths and dimensions.
const CASES: [([f64; 2], usize, usize); 8] = [
    ([2.0, 1.0], 20, 2),
    ([1.0, 2.0], 20, 2),
    ([1.5, 1.0], 20, 2),
    ([1.0, 0.5], 20, 2),
    ([2.0, 1.0], 40, 1),
    ([1.0, 2.0], 40, 1),
    ([1.5, 1.0], 40, 1),
    ([1.0, 0.5], 40, 1),
];

/// `E[sign Z sign Z']` at latent correlation `rho`, over the value of `Z`.
fn of_signs(rho: f64) -> f64 {
    let rest = ((1.0 - rho) * (1.0 + rho)).sqrt();
    if rest < 1e-9 {
        return 1.0;
    }
    let other = |z: f64| libm::erf(rho * z.abs() / rest * FRAC_1_SQRT_2);
    normal_expectation(other, &[0.0]).value
}

fn margins(effort: &Effort) -> Result<Comparison, LabError> {
    let site = effort.form(&cov::ENTRY, cov as fn(f64, f64) -> f64, |rho, _| rho);
    let gate: fn([f64; 2]) -> [f64; 2] =
        effort.slip("w* of L000.39", "the classes exchanged", |both| both, |[pos, neg]| [neg, pos]);
    let predicted = CASES.map(|(lengths, n, dim)| by_modes(site, gate(lengths), n, dim));
    let measured = effort.once("margins", || -> Result<Vec<f64>, LabError> {
        let mut margins = Vec::new();
        for (lengths, n, dim) in CASES {
            let mut classes = Vec::new();
            for xi in lengths {
                let axis = kernel_row(n, xi, Kernel::Ring);
                let known: Vec<Vec<f64>> = (0..=n / 2)
                    .map(|i| (0..=n / 2).map(|j| of_signs(axis[i] * axis[j])).collect())
                    .collect();
                let rows = if dim == 1 { 1 } else { n };
                let at = |i: usize, j: usize| known[distance(0, i, n)][distance(0, j, n)];
                let row: Vec<f64> = (0..rows)
                    .flat_map(|i| (0..n).map(move |j| (i, j)))
                    .map(|(i, j)| at(i, j))
                    .collect();
                classes.push(matrix(&row, n));
            }
            let sum = classes[0].iter().zip(&classes[1]).map(|(a, b)| combined(1.0, a, 1.0, b));
            margins.push(margin(&solve(sum.collect(), classes[0][0].clone())));
        }
        Ok(margins)
    })?;
    let what = "signs, (xi_pos, xi_neg) = (2, 1), (1, 2), (1.5, 1) and (1, 0.5), 20 x 20 torus and ring of 40: margin 2|w_0|/|w|_1 - 1 of w = (C_1 + C_0)^-1 C_1 e_0, \
                over Fourier modes with arcsine covariances, and by elimination over sites with covariances by quadrature over one of two sites";
    let printed = [-0.202, 0.068, 0.155, 0.232, 0.251, 0.397, 0.535, 0.583];
    let said = "the margins over sites, torus -0.202, 0.068, 0.155 and 0.232, ring 0.251, 0.397, 0.535 and 0.583";
    Ok(Comparison::digits(&["L002.26/margins"], what, &predicted, &measured).and(
        Comparison::digits(&["L002.26/margins"], said, &printed, &measured)
            .within(1e-3, "numbers of three decimals"),
    ))
}

fn margin(w: &[f64]) -> f64 {
    2.0 * w[0].abs() / w.iter().map(|w| w.abs()).sum::<f64>() - 1.0
}

/// The margin from cosine sums along one axis after the other.
fn by_modes(site: fn(f64, f64) -> f64, lengths: [f64; 2], n: usize, dim: usize) -> f64 {
    let sums = |field: &[f64]| -> Vec<f64> {
        if dim == 1 {
            return unfold(&circulant_eigs(field), n);
        }
        let rows: Vec<Vec<f64>> =
            field.chunks(n).map(|row| unfold(&circulant_eigs(row), n)).collect();
        let column = |j: usize| -> Vec<f64> {
            unfold(&circulant_eigs(&rows.iter().map(|row| row[j]).collect::<Vec<_>>()), n)
        };
        (0..n).flat_map(column).collect()
    };
    let spectra = lengths.map(|xi| {
        let axis = kernel_row(n, xi, Kernel::Ring);
        let other = if dim == 1 { vec![1.0] } else { axis.clone() };
        let signs: Vec<f64> = other
            .iter()
            .flat_map(|a| axis.iter().map(move |b| site(a * b, f64::INFINITY)))
            .collect();
        sums(&signs)
    });
    let shares: Vec<f64> =
        spectra[0].iter().zip(&spectra[1]).map(|(pos, neg)| pos / (pos + neg)).collect();
    margin(&sums(&shares))
}
