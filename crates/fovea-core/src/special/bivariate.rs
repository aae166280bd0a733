//! The bivariate normal distribution.
//!
//! The correlation of two standard normal variables is the cosine of an angle. The angle keeps its digits where the
//! variables are nearly equal or opposite. Everything here is a sum of positive terms, so that a small probability is as
//! accurate as a large one.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use super::{normal_pdf, normal_sf};
use crate::quadrature::{adaptive_split, gauss_legendre};

/// $`\pi`$ minus the double nearest to it.
const PI_REST: f64 = 1.2246467991473532e-16;

/// The probability $`P(X>0,Y>0)=(\pi-\theta)/2\pi`$ of a centred normal pair whose correlation is $`\cos\theta`$.
///
/// Sheppard's formula, which holds for any elliptical distribution. The angle runs from 0 to $`\pi`$; its supplement keeps its digits.
///
/// ```
/// use fovea_core::special::orthant;
/// assert!((orthant(std::f64::consts::FRAC_PI_3) - 1.0 / 3.0).abs() < 1e-16);
/// ```
pub fn orthant(angle: f64) -> f64 {
    supplement(angle) / TAU
}

/// $`\pi-\theta`$, with the digits of $`\pi`$ that a double leaves out; not below 0.
fn supplement(angle: f64) -> f64 {
    if angle.is_nan() { f64::NAN } else { (PI - angle + PI_REST).max(0.0) }
}

/// The probability $`P(X>h,Y>k)`$ of a standard normal pair with correlation `r`.
///
/// ```
/// use fovea_core::special::bivariate_normal_sf;
/// assert!((bivariate_normal_sf(0.0, 0.0, 0.5) - 1.0 / 3.0).abs() < 1e-15);
/// ```
pub fn bivariate_normal_sf(h: f64, k: f64, r: f64) -> f64 {
    // An arctangent, because an arccosine loses half the digits near the ends.
    let sine = ((1.0 - r) * (1.0 + r)).sqrt();
    tail(h, k, libm::atan2(sine, r), libm::atan2(sine, -r))
}

/// The probability $`P(X\le h,Y\le k)`$ of a standard normal pair with correlation `r`.
pub fn bivariate_normal_cdf(h: f64, k: f64, r: f64) -> f64 {
    bivariate_normal_sf(-h, -k, r)
}

/// The probability $`P(X>h,Y>k)`$ of a standard normal pair with correlation $`\cos\theta`$, for angles so near 0 or $`\pi`$ that their
/// cosine does not resolve them.
pub fn bivariate_normal_sf_at_angle(h: f64, k: f64, angle: f64) -> f64 {
    tail(h, k, angle, supplement(angle))
}

/// From an angle and its supplement.
fn tail(h: f64, k: f64, angle: f64, supplement: f64) -> f64 {
    if [h, k, angle].iter().any(|x| x.is_nan()) || !(0.0..=PI).contains(&angle) {
        return f64::NAN;
    }
    if h.is_infinite() || k.is_infinite() {
        return if h > 0.0 && h.is_infinite() || k > 0.0 && k.is_infinite() {
            0.0
        } else {
            normal_sf(h.max(k))
        };
    }
    // Plackett: the density is the derivative in r. From r = 0 upwards and from r = -1 upwards the integral adds.
    if angle <= FRAC_PI_2 {
        normal_sf(h) * normal_sf(k) + sweep(h, k, angle, FRAC_PI_2)
    } else {
        between(h, -k) + sweep(h, -k, 0.0, supplement)
    }
}

/// $`\frac1{2\pi}\int\exp\big[-\frac{(h-k)^2}{2\sin^2\psi}-\frac{hk}{1+\cos\psi}\big]d\psi`$: the exponent of the density at correlation
/// $`\cos\psi`$ with its pole at $`\psi=0`$ split off.
fn sweep(h: f64, k: f64, from: f64, to: f64) -> f64 {
    let gap = h - k;
    let density = |psi: f64| {
        let ratio = gap / libm::sin(psi);
        libm::exp(-0.5 * ratio * ratio - h * k / (1.0 + libm::cos(psi)))
    };
    // The peak is at cos = min/max with a width of 1/max: the panels must end there, because far out all else is 0.
    let (large, small) = if h.abs() > k.abs() { (h, k) } else { (k, h) };
    let peak = if large == 0.0 { 0.0 } else { libm::acos((small / large).clamp(0.0, 1.0)) };
    let width = 1.0 / large.abs().max(1.0);
    let mut points = vec![from, to];
    for step in [-9.0, -3.0, -1.0, 0.0, 1.0, 3.0, 9.0] {
        points.push((peak.clamp(from, to) + step * width).clamp(from, to));
    }
    // Where the two bounds nearly meet, the pole only matters at angles of the size of their gap.
    points.extend([0.3, 1.0, 3.0, 30.0].map(|step| (step * gap.abs()).clamp(from, to)));
    adaptive_split(density, &points, 1e-14).value / TAU
}

/// $`P(a<Z<b)`$; 0 if the interval is empty.
fn between(a: f64, b: f64) -> f64 {
    if a >= b {
        return 0.0;
    }
    let far = a.abs().max(b.abs()).max(1.0);
    if (b - a) * far < 1.0 {
        // Two tails would cancel; the density is nearly constant.
        let (half, middle) = (0.5 * (b - a), 0.5 * (a + b));
        return half * gauss_legendre(8).integrate(|z| normal_pdf(middle + half * z));
    }
    if b <= 0.0 {
        normal_sf(-b) - normal_sf(-a)
    } else if a >= 0.0 {
        normal_sf(a) - normal_sf(b)
    } else {
        1.0 - normal_sf(-a) - normal_sf(b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::{agrees_to_digits, within};
    use crate::special::owen_t;

    #[test]
    fn values_match_mpmath() {
        // mpmath 1.3, 40 digits: the conditional tail integrated over x > h, at the doubles nearest h, k and r.
        let table = [
            (0.0, 0.0, 0.5, 0.3333333333333333),
            (1.0, 2.0, 0.5, 0.013266217010516735),
            (1.0, 2.0, -0.5, 0.0001468597660142571),
            (3.0, -1.0, 0.9, 0.0013498980316300946),
            (5.0, 5.0, -0.9, 3.8748064036458546e-113),
            (-2.0, 1.5, -0.97, 0.04421564230064367),
            (0.3, 0.2, 0.999999, 0.3820885778110474),
            (-1.0, 1.000001, -0.9999999, 4.304968152969947e-5),
            (2.0, 2.0, 0.9999999999, 0.02274982733675749),
            (8.0, 3.0, 0.2, 4.9897285962891876e-17),
            (10.0, 10.0, 0.7, 1.7119091988290454e-28),
            (6.0, 7.0, -0.3, 9.522637051959552e-30),
            (-6.0, -7.0, 0.3, 0.9999999990121325),
            (0.0, 1.5, 0.0, 0.033403600634429036),
            (-0.5, 0.5, -0.99999999, 1.9863159071193757e-5),
            (1e-9, 2e-9, -0.9999, 0.002250808948991227),
            (20.0, 19.0, 0.95, 1.5395466392833577e-89),
        ];
        for (h, k, r, want) in table {
            // The exponent of a probability of 1e-113 is 260, and so is the magnification of its rounding.
            let required = if want < 1e-20 { 12.5 } else { 13.9 };
            agrees_to_digits(bivariate_normal_sf(h, k, r), want, required).unwrap();
            agrees_to_digits(bivariate_normal_sf(k, h, r), want, required).unwrap();
            agrees_to_digits(bivariate_normal_cdf(-h, -k, r), want, required).unwrap();
        }
    }

    #[test]
    fn angles_beyond_the_reach_of_their_cosine_still_count() {
        let at = bivariate_normal_sf_at_angle;
        agrees_to_digits(at(0.3, 0.3, 1e-12), 0.3820885778108952, 15.0).unwrap();
        agrees_to_digits(at(0.3, 0.3000000000005, 1e-12), 0.38208857781078126, 14.3).unwrap();
        agrees_to_digits(at(1.0, -1.0, 3.1405926535897932), 9.653234860787349e-5, 13.0).unwrap();
        agrees_to_digits(orthant(PI - 1e-12), 1e-12 / TAU, 3.3).unwrap();
        for angle in [0.0, 1e-12, 1e-5, 1.0, 2.0, 3.0, PI - 1e-12, PI] {
            within(at(0.0, 0.0, angle), orthant(angle), 1e-14, 1e-30).unwrap();
        }
    }

    #[test]
    fn owen_s_formula_gives_the_same() {
        // Owen 1956, for h, k > 0: P(X<=h, Y<=k) = [P(h)+P(k)]/2 - T(h, a) - T(k, b).
        for r in [-0.999_f64, -0.7, -0.1, 0.0, 0.3, 0.8, 0.9999] {
            for (h, k) in [(0.4, 1.1), (2.0, 2.0), (0.1, 3.0)] {
                let s = ((1.0 - r) * (1.0 + r)).sqrt();
                let (a, b) = ((k / h - r) / s, (h / k - r) / s);
                let tails = 0.5 * (normal_sf(h) + normal_sf(k));
                let want = 1.0 - tails - owen_t(h, a) - owen_t(k, b);
                agrees_to_digits(bivariate_normal_cdf(h, k, r), want, 14.5).unwrap();
            }
        }
    }

    #[test]
    fn the_four_quadrants_fill_the_plane() {
        for r in [-1.0, -0.9999999, -0.4, 0.0, 0.6, 0.9999999, 1.0] {
            for (h, k) in [(0.0, 0.0), (-1.3, 0.4), (0.7, 0.7), (2.0, -2.0), (-5.0, 1.0)] {
                let sf = bivariate_normal_sf;
                let sum = sf(h, k, r) + sf(-h, k, -r) + sf(h, -k, -r) + sf(-h, -k, r);
                assert!((sum - 1.0).abs() < 1e-14, "{h} {k} {r}: {sum}");
                within(sf(h, k, r) + sf(h, -k, -r), normal_sf(h), 1e-13, 0.0).unwrap();
            }
        }
    }

    #[test]
    fn ends_are_limits_and_an_impossible_correlation_gives_nan() {
        let sf = bivariate_normal_sf;
        let inf = f64::INFINITY;
        assert!(sf(inf, 0.0, 0.5) == 0.0 && sf(-inf, inf, 0.5) == 0.0);
        agrees_to_digits(sf(-inf, 1.0, -0.5), normal_sf(1.0), 17.0).unwrap();
        agrees_to_digits(sf(0.2, 1.0, 1.0), normal_sf(1.0), 15.0).unwrap();
        agrees_to_digits(sf(-1.0, 0.5, -1.0), normal_sf(0.5) - normal_sf(1.0), 15.0).unwrap();
        assert!(sf(1.0, 0.5, -1.0) == 0.0 && sf(0.0, 0.0, 1.5).is_nan());
        assert!(sf(f64::NAN, 0.0, 0.5).is_nan() && orthant(f64::NAN).is_nan());
    }
}
