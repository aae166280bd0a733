//! Two Gaussian preactivations: their density, their angle, and their second moments where both are positive.

use super::prelude::*;
use fovea_core::fourier::from_fourier;
use fovea_core::special::{bivariate_normal_sf, normal_sf};
use fovea_theory::relu::pair_moments::pair_moments;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "pair-moments",
    summary: "Two Gaussian preactivations: density, angle, and second moments where both are positive.",
    covers: &["L001.14", "L001.15", "L001.20", "L001.24", "L001.25", "L001.27"],
    run,
};

const VARIANCES: [f64; 2] = [2.0, 0.7];
const CORRELATIONS: [f64; 5] = [-0.9, -0.7, 0.0, 0.5, 0.98];

fn run(_: &Effort) -> Result<Vec<Comparison>, LabError> {
    let mut comparisons = second_moments()?;
    comparisons.extend([angle(), density(), given()]);
    Ok(comparisons)
}

/// `E[S^2; S,T > 0]` and `E[ST; S,T > 0]` beside integrals over the polar angle, and note 001 (25) and (30).
fn second_moments() -> Result<Vec<Comparison>, LabError> {
    let [var_s, var_t] = VARIANCES;
    let product = var_s * var_t;
    let mut columns: [Vec<f64>; 6] = Default::default();
    for gamma in CORRELATIONS {
        let cov = gamma * product.sqrt();
        let both = pair_moments(var_s, var_t, cov).ok_or(fovea_theory::FormError::Undefined)?;
        // S = sqrt(var_s) R cos(phi), T = sqrt(var_t) R cos(phi - theta): both positive on an arc, and E R^2 = 2.
        let theta = libm::acos(gamma);
        let mean = |f: &dyn Fn(f64) -> f64| {
            2.0 * adaptive(f, theta - FRAC_PI_2, FRAC_PI_2, 1e-14).value / TAU
        };
        let square = var_s * mean(&|phi| libm::cos(phi) * libm::cos(phi));
        let mixed = product.sqrt() * mean(&|phi| libm::cos(phi) * libm::cos(phi - theta));
        let bend = cov / product * (product - cov * cov).sqrt();
        let source_square = var_t / TAU * (libm::acos(-gamma) + bend);
        let source_mixed = cov / TAU * (libm::asin(gamma) + bend);
        let row = [both.s2, square, source_square, both.st, mixed, source_mixed];
        columns.iter_mut().zip(row).for_each(|(column, x)| column.push(x));
    }
    let what = |moment: &str| {
        format!(
            "{moment} where both are positive, in closed form and over the polar angle, variances 2 and 0.7"
        )
    };
    let [s2, square, source_square, st, mixed, source_mixed] = columns;
    Ok(vec![
        Comparison::digits(&["L001.14"], what("E S^2"), &s2, &square).source(&source_square),
        Comparison::digits(&["L001.15"], what("E ST"), &st, &mixed).source(&source_mixed),
    ])
}

/// In the inner product of the covariance the cosine of two units obeys the law of cosines.
fn angle() -> Comparison {
    let row = kernel_row(7, 1.1, Kernel::Ring);
    let eigs = circulant_eigs(&row);
    // S^1/2 w over sites, through the modes.
    let root = |w: &[f64]| -> Vec<f64> {
        let mut u = to_fourier(w);
        u.iter_mut().enumerate().for_each(|(j, u)| *u *= eigs[frequency_of(j, 7)].sqrt());
        from_fourier(&u)
    };
    let w = |k: usize| -> Vec<f64> { (0..7).map(|i| ((i * i + k * i) % 5) as f64 - 1.6).collect() };
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for (a, b) in [(0, 1), (1, 2), (0, 3)].map(|(i, j)| (w(i), w(j))) {
        predicted.push(form(&row, &a, &b) / (form(&row, &a, &a) * form(&row, &b, &b)).sqrt());
        let gap: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
        let [a, b, c] = [root(&a), root(&b), root(&gap)].map(|x| dot(&x, &x));
        measured.push((a + b - c) / (2.0 * (a * b).sqrt()));
    }
    let what = "gamma = w'Sv / sqrt(w'Sw v'Sv), and the law of cosines for the triangle of S^1/2 w and S^1/2 v";
    Comparison::digits(&["L001.20"], what, &predicted, &measured)
}

/// The moments of the joint density with each variance at the other's square; note 001 (56) has its own.
fn density() -> Comparison {
    let ([var_s, var_t], cov) = (VARIANCES, 0.6);
    let determinant = var_s * var_t - cov * cov;
    let moments = |at_s: f64, at_t: f64| {
        let density = move |s: f64, t: f64| {
            let square = at_s * s * s - 2.0 * cov * s * t + at_t * t * t;
            libm::exp(-0.5 * square / determinant) / (TAU * determinant.sqrt())
        };
        let (rule, reach) = (gauss_legendre(140), 14.0);
        let mut sums = [0.0; 3];
        for (a, weight_a) in rule.nodes.iter().zip(&rule.weights) {
            for (b, weight_b) in rule.nodes.iter().zip(&rule.weights) {
                let (s, t) = (reach * a, reach * b);
                let mass = reach * reach * weight_a * weight_b * density(s, t);
                sums.iter_mut().zip([s * s, t * t, s * t]).for_each(|(sum, x)| *sum += mass * x);
            }
        }
        // Mean and variance of S where T = 1.
        let along =
            |p: f64| adaptive(|s| libm::pow(s, p) * density(s, 1.0), -reach, reach, 1e-14).value;
        let mean = along(1.0) / along(0.0);
        let [ss, tt, st] = sums;
        [ss, tt, st, mean, along(2.0) / along(0.0) - mean * mean]
    };
    let predicted = [var_s, var_t, cov, cov / var_t, determinant / var_t];
    let what = "variances, covariance and the law of S given T = 1, and integrals of the joint density, var_t at s^2 and var_s at t^2";
    Comparison::digits(&["L001.24"], what, &predicted, &moments(var_t, var_s))
        .source(&moments(var_s, var_t))
}

/// `S' | T' ~ N(rho T', 1 - rho^2)`: its tail, at 0 and elsewhere, beside the slope of the joint tail in `T'`.
fn given() -> Comparison {
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for rho in [-0.8_f64, 0.3, 0.9] {
        for (h, t) in [(0.0, 0.5), (0.0, -1.2), (0.7, 0.4), (-1.0, 0.3)] {
            let std = ((1.0 - rho) * (1.0 + rho)).sqrt();
            predicted.push(normal_sf((h - rho * t) / std));
            measured.push(-slope(1e-3, |by| bivariate_normal_sf(h, t + by, rho)) / normal_pdf(t));
        }
    }
    let what = "P(S' > h | T' = t), at h = 0 note 001 (65), and the slope of P(S' > h, T' > t) over the density of T'";
    Comparison::digits(&["L001.25", "L001.27"], what, &predicted, &measured)
}
