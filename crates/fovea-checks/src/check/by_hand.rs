//! Plain computations to compare closed forms with: difference quotients and Gaussian integrals.

use fovea_core::quadrature::normal_expectation;
use fovea_core::ring::{circulant_apply, distance};
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
    let n = w.len();
    let image = |i: usize| (0..n).map(|k| row[distance(i, k, n)] * w[k]).sum::<f64>();
    let (b, variance) = (image(j), (0..n).map(|i| w[i] * image(i)).sum::<f64>());
    let std = (variance - b * b).max(0.0).sqrt();
    let first = normal_expectation(|x| x * normal_cdf(b * x / std), &[0.0]);
    let second = normal_expectation(
        |x| x * (b * x * normal_cdf(b * x / std) + std * normal_pdf(b * x / std)),
        &[0.0],
    );
    [first.value, second.value]
}

/// `E[1(pos) X; S > 0]` and `E[S X; S > 0]` over two Gaussian classes of equal share and unit variance, `S = <w,X>`, by trapezoids over
/// the value of each site; their difference is the velocity of one unit.
pub(super) fn taught_and_linear(rows: &[Vec<f64>; 2], w: &[f64]) -> [Vec<f64>; 2] {
    let class = |row: &Vec<f64>| {
        let (image, variance) = (circulant_apply(row, w), form(row, w, w));
        image.into_iter().map(|b| gated_given(b, variance)).collect::<Vec<[f64; 2]>>()
    };
    let [pos, neg] = [0, 1].map(|index: usize| class(&rows[index]));
    let taught = pos.iter().map(|pos| 0.5 * pos[0]).collect();
    let linear = pos.iter().zip(&neg).map(|(pos, neg)| 0.5 * (pos[1] + neg[1])).collect();
    [taught, linear]
}

/// The same of one site whose covariance with the preactivation is `b`, which is normal with mean `b x` where `X = x`.
fn gated_given(b: f64, variance: f64) -> [f64; 2] {
    const STEP: f64 = 0.2;
    let std = (variance - b * b).max(0.0).sqrt();
    let mut sums = [0.0; 2];
    for i in -38..=38 {
        let x = STEP * f64::from(i);
        let (weight, share) = (STEP * normal_pdf(x) * x, normal_cdf(b * x / std));
        sums[0] += weight * share;
        sums[1] += weight * (b * x * share + std * normal_pdf(b * x / std));
    }
    sums
}
