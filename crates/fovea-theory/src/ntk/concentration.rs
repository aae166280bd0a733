//! Matrix Bernstein bound on the distance of a tangent kernel of finite width from its mean.
//!
//! ```math
//! P\big(|K-EK|\ge t\big)\le2m\,\exp\frac{-t^2/2}{v+Rt/3},\qquad E|K-EK|\le\sqrt{2v\ln2m}+\frac R3\ln2m
//! ```
//!
//! # Source
//! Lectures, topic 12, with the factor $`2m`$ and the half that the printed bound leaves out; claims T12.2, T12.3.
//!
//! # Symbols
//! * $`m`$: `m`, inputs
//! * $`n`$: `n`, the number of matrices $`K_j`$ whose mean is the kernel
//! * $`R`$: `range`/n, with $`|K_j-EK_j|`$ at most `range`
//! * $`v`$: `spread`/n, with `spread` the norm of $`E(K_j-EK_j)^2`$
//!
//! # Holds when
//! Means of n independent symmetric matrices; norms are largest magnitudes of eigenvalues. `tail` is at most 1. For
//! kernels of units bounded by 1 `range` and `spread` are at most `m`, and `spread` at most $`m|EK|`$.
//!
//! # Checked by
//! Exact tails for coin tosses; sampled kernels in the check `kernel-concentration`.

use crate::form::{Control, Form, with};
use fovea_core::params::{Schema, at_least, finite_above};
use fovea_core::{Params, Value, params};

impl Args {
    fn exponent(&self) -> f64 {
        let n = self.n as f64;
        if self.t > 1e100 {
            // The square overflows, and at infinity both terms do.
            return 0.5 * self.t * n / (self.spread / self.t + self.range / 3.0);
        }
        0.5 * self.t * self.t * n / (self.spread + self.range * self.t / 3.0)
    }

    /// The bound on the probability of a distance of at least `t`.
    pub fn tail(&self) -> f64 {
        (2.0 * self.m as f64 * libm::exp(-self.exponent())).min(1.0)
    }

    /// The bound on the mean distance.
    pub fn mean(&self) -> f64 {
        let log = libm::log(2.0 * self.m as f64);
        let n = self.n as f64;
        (2.0 * self.spread * log / n).sqrt() + self.range * log / (3.0 * n)
    }

    fn table(&self, tail: f64) -> Value {
        Value::table([("tail", tail.into()), ("mean", self.mean().into())])
    }
}

params! {
    /// Arguments of `ntk.concentration`.
    pub struct Args {
        /// Inputs.
        m: usize = 1, at_least(1.0), "";
        /// Width: matrices in the mean.
        n: usize = 100, at_least(1.0), "units";
        /// Largest norm of one matrix minus its mean.
        range: f64 = 1.0, finite_above(0.0), "";
        /// Norm of the mean square of one matrix minus its mean.
        spread: f64 = 1.0, finite_above(0.0), "";
        /// Distance.
        t: f64 = 0.2, at_least(0.0), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "ntk.concentration",
    text: include_str!("concentration.rs"),
    control: Control {
        what: "the printed bound, without the factors 2m and 1/2",
        eval: |given| with(given, |a: Args| Ok(a.table(libm::exp(-2.0 * a.exponent())))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(a.table(a.tail()))),
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The probability that the mean of 100 signs is at least 0.2 away from 0.
    fn coins() -> f64 {
        let log_choose =
            |k: f64| libm::lgamma(101.0) - libm::lgamma(k + 1.0) - libm::lgamma(101.0 - k);
        let one_side: f64 = (60..=100)
            .map(|k| libm::exp(log_choose(f64::from(k)) - 100.0 * std::f64::consts::LN_2))
            .sum();
        2.0 * one_side
    }

    #[test]
    fn huge_distances_have_probability_zero() {
        let args = Args { m: 7, n: 3, range: 2.0, spread: 1.5, t: f64::INFINITY };
        for t in [1e90, 1e110, 1.7e308, f64::INFINITY] {
            assert!(Args { t, ..args.clone() }.tail() == 0.0, "{t}");
        }
        // On both sides of the change of formula the exponent is 25.
        for t in [0.99e100, 1.01e100] {
            let given = Args { t, n: 1, spread: t * (0.02 * t - 2.0 / 3.0), ..args.clone() };
            assert!((given.exponent() - 25.0).abs() < 1e-12, "{t} {}", given.exponent());
        }
    }

    #[test]
    fn a_hundred_coins_keep_the_bound_and_break_the_printed_one() {
        let args = Args { m: 1, n: 100, range: 1.0, spread: 1.0, t: 0.2 };
        let exact = coins();
        assert!((exact - 0.056_887_9).abs() < 1e-7, "{exact}");
        assert!(exact < args.tail());
        let printed = libm::exp(-2.0 * args.exponent());
        assert!((printed - 0.023_518).abs() < 1e-6 && exact > printed, "{printed}");
        // The mean of |S| is 2 sqrt(100) C(100,50) / 2^100 / sqrt(100), about .0796.
        assert!(args.mean() > 0.0796 && Args { t: 0.0, ..args }.tail() >= 1.0);
    }
}
