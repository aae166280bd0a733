//! Probability that one of n independent normal weights outvotes all others.
//!
//! ```math
//! P_n=P\Big(\exists i:\ |w_i|>\sum_{j\ne i}|w_j|\Big)
//! =\frac{2n}\pi\int_0^\infty\mathrm{Re}\,\frac{e^{z^2/2}\,\varphi(z)^{n-1}}z\,du,\qquad
//! z=\sqrt n+iu,\quad\varphi(z)=E\,e^{-z|w|}=\sqrt{\tfrac2\pi}\int_0^\infty e^{-x^2/2-zx}dx
//! ```
//!
//! # Source
//! Derived; claim L000.46, on the dictator condition of note 000, which calls it "pretty strong" without a number.
//! At most one weight can outvote the others, so that $`P_n=n\,P(|w_1|>S)`$ with $`S=\sum_{j>1}|w_j|`$, and
//! $`P(|w_1|>S)=2P(w_1-S>0)`$ is the inverse Laplace transform of $`E\,e^{z(w_1-S)}/z`$ at 0.
//!
//! # Symbols
//! * $`\varphi`$: Laplace transform of the absolute value of a standard normal
//!
//! # Holds when
//! Independent normal weights of mean 0 and equal variance, as after a Glorot start; `n >= 2`. The path of integration
//! passes the saddle of the integrand, near $`\sqrt n`$, so that nothing cancels however small the result is.
//!
//! # Checked by
//! The solid angle of the cone at n = 3; a nested integral at n = 4; 30 digits of the formula of Gil-Pelaez; counts in
//! the experiment `dictator`.

use crate::form::{Control, Form, number};
use fovea_core::params::{Schema, between};
use fovea_core::quadrature::{Rule, gauss_legendre};
use fovea_core::{Params, params};
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// The probability that one of `n` independent standard normals is larger than all others together, in absolute value.
///
/// ```
/// let p = fovea_theory::dictator::dominance::dominance(3);
/// assert!((p - 0.6490406878163564).abs() < 1e-14);
/// ```
pub fn dominance(n: usize) -> f64 {
    // Beyond u = 9 the factor e^{-u^2/2} is below 1e-17; the sum over equal steps is the integral to e^{-2 pi sqrt n/STEP}.
    const STEP: f64 = 0.125;
    let (root, rule) = ((n as f64).sqrt(), gauss_legendre(120));
    let top = laplace((root, 0.0), &rule).0;
    let term = |u: f64| {
        let (re, im) = laplace((root, u), &rule);
        // Relative to the value on the real axis, which would underflow.
        let (re, im) = power((re / top, im / top), n - 1);
        let (sin, cos) = libm::sincos(root * u);
        let (re, im) = (re * cos - im * sin, re * sin + im * cos);
        libm::exp(-0.5 * u * u) * (re * root + im * u) / (root * root + u * u)
    };
    let sum = 0.5 * term(0.0) + (1..=72).map(|k| term(STEP * f64::from(k))).sum::<f64>();
    let size = libm::exp(0.5 * n as f64 + (n - 1) as f64 * libm::log(top));
    n as f64 * FRAC_2_PI * STEP * size * sum
}

/// $`\varphi(z)`$, for imaginary parts up to about 10.
fn laplace(z: (f64, f64), rule: &Rule) -> (f64, f64) {
    // Beyond x = 9 the density is negligible.
    const END: f64 = 9.0;
    let part = |wave: &dyn Fn(f64) -> f64| {
        let at = |y: f64| {
            let x = 0.5 * END * (1.0 + y);
            libm::exp(-0.5 * x * x - z.0 * x) * wave(x)
        };
        0.5 * END / FRAC_PI_2.sqrt() * rule.integrate(at)
    };
    (part(&|x| libm::cos(z.1 * x)), -part(&|x| libm::sin(z.1 * x)))
}

/// An integer power of a complex number.
fn power(z: (f64, f64), exponent: usize) -> (f64, f64) {
    (0..exponent).fold((1.0, 0.0), |p, _| (p.0 * z.0 - p.1 * z.1, p.0 * z.1 + p.1 * z.0))
}

params! {
    /// Arguments of `dictator.dominance`.
    pub struct Args {
        /// Number of weights.
        n: usize = 4, between(2.0, 30.0), "weights";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "dictator.dominance",
    text: include_str!("dominance.rs"),
    control: Control {
        what: "weights with exponential tails: n/2^(n-1), as for a broken stick",
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
    use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, PI};

    #[test]
    fn one_of_two_always_dominates_and_three_are_a_solid_angle() {
        within(dominance(2), 1.0, 1e-14, 0.0).unwrap();
        // Of the octant of absolute values, the triangle e_1, (e_1 + e_2)/sqrt 2, (e_1 + e_3)/sqrt 2, three times.
        let solid = 2.0 * libm::atan(0.5 / (1.5 + 2.0_f64.sqrt()));
        within(dominance(3), 3.0 * solid / FRAC_PI_2, 1e-14, 0.0).unwrap();
    }

    #[test]
    fn no_digit_is_lost_however_small_the_chance() {
        // n [1 - (2/pi) int e^{-u^2/2} Im chi^{n-1} du/u] (Gil-Pelaez) with 40 digits of mpmath, up to 16; at 30 the present formula with 40 digits.
        for (n, p) in [
            (4, 1.0 / 3.0),
            (8, 0.006336195747034153),
            (12, 3.5661263847600286e-5),
            (16, 9.405688675163606e-8),
            (30, 2.264505789386437e-18),
        ] {
            within(dominance(n), p, 1e-13, 0.0).unwrap();
        }
    }

    #[test]
    fn four_agree_with_a_nested_integral() {
        // The sum of two half normals has density 2 e^{-s^2/4} erf(s/2) / sqrt pi; a third is convolved explicitly.
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
