//! Statistics of points on a circle or a torus, and their values for random points.
//!
//! Positions are real numbers on a circle of circumference `period`, or on a torus of two such circles; a position
//! outside `0..period` is wrapped. The null of every statistic is the same: the points are independent
//! and uniform. Means and standard deviations of the nulls are exact for every number of points unless a function says
//! otherwise, so that even a few points can be judged without an asymptotic formula.

mod coverage;
mod rayleigh;
mod spacing;
pub mod torus;

pub use coverage::{coverage, coverage_null};
pub use rayleigh::{Rayleigh, rayleigh, rayleigh_p};
pub use spacing::{gaps, greenwood, greenwood_null, nearest, nearest_null};

/// Mean and standard deviation of a statistic of independent uniform points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Null {
    /// The mean.
    pub mean: f64,
    /// The standard deviation; zero where the statistic does not depend on the points.
    pub sd: f64,
}

impl Null {
    fn from_moments(mean: f64, variance: f64) -> Self {
        Self { mean, sd: variance.max(0.0).sqrt() }
    }

    /// The distance of a value above the mean in standard deviations; zero if the null has no spread.
    pub fn z(&self, value: f64) -> f64 {
        if self.sd > 0.0 { (value - self.mean) / self.sd } else { 0.0 }
    }
}

/// A position wrapped to `0..period`.
fn wrapped(x: f64, period: f64) -> f64 {
    let inside = x - period * (x / period).floor();
    if inside < period { inside } else { 0.0 }
}

/// The integer power by repeated squaring, so that it has the same digits everywhere.
fn power(base: f64, exponent: usize) -> f64 {
    let (mut result, mut square, mut left) = (1.0, base, exponent);
    while left > 0 {
        if left % 2 == 1 {
            result *= square;
        }
        square *= square;
        left /= 2;
    }
    result
}

#[cfg(test)]
mod sampled {
    use crate::agree::{agrees, test_seed};
    use crate::stats::Estimate;
    use crate::streams::Streams;

    /// `draws` values of a statistic of `count` uniform numbers in (0, 1).
    pub(super) fn values(
        path: &str,
        count: usize,
        draws: u64,
        of: impl Fn(&[f64]) -> f64,
    ) -> Vec<f64> {
        let stream = Streams::new(test_seed(path, count as u64)).named("points");
        let one = |draw: u64| {
            let mut rng = stream.block(draw, 0);
            let mut points: Vec<f64> = Vec::new();
            while points.len() < count {
                points.extend(rng.uniforms());
            }
            of(&points[..count])
        };
        (0..draws).map(one).collect()
    }

    /// Compares mean and mean square around the null's mean with the null; a null of another mean or spread is rejected.
    pub(super) fn obey(values: &[f64], null: super::Null, family: usize) {
        let mean = Estimate::from_samples(values).unwrap();
        let squares: Vec<f64> = values.iter().map(|v| (v - null.mean) * (v - null.mean)).collect();
        let spread = Estimate::from_samples(&squares).unwrap();
        agrees(&mean, null.mean, 2 * family).unwrap();
        agrees(&spread, null.sd * null.sd, 2 * family).unwrap();
        assert!(agrees(&mean, null.mean + 0.3 * null.sd, 2 * family).is_err());
        assert!(agrees(&spread, 1.3 * null.sd * null.sd, 2 * family).is_err());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_wrap_and_powers_are_products() {
        assert!((wrapped(-1.0, 40.0) - 39.0).abs() < 1e-13);
        assert!((wrapped(81.5, 40.0) - 1.5).abs() < 1e-13);
        assert!(wrapped(-1e-18, 40.0) < 40.0 && wrapped(40.0, 40.0).abs() < 1e-13);
        assert!((power(1.1, 5) - 1.1 * 1.1 * 1.1 * 1.1 * 1.1).abs() < 1e-15);
        assert!((power(0.0, 0) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn a_null_without_spread_says_nothing() {
        assert!((Null { mean: 1.0, sd: 0.5 }.z(2.0) - 2.0).abs() < 1e-15);
        assert!(Null { mean: 1.0, sd: 0.0 }.z(2.0).abs() < 1e-15);
    }
}
