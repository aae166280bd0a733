//! How often one of `n` random weights outvotes all others.
//!
//! ```math
//! P_n=P\Big(\exists i:\ |w_i|>\sum_{j\ne i}|w_j|\Big)
//! =n\Big[1-\frac2\pi\int_0^\infty e^{-u^2/2}\,\operatorname{Im}\chi(u)^{n-1}\,\frac{du}u\Big],\qquad
//! \chi(u)=e^{-u^2/2}+\frac{2i}{\sqrt\pi}D\Big(\frac u{\sqrt2}\Big)
//! ```
//!
//! # Source
//! Claim L000.46, derived; note 000 calls the condition "pretty strong" and gives no number. At most one weight can outvote the
//! others, so that $`P_n=n\,P(|w_1|>S)`$ with $`S=\sum_{j>1}|w_j|`$, and $`P(|w_1|>S)=2P(w_1-S>0)`$ follows from the
//! characteristic functions by the formula of Gil-Pelaez.
//!
//! # Symbols
//! $`\chi`$ is the characteristic function of the absolute value of a standard normal, $`D`$ Dawson's integral.
//!
//! # Holds when
//! The weights are independent normals of mean 0 and one variance, as after a Glorot start; `n >= 2`. The result loses digits to
//! cancellation as it falls, about eight of them at `n = 16`, so that larger `n` are refused.
//!
//! # Checked by
//! The solid angle of the cone at `n = 3` and a nested integral at `n = 4` below; counts in the experiment `dictator`.

use crate::form::{Control, Form, number};
use fovea_core::params::{Schema, between};
use fovea_core::quadrature::{Rule, gauss_legendre};
use fovea_core::{Params, params};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI, FRAC_2_SQRT_PI};

/// The probability that one of `n` independent standard normals is larger than all others together, in absolute value.
///
/// ```
/// let p = fovea_theory::dictator::dominance::dominance(3);
/// assert!((p - 0.6490406878163565).abs() < 1e-12);
/// ```
pub fn dominance(n: usize) -> f64 {
    // Beyond u = 9 the factor e^{-u^2/2} is below 1e-17.
    const END: f64 = 9.0;
    let (outer, inner) = (gauss_legendre(120), gauss_legendre(60));
    let integral = outer.integrate(|x| {
        let u = 0.5 * END * (x + 1.0);
        let decay = libm::exp(-0.5 * u * u);
        let chi = (decay, FRAC_2_SQRT_PI * dawson(u * FRAC_1_SQRT_2, &inner));
        decay * power(chi, n - 1).1 / u
    });
    n as f64 * (1.0 - FRAC_2_PI * 0.5 * END * integral)
}

/// Dawson's integral $`D(x)=\int_0^xe^{s^2-x^2}ds`$, for `x` up to about 7.
fn dawson(x: f64, rule: &Rule) -> f64 {
    // s = x (1 + y)/2, and s^2 - x^2 = -x^2 (1 - y)(3 + y)/4.
    0.5 * x * rule.integrate(|y| libm::exp(-0.25 * x * x * (1.0 - y) * (3.0 + y)))
}

/// A whole power of a complex number.
fn power(z: (f64, f64), exponent: usize) -> (f64, f64) {
    (0..exponent).fold((1.0, 0.0), |p, _| (p.0 * z.0 - p.1 * z.1, p.0 * z.1 + p.1 * z.0))
}

params! {
    /// Arguments of `dictator.dominance`.
    pub struct Args {
        /// How many weights.
        n: usize = 4, between(2.0, 16.0), "weights";
    }
}

impl Params for Args {}

/// The row of this form.
pub const ENTRY: Form = Form {
    name: "dictator.dominance",
    summary: "Probability that one of n independent normal weights outvotes all others.",
    equation: r"P_n=n\big[1-\tfrac2\pi\int_0^\infty e^{-u^2/2}\,\mathrm{Im}\,\chi(u)^{n-1}\,du/u\big]",
    source: "derived; L000.46, on the dictator condition of note 000",
    symbols: &[(r"\chi", "characteristic function of |N(0,1)|")],
    holds: "independent normals of mean 0 and one variance, 2 <= n <= 16",
    checks: "a solid angle; a nested integral; counted draws",
    control: Control {
        what: "weights with exponential tails: n/2^(n-1), the law of a broken stick",
        eval: |given| number(given, |a: Args| Ok(a.n as f64 * libm::exp2(1.0 - a.n as f64))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| Ok(dominance(a.n))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::agree::within;
    use fovea_core::quadrature::adaptive;
    use std::f64::consts::{FRAC_PI_2, PI};

    #[test]
    fn one_of_two_always_dominates_and_three_are_a_solid_angle() {
        within(dominance(2), 1.0, 1e-13, 0.0).unwrap();
        // Of the octant of absolute values, the triangle e_1, (e_1 + e_2)/sqrt 2, (e_1 + e_3)/sqrt 2, three times.
        let solid = 2.0 * libm::atan(0.5 / (1.5 + 2.0_f64.sqrt()));
        within(dominance(3), 3.0 * solid / FRAC_PI_2, 1e-12, 0.0).unwrap();
    }

    #[test]
    fn four_agree_with_a_nested_integral() {
        // The sum of two half normals has density 2 e^{-s^2/4} erf(s/2) / sqrt pi; a third is folded in by hand.
        let two = |s: f64| 2.0 / PI.sqrt() * libm::exp(-0.25 * s * s) * libm::erf(0.5 * s);
        let half = |x: f64| (2.0 / PI).sqrt() * libm::exp(-0.5 * x * x);
        let three = |s: f64| adaptive(|x| half(x) * two(s - x), 0.0, s, 1e-12).value;
        let tail = |s: f64| libm::erfc(s * FRAC_1_SQRT_2);
        let p = 4.0 * adaptive(|s| three(s) * tail(s), 0.0, 12.0, 1e-11).value;
        within(dominance(4), p, 1e-9, 0.0).unwrap();
    }

    #[test]
    fn the_counts_of_the_catalogue_are_near() {
        // A million draws each: three digits, or the last one printed.
        for (n, counted, half_digit) in [
            (3, 0.649, 1e-3),
            (4, 0.333, 1e-3),
            (5, 0.145, 1e-3),
            (6, 0.056, 1e-3),
            (8, 0.0063, 2e-4),
            (10, 0.0006, 1e-4),
        ] {
            assert!((dominance(n) - counted).abs() < half_digit, "{n}: {}", dominance(n));
        }
        assert!((10..=16).all(|n| dominance(n) < dominance(n - 1) && dominance(n) > 0.0));
    }
}
