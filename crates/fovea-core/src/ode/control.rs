//! The size of the next step.

/// Proportional-integral control of the step size, with the constants of Hairer's DOPRI5.
pub(super) struct Control {
    previous: f64,
    rejected: bool,
}

impl Control {
    const SAFETY: f64 = 0.9;
    const BETA: f64 = 0.04;
    const EXPONENT: f64 = 0.2 - 0.75 * Self::BETA;
    const MOST: f64 = 10.0;
    const LEAST: f64 = 0.2;

    /// Before the first step.
    pub(super) fn new() -> Self {
        Self { previous: 1e-4, rejected: false }
    }

    /// The factor of the next step after one with `error <= 1`.
    pub(super) fn grow(&mut self, error: f64) -> f64 {
        let damped = libm::pow(error, -Self::EXPONENT) * libm::pow(self.previous, Self::BETA);
        // Right after a rejection the step may not grow: it has just been too long.
        let most = if self.rejected { 1.0 } else { Self::MOST };
        self.previous = error.max(1e-4);
        self.rejected = false;
        (Self::SAFETY * damped).clamp(Self::LEAST, most)
    }

    /// The factor of the next attempt after one with `error > 1`.
    pub(super) fn shrink(&mut self, error: f64) -> f64 {
        self.rejected = true;
        // An infinite or NaN error gives the largest reduction.
        (Self::SAFETY * libm::pow(error, -Self::EXPONENT)).max(Self::LEAST)
    }
}
