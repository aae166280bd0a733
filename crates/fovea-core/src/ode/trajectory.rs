//! A solution that can be read at any time, by the continuous extension of the method.

use super::OdeError;

/// The solution of an initial-value problem between two times.
///
/// Inside a step it is a polynomial of degree four that matches the states and velocities at both ends.
#[derive(Clone, Debug)]
pub struct Trajectory {
    dim: usize,
    /// The ends of the steps: one more than there are steps.
    times: Vec<f64>,
    /// The states at those times, one after the other.
    states: Vec<f64>,
    /// Four vectors of coefficients per step, in addition to its first state.
    dense: Vec<f64>,
    evaluations: usize,
}

impl Trajectory {
    /// A trajectory without any step.
    pub(super) fn starting(t0: f64, y0: &[f64]) -> Self {
        let (times, states) = (vec![t0], y0.to_vec());
        Self { dim: y0.len(), times, states, dense: Vec::new(), evaluations: 0 }
    }

    /// Appends a step that ends at `t` in the state `y`.
    pub(super) fn push(&mut self, t: f64, y: &[f64], dense: &[f64]) {
        self.times.push(t);
        self.states.extend_from_slice(y);
        self.dense.extend_from_slice(dense);
    }

    /// Stores how often the right-hand side was called.
    pub(super) fn count(&mut self, evaluations: usize) {
        self.evaluations += evaluations;
    }

    /// The times between which the solver stepped, from start to end.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The state at the `i`-th of the [`times`](Self::times), if there is one.
    pub fn state(&self, i: usize) -> Option<&[f64]> {
        (i < self.times.len()).then(|| &self.states[i * self.dim..(i + 1) * self.dim])
    }

    /// The state at the end.
    pub fn last(&self) -> &[f64] {
        &self.states[self.states.len() - self.dim..]
    }

    /// The number of accepted steps.
    pub fn steps(&self) -> usize {
        self.times.len() - 1
    }

    /// How often the right-hand side was called.
    pub fn evaluations(&self) -> usize {
        self.evaluations
    }

    /// The state at any time between start and end, accurate to the fourth order.
    ///
    /// # Errors
    /// A time outside the trajectory by more than rounding.
    pub fn at(&self, t: f64) -> Result<Vec<f64>, OdeError> {
        let (start, end) = (self.times[0], self.times[self.times.len() - 1]);
        let slack = 8.0 * f64::EPSILON * start.abs().max(end.abs());
        let (low, high) = (start.min(end), start.max(end));
        if !(low - slack <= t && t <= high + slack) {
            return Err(OdeError::OutsideTrajectory { t, start, end });
        }
        if self.steps() == 0 {
            return Ok(self.states.clone());
        }
        // The first step that does not end before t; the times decrease when integrating backward.
        let before = |s: &f64| if start <= end { *s < t } else { *s > t };
        let step = self.times[1..].partition_point(before).min(self.steps() - 1);
        let share = (t - self.times[step]) / (self.times[step + 1] - self.times[step]);
        let share = share.clamp(0.0, 1.0);
        let rest = 1.0 - share;
        let from = &self.states[step * self.dim..];
        let dense = &self.dense[4 * step * self.dim..];
        let coefficient = |j: usize, i: usize| dense[j * self.dim + i];
        let value = |i: usize| {
            let inner = coefficient(2, i) + rest * coefficient(3, i);
            from[i] + share * (coefficient(0, i) + rest * (coefficient(1, i) + share * inner))
        };
        Ok((0..self.dim).map(value).collect())
    }
}
