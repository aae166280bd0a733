//! Plain computations that checks hold closed forms against: difference quotients and Gaussian integrals.

use fovea_core::quadrature::normal_expectation;
use fovea_core::ring::circulant_apply;
use fovea_core::special::{normal_cdf, normal_pdf};

pub use fovea_sim::expect::dot;

/// `a' S b` for the symmetric circulant with this first row.
pub(super) fn form(row: &[f64], a: &[f64], b: &[f64]) -> f64 {
    dot(a, &circulant_apply(row, b))
}

/// `factor` times a vector.
pub(super) fn scaled(factor: f64, x: &[f64]) -> Vec<f64> {
    x.iter().map(|x| factor * x).collect()
}

/// `a x + b y`.
pub(super) fn combined(a: f64, x: &[f64], b: f64, y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| a * x + b * y).collect()
}

/// The gradient of `value` by a difference quotient of fourth order: truncation `h^4`, rounding `1e-16 / h`.
pub(super) fn gradient(at: &[f64], h: f64, value: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let shifted = |i: usize, by: f64| {
        let mut at = at.to_vec();
        at[i] += by;
        value(&at)
    };
    (0..at.len()).map(|i| slope(h, |by| shifted(i, by))).collect()
}

/// The slope of `value` at 0 by the same quotient.
pub(super) fn slope(h: f64, value: impl Fn(f64) -> f64) -> f64 {
    (8.0 * (value(h) - value(-h)) - (value(2.0 * h) - value(-2.0 * h))) / (12.0 * h)
}

/// `E[X_j; S > 0]` and `E[S X_j; S > 0]` for Gaussian data with this first row, `S = <w,X>`, by integrating over the value of `X_j`.
///
/// Given `X_j = x` the preactivation is normal with mean `b x`, `b = (S w)_j`, and variance `w'Sw - b^2`.
pub(super) fn gated_by_site(row: &[f64], w: &[f64], j: usize) -> [f64; 2] {
    let b = circulant_apply(row, w)[j];
    let std = (form(row, w, w) - b * b).max(0.0).sqrt();
    let first = normal_expectation(|x| x * normal_cdf(b * x / std), &[0.0]);
    let second = normal_expectation(
        |x| x * (b * x * normal_cdf(b * x / std) + std * normal_pdf(b * x / std)),
        &[0.0],
    );
    [first.value, second.value]
}
