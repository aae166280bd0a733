//! Owen's T, the normal probability of a wedge cut off by a line.

use std::f64::consts::TAU;
use std::sync::OnceLock;

use super::{normal_pdf, normal_sf};
use crate::quadrature::{Rule, gauss_legendre};

/// Owen's function $`T(h,a)=\frac1{2\pi}\int_0^a\frac{e^{-h^2(1+x^2)/2}}{1+x^2}\,dx`$.
///
/// It is the probability that a standard normal pair has $`X>h`$ and $`0<Y<aX`$. Even in `h` and odd in `a`; an infinite `a` gives
/// $`\tfrac12P(Z>|h|)`$, an infinite `h` gives 0. The relative error stays at a few units in the last place, also where T is as small
/// as `1e-300`: every sum below has positive terms only, or loses at most two bits.
///
/// ```
/// use fovea_core::special::owen_t;
/// assert!((owen_t(0.0, 1.0) - 0.125).abs() < 1e-16);
/// ```
pub fn owen_t(h: f64, a: f64) -> f64 {
    let (h, slope) = (h.abs(), a.abs());
    if h.is_nan() || a.is_nan() {
        return f64::NAN;
    }
    let value = if h.is_infinite() {
        0.0
    } else if slope.is_infinite() {
        0.5 * normal_sf(h)
    } else if slope <= 1.0 {
        narrow(h, slope)
    } else {
        // T(h, a) + T(ah, 1/a) = Q(h)/2 + Q(ah)/2 - Q(h) Q(ah) (Owen 1956): the complement is a narrow wedge.
        let far = h * slope;
        let (near_tail, far_tail) = (normal_sf(h), normal_sf(far));
        let complement = if far.is_infinite() { 0.0 } else { narrow(far, 1.0 / slope) };
        0.5 * near_tail + (far_tail * (0.5 - near_tail) - complement)
    };
    value.copysign(a)
}

/// The integral for a slope of at most 1, by one Gauss rule over the part where the integrand has not vanished.
fn narrow(h: f64, slope: f64) -> f64 {
    // 28 points leave 5e-23 on [0, min(a, 8.5/h)], and e^{-8.5^2/2} bounds what lies beyond.
    static RULE: OnceLock<Rule> = OnceLock::new();
    const REACH: f64 = 8.5;
    let rule = RULE.get_or_init(|| gauss_legendre(28));
    let half = 0.5 * if h * slope > REACH { REACH / h } else { slope };
    let integral = rule.integrate(|z| {
        let x = half * (1.0 + z);
        libm::exp(-0.5 * (h * x) * (h * x)) / (1.0 + x * x)
    });
    // e^{-h^2/2} / 2 pi, from the density, which keeps the rounding of the square.
    half * integral * normal_pdf(h) / TAU.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::agrees_to_digits;
    use crate::special::normal_cdf;

    #[test]
    fn values_match_mpmath() {
        // mpmath 1.3, 40 digits: quadrature of the definition at the doubles nearest h and a.
        let table = [
            (0.0, 0.3, 0.04638678953887117),
            (0.0625, 0.25, 0.03891193023470137),
            (6.5, 0.4375, 2.0005773048508314e-11),
            (7.0, 0.96875, 6.399062719389869e-13),
            (4.78125, 0.0625, 1.0632974804687464e-7),
            (2.0, 0.5, 0.008625077985521507),
            (1.0, 0.9999975, 0.0667418089782286),
            (1.0, 1.0, 0.06674188216570097),
            (0.5, 1.5, 0.1295839846182681),
            (3.0, 2.0, 0.0006749490155352161),
            (1e-10, 1e12, 0.24999999998005287),
            (0.001, 1000.0, 0.24976729086693258),
            (2.5, 1e8, 0.0031048326628880674),
            (10.0, 1.0000001, 3.809926512080263e-24),
            (12.3, 0.7, 2.2643534780793923e-35),
            (20.0, 0.01, 2.187871276172132e-90),
            (30.0, 5.0, 2.4533569635740936e-198),
            (0.7, 1e-12, 1.2457129624165275e-13),
            (1e-8, 0.9, 0.11663114582171294),
            (37.0, 0.3, 2.8627856112622886e-300),
            (8.5, 0.999, 4.739767411101659e-18),
            (0.3, 30.0, 0.1910442889055237),
            (5.0, 1e-300, 5.931152735254122e-307),
            (1.3, f64::INFINITY, 0.048400242292805165),
        ];
        for (h, a, want) in table {
            for (h, a, want) in [(h, a, want), (-h, a, want), (h, -a, -want)] {
                agrees_to_digits(owen_t(h, a), want, 14.9).unwrap();
            }
        }
    }

    #[test]
    fn a_right_angle_and_a_zero_height_are_elementary() {
        for i in 0..300 {
            let x = f64::from(i) / 8.0;
            let square = 0.5 * normal_cdf(x) * normal_sf(x);
            agrees_to_digits(owen_t(x, 1.0), square, 14.9).unwrap();
            agrees_to_digits(owen_t(0.0, x), libm::atan(x) / TAU, 15.0).unwrap();
        }
    }

    #[test]
    fn nothing_jumps_where_the_method_changes() {
        for h in [0.0, 1e-5, 0.4, 3.0, 8.5, 21.0] {
            // The slope of T in a is at most T itself here, so neighbours of 1 differ by rounding alone.
            let (below, above) = (owen_t(h, 1.0 - 1e-16), owen_t(h, 1.0 + 2.3e-16));
            agrees_to_digits(above, below, 15.0).unwrap();
        }
        for slope in [0.5, 0.9] {
            let (inside, beyond) = (owen_t(8.4999 / slope, slope), owen_t(8.5001 / slope, slope));
            let tails = normal_sf(8.4999 / slope) / normal_sf(8.5001 / slope);
            agrees_to_digits(inside / beyond, tails, 12.0).unwrap();
        }
    }

    #[test]
    fn the_ends_are_limits_and_no_number_stays_none() {
        assert!(owen_t(f64::INFINITY, 0.5) == 0.0 && owen_t(3.0, 0.0) == 0.0);
        assert!((owen_t(0.0, f64::INFINITY) - 0.25).abs() < 1e-16);
        assert!((owen_t(0.0, f64::NEG_INFINITY) + 0.25).abs() < 1e-16);
        assert!(owen_t(1e300, 1e300) == 0.0 && owen_t(1e-300, 1e300) > 0.2);
        assert!(owen_t(f64::NAN, 1.0).is_nan() && owen_t(1.0, f64::NAN).is_nan());
    }
}
