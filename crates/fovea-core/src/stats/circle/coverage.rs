//! The share of a circle that lies near some point.

use super::{Null, gaps, power};

/// The share of a circle within `radius` of some of the points.
///
/// ```
/// use fovea_core::stats::circle::coverage;
/// assert!((coverage(&[0.0, 1.0], 1.0, 10.0) - 0.3).abs() < 1e-15);
/// ```
pub fn coverage(points: &[f64], radius: f64, period: f64) -> f64 {
    gaps(points, period).iter().map(|gap| gap.min(2.0 * radius)).sum::<f64>() / period
}

/// The covered share for `count` uniform points.
///
/// One arc of share $`\ell = 2r/n`$ leaves out a place with chance $`1-\ell`$, and two places a share `d` apart with chance
/// $`1-\ell-d`$ where their surroundings overlap ($`d < \ell`$) and $`1-2\ell`$ where they do not, so with
/// $`q = \max(0, 1-2\ell)`$ the share `V` left out has (Robbins, Annals of Mathematical Statistics 15, 70, 1944)
///
/// ```math
/// E V = (1-\ell)^K,\qquad E V^2 = \int_0^1 P(0, d)\,dd = \frac{2[(1-\ell)^{K+1}-q^{K+1}]}{K+1} + q^{K+1}.
/// ```
pub fn coverage_null(count: usize, radius: f64, period: f64) -> Null {
    let arc = (2.0 * radius / period).clamp(0.0, 1.0);
    let (one, two) = (1.0 - arc, (1.0 - 2.0 * arc).max(0.0));
    let out = power(one, count);
    let (near, far) = (power(one, count + 1), power(two, count + 1));
    let square = 2.0 * (near - far) / (count as f64 + 1.0) + far;
    Null::from_moments(1.0 - out, square - out * out)
}

#[cfg(test)]
mod tests {
    use super::super::sampled::{obey, values};
    use super::*;

    #[test]
    fn arcs_that_meet_are_counted_once_and_long_ones_cover_all() {
        assert!((coverage(&[9.5, 0.5, 5.0], 1.0, 10.0) - 0.5).abs() < 1e-14);
        assert!((coverage(&[3.0], 6.0, 10.0) - 1.0).abs() < 1e-15);
        assert!(coverage(&[], 6.0, 10.0).abs() < 1e-15);
        assert!((coverage(&[0.0, 2.5, 5.0, 7.5], 1.25, 10.0) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn one_arc_and_no_arc_leave_no_choice() {
        for (count, radius, share) in [(1, 1.5, 0.3), (0, 1.5, 0.0), (1, 3.5, 0.7), (4, 5.0, 1.0)] {
            let null = coverage_null(count, radius, 10.0);
            assert!((null.mean - share).abs() < 1e-15 && null.sd < 1e-7, "{count}: {null:?}");
        }
    }

    #[test]
    fn uniform_arcs_cover_what_the_null_says() {
        for (count, radius) in [(2, 0.1), (3, 0.3), (5, 0.05), (12, 0.04), (40, 0.02)] {
            let of = |x: &[f64]| coverage(x, radius, 1.0);
            obey(&values(module_path!(), count, 6000, of), coverage_null(count, radius, 1.0), 5);
        }
    }
}
