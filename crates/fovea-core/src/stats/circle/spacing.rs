//! Gaps between neighbours on a circle.
//!
//! The gaps of K uniform points, in units of the circumference, are exponential variables divided by their sum, which is
//! uniform on the simplex. Every moment below follows from $`E[g_i g_j] = E[e_i e_j]/(K(K+1))`$.

use super::{Null, wrapped};

/// The gaps between neighbours on a circle, in order; they add up to `period`. A single point has the whole circle.
pub fn gaps(points: &[f64], period: f64) -> Vec<f64> {
    let mut sorted: Vec<f64> = points.iter().map(|x| wrapped(*x, period)).collect();
    sorted.sort_by(f64::total_cmp);
    let Some((first, last)) = sorted.first().zip(sorted.last()) else { return Vec::new() };
    let around = first + period - last;
    let mut gaps: Vec<f64> = sorted.windows(2).map(|pair| pair[1] - pair[0]).collect();
    gaps.push(around);
    gaps
}

/// Greenwood's statistic $`\sum_k (g_k/n)^2`$ of the gaps: `1/K` for equal gaps, 1 for points on one place, 0 for no point.
///
/// ```
/// use fovea_core::stats::circle::greenwood;
/// assert!((greenwood(&[0.0, 10.0, 20.0, 30.0], 40.0) - 0.25).abs() < 1e-15);
/// ```
pub fn greenwood(points: &[f64], period: f64) -> f64 {
    gaps(points, period).iter().map(|gap| (gap / period) * (gap / period)).sum()
}

/// Greenwood's statistic of `count` uniform points: mean $`2/(K+1)`$, variance $`4(K-1)/((K+1)^2(K+2)(K+3))`$.
///
/// Greenwood, Journal of the Royal Statistical Society 109, 85 (1946), with as many gaps as points because the circle closes.
pub fn greenwood_null(count: usize) -> Null {
    if count == 0 {
        return Null { mean: 0.0, sd: 0.0 };
    }
    let k = count as f64;
    let variance = 4.0 * (k - 1.0) / ((k + 1.0) * (k + 1.0) * (k + 2.0) * (k + 3.0));
    Null::from_moments(2.0 / (k + 1.0), variance)
}

/// The distance from a point to the nearest other point, averaged over the points; 0 for fewer than two points.
pub fn nearest(points: &[f64], period: f64) -> f64 {
    if points.len() < 2 {
        return 0.0;
    }
    let gaps = gaps(points, period);
    let before = gaps.iter().cycle().skip(gaps.len() - 1);
    gaps.iter().zip(before).map(|(a, b)| a.min(*b)).sum::<f64>() / gaps.len() as f64
}

/// The mean distance to the nearest neighbour of `count` uniform points: mean $`n/2K`$, variance $`n^2/(6K^2(K+1))`$.
///
/// A distance is the smaller of two exponential gaps, of mean 1/2 and mean square 1/2 before division by their sum; two
/// that share a gap have $`E[\min(a,b)\min(b,c)] = E(1-e^{-b})^2 = 1/3`$, all others 1/4. Two points have one distance,
/// uniform up to half a turn, of variance $`n^2/48`$. With fewer than two points mean and spread are 0.
pub fn nearest_null(count: usize, period: f64) -> Null {
    let k = count as f64;
    match count {
        0 | 1 => Null { mean: 0.0, sd: 0.0 },
        2 => Null::from_moments(period / 4.0, period * period / 48.0),
        _ => Null::from_moments(period / (2.0 * k), period * period / (6.0 * k * k * (k + 1.0))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sampled::{obey, values};
    use super::*;

    #[test]
    fn gaps_close_the_circle_wherever_the_points_are_counted_from() {
        let gaps = gaps(&[-1.0, 43.0, 12.0], 40.0);
        assert_eq!(gaps.len(), 3);
        for (gap, expected) in gaps.iter().zip([9.0, 27.0, 4.0]) {
            assert!((gap - expected).abs() < 1e-13, "{gaps:?}");
        }
        assert!((greenwood(&[7.0], 40.0) - 1.0).abs() < 1e-15);
        assert!((greenwood(&[7.0; 5], 40.0) - 1.0).abs() < 1e-15);
        assert!(greenwood(&[], 40.0).abs() < 1e-15);
    }

    #[test]
    fn neighbours_are_looked_for_on_both_sides() {
        assert!((nearest(&[0.0, 1.0, 4.0], 10.0) - (1.0 + 1.0 + 3.0) / 3.0).abs() < 1e-14);
        assert!((nearest(&[0.0, 9.0], 10.0) - 1.0).abs() < 1e-14);
        assert!(nearest(&[3.0], 10.0).abs() < 1e-15 && nearest(&[], 10.0).abs() < 1e-15);
    }

    /// All placements of three and four points on a fine grid, with the first at 0. The error is of order 1/grid.
    #[test]
    fn three_points_on_a_grid_have_the_moments_of_the_null() {
        const GRID: usize = 400;
        let all = |of: fn(&[f64], f64) -> f64| {
            let (mut first, mut second) = (0.0, 0.0);
            for (a, b) in (0..GRID).flat_map(|a| (0..GRID).map(move |b| (a, b))) {
                let value = of(&[0.0, a as f64 + 0.5, b as f64 + 0.25], GRID as f64);
                first += value;
                second += value * value;
            }
            let count = (GRID * GRID) as f64;
            (first / count, (second / count - first * first / count / count).sqrt())
        };
        let (mean, sd) = all(greenwood);
        let null = greenwood_null(3);
        assert!((mean - null.mean).abs() < 1e-4 && (sd - null.sd).abs() < 1e-4);
        let (mean, sd) = all(nearest);
        let null = nearest_null(3, GRID as f64);
        assert!((mean / null.mean - 1.0).abs() < 2e-3 && (sd / null.sd - 1.0).abs() < 2e-3);
    }

    #[test]
    fn uniform_points_obey_their_nulls() {
        for count in [2, 3, 4, 5, 9, 40] {
            let of = |x: &[f64]| greenwood(x, 1.0);
            obey(&values(module_path!(), count, 6000, of), greenwood_null(count), 12);
            let of = |x: &[f64]| nearest(x, 1.0);
            obey(&values(module_path!(), count, 6000, of), nearest_null(count, 1.0), 12);
        }
        assert_eq!(greenwood_null(1), Null { mean: 1.0, sd: 0.0 });
    }
}
