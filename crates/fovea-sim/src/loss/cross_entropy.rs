//! Cross-entropy: logistic for one output, softmax for several.
//!
//! Both are computed so that no exponential overflows: `ln(1 + e^y) = max(y, 0) + ln(1 + e^-|y|)`, and the softmax is
//! taken relative to the largest output.

use super::{Entry, Loss};
use fovea_core::lanes::{BLOCK, LANES, Real};

/// `ln(1 + e^y) - t y` for one output, `ln sum_o e^(y_o) - sum_o t_o y_o` for several.
#[derive(Debug)]
pub struct CrossEntropy;

impl Loss for CrossEntropy {
    #[inline(always)]
    fn errors<T: Real>(
        y: &mut [[T; BLOCK]],
        target: &[[T; BLOCK]],
        used: usize,
        total: &mut [T; LANES],
    ) {
        if y.len() == 1 {
            logistic(&mut y[0], &target[0], used, total);
        } else {
            softmax(y, target, used, total);
        }
    }

    #[inline(always)]
    fn one<T: Real>(y: T, target: T) -> (T, T) {
        let small = (-y.abs()).exp();
        let positive = if y > T::ZERO { y } else { T::ZERO };
        let upper = T::ONE / (T::ONE + small);
        let probability = if y > T::ZERO { upper } else { small * upper };
        (positive + (T::ONE + small).ln() - target * y, probability - target)
    }
}

#[inline(always)]
fn logistic<T: Real>(y: &mut [T; BLOCK], target: &[T; BLOCK], used: usize, total: &mut [T; LANES]) {
    for l in 0..BLOCK {
        let (loss, slope) = CrossEntropy::one(y[l], target[l]);
        total[l % LANES] = total[l % LANES] + if l < used { loss } else { T::ZERO };
        y[l] = if l < used { slope } else { T::ZERO };
    }
}

#[inline(always)]
fn softmax<T: Real>(
    y: &mut [[T; BLOCK]],
    target: &[[T; BLOCK]],
    used: usize,
    total: &mut [T; LANES],
) {
    let mut largest = y[0];
    for row in y.iter() {
        for l in 0..BLOCK {
            largest[l] = if row[l] > largest[l] { row[l] } else { largest[l] };
        }
    }
    let (mut sum, mut matched) = ([T::ZERO; BLOCK], [T::ZERO; BLOCK]);
    for (row, target) in y.iter_mut().zip(target) {
        for l in 0..BLOCK {
            let height = row[l] - largest[l];
            matched[l] = target[l].fma(height, matched[l]);
            row[l] = height.exp();
            sum[l] = sum[l] + row[l];
        }
    }
    for l in 0..BLOCK {
        let loss = sum[l].ln() - matched[l];
        total[l % LANES] = total[l % LANES] + if l < used { loss } else { T::ZERO };
    }
    for (row, target) in y.iter_mut().zip(target) {
        for l in 0..BLOCK {
            row[l] = if l < used { row[l] / sum[l] - target[l] } else { T::ZERO };
        }
    }
}

/// `ln(1 + e^-|y|)` and the logistic function of `y`.
fn logistic_parts(y: f64) -> (f64, f64) {
    let small = libm::exp(-y.abs());
    let upper = 1.0 / (1.0 + small);
    (libm::log1p(small), if y > 0.0 { upper } else { small * upper })
}

/// Outputs relative to the largest one, and the logarithm of the sum of their exponentials.
fn relative(y: &[f64]) -> (Vec<f64>, f64) {
    let largest = y.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let heights: Vec<f64> = y.iter().map(|y| y - largest).collect();
    let log_sum = libm::log(heights.iter().map(|h| libm::exp(*h)).sum());
    (heights, log_sum)
}

/// The registry entry.
pub const ENTRY: Entry = Entry {
    name: "cross-entropy",
    summary: "cross-entropy: logistic for one output (labels 1 and 0), softmax for one-hot targets",
    value: |y, t| {
        if let [y] = y {
            return y.max(0.0) + logistic_parts(*y).0 - t[0] * y;
        }
        let (heights, log_sum) = relative(y);
        // An output whose target is 0 costs nothing, however low it is.
        let wanted = heights.iter().zip(t).filter(|(_, t)| **t > 0.0);
        log_sum - wanted.map(|(h, t)| t * h).sum::<f64>()
    },
    slope: |y, t| {
        if let [y] = y {
            return vec![logistic_parts(*y).1 - t[0]];
        }
        let (heights, log_sum) = relative(y);
        heights.iter().zip(t).map(|(h, t)| libm::exp(h - log_sum) - t).collect()
    },
    probabilities: true,
    squared: false,
};
