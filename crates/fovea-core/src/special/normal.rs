//! The standard normal distribution.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, SQRT_2};

use super::{erfc, inv_erf, inv_erfc};

/// $`1/\sqrt2`$ minus the double nearest to it.
const FRAC_1_SQRT_2_REST: f64 = -4.833646656726457e-17;

/// The probability $`P(Z \le x)`$ of a standard normal $`Z`$, with full relative accuracy in the lower tail.
///
/// ```
/// use fovea_core::special::{normal_cdf, normal_quantile};
/// assert!((normal_cdf(normal_quantile(0.1)) - 0.1).abs() < 1e-16);
/// ```
pub fn normal_cdf(x: f64) -> f64 {
    normal_sf(-x)
}

/// The probability $`P(Z > x)`$ of a standard normal $`Z`$, with full relative accuracy in the upper tail.
pub fn normal_sf(x: f64) -> f64 {
    let scaled = x * FRAC_1_SQRT_2;
    if x.abs() > 40.0 {
        return 0.5 * erfc(scaled); // 0 or 1; keeps the infinities out of the correction
    }
    // The rounding of x / sqrt 2 changes the tail by x^2 units in the last place: correct for it.
    let rest = x.mul_add(FRAC_1_SQRT_2, -scaled) + x * FRAC_1_SQRT_2_REST;
    0.5 * (erfc(scaled) - FRAC_2_SQRT_PI * libm::exp(-scaled * scaled) * rest)
}

/// The number $`x`$ with $`P(Z \le x) = p`$, accurate for `p` down to 1e-300; 0 and 1 give the infinities.
///
/// A point in the upper tail with $`P(Z > x) = q`$ is `-normal_quantile(q)`.
pub fn normal_quantile(p: f64) -> f64 {
    // Both arguments are exact: doubling always is, and 2p - 1 is for p in [1/4, 1].
    if p < 0.25 { -SQRT_2 * inv_erfc(2.0 * p) } else { SQRT_2 * inv_erf(2.0 * p - 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::{agrees_to_digits, within};
    use crate::special::normal_pdf;

    #[test]
    fn cdf_and_pdf_match_mpmath() {
        // mpmath 1.3, 60 digits: erfc(-x/sqrt(2))/2 and exp(-x^2/2)/sqrt(2 pi) at the double nearest x.
        let table = [
            (-37.5, 4.605353009581955e-308, 1.7282337322841054e-306),
            (-30.1, 2.4226672179857586e-199, 7.300259384280611e-198),
            (-20.3, 6.429244467698346e-92, 1.308288554681529e-90),
            (-10.7, 5.088910855027318e-27, 5.491897831817844e-26),
            (-5.3, 5.790134039964594e-8, 3.171349216715978e-7),
            (-3.1, 0.0009676032132183566, 0.0032668190561999195),
            (-1.3, 0.09680048458561033, 0.17136859204780736),
            (-0.7, 0.24196365222307303, 0.31225393336676127),
            (-1e-05, 0.49999601057719606, 0.39894228038148555),
            (0.0, 0.5, 0.3989422804014327),
            (0.3, 0.6179114221889527, 0.3813878154605241),
            (1.7, 0.955434537241457, 0.09404907737688693),
            (4.9, 0.9999995208167234, 2.4389607458933543e-6),
            (8.0, 0.9999999999999993, 5.052271083536892e-15),
        ];
        for (x, cdf, pdf) in table {
            agrees_to_digits(normal_cdf(x), cdf, 15.2).unwrap();
            agrees_to_digits(normal_sf(-x), cdf, 15.2).unwrap();
            agrees_to_digits(normal_pdf(x), pdf, 15.2).unwrap();
        }
    }

    #[test]
    fn quantile_matches_mpmath_in_both_tails() {
        // mpmath 1.3, 60 digits: findroot on log(erfc), at the double nearest p.
        let table = [
            (1e-300, -37.0470962993612),
            (1e-100, -21.273453560965326),
            (1e-20, -9.262340089798407),
            (1e-09, -5.9978070150076865),
            (0.001, -3.0902323061678136),
            (0.05, -1.6448536269514726),
            (0.2, -0.8416212335729142),
            (0.26, -0.643345405392917),
            (0.49999, -2.5066282748960008e-5),
            (0.6, 0.2533471031357997),
            (0.9, 1.2815515655446006),
            (0.99, 2.3263478740408408),
            (0.999999, 4.753424308817087),
            (0.9999999999999999, 8.209536151601387),
        ];
        for (p, x) in table {
            agrees_to_digits(normal_quantile(p), x, 15.2).unwrap();
        }
    }

    #[test]
    fn there_and_back_again() {
        for i in -37_000..500 {
            let x = f64::from(i) / 1000.0 + 1e-7;
            // Around zero the probability is near one half, and its last place is an absolute error of x.
            let back = normal_quantile(normal_cdf(x));
            within(back, x, 4.0 * f64::EPSILON, 2.0 * f64::EPSILON).unwrap();
        }
    }

    #[test]
    fn the_infinities_are_limits() {
        assert!(normal_cdf(f64::NEG_INFINITY) == 0.0 && normal_sf(f64::INFINITY) == 0.0);
        assert!(normal_sf(f64::NEG_INFINITY) > 0.99 && normal_pdf(f64::INFINITY) == 0.0);
        assert!(normal_quantile(0.0) < -1e308 && normal_quantile(1.0) > 1e308);
        assert!(normal_quantile(1.5).is_nan() && normal_quantile(-0.5).is_nan());
    }
}
