//! Student's t: the distribution of a mean over its own standard error.

use std::f64::consts::SQRT_2;

use super::beta::{beta_factor, beta_inc_of_pair};
use super::{inv_erfc, normal_sf};

/// The probability $`P(T \le t)`$ for Student's t with `dof` > 0 degrees of freedom; infinite `dof` is the normal distribution.
pub fn student_t_cdf(t: f64, dof: f64) -> f64 {
    let upper = 0.5 * student_t_tail(t.abs(), dof);
    if t < 0.0 { upper } else { 1.0 - upper }
}

/// The two-sided tail $`P(|T| > t)`$ for `t >= 0`, computed directly and not as one minus a number near one.
///
/// ```math
/// P(|T| > t) = I_{\nu/(\nu + t^2)}\left(\tfrac{\nu}{2}, \tfrac12\right)
/// ```
pub fn student_t_tail(t: f64, dof: f64) -> f64 {
    if !(t >= 0.0 && dof > 0.0) {
        f64::NAN
    } else if t.is_infinite() {
        0.0
    } else if dof.is_infinite() {
        2.0 * normal_sf(t)
    } else {
        let (x, y) = shares(t, dof);
        beta_inc_of_pair(0.5 * dof, 0.5, x, y)
    }
}

/// The limit $`t`$ with $`P(|T| > t) = \alpha`$ for Student's t with `dof` degrees of freedom.
///
/// Infinite `dof` gives the two-sided normal limit. An unbiased measured mean exceeds this limit with probability `alpha`,
/// however few samples its standard error comes from.
///
/// ```
/// use fovea_core::special::student_t_quantile_two_sided;
/// assert!((student_t_quantile_two_sided(0.05, 9.0) - 2.262157162798205).abs() < 1e-13);
/// assert!((student_t_quantile_two_sided(1e-6, f64::INFINITY) - 4.891638475698590).abs() < 1e-13);
/// ```
pub fn student_t_quantile_two_sided(alpha: f64, dof: f64) -> f64 {
    const MAX_STEPS: usize = 100;
    if !((0.0..=1.0).contains(&alpha) && dof > 0.0) {
        return f64::NAN;
    }
    let normal = SQRT_2 * inv_erfc(alpha);
    if dof.is_infinite() || normal == 0.0 || normal.is_infinite() {
        return normal;
    }
    // ln P(|T| > e^s) is decreasing and concave in s. So Newton's method cannot cycle: the first step from the left
    // overshoots the root, and from the right it comes down monotonically. The normal limit lies to the left.
    let ln_alpha = libm::log(alpha);
    let mut t = normal;
    for _ in 0..MAX_STEPS {
        let tail = student_t_tail(t, dof);
        let (x, y) = shares(t, dof);
        // t times the density of T at t is exactly this factor.
        let slope = 2.0 * beta_factor(0.5 * dof, 0.5, x, y) / tail;
        let step = (libm::log(tail) - ln_alpha) / slope;
        if !step.is_finite() {
            break;
        }
        t *= libm::exp(step);
        if step.abs() <= 4.0 * f64::EPSILON {
            break;
        }
    }
    t
}

/// `dof / (dof + t^2)` and its complement, each to full relative accuracy.
fn shares(t: f64, dof: f64) -> (f64, f64) {
    let ratio = t * t / dof;
    if ratio.is_infinite() { (0.0, 1.0) } else { (1.0 / (1.0 + ratio), ratio / (1.0 + ratio)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::{agrees_to_digits, within};

    #[test]
    fn tail_matches_mpmath() {
        // mpmath 1.3, 60 digits: betainc(dof/2, 1/2, 0, dof/(dof+t^2), regularized=True) up to dof = 2000, above that
        // quad over the density, scaled to 1 at t (its error estimate is absolute).
        let table = [
            (0.001, 1.0, 0.9993633804398389),
            (1.3, 1.0, 0.41742880032030544),
            (1e6, 1.0, 6.366197723673691e-7),
            (0.5, 2.0, 0.6666666666666666),
            (3.0, 2.5, 0.07257609554903184),
            (4.9, 9.0, 0.0008476473090144006),
            (20.0, 9.0, 9.079521299916545e-9),
            (10000.0, 4.0, 5.999999600000021e-16),
            (2.0, 30.0, 0.0546250449629831),
            (6.1, 100.0, 2.0143945776253703e-8),
            (37.0, 100.0, 3.670821403538904e-60),
            (5.0, 1000.0, 6.767256364648631e-7),
            (5.0, 9999.0, 5.830336410228319e-7),
            (7.0, 1e4, 2.724031560679828e-12),
            (5.5, 3e4, 3.8288684257646496e-8),
            (30.0, 3e4, 7.453873842400305e-195),
            (6.0, 1e6, 1.9738498123544347e-9),
            (7.13, 1e9, 1.0036899473162865e-12),
            (1.0, 1e7, 0.31731053205998594),
            (25.0, 1e8, 6.119385522547479e-138),
        ];
        for (t, dof, expected) in table {
            agrees_to_digits(student_t_tail(t, dof), expected, 13.0).unwrap();
            within(student_t_cdf(-t, dof), 0.5 * expected, 1e-13, 0.0).unwrap();
            within(student_t_cdf(t, dof), 1.0 - 0.5 * expected, 1e-15, 0.0).unwrap();
        }
    }

    #[test]
    fn two_sided_limit_matches_mpmath() {
        // mpmath 1.3, 60 digits: findroot on the logarithm of the tail above; dof = 1 is 1/tan(pi alpha / 2).
        let table = [
            (0.9, 1.0, 0.15838444032453625),
            (1e-12, 1.0, 636619772367.5813),
            (0.5, 2.0, 0.816496580927726),
            (1e-12, 2.0, 999999.99999925),
            (1e-06, 3.0, 130.15458955835794),
            (0.05, 7.5, 2.3330396268649745),
            (1e-06, 9.0, 11.63678202732889),
            (1e-07, 19.0, 8.280923030535579),
            (1e-12, 40.0, 10.229411387923305),
            (1e-06, 99.0, 5.217164206649465),
            (1e-09, 999.0, 6.168489815265754),
            (1e-10, 1500.0, 6.5133883501982615),
        ];
        for (alpha, dof, expected) in table {
            agrees_to_digits(student_t_quantile_two_sided(alpha, dof), expected, 14.0).unwrap();
        }
    }

    #[test]
    fn many_degrees_of_freedom_tend_to_the_normal_law() {
        for alpha in [0.9, 1e-3, 1e-6, 1e-12] {
            let normal = student_t_quantile_two_sided(alpha, f64::INFINITY);
            let many = student_t_quantile_two_sided(alpha, 1e6);
            assert!(many > normal);
            // The first correction is t (1 + t^2) / (4 dof); the second is of relative size t^4 / dof^2.
            let first = normal * (1.0 + (1.0 + normal * normal) / 4e6);
            within(many, first, 1e-9, 0.0).unwrap();
            within(student_t_quantile_two_sided(alpha, 1e18), normal, 1e-14, 0.0).unwrap();
        }
    }

    #[test]
    fn the_ends_are_limits_and_nonsense_is_nan() {
        assert!(student_t_quantile_two_sided(1.0, 3.0) == 0.0);
        assert!(student_t_quantile_two_sided(0.0, 3.0).is_infinite());
        assert!(student_t_quantile_two_sided(0.5, 0.0).is_nan());
        assert!(student_t_quantile_two_sided(2.0, 3.0).is_nan());
        assert!(student_t_tail(f64::INFINITY, 3.0) == 0.0 && student_t_tail(-1.0, 3.0).is_nan());
    }
}
