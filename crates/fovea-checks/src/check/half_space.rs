//! Gaussian data on one side of a hyperplane, and how their mean depends on the weights.

use super::by_hand::gated_by_site;
use super::prelude::*;
use fovea_theory::Spins;
use fovea_theory::cube;
use fovea_theory::ising::cov as ising;
use fovea_theory::relu::f_gauss::{self, f_gauss};
use fovea_theory::relu::f_jacobian::{self, f_jacobian};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "half-space",
    summary: "Gaussian data on one side of a hyperplane, and the Jacobian of their mean.",
    covers: &[
        "L000.10",
        "L001.8",
        "L003.3",
        "L001.9/gaussian",
        "L001.9/ising",
        "L000.15/relu",
        "L000.15/leaky",
        "L000.16/density",
        "L000.16/cube",
    ],
    run,
};

const WEIGHTS: [f64; 6] = [0.8, -0.3, 0.45, 1.1, -0.6, 0.25];

/// The slope of a leaky unit below 0.
const LEAK: f64 = 0.3;

/// A covariance's first row, weights, and the Jacobian of the gated mean there.
type Jacobian = fn(&[f64], &[f64]) -> Result<Vec<Vec<f64>>, FormError>;

/// The image of the weights under a covariance, the weights, and the regression of the data on `<w,X>`.
type Regression = fn(&[f64], &[f64]) -> Vec<f64>;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let row = kernel_row(6, 1.2, Kernel::Ring);
    let form_of_jacobian: Jacobian = effort.form(&f_jacobian::ENTRY, f_jacobian, |row, w| {
        let (image, variance) = (circulant_apply(row, w), form(row, w, w));
        let rest = 1.0 / ((TAU * variance).sqrt() * variance);
        let mut rows = f_jacobian(row, w)?;
        for (row, a) in rows.iter_mut().zip(&image) {
            row.iter_mut().zip(&image).for_each(|(entry, b)| *entry += rest * a * b);
        }
        Ok(rows)
    });
    let regression: Regression = effort.slip(
        "v of the split",
        "w/|w|^2, the orthogonal projection, in place of S w/w'Sw",
        |image, w| scaled(1.0 / dot(w, image), image),
        |_, w| scaled(1.0 / dot(w, w), w),
    );
    Ok(vec![
        mean(effort, &row),
        split(&row, regression),
        split_of_spins(effort, regression),
        jacobian(&row, form_of_jacobian)?,
        leaky(effort, &row)?,
        on_the_plane(form_of_jacobian)?,
        on_the_cube(effort)?,
    ])
}

/// `f(w) = S w / sqrt(2 pi w'Sw)`.
fn mean(effort: &Effort, row: &[f64]) -> Comparison {
    let f: fn(&[f64], &[f64]) -> Vec<f64> =
        effort.form(&f_gauss::ENTRY, f_gauss, |row, w| scaled(2.0, &f_gauss(row, w)));
    let measured: Vec<f64> = (0..6).map(|j| gated_by_site(row, &WEIGHTS, j)[0]).collect();
    let what = "Gaussian data, n = 6, xi = 1.2: E[X; <w,X> > 0] in closed form, and by quadrature of x P(<w,X> > 0 | X_j = x) over X_j";
    Comparison::digits(&["L000.10", "L001.8", "L003.3"], what, &f(row, &WEIGHTS), &measured)
}

/// Row `j` of `A = 1 - v w'`.
fn row_of_a(v: &[f64], w: &[f64], j: usize) -> Vec<f64> {
    (0..w.len()).map(|i| f64::from(u8::from(i == j)) - v[j] * w[i]).collect()
}

/// `X = A X + S v`: mean and variance of `X_j` given `S` are `S v_j` and `(A S A')_jj`.
fn split(row: &[f64], regression: Regression) -> Comparison {
    let image = circulant_apply(row, &WEIGHTS);
    let variance = form(row, &WEIGHTS, &WEIGHTS);
    let v = regression(&image, &WEIGHTS);
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for j in 0..6 {
        for s in [-0.7, 1.3] {
            let a = row_of_a(&v, &WEIGHTS, j);
            predicted.extend([s * v[j], form(row, &a, &a)]);
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
    let what = "Gaussian data, n = 6, xi = 1.2: mean and variance of X_j given S = -0.7 and S = 1.3, which are S v_j and the one (A S A')_jj, and integrals of the joint density of X_j and S";
    Comparison::digits(&["L001.9/gaussian"], what, &predicted, &measured)
}

/// On an Ising ring: `v` is the slope of the regression on `S`, so that the covariance of `X` and `S` is that of `v S` and `S`.
fn split_of_spins(effort: &Effort, regression: Regression) -> Comparison {
    let cov: fn(usize, f64) -> Vec<f64> = effort.form(&ising::ENTRY, ising::cov, |n, coupling| {
        (0..=n / 2).map(|d| libm::pow(libm::tanh(coupling), d as f64)).collect()
    });
    let row = unfold(&cov(6, 0.7), 6);
    let v = regression(&circulant_apply(&row, &WEIGHTS), &WEIGHTS);
    let law = Corners::ising(6, 0.7);
    let square = law.mean(|x| dot(&WEIGHTS, x) * dot(&WEIGHTS, x));
    let measured = law.mean_of_site(&WEIGHTS, |s| s);
    let what = "an Ising ring of 6, coupling 0.7: E[S X] = E[S^2] v, so that X - v S is uncorrelated with S, with v from the closed covariance, and E[S X] over all corners";
    Comparison::digits(&["L001.9/ising"], what, &scaled(square, &v), &measured)
}

/// The transposed Jacobian and its image of the weights, and difference quotients of a gated mean over sites and along the weights.
fn entries(jacobian: &[Vec<f64>], gated: impl Fn(&[f64], usize) -> f64) -> (Vec<f64>, Vec<f64>) {
    let along = |direction: &[f64], i: usize| {
        slope(1e-3, |by| gated(&combined(1.0, &WEIGHTS, by, direction), i))
    };
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for i in 0..6 {
        for j in 0..6 {
            let mut site = [0.0; 6];
            site[j] = 1.0;
            // The transposed entry, so that an asymmetric matrix would be noticed.
            predicted.push(jacobian[j][i]);
            measured.push(along(&site, i));
        }
        predicted.push(0.0);
        measured.push(along(&WEIGHTS, i));
    }
    (predicted, measured)
}

/// The Jacobian is symmetric, annihilates `w`, and is the slope of `f`.
fn jacobian(row: &[f64], form_of: Jacobian) -> Result<Comparison, LabError> {
    let (predicted, measured) =
        entries(&form_of(row, &WEIGHTS)?, |w, i| gated_by_site(row, w, i)[0]);
    let what = "Gaussian data, n = 6, xi = 1.2: the transposed closed Jacobian of f and 0 along w, and difference quotients of f by quadrature";
    Ok(Comparison::digits(&["L000.15/relu"], what, &predicted, &measured))
}

/// The same for a leaky unit, in whose teacher term `E[sigma'(S) X]` the two halves partly cancel.
fn leaky(effort: &Effort, row: &[f64]) -> Result<Comparison, LabError> {
    let share = effort.slip(
        "Jacobian of a leaky unit",
        "1 + leak in place of 1 - leak, as if both halves had one sign",
        1.0 - LEAK,
        1.0 + LEAK,
    );
    let closed: Vec<Vec<f64>> =
        f_jacobian(row, &WEIGHTS)?.iter().map(|row| scaled(share, row)).collect();
    let gated = |w: &[f64], j: usize| {
        let b = circulant_apply(row, w)[j];
        let std = (form(row, w, w) - b * b).sqrt();
        let open = |x: f64| normal_cdf(b * x / std);
        normal_expectation(|x| x * (open(x) + LEAK * (1.0 - open(x))), &[0.0]).value
    };
    let (predicted, measured) = entries(&closed, gated);
    let what = "Gaussian data, n = 6, xi = 1.2, a leaky ReLU of slope 0.3 below 0: 0.7 times the transposed Jacobian of f and 0 along w, and difference quotients of E[sigma'(S) X] by quadrature";
    Ok(Comparison::digits(&["L000.15/leaky"], what, &predicted, &measured))
}

/// `df_i/dw_j` is the integral of `p(x) x_i x_j` over the hyperplane.
fn on_the_plane(form_of: Jacobian) -> Result<Comparison, LabError> {
    let (row, w) = (kernel_row(3, 0.9, Kernel::Ring), [0.7, -0.2, 0.5]);
    let predicted = form_of(&row, &w)?.concat();
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
    let what = "Gaussian data, n = 3, xi = 0.9: the closed Jacobian of f, and quadrature of p(x) x_i x_j over the hyperplane <w,x> = 0";
    Ok(Comparison::digits(&["L000.16/density"], what, &predicted, &measured))
}

/// On the vertices of the cube no mass lies near a generic hyperplane, and f is locally constant.
fn on_the_cube(effort: &Effort) -> Result<Comparison, LabError> {
    let (n, by) = (4, 0.02);
    // One site outvotes the others; three of them vote.
    let lists = [[1.0, 0.55, -0.3, 0.12], [1.0, 0.7, -0.6, 0.4]];
    let spins = Spins::ising(n, 0.4).map_err(FormError::from)?;
    let f: fn(&Spins, &[f64]) -> Vec<f64> = effort.form(&cube::f::ENTRY, cube::f::f, |spins, w| {
        (0..w.len()).map(|i| spins.cov(0, i) * w[0].signum()).collect()
    });
    let slopes = |w: &[f64; 4]| -> Result<Vec<Vec<f64>>, FormError> {
        Ok(effort.slip(
            "Jacobian on the cube",
            "that of Gaussian data of the same covariance",
            vec![vec![0.0; n]; n],
            f_jacobian(&spins.first_row(), w)?,
        ))
    };
    let corners = Corners::ising(n, 0.4);
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for w in lists {
        let here = f(&spins, &w);
        for (j, slope) in slopes(&w)?.iter().enumerate() {
            for step in [by, -by] {
                let mut there = w;
                there[j] += step;
                predicted.extend(combined(1.0, &here, step, slope));
                measured.extend(corners.gated_mean(&there, false));
            }
        }
    }
    let what = "an Ising ring of 4, coupling 0.4, weights where one site decides and weights where three sites vote: f(w) in closed form, and f over all corners where one weight is larger or smaller by 0.02, for each weight";
    Ok(Comparison::digits(&["L000.16/cube"], what, &predicted, &measured))
}

/// Far enough out that a density of unit variance vanishes.
const REACH: f64 = 12.0;
