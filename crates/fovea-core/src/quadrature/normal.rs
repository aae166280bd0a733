//! Expectations under the standard normal distribution, and its density.

use super::adaptive::{Integral, adaptive_split};

/// $`1/\sqrt{2\pi}`$.
const FRAC_1_SQRT_2PI: f64 = 0.3989422804014327;

/// The density $`\varphi(x) = e^{-x^2/2}/\sqrt{2\pi}`$ of the standard normal distribution.
pub fn normal_pdf(x: f64) -> f64 {
    if x.is_infinite() {
        return 0.0;
    }
    let square = x * x;
    // The rounding of the square changes the density by x^2/2 units in the last place: correct for it.
    let rest = x.mul_add(x, -square);
    let density = FRAC_1_SQRT_2PI * libm::exp(-0.5 * square);
    density - density * (0.5 * rest)
}

/// The expectation $`E f(Z)`$ for a standard normal $`Z`$, split at the `kinks` of `f`, to about 1e-13 of $`E|f(Z)|`$.
///
/// The integral runs over $`|z| \le 38`$, beyond which the density is below the smallest number; an `f` that grows faster than
/// $`e^{z^2/2}`$ has no expectation, and the reported error is infinite or meaningless.
///
/// ```
/// use fovea_core::quadrature::normal_expectation;
/// let relu = normal_expectation(|z| z.max(0.0), &[0.0]);
/// assert!((relu.value - 0.3989422804014327).abs() < 1e-15);
/// ```
pub fn normal_expectation(mut f: impl FnMut(f64) -> f64, kinks: &[f64]) -> Integral {
    const TOLERANCE: f64 = 1e-13;
    const CUT: f64 = 38.0;
    // Panels on the scale of the density, so that no mass is missed wherever the kinks are.
    let mut points = vec![-CUT, -12.0, -6.0, -3.0, -1.0, 1.0, 3.0, 6.0, 12.0, CUT];
    points.extend(kinks.iter().copied().filter(|k| k.abs() < CUT));
    adaptive_split(|z| f(z) * normal_pdf(z), &points, TOLERANCE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::within;

    #[test]
    fn normal_expectations_match_closed_forms() {
        // mpmath 1.3, 40 digits: 1/sqrt(2 pi), 15, (2/pi) asin(2/3), exp(2), erfc(1/sqrt 2)/2.
        type Known = (&'static str, fn(f64) -> f64, &'static [f64], f64);
        let cases: [Known; 5] = [
            ("relu", |z| z.max(0.0), &[0.0], 0.3989422804014327),
            ("sixth moment", |z| z * z * z * z * z * z, &[], 15.0),
            ("erf squared", |z| libm::erf(z) * libm::erf(z), &[], 0.46455905439753997),
            ("log-normal", |z| libm::exp(2.0 * z), &[], 7.38905609893065),
            ("indicator", |z| if z > 1.0 { 1.0 } else { 0.0 }, &[1.0], 0.15865525393145705),
        ];
        for (name, f, kinks, exact) in cases {
            let integral = normal_expectation(f, kinks);
            within(integral.value, exact, 1e-14, 0.0).unwrap();
            assert!((integral.value - exact).abs() <= integral.error, "{name}");
        }
    }
}
