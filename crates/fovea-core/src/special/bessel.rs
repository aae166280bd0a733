//! The ratio of modified Bessel functions, which is the mean resultant of the von Mises distribution.

/// From here on the asymptotic series reaches rounding before it diverges.
const ASYMPTOTIC_FROM: f64 = 60.0;

/// The ratio $`A(x)=I_1(x)/I_0(x)`$ for $`x\ge0`$: $`x/2`$ for small $`x`$, 1 at infinity.
///
/// ```
/// use fovea_core::special::bessel_ratio;
/// assert!((bessel_ratio(1.0) - 0.4463899658965345).abs() < 1e-15);
/// ```
pub fn bessel_ratio(x: f64) -> f64 {
    if x < ASYMPTOTIC_FROM { continued_fraction(x) } else { 1.0 - bessel_ratio_gap(x) }
}

/// The gap $`1-I_1(x)/I_0(x)`$, which keeps its digits where the ratio is close to 1.
///
/// ```
/// use fovea_core::special::bessel_ratio_gap;
/// assert!((bessel_ratio_gap(1e8) / 5.0000000125e-9 - 1.0).abs() < 1e-15);
/// ```
pub fn bessel_ratio_gap(x: f64) -> f64 {
    if x < ASYMPTOTIC_FROM { 1.0 - continued_fraction(x) } else { asymptotic_gap(x) }
}

/// $`\frac{1}{2/x+}\,\frac{1}{4/x+}\,\frac{1}{6/x+}\cdots`$, from the recurrence $`I_{m-1}-I_{m+1}=\tfrac{2m}xI_m`$.
fn continued_fraction(x: f64) -> f64 {
    if x.is_nan() || x < 0.0 {
        return f64::NAN;
    }
    // I_m falls steeply once m exceeds x; started this far above, the unknown tail is below rounding.
    let start = 40 + 2 * x as usize;
    (1..=start).rev().fold(0.0, |tail, m| x / (2.0 * m as f64 + x * tail))
}

/// $`-\sum_{m\ge1}a_mx^{-m}`$, the coefficients from the Riccati equation $`A'=1-A/x-A^2`$.
fn asymptotic_gap(x: f64) -> f64 {
    const TERMS: usize = 16;
    let mut a = [1.0; TERMS];
    let (mut gap, mut power) = (0.0, 1.0);
    for m in 1..TERMS {
        let square: f64 = (1..m).map(|i| a[i] * a[m - i]).sum();
        a[m] = 0.5 * ((m as f64 - 2.0) * a[m - 1] - square);
        power /= x;
        gap -= a[m] * power;
    }
    gap
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_has_the_digits_of_the_reference() {
        // mpmath 1.3, 30 digits: besseli(1, x) / besseli(0, x).
        for (x, want) in [
            (1e-8, 5e-9),
            (0.5, 0.24249961258080195),
            (2.0, 0.697774657964008),
            (10.0, 0.948599825954846),
            (50.0, 0.9899489673784978),
            (59.9, 0.9916173190090944),
            (60.0, 0.9916313501242088),
            (500.0, 0.9989994989968619),
        ] {
            assert!((bessel_ratio(x) / want - 1.0).abs() < 4e-15, "{x}: {}", bessel_ratio(x));
        }
    }

    #[test]
    fn both_routes_meet_and_the_gap_keeps_its_digits() {
        for x in [60.0, 75.0, 100.0, 300.0] {
            let far = asymptotic_gap(x);
            assert!((far / (1.0 - continued_fraction(x)) - 1.0).abs() < 1e-12, "{x}");
        }
        assert!((bessel_ratio_gap(1e12) / (0.5e-12 * (1.0 + 0.25e-12)) - 1.0).abs() < 1e-15);
        assert!(bessel_ratio_gap(f64::INFINITY) == 0.0 && bessel_ratio(0.0) == 0.0);
        assert!(bessel_ratio(-1.0).is_nan() && bessel_ratio(f64::NAN).is_nan());
    }

    #[test]
    fn the_slope_obeys_the_riccati_equation() {
        for x in [0.3, 1.0, 7.0, 59.0, 61.0, 200.0] {
            let h = 1e-4 * x;
            let slope = (bessel_ratio(x + h) - bessel_ratio(x - h)) / (2.0 * h);
            let ratio = bessel_ratio(x);
            let want = bessel_ratio_gap(x) * (1.0 + ratio) - ratio / x;
            assert!((slope - want).abs() < 1e-7 * want.abs().max(1e-4), "{x}: {slope} {want}");
        }
    }
}
