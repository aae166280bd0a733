//! The mean resultant length of points on a circle and its exact distribution.
//!
//! ```math
//! R = \frac1K\Big|\sum_{k=1}^K e^{2\pi i x_k/n}\Big|,\qquad
//! P(R\le r) = \sum_{m\ge 1}\frac{2\,r\,J_1(j_m r)\,J_0(j_m/K)^K}{j_m\,J_1(j_m)^2},
//! ```
//!
//! with $`j_m`$ the zeros of $`J_0`$. The sum is the Fourier-Bessel series of the planar walk of K unit steps in the disc of
//! radius K, which contains it: the coefficients are values of its characteristic function $`J_0^K`$ (Kluyver 1905; Greenwood
//! and Durand, Annals of Mathematical Statistics 26, 233, 1955). Terms decay as $`m^{-(K+1)/2}`$, so walks of three or fewer
//! steps are computed in closed form or by quadrature.

use crate::quadrature::adaptive_split;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Rayleigh's statistic of some points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rayleigh {
    /// Mean resultant length `R`: 1 if all points coincide, 0 for balanced points and for none. Its mean square for
    /// `K` uniform points is `1/K`.
    pub resultant: f64,
    /// `K R^2`, which has mean 1 for uniform points and is exponential for many.
    pub z: f64,
    /// The chance that uniform points have a resultant at least this long.
    pub p: f64,
}

/// Rayleigh's statistic of points on a circle.
///
/// ```
/// use fovea_core::stats::circle::rayleigh;
/// let together = rayleigh(&[3.0, 3.0, 3.0, 3.0], 40.0);
/// assert!((together.resultant - 1.0).abs() < 1e-15 && together.p < 1e-6);
/// ```
pub fn rayleigh(points: &[f64], period: f64) -> Rayleigh {
    let (mut cos, mut sin) = (0.0, 0.0);
    for x in points {
        let angle = TAU * (x / period);
        cos += libm::cos(angle);
        sin += libm::sin(angle);
    }
    let count = points.len();
    let resultant = (libm::hypot(cos, sin) / count.max(1) as f64).min(1.0);
    Rayleigh { resultant, z: count as f64 * resultant * resultant, p: rayleigh_p(count, resultant) }
}

/// The chance that `count` uniform points have a mean resultant length of at least `resultant`.
///
/// The series stops at 3000 terms: the rest is below 4e-6 for four points, 1e-7 for five and 1e-8 beyond. For no point and for
/// one point the chance is 1.
pub fn rayleigh_p(count: usize, resultant: f64) -> f64 {
    let r = resultant.clamp(0.0, 1.0);
    let below = match count {
        0 | 1 => 0.0,
        2 => libm::asin(r) / FRAC_PI_2,
        3 => three_steps(3.0 * r),
        _ => series(count, r),
    };
    (1.0 - below).clamp(0.0, 1.0)
}

/// The chance that three unit steps end within `s`: the first two reach $`2\cos u`$ with `u` uniform on a quarter turn.
fn three_steps(s: f64) -> f64 {
    let corner = |reach: f64| libm::acos((0.5 * reach.abs()).min(1.0));
    let within = |u: f64| {
        let reach = 2.0 * libm::cos(u);
        1.0 - libm::acos(((s * s - reach * reach - 1.0) / (2.0 * reach)).clamp(-1.0, 1.0)) / PI
    };
    let points = [0.0, FRAC_PI_2, corner(1.0 - s), corner(1.0 + s)];
    adaptive_split(within, &points, 1e-10).value / FRAC_PI_2
}

/// The Fourier-Bessel series, cut where its terms are negligible.
fn series(count: usize, r: f64) -> f64 {
    const MOST: usize = 3000;
    const SMALL: f64 = 1e-13;
    let steps = count as f64;
    let mut below = 0.0;
    for m in 1..=MOST {
        let j = zero(m);
        // |J0(t)|^2 < 2/(pi t): terms beyond the place where this is small enough are negligible.
        let envelope = 2.0 * steps / (PI * j);
        if envelope < 1.0 && 0.5 * steps * libm::log(envelope) < libm::log(SMALL) {
            break;
        }
        let characteristic = super::power(libm::j0(j / steps), count);
        let slope = libm::j1(j);
        below += 2.0 * r * libm::j1(j * r) * characteristic / (j * slope * slope);
    }
    below
}

/// The zero `m = 1, 2, ...` of $`J_0`$: McMahon's expansion, which has all digits beyond the first fifty, and for those a
/// Newton step with $`J_0' = -J_1`$.
fn zero(m: usize) -> f64 {
    let b = (m as f64 - 0.25) * PI;
    let x = 1.0 / (8.0 * b);
    let mut j = b + x * (1.0 - x * x * (124.0 / 3.0 - x * x * 120928.0 / 15.0));
    if m <= 50 {
        for _ in 0..3 {
            j += libm::j0(j) / libm::j1(j);
        }
    }
    j
}

#[cfg(test)]
mod tests {
    use super::super::sampled::values;
    use super::*;
    use crate::agree::{agrees, agrees_to_digits, within};
    use crate::quadrature::adaptive;
    use crate::stats::Estimate;

    #[test]
    fn the_zeros_are_those_of_the_table() {
        // Abramowitz and Stegun, table 9.5.
        for (m, expected) in
            [(1, 2.404825557695773), (2, 5.520078110286311), (20, 62.048469190227166)]
        {
            agrees_to_digits(zero(m), expected, 14.0).unwrap();
        }
        for m in [50, 51, 1000] {
            assert!(libm::j0(zero(m)).abs() < 1e-14, "{m}");
        }
    }

    #[test]
    fn points_together_apart_and_in_balance_have_their_resultants() {
        let even: Vec<f64> = (0..10).map(|i| f64::from(i) * 4.0 + 0.7).collect();
        let balanced = rayleigh(&even, 40.0);
        assert!(balanced.resultant < 1e-15 && (balanced.p - 1.0).abs() < 1e-9);
        let together = rayleigh(&[-3.0, 37.0, 77.0, 37.0, 37.0], 40.0);
        assert!((together.resultant - 1.0).abs() < 1e-14 && together.p < 1e-8);
        assert!((together.z - 5.0).abs() < 1e-13);
        let quarter = rayleigh(&[0.0, 10.0], 40.0);
        // |1 + i|/2, and two steps are at least as long with chance 1/2.
        agrees_to_digits(quarter.resultant, 0.5_f64.sqrt(), 15.0).unwrap();
        agrees_to_digits(quarter.p, 0.5, 14.0).unwrap();
        assert!((rayleigh(&[5.0], 40.0).p - 1.0).abs() < 1e-15);
        assert_eq!(rayleigh(&[], 40.0), Rayleigh { resultant: 0.0, z: 0.0, p: 1.0 });
    }

    /// Four steps are two pairs of lengths 2 cos u and 2 cos v at a uniform angle.
    #[test]
    fn four_steps_agree_with_two_pairs_by_quadrature() {
        for r in [0.15, 0.6, 0.93] {
            let s = 4.0 * r;
            let inner = |a: f64| {
                let at = |v: f64| {
                    let b = 2.0 * libm::cos(v);
                    let cos = ((s * s - a * a - b * b) / (2.0 * a * b)).clamp(-1.0, 1.0);
                    1.0 - libm::acos(cos) / PI
                };
                adaptive(at, 0.0, FRAC_PI_2, 1e-7).value
            };
            let pairs = adaptive(|u| inner(2.0 * libm::cos(u)), 0.0, FRAC_PI_2, 1e-6).value;
            let exact = 1.0 - pairs / (FRAC_PI_2 * FRAC_PI_2);
            within(rayleigh_p(4, r), exact, 0.0, 5e-6).unwrap();
        }
    }

    /// Rayleigh's law with two corrections (Mardia and Jupp, Directional Statistics, eq. 6.3.4), which the exact distribution tends to.
    #[test]
    fn many_steps_tend_to_the_expansion_in_one_over_their_number() {
        let expansion = |count: f64, z: f64| {
            let first = (2.0 * z - z * z) / (4.0 * count);
            let (z2, z3, z4) = (z * z, z * z * z, z * z * z * z);
            let second = (24.0 * z - 132.0 * z2 + 76.0 * z3 - 9.0 * z4) / (288.0 * count * count);
            libm::exp(-z) * (1.0 + first - second)
        };
        for z in [0.2, 1.0, 3.0, 6.0] {
            let gap = |count: usize| {
                let r = (z / count as f64).sqrt();
                (rayleigh_p(count, r) - expansion(count as f64, z)).abs()
            };
            assert!(gap(20) < 3e-4 && gap(160) < 6e-7, "{z}: {} {}", gap(20), gap(160));
        }
    }

    /// A continuous statistic's own p-values are uniform: mean 1/2, and a share alpha of them below alpha.
    #[test]
    fn p_values_of_uniform_points_are_uniform() {
        for count in [2, 3, 4, 5, 8, 30] {
            let p = values(module_path!(), count, 1500, |x| rayleigh(x, 1.0).p);
            let below = |level: f64| -> Estimate {
                let hits: Vec<f64> = p.iter().map(|p| f64::from(u8::from(*p < level))).collect();
                Estimate::from_samples(&hits).unwrap()
            };
            for level in [0.05, 0.3, 0.5, 0.8] {
                agrees(&below(level), level, 24).unwrap();
            }
            assert!(agrees(&below(0.3), 0.4, 24).is_err());
        }
    }
}
