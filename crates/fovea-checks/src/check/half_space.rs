//! Gaussian data on one side of a hyperplane, and how that mean turns with the weights.

use super::by_hand::gated_by_site;
use super::prelude::*;
use fovea_theory::relu::f_gauss::f_gauss;
use fovea_theory::relu::f_jacobian::f_jacobian;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "half-space",
    summary: "Gaussian data on one side of a hyperplane, and the Jacobian of their mean.",
    covers: &["L000.10", "L001.8", "L003.3", "L001.9", "L000.15", "L000.16"],
    run,
};

const WEIGHTS: [f64; 6] = [0.8, -0.3, 0.45, 1.1, -0.6, 0.25];

fn run(_: &Effort) -> Result<Vec<Comparison>, LabError> {
    let row = kernel_row(6, 1.2, Kernel::Ring);
    Ok(vec![mean(&row), split(&row), jacobian(&row)?, on_the_plane()?])
}

/// `f(w) = S w / sqrt(2 pi w'Sw)`.
fn mean(row: &[f64]) -> Comparison {
    let measured: Vec<f64> = (0..6).map(|j| gated_by_site(row, &WEIGHTS, j)[0]).collect();
    let what = "E[X; <w,X> > 0] in closed form and by integrating P(S > 0 | X_j) x over X_j, n = 6, xi = 1.2";
    Comparison::digits(&["L000.10", "L001.8", "L003.3"], what, &f_gauss(row, &WEIGHTS), &measured)
}

/// `X = A X + S v`: mean and variance of `X_j` given `S` are `S v_j` and `(A S A')_jj`.
fn split(row: &[f64]) -> Comparison {
    let image = circulant_apply(row, &WEIGHTS);
    let variance = form(row, &WEIGHTS, &WEIGHTS);
    let v = scaled(1.0 / variance, &image);
    // Row j of A is e_j - v_j w.
    let a = |j: usize| -> Vec<f64> {
        (0..6).map(|i| f64::from(u8::from(i == j)) - v[j] * WEIGHTS[i]).collect()
    };
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for j in 0..6 {
        for s in [-0.7, 1.3] {
            predicted.extend([s * v[j], form(row, &a(j), &a(j))]);
            // The joint density of (X_j, S) along the line of this S.
            let determinant = variance - image[j] * image[j];
            let exponent =
                |x: f64| (variance * x * x - 2.0 * image[j] * x * s + s * s) / determinant;
            let moment = |p: f64| {
                let integrand = |x: f64| libm::pow(x, p) * libm::exp(-0.5 * exponent(x));
                adaptive(integrand, -12.0, 12.0, 1e-14).value
            };
            let mean = moment(1.0) / moment(0.0);
            measured.extend([mean, moment(2.0) / moment(0.0) - mean * mean]);
        }
    }
    let what = "mean and variance of X_j given S: S v_j and (A S A')_jj, and integrals of the joint density";
    Comparison::digits(&["L001.9"], what, &predicted, &measured)
}

/// The Jacobian is symmetric, annihilates `w`, and is the slope of `f`.
fn jacobian(row: &[f64]) -> Result<Comparison, LabError> {
    let jacobian = f_jacobian(row, &WEIGHTS)?;
    let along = |direction: &[f64], i: usize| {
        slope(1e-3, |by| f_gauss(row, &combined(1.0, &WEIGHTS, by, direction))[i])
    };
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for i in 0..6 {
        for j in 0..6 {
            let mut site = [0.0; 6];
            site[j] = 1.0;
            // The transposed entry, so that a matrix that is not symmetric would show.
            predicted.push(jacobian[j][i]);
            measured.push(along(&site, i));
        }
        predicted.push(0.0);
        measured.push(along(&WEIGHTS, i));
    }
    let what = "the transposed Jacobian of f and 0 along w, and difference quotients of f, n = 6, xi = 1.2";
    Ok(Comparison::digits(&["L000.15"], what, &predicted, &measured))
}

/// `df_i/dw_j` is the integral of `p(x) x_i x_j` over the hyperplane; on the cube it vanishes.
fn on_the_plane() -> Result<Comparison, LabError> {
    let (row, w) = (kernel_row(3, 0.9, Kernel::Ring), [0.7, -0.2, 0.5]);
    let mut predicted = f_jacobian(&row, &w)?.concat();
    let c = row[1];
    // The inverse of [[1, c, c], [c, 1, c], [c, c, 1]].
    let determinant = (1.0 + 2.0 * c) * (1.0 - c) * (1.0 - c);
    let inverse = [(1.0 - c * c) / determinant, (c * c - c) / determinant];
    let density = |x: &[f64]| {
        let square: f64 =
            (0..9).map(|k| inverse[distance(k / 3, k % 3, 3)] * x[k / 3] * x[k % 3]).sum();
        libm::exp(-0.5 * square) / (TAU * TAU * TAU * determinant).sqrt()
    };
    let norm = dot(&w, &w).sqrt();
    let unit = w.map(|x| x / norm);
    let flat = (unit[0] * unit[0] + unit[1] * unit[1]).sqrt();
    let first = [unit[1] / flat, -unit[0] / flat, 0.0];
    let second = [
        unit[1] * first[2] - unit[2] * first[1],
        unit[2] * first[0] - unit[0] * first[2],
        unit[0] * first[1] - unit[1] * first[0],
    ];
    let rule = gauss_legendre(160);
    let mut measured = vec![0.0; 9];
    for (a, weight_a) in rule.nodes.iter().zip(&rule.weights) {
        for (b, weight_b) in rule.nodes.iter().zip(&rule.weights) {
            let x = combined(REACH * a, &first, REACH * b, &second);
            let mass = REACH * REACH * weight_a * weight_b * density(&x) / norm;
            for (k, sum) in measured.iter_mut().enumerate() {
                *sum += mass * x[k / 3] * x[k % 3];
            }
        }
    }
    // On the vertices of the cube no mass lies near a generic hyperplane, and f stands still.
    let (spins, w) = (Corners::ising(4, 0.4), [1.0, 0.55, -0.3, 0.12]);
    for j in 0..4 {
        let f = |by: f64| {
            let mut w = w;
            w[1] += by;
            spins.mean_of_site(&w, |s| if s >= 0.0 { 1.0 } else { 0.0 })[j]
        };
        predicted.push(0.0);
        measured.push(slope(1e-3, f));
    }
    let what = "the Jacobian of f and the integral of p(x) x_i x_j over the hyperplane, n = 3; on the cube both vanish";
    Ok(Comparison::digits(&["L000.16"], what, &predicted, &measured))
}

/// Far enough for a density of unit variances to vanish.
const REACH: f64 = 12.0;
