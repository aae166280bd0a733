//! A summary of the repeats of a row.

use fovea_core::stats::{StatsError, quantile};

/// Best, middle and spread of the repeats of one rate.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The highest.
    pub best: f64,
    /// The median.
    pub median: f64,
    /// Upper minus lower quartile.
    pub spread: f64,
    /// Every repeat, in order.
    pub repeats: Vec<f64>,
}

impl Summary {
    /// A summary of numbers, the highest of which is the best.
    ///
    /// # Errors
    /// No numbers, or one that is not finite.
    pub fn of(repeats: Vec<f64>) -> Result<Self, StatsError> {
        let [low, median, high, best] =
            [0.25, 0.5, 0.75, 1.0].map(|level| quantile(&repeats, level));
        Ok(Self { best: best?, median: median?, spread: high? - low?, repeats })
    }

    /// The spread as a share of the median.
    pub fn relative_spread(&self) -> f64 {
        self.spread / self.median
    }
}
