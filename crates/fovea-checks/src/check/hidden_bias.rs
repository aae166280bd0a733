//! The teacher term of a unit without a bias (note 001, section 1).

use super::prelude::*;
use fovea_theory::relu::f_gauss::{self, f_gauss};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "hidden-bias",
    summary: "An erf unit without a bias has no teacher term, a ReLU unit has.",
    covers: &["L001.5/erf", "L001.5/relu"],
    run,
};

const WEIGHTS: [f64; 8] = [0.92, -0.5, -0.78, 0.7, 0.59, -0.85, -0.37, 0.95];

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let row = kernel_row(8, 1.2, Kernel::Ring);
    Ok(vec![of_erf(effort, &row), of_relu(effort, &row)])
}

/// `E[sigma'(S + b) X]` of Gaussian data: `X_j` is `(S w)_j / s^2` times the preactivation plus an independent part.
fn by_parts(row: &[f64], slope: impl Fn(f64) -> f64, kinks: &[f64]) -> Vec<f64> {
    let image = circulant_apply(row, &WEIGHTS);
    let variance = dot(&WEIGHTS, &image);
    let spread = variance.sqrt();
    let mean = normal_expectation(|z| slope(spread * z) * spread * z, kinks).value;
    scaled(mean / variance, &image)
}

/// `-sqrt(2/pi) b (1 + s^2)^(-3/2) e^(-b^2 / 2 (1 + s^2)) S w` (L002.23): zero at `b = 0`.
fn of_erf(effort: &Effort, row: &[f64]) -> Comparison {
    let power = effort.slip(
        "teacher term of erf",
        "(1 + s^2)^(-1/2) in place of (1 + s^2)^(-3/2)",
        -1.5,
        -0.5,
    );
    let image = circulant_apply(row, &WEIGHTS);
    let broad = 1.0 + dot(&WEIGHTS, &image);
    let closed = |b: f64| {
        let size = -2.0 * b * libm::pow(broad, power) * normal_pdf(b / broad.sqrt());
        scaled(size, &image)
    };
    // sigma(h) = erf(h / sqrt 2) has the slope sqrt(2/pi) e^(-h^2/2).
    let erf = |h: f64| FRAC_2_SQRT_PI * FRAC_1_SQRT_2 * libm::exp(-0.5 * h * h);
    let predicted = [closed(0.0), closed(0.6)].concat();
    let measured = [by_parts(row, erf, &[]), by_parts(row, |h| erf(h + 0.6), &[])].concat();
    let what = "Gaussian data, n = 8, xi = 1.2: E[sigma'(S + b) X] of an erf unit, from which its teacher term is made, at b = 0, where it is 0, and at b = 0.6, in closed form and by quadrature";
    Comparison::digits(&["L001.5/erf"], what, &predicted, &measured)
}

/// At `b = 0` the term of a ReLU unit is `f`.
fn of_relu(effort: &Effort, row: &[f64]) -> Comparison {
    let f: fn(&[f64], &[f64]) -> Vec<f64> =
        effort.form(&f_gauss::ENTRY, f_gauss, |row, w| scaled(2.0, &f_gauss(row, w)));
    let measured = by_parts(row, |h| if h > 0.0 { 1.0 } else { 0.0 }, &[0.0]);
    let what = "Gaussian data, n = 8, xi = 1.2: E[sigma'(S) X] of a ReLU unit without a bias, f, in closed form and by quadrature";
    Comparison::digits(&["L001.5/relu"], what, &f(row, &WEIGHTS), &measured)
}
