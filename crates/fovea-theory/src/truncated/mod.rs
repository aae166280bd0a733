//! Moments of data cut off by a half-space.

use crate::Form;
use fovea_core::special::{normal_pdf, normal_sf};

fovea_core::registry! { "src/truncated": Form; gaussian, mean, folded_mean, second_given, second_parts }

/// A standard normal variable beyond a point.
pub(crate) struct Tail {
    /// Its probability.
    pub(crate) probability: f64,
    /// Its mean, the hazard $`\lambda`$.
    pub(crate) mean: f64,
    /// The distance of the mean beyond the point, $`\lambda-\tau`$.
    pub(crate) over: f64,
    /// The lost variance, $`\lambda(\lambda-\tau)`$.
    pub(crate) lost: f64,
    /// The remaining variance, to its own relative accuracy.
    pub(crate) left: f64,
}

impl Tail {
    pub(crate) fn beyond(tau: f64) -> Self {
        if tau < -40.0 {
            // The density underflows: nothing is cut off.
            return Self { probability: 1.0, mean: 0.0, over: -tau, lost: 0.0, left: 1.0 };
        }
        let probability = normal_sf(tau);
        if tau < 4.0 {
            let mean = normal_pdf(tau) / probability;
            let (over, lost) = (mean - tau, mean * (mean - tau));
            return Self { probability, mean, over, lost, left: 1.0 - lost };
        }
        // Laplace's fraction, lambda - tau = 1/(tau + 2/(tau + 3/(tau + ...))): no quotient of vanishing numbers.
        let inner = (2..=120).rev().fold(0.0, |rest, k| f64::from(k) / (tau + rest));
        let over = 1.0 / (tau + inner);
        // 1 - lambda (lambda - tau) = over (inner - over), because over (tau + inner) = 1.
        let left = over * (inner - over);
        Self { probability, mean: tau + over, over, lost: 1.0 - left, left }
    }
}
