//! The iteration.

use super::svd::{Svd, svd};
use super::{Fit, Problem};
use crate::work;

/// Steps tried from one start.
const STEPS: usize = 150;
/// Of several starts, steps after which the best are chosen, and how many of them.
const FEW: usize = 12;
const FINALISTS: usize = 2;
/// Damping at the start, relative to the largest singular value squared, and the largest damping.
const DAMPING: (f64, f64) = (1e-3, 1e14);
/// A step that promises less than this share of the sum of squares is not taken: it turns the residual by less than 1e-9.
const PROMISE: f64 = 1e-18;
/// Singular values of the scaled Jacobian below this share of the largest count as zero.
const RANK: f64 = 1e-10;
/// Sums of squares closer than this are equal to rounding.
const ROUNDING: f64 = 1.0 + 16.0 * f64::EPSILON;

/// The best fit found by descent from `start`, which is moved inside the bounds first.
///
/// ```
/// use fovea_core::fit::{Problem, least_squares};
/// // The mean minimises the sum of squares.
/// let numbers = [1.0, 2.0, 6.0];
/// let model = |p: &[f64], r: &mut [f64], jacobian: &mut [f64]| {
///     for (r, x) in r.iter_mut().zip(numbers) {
///         *r = p[0] - x;
///     }
///     jacobian.fill(1.0);
/// };
/// let problem = Problem { residuals: 3, bounds: &[(-10.0, 10.0)], floor: 0.0, model: &model };
/// let fit = least_squares(&problem, &[0.0]);
/// assert!((fit.params[0] - 3.0).abs() < 1e-8 && (fit.rss - 14.0).abs() < 1e-12);
/// // s^2 = 14/2, divided by three numbers.
/// assert!((fit.std_errors()[0] - (7.0_f64 / 3.0).sqrt()).abs() < 1e-12);
/// ```
pub fn least_squares(problem: &Problem<'_>, start: &[f64]) -> Fit {
    let mut walk = Walk::new(problem, start);
    walk.on(problem, STEPS);
    walk.finish()
}

/// The best of several starts: each is followed for a few steps, and the two lowest then to the end. `None` without a start.
pub fn best_of(problem: &Problem<'_>, starts: &[Vec<f64>]) -> Option<Fit> {
    let followed = |mut walk: Walk, steps: usize| {
        walk.on(problem, steps);
        walk
    };
    let mut walks: Vec<Walk> =
        starts.iter().map(|start| followed(Walk::new(problem, start), FEW)).collect();
    walks.sort_by(|a, b| a.at.rss.total_cmp(&b.at.rss));
    let ends = walks.into_iter().take(FINALISTS).map(|walk| followed(walk, STEPS));
    ends.reduce(|best, next| if next.at.rss < best.at.rss { next } else { best }).map(Walk::finish)
}

/// The descent from one start.
struct Walk {
    at: Point,
    damping: f64,
    iterations: usize,
    converged: bool,
}

impl Walk {
    fn new(problem: &Problem<'_>, start: &[f64]) -> Self {
        let at = Point::new(problem, start.to_vec());
        Self { at, damping: DAMPING.0, iterations: 0, converged: false }
    }

    /// Continues until no step improves the fit, or `steps` steps have been tried in all.
    fn on(&mut self, problem: &Problem<'_>, steps: usize) {
        while self.iterations < steps && !self.converged {
            let (free, scale) = self.at.free(problem.bounds);
            let split = self.at.decompose(&free, &scale);
            let top = split.values.iter().fold(0.0, |m: f64, s| m.max(s * s));
            let real =
                split.values.iter().zip(&split.ub).filter(|(s, _)| **s * **s > RANK * RANK * top);
            let promised: f64 = real.map(|(_, u)| u * u).sum();
            if self.at.rss <= problem.floor || promised <= PROMISE * self.at.rss {
                self.converged = true;
                return;
            }
            self.converged = true;
            while self.iterations < steps && self.damping < DAMPING.1 {
                work::poll();
                self.iterations += 1;
                let mut next = self.at.params.clone();
                for (place, j) in free.iter().enumerate() {
                    next[*j] -= split.step(place, self.damping * top) / scale[place];
                }
                let next = Point::new(problem, next);
                // Near the minimum a good step changes the sum of squares by less than its rounding.
                if next.rss <= self.at.rss * ROUNDING {
                    self.damping = (self.damping * 0.1).max(RANK * RANK);
                    (self.at, self.converged) = (next, false);
                    break;
                }
                self.damping *= 10.0;
            }
            // No step improved the fit, unless the steps ran out first.
            self.converged &= self.damping >= DAMPING.1;
        }
    }

    fn finish(self) -> Fit {
        self.at.finish(self.iterations, self.converged)
    }
}

/// Parameters with their residuals and Jacobian.
struct Point {
    params: Vec<f64>,
    residuals: Vec<f64>,
    jacobian: Vec<f64>,
    rss: f64,
}

impl Point {
    /// The parameters are moved inside the bounds first.
    fn new(problem: &Problem<'_>, mut params: Vec<f64>) -> Self {
        for (x, (low, high)) in params.iter_mut().zip(problem.bounds) {
            *x = if x.is_finite() { x.clamp(*low, *high) } else { *low };
        }
        let mut residuals = vec![0.0; problem.residuals];
        let mut jacobian = vec![0.0; problem.residuals * params.len()];
        (problem.model)(&params, &mut residuals, &mut jacobian);
        let rss: f64 = residuals.iter().map(|r| r * r).sum();
        let rss = if rss.is_finite() { rss } else { f64::INFINITY };
        Self { params, residuals, jacobian, rss }
    }

    fn column(&self, j: usize) -> &[f64] {
        let m = self.residuals.len();
        &self.jacobian[j * m..(j + 1) * m]
    }

    /// The parameters that are not held by a bound, and the lengths of their columns.
    fn free(&self, bounds: &[(f64, f64)]) -> (Vec<usize>, Vec<f64>) {
        let held = |j: usize| {
            let slope: f64 = self.column(j).iter().zip(&self.residuals).map(|(a, r)| a * r).sum();
            let (low, high) = bounds[j];
            (self.params[j] <= low && slope >= 0.0) || (self.params[j] >= high && slope <= 0.0)
        };
        let length = |j: usize| self.column(j).iter().map(|a| a * a).sum::<f64>().sqrt();
        let free = (0..self.params.len()).map(|j| (j, length(j)));
        free.filter(|(j, length)| length.is_finite() && *length > 0.0 && !held(*j)).unzip()
    }

    /// The singular values of some columns, each scaled to length 1.
    fn decompose(&self, columns: &[usize], scale: &[f64]) -> Svd {
        let scaled = columns.iter().zip(scale);
        let scaled: Vec<f64> =
            scaled.flat_map(|(j, s)| self.column(*j).iter().map(move |a| a / s)).collect();
        if scaled.is_empty() {
            return Svd { values: Vec::new(), v: Vec::new(), ub: Vec::new() };
        }
        svd(&scaled, &self.residuals)
    }

    fn finish(self, iterations: usize, converged: bool) -> Fit {
        let (m, p) = (self.residuals.len(), self.params.len());
        let lengths = (0..p).map(|j| self.column(j).iter().map(|a| a * a).sum::<f64>().sqrt());
        let (columns, scale): (Vec<usize>, Vec<f64>) =
            lengths.enumerate().filter(|(_, length)| length.is_finite() && *length > 0.0).unzip();
        let split = self.decompose(&columns, &scale);
        let top = split.values.iter().copied().fold(0.0, f64::max);
        let rank = split.values.iter().filter(|s| **s > RANK * top).count();
        let variance =
            if m > rank && self.rss.is_finite() { self.rss / (m - rank) as f64 } else { 0.0 };
        let mut undetermined = vec![true; p];
        let mut covariance = vec![0.0; p * p];
        let q = columns.len();
        for (a, j) in columns.iter().enumerate() {
            // A parameter is determined if it has no part in a direction without a singular value.
            let part = |s: usize| split.v[s * q + a].abs() > 1e-6 && split.values[s] <= RANK * top;
            undetermined[*j] = (0..q).any(part);
            for (b, k) in columns.iter().enumerate() {
                let terms = (0..q).filter(|s| split.values[*s] > RANK * top).map(|s| {
                    let (u, w) = (
                        split.v[s * q + a] / split.values[s],
                        split.v[s * q + b] / split.values[s],
                    );
                    u * w
                });
                covariance[j * p + k] = variance * terms.sum::<f64>() / scale[a] / scale[b];
            }
        }
        Fit {
            params: self.params,
            rss: self.rss,
            covariance,
            undetermined,
            iterations,
            converged,
            rank,
        }
    }
}

impl Svd {
    /// One entry of `V diag(s / (s^2 + damping)) U' b`.
    fn step(&self, place: usize, damping: f64) -> f64 {
        let p = self.values.len();
        let term = |s: usize| {
            let value = self.values[s];
            let below = value * value + damping;
            if below > 0.0 { self.v[s * p + place] * value / below * self.ub[s] } else { 0.0 }
        };
        (0..p).map(term).sum()
    }
}
