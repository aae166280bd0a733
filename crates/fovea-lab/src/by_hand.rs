//! Plain computations that checks hold closed forms against: difference quotients, Gaussian integrals, sums over states.

use fovea_core::quadrature::normal_expectation;
use fovea_core::ring::circulant_apply;
use fovea_core::special::{normal_cdf, normal_pdf};

/// The inner product of two vectors.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// `a' S b` for the symmetric circulant with this first row.
pub fn form(row: &[f64], a: &[f64], b: &[f64]) -> f64 {
    dot(a, &circulant_apply(row, b))
}

/// `factor` times a vector.
pub fn scaled(factor: f64, x: &[f64]) -> Vec<f64> {
    x.iter().map(|x| factor * x).collect()
}

/// `a x + b y`.
pub fn combined(a: f64, x: &[f64], b: f64, y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| a * x + b * y).collect()
}

/// The gradient of `value` by a difference quotient of fourth order: truncation `h^4`, rounding `1e-16 / h`.
pub fn gradient(at: &[f64], h: f64, value: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let shifted = |i: usize, by: f64| {
        let mut at = at.to_vec();
        at[i] += by;
        value(&at)
    };
    (0..at.len()).map(|i| slope(h, |by| shifted(i, by))).collect()
}

/// The slope of `value` at 0 by the same quotient.
pub fn slope(h: f64, value: impl Fn(f64) -> f64) -> f64 {
    (8.0 * (value(h) - value(-h)) - (value(2.0 * h) - value(-2.0 * h))) / (12.0 * h)
}

/// `E[X_j; S > 0]` and `E[S X_j; S > 0]` for Gaussian data with this first row, `S = <w,X>`, by integrating over the value of `X_j`.
///
/// Given `X_j = x` the preactivation is normal with mean `b x`, `b = (S w)_j`, and variance `w'Sw - b^2`.
pub fn gated_by_site(row: &[f64], w: &[f64], j: usize) -> [f64; 2] {
    let b = circulant_apply(row, w)[j];
    let std = (form(row, w, w) - b * b).max(0.0).sqrt();
    let first = normal_expectation(|x| x * normal_cdf(b * x / std), &[0.0]);
    let second = normal_expectation(
        |x| x * (b * x * normal_cdf(b * x / std) + std * normal_pdf(b * x / std)),
        &[0.0],
    );
    [first.value, second.value]
}

/// The Ising ring of few sites: every state with its probability.
pub struct Spins {
    states: Vec<(Vec<f64>, f64)>,
}

impl Spins {
    /// Probabilities proportional to `exp(J sum x_i x_{i+1})`.
    pub fn new(n: usize, coupling: f64) -> Self {
        let state = |bits: usize| -> Vec<f64> {
            (0..n).map(|i| if bits >> i & 1 == 1 { 1.0 } else { -1.0 }).collect()
        };
        let weight = |x: &[f64]| {
            let bonds: f64 = (0..n).map(|i| x[i] * x[(i + 1) % n]).sum();
            libm::exp(coupling * bonds)
        };
        let weighed = |x: Vec<f64>| {
            let weight = weight(&x);
            (x, weight)
        };
        let mut states: Vec<(Vec<f64>, f64)> = (0..1 << n).map(state).map(weighed).collect();
        let total: f64 = states.iter().map(|(_, p)| p).sum();
        for (_, p) in &mut states {
            *p /= total;
        }
        Self { states }
    }

    /// The expectation of a number.
    pub fn mean(&self, of: impl Fn(&[f64]) -> f64) -> f64 {
        self.states.iter().map(|(x, p)| p * of(x)).sum()
    }

    /// The expectation of `factor(S) X` with `S = <w,x>`.
    pub fn mean_of_site(&self, w: &[f64], factor: impl Fn(f64) -> f64) -> Vec<f64> {
        (0..w.len()).map(|j| self.mean(|x| factor(dot(w, x)) * x[j])).collect()
    }
}
