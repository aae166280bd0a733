//! The logarithms of the gamma and beta functions, and the incomplete beta function.

use std::f64::consts::PI;

use super::horner;

/// The logarithm of $`|\Gamma(x)|`$.
pub fn ln_gamma(x: f64) -> f64 {
    libm::lgamma(x)
}

/// The logarithm of $`B(a, b) = \Gamma(a)\Gamma(b)/\Gamma(a+b)`$ for positive `a` and `b`.
///
/// With a large argument the three `ln_gamma` are huge and nearly cancel, so Stirling's formula is used and the
/// large parts are cancelled analytically.
pub fn ln_beta(a: f64, b: f64) -> f64 {
    let (small, large) = if a < b { (a, b) } else { (b, a) };
    let sum = small + large;
    if large < STIRLING_FROM {
        return ln_gamma(small) + ln_gamma(large) - ln_gamma(sum);
    }
    let correction = stirling_rest(large) - stirling_rest(sum);
    let shrink = libm::log1p(-small / sum);
    if small < STIRLING_FROM {
        ln_gamma(small) + correction + small - small * libm::log(sum) + (large - 0.5) * shrink
    } else {
        0.5 * libm::log(2.0 * PI / large)
            + (stirling_rest(small) + correction)
            + (small - 0.5) * libm::log(small / sum)
            + large * shrink
    }
}

/// The regularised incomplete beta function $`I_x(a, b)`$ for positive `a`, `b` and `x` in $`[0, 1]`$.
///
/// ```math
/// I_x(a, b) = \frac{1}{B(a, b)} \int_0^x u^{a-1} (1-u)^{b-1} \, du
/// ```
///
/// Good to 1e-13 relative; above the mean, to 1e-14 absolute.
///
/// ```
/// use fovea_core::special::beta_inc;
/// assert!((beta_inc(2.0, 1.0, 0.3) - 0.09).abs() < 1e-16);
/// ```
pub fn beta_inc(a: f64, b: f64, x: f64) -> f64 {
    beta_inc_of_pair(a, b, x, 1.0 - x)
}

/// `beta_inc` where both `x` and `y = 1 - x` are known, so that neither is rounded away when the other is near 1.
pub(super) fn beta_inc_of_pair(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let proper = a > 0.0 && b > 0.0 && a.is_finite() && b.is_finite();
    if !proper || !(0.0..=1.0).contains(&x) {
        f64::NAN
    } else if x == 0.0 {
        0.0
    } else if y == 0.0 {
        1.0
    } else if below_mean(a, b, x, y) {
        beta_factor(a, b, x, y) / continued_fraction(a, b, x, y)
    } else {
        1.0 - beta_factor(b, a, y, x) / continued_fraction(b, a, y, x)
    }
}

/// Whether `x` lies below about the mean: there the fraction for `x` converges fast, above it the one for `y`.
fn below_mean(a: f64, b: f64, x: f64, y: f64) -> bool {
    // The same inequality twice; the second form survives an `a` so large that a + 1 = a.
    if x < 0.5 { x * (a + b + 2.0) < a + 1.0 } else { y * (a + b + 2.0) > b + 1.0 }
}

/// The factor $`x^a y^b / B(a, b)`$ with $`y = 1 - x`$.
pub(super) fn beta_factor(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if a.min(b) < STIRLING_FROM {
        // The gammas of small arguments are more accurate than their logarithms.
        let inverse = if a.max(b) < STIRLING_FROM {
            libm::tgamma(a + b) / libm::tgamma(a) / libm::tgamma(b)
        } else {
            libm::exp(-ln_beta(a, b))
        };
        return power(x, y, a) * power(y, x, b) * inverse;
    }
    // Both large: the mode is x = a / (a + b), and the exponent is measured from there (Loader's saddle point).
    let sum = a + b;
    let off = x * b - y * a;
    let exponent =
        a * ln_minus_excess(x * sum / a, off / a) + b * ln_minus_excess(y * sum / b, -off / b);
    let correction = stirling_rest(sum) - stirling_rest(a) - stirling_rest(b);
    (a / sum * b / (2.0 * PI)).sqrt() * libm::exp(exponent + correction)
}

/// `x^exponent`, where `y = 1 - x` carries the digits that `x` has lost near 1.
fn power(x: f64, y: f64, exponent: f64) -> f64 {
    if x <= 0.5 { libm::pow(x, exponent) } else { libm::exp(exponent * libm::log1p(-y)) }
}

/// `ln(ratio) - excess`, where `excess = ratio - 1`, without cancellation near ratio 1.
fn ln_minus_excess(ratio: f64, excess: f64) -> f64 {
    if excess.abs() > 0.5 {
        return libm::log(ratio) - excess;
    }
    // With r = u / (2 + u): ln(1 + u) - u = r (2 r^2 (1/3 + r^2/5 + ...) - u).
    let r = excess / (2.0 + excess);
    let square = r * r;
    let (mut sum, mut term, mut odd) = (0.0, 1.0, 3.0);
    while term > 1e-17 {
        sum += term / odd;
        term *= square;
        odd += 2.0;
    }
    r * (2.0 * square * sum - excess)
}

/// From here on eight terms of Stirling's series are exact to double rounding.
const STIRLING_FROM: f64 = 10.0;

/// What Stirling's formula leaves out: `ln_gamma(x) - ((x - 1/2) ln x - x + ln(2 pi)/2)` for `x >= 10`.
fn stirling_rest(x: f64) -> f64 {
    // B_2k / (2k (2k - 1)), the highest order first.
    const SERIES: [f64; 8] = [
        -3617.0 / 122400.0,
        1.0 / 156.0,
        -691.0 / 360360.0,
        1.0 / 1188.0,
        -1.0 / 1680.0,
        1.0 / 1260.0,
        -1.0 / 360.0,
        1.0 / 12.0,
    ];
    horner(&SERIES, 1.0 / (x * x)) / x
}

/// The continued fraction that divides the factor to give the incomplete beta function, by the modified Lentz method.
///
/// The even part of DLMF 8.17.22 with `y = 1 - x` written out (DiDonato and Morris 1992, ACM TOMS 18, 360-373, section 2): below
/// the mean its terms do not cancel, and for large `a` or `b` it tends to the fraction of the incomplete gamma function,
/// so the number of terms stays small.
fn continued_fraction(a: f64, b: f64, x: f64, y: f64) -> f64 {
    const TINY: f64 = 1e-300;
    const MAX_TERMS: u32 = 100_000;
    let away_from_zero = |v: f64| if v.abs() < TINY { TINY } else { v };
    let denominator = |m: f64| {
        m + m * (b - m) * x / (a + 2.0 * m - 1.0)
            + (a + m) / (a + 2.0 * m + 1.0) * (a * y - b * x + 1.0 + m * (1.0 + y))
    };
    let mut value = away_from_zero(a / (a + 1.0) * (a * y - b * x + 1.0));
    let (mut c, mut d) = (value, 0.0);
    for m in (1..MAX_TERMS).map(f64::from) {
        let end = a + 2.0 * m - 1.0;
        // Quotients first: the product of two arguments can overflow.
        let numerator = (a + m - 1.0) / end * x * ((a + b + m - 1.0) / end * x) * m * (b - m);
        let denominator = denominator(m);
        d = 1.0 / away_from_zero(denominator + numerator * d);
        c = away_from_zero(denominator + numerator / c);
        value *= c * d;
        if (c * d - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::{agrees_to_digits, within};

    #[test]
    fn ln_gamma_matches_mpmath() {
        // mpmath 1.3, 60 digits: loggamma at the double nearest x.
        let table = [
            (1e-10, 23.025850929882736),
            (0.1, 2.252712651734206),
            (0.5, 0.5723649429247001),
            (0.999, 0.0005780385328913802),
            (1.001, -0.0005763935982833062),
            (1.5, -0.12078223763524522),
            (1.999, -0.0004224618006921073),
            (2.001, 0.000423106734800117),
            (3.7, 1.428072326665388),
            (10.3, 13.482036786138359),
            (171.6, 709.6573587630563),
            (1e6, 12815504.569147611),
            (1e15, 3.3538776394910668e16),
        ];
        for (x, expected) in table {
            agrees_to_digits(ln_gamma(x), expected, 15.0).unwrap();
        }
    }

    #[test]
    fn ln_beta_keeps_its_digits_where_three_gammas_lose_them() {
        // mpmath 1.3, 60 digits: loggamma(a) + loggamma(b) - loggamma(a + b).
        let table = [
            (0.5, 3.0, 0.06453852113757118),
            (9.0, 9.5, -12.6493794533343),
            (0.5, 20.0, -0.919251844406604),
            (3.5, 10000.0, -31.035655155825946),
            (0.5, 500000000000.0, -12.896572024759351),
            (12.0, 15.0, -18.568172732389435),
            (40.0, 1000000.0, -445.9894420476577),
            (100000000.0, 300000000.0, -224934065.99508414),
        ];
        for (a, b, expected) in table {
            agrees_to_digits(ln_beta(a, b), expected, 14.5).unwrap();
            agrees_to_digits(ln_beta(b, a), expected, 14.5).unwrap();
        }
        let naive = ln_gamma(5e11) + ln_gamma(0.5) - ln_gamma(5e11 + 0.5);
        assert!(agrees_to_digits(naive, ln_beta(5e11, 0.5), 6.0).is_err());
    }

    #[test]
    fn beta_inc_matches_mpmath() {
        // mpmath 1.3, 60 digits: betainc(a, b, 0, x, regularized=True) at the double nearest x;
        // the line with 1e5 by quad over the density.
        let table = [
            (1.0, 1.0, 0.3, 0.3),
            (0.5, 0.5, 0.1, 0.20483276469913345),
            (2.0, 3.0, 0.4, 0.5248),
            (0.5, 5.0, 0.01, 0.2428418908984375),
            (5.0, 0.5, 0.99, 0.7571581091015624),
            (10.0, 20.0, 0.3, 0.3640040810719442),
            (10.0, 20.0, 0.6, 0.9984777778269129),
            (100.0, 120.0, 0.45, 0.4478012301477076),
            (100.0, 120.0, 0.3, 7.528426083173592e-7),
            (1000.0, 1500.0, 0.41, 0.8462596847450589),
            (0.01, 0.02, 0.5, 0.6667194610412722),
            (50.0, 0.5, 0.2, 9.994267861336983e-37),
            (0.001, 30.0, 0.0001, 0.9947613828920016),
            (3000.0, 4000.0, 0.44, 0.9731496235113638),
            (100000.0, 100000.0, 0.4995, 0.32736058444341604),
            (20.0, 2.0, 1e-10, 2.0999999998000016e-199),
        ];
        for (a, b, x, expected) in table {
            agrees_to_digits(beta_inc(a, b, x), expected, 13.4).unwrap();
            within(beta_inc(b, a, 1.0 - x), 1.0 - expected, 1e-13, 1e-13).unwrap();
        }
    }

    #[test]
    fn the_ends_are_exact_and_beyond_them_there_is_nothing() {
        assert!(beta_inc(2.0, 3.0, 0.0) == 0.0);
        assert!((beta_inc(2.0, 3.0, 1.0) - 1.0).abs() <= 0.0);
        assert!(beta_inc(2.0, 3.0, 1.1).is_nan() && beta_inc(0.0, 3.0, 0.5).is_nan());
        assert!(beta_inc(f64::NAN, 3.0, 0.5).is_nan() && beta_inc(1.0, 1.0, f64::NAN).is_nan());
    }
}
