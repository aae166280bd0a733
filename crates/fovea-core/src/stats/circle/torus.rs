//! Points on a two-dimensional torus: nearest neighbours, and sites near some point.

use super::{Null, power, wrapped};
use crate::quadrature::adaptive_split;
use std::f64::consts::PI;

/// Distance of two points on a torus with these sides.
pub fn distance(a: [f64; 2], b: [f64; 2], sides: [f64; 2]) -> f64 {
    let along = |axis: usize| {
        let gap = wrapped(a[axis] - b[axis], sides[axis]);
        gap.min(sides[axis] - gap)
    };
    libm::hypot(along(0), along(1))
}

/// The area within `radius` of a point of a torus: a disc, less the part that wraps around.
pub fn disc(radius: f64, sides: [f64; 2]) -> f64 {
    let [h, k] = [0.5 * sides[0], 0.5 * sides[1]];
    if radius >= libm::hypot(h, k) {
        return sides[0] * sides[1];
    }
    // The height of the disc over x is the smaller of k and the circle's; F is the integral of the circle's.
    let square = radius * radius;
    let circle = |x: f64| {
        let share = if radius > 0.0 { (x / radius).min(1.0) } else { 0.0 };
        0.5 * (x * (square - x * x).max(0.0).sqrt() + square * libm::asin(share))
    };
    let flat = (square - k * k).max(0.0).sqrt().min(h);
    4.0 * (k * flat + circle(radius.min(h)) - circle(flat))
}

/// The distance from a point to the nearest other point, averaged over the points; 0 for fewer than two points.
pub fn nearest(points: &[[f64; 2]], sides: [f64; 2]) -> f64 {
    if points.len() < 2 {
        return 0.0;
    }
    let of = |at: usize| {
        let others = points.iter().enumerate().filter(|(other, _)| *other != at);
        others.map(|(_, p)| distance(points[at], *p, sides)).fold(f64::INFINITY, f64::min)
    };
    (0..points.len()).map(of).sum::<f64>() / points.len() as f64
}

/// The mean distance to the nearest neighbour of `count` uniform points.
///
/// The mean is exact, $`\int_0^\infty (1 - A(d)/A)^{K-1}\,dd`$ with [`disc`] for `A(d)`. The standard deviation is exact for
/// two points, which have one distance; from three on it is $`\sqrt{0.0703\,A}/K`$, the value for many points (Donnelly 1978,
/// without his edge), which is within 1 % on a square torus from three points on, as a test measures. Fewer than two points
/// have mean and spread 0.
pub fn nearest_null(count: usize, sides: [f64; 2]) -> Null {
    const MANY: f64 = 0.0703;
    if count < 2 {
        return Null { mean: 0.0, sd: 0.0 };
    }
    let area = sides[0] * sides[1];
    let far = 0.5 * libm::hypot(sides[0], sides[1]);
    let corners = [0.0, 0.5 * sides[0], 0.5 * sides[1], far];
    let beyond = |d: f64| power((1.0 - disc(d, sides) / area).max(0.0), count - 1);
    let mean = adaptive_split(beyond, &corners, 1e-10).value;
    let variance = if count == 2 {
        adaptive_split(|d| 2.0 * d * beyond(d), &corners, 1e-10).value - mean * mean
    } else {
        MANY * area / (count as f64 * count as f64)
    };
    Null::from_moments(mean, variance)
}

/// The share of the sites of a torus (whole coordinates) within `radius` of some point.
pub fn coverage(points: &[[f64; 2]], radius: f64, shape: [usize; 2]) -> f64 {
    let sides = shape.map(|side| side as f64);
    let near = |site: usize| {
        let place = [(site / shape[1]) as f64, (site % shape[1]) as f64];
        points.iter().any(|p| distance(place, *p, sides) <= radius)
    };
    let sites = shape[0] * shape[1];
    (0..sites).filter(|site| near(*site)).count() as f64 / sites as f64
}

/// The covered share of the sites for `count` uniform points, exact while the disc of this radius does not wrap around (its
/// diameter is at most the shorter side); beyond that only the mean is exact.
///
/// As on the circle: one disc leaves out a site with chance $`1-a`$, $`a = \pi r^2/A`$, and two sites with chance
/// $`1 - 2a + \text{overlap}`$ of the discs around them; the mean square is the mean over all differences of sites.
pub fn coverage_null(count: usize, radius: f64, shape: [usize; 2]) -> Null {
    let sides = shape.map(|side| side as f64);
    let area = sides[0] * sides[1];
    let share = disc(radius, sides) / area;
    let out = power(1.0 - share, count);
    let square = |site: usize| {
        let difference = [(site / shape[1]) as f64, (site % shape[1]) as f64];
        let images = (0..4).map(|image| {
            let along = |axis: usize, wind: usize| difference[axis] - wind as f64 * sides[axis];
            lens(libm::hypot(along(0, image / 2), along(1, image % 2)), radius)
        });
        let overlap = (images.sum::<f64>() / area).min(share);
        power((1.0 - 2.0 * share + overlap).max(0.0), count)
    };
    let sites = shape[0] * shape[1];
    let mean_square = (0..sites).map(square).sum::<f64>() / sites as f64;
    Null::from_moments(1.0 - out, mean_square - out * out)
}

/// The common area of two discs of one radius whose centres are this far apart.
fn lens(distance: f64, radius: f64) -> f64 {
    if radius <= 0.0 || distance >= 2.0 * radius {
        return 0.0;
    }
    let half = 0.5 * distance;
    let chord = (radius * radius - half * half).max(0.0).sqrt();
    2.0 * (radius * radius * libm::acos((half / radius).min(1.0)) - half * chord)
}

/// The radius of a disc of this area.
pub fn radius_of(area: f64) -> f64 {
    (area / PI).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::sampled::{obey, values};
    use super::*;
    use crate::agree::agrees;
    use crate::stats::Estimate;

    fn pairs(x: &[f64], sides: [f64; 2]) -> Vec<[f64; 2]> {
        x.chunks(2).map(|p| [p[0] * sides[0], p[1] * sides[1]]).collect()
    }

    #[test]
    fn discs_are_whole_until_they_wrap_and_fill_the_torus_at_last() {
        assert!((disc(1.5, [4.0, 6.0]) - PI * 2.25).abs() < 1e-13);
        assert!((disc(9.0, [4.0, 6.0]) - 24.0).abs() < 1e-13);
        // Radius 2.5 on sides 4 and 6: the caps beyond x = 2 are cut off on both sides.
        let cap = 6.25 * libm::acos(0.8) - 2.0 * 1.5;
        assert!((disc(2.5, [4.0, 6.0]) - (PI * 6.25 - 2.0 * cap)).abs() < 1e-12);
        assert!((disc(2.5, [6.0, 4.0]) - disc(2.5, [4.0, 6.0])).abs() < 1e-12);
        assert!(disc(0.0, [4.0, 6.0]).abs() < 1e-15);
    }

    #[test]
    fn constructed_points_have_their_distances_and_sites() {
        let corners = [[0.0, 0.0], [3.5, 5.5]];
        assert!((nearest(&corners, [4.0, 6.0]) - 0.5_f64.sqrt()).abs() < 1e-14);
        assert!(nearest(&corners[..1], [4.0, 6.0]).abs() < 1e-15);
        assert!((coverage(&[[0.0, 0.0]], 1.0, [4, 6]) - 5.0 / 24.0).abs() < 1e-15);
        assert!(coverage(&[], 1.0, [4, 6]).abs() < 1e-15);
        assert!((radius_of(PI) - 1.0).abs() < 1e-15);
        assert!((lens(0.0, 2.0) - 4.0 * PI).abs() < 1e-13 && lens(4.0, 2.0).abs() < 1e-15);
    }

    #[test]
    fn uniform_points_have_neighbours_as_far_as_the_null_says() {
        let sides = [1.0, 1.5];
        for count in [2, 3, 5, 12, 30] {
            let of = |x: &[f64]| nearest(&pairs(x, sides), sides);
            let draws = values(module_path!(), 2 * count, 4000, of);
            let null = nearest_null(count, sides);
            let mean = Estimate::from_samples(&draws).unwrap();
            agrees(&mean, null.mean, 5).unwrap();
            // A point that is its own neighbour would have a mean of K + 1 points.
            assert!(agrees(&mean, nearest_null(count + 1, sides).mean, 5).is_err());
        }
    }

    #[test]
    fn the_spread_for_many_points_serves_from_three_on() {
        for count in [2, 3, 8, 20] {
            let of = |x: &[f64]| nearest(&pairs(x, [1.0, 1.0]), [1.0, 1.0]);
            let draws = values(module_path!(), 2 * count, 6000, of);
            let null = nearest_null(count, [1.0, 1.0]);
            let squares: Vec<f64> =
                draws.iter().map(|v| (v - null.mean) * (v - null.mean)).collect();
            let spread = Estimate::from_samples(&squares).unwrap();
            let (allowed, gap) = (0.02 * null.sd * null.sd, spread.mean() - null.sd * null.sd);
            assert!(gap.abs() < allowed + 5.0 * spread.se(), "{count}: {} {}", gap, spread.se());
            let off = 1.3 * null.sd * null.sd;
            assert!((spread.mean() - off).abs() > allowed + 5.0 * spread.se(), "{count}");
        }
    }

    #[test]
    fn uniform_discs_cover_the_sites_the_null_says() {
        for (count, radius) in [(2, 1.6), (4, 2.9), (9, 1.2), (20, 1.0)] {
            let of = |x: &[f64]| coverage(&pairs(x, [6.0, 8.0]), radius, [6, 8]);
            let draws = values(module_path!(), 2 * count, 6000, of);
            obey(&draws, coverage_null(count, radius, [6, 8]), 4);
        }
    }
}
