//! Mean absolute value of a normal variable.
//!
//! ```math
//! E|S|=s\sqrt{\tfrac2\pi}\,e^{-\mu^2/2s^2}+\mu\,\mathrm{erf}\Big(\frac\mu{\sqrt2\,s}\Big),\qquad S\sim N(\mu,s^2)
//! ```
//!
//! # Source
//! Note 001 (76), "(?)", corrected; claim L001.32. The note has $`s^2`$ for $`s`$ before the exponential and $`2s`$ for
//! $`2s^2`$ inside it.
//!
//! # Symbols
//! * $`\mu`$: `mean`, in the note $`\rho T'`$
//! * $`s`$: `std`, in the note the root of $`1-\rho^2`$
//!
//! # Holds when
//! `std > 0`, every mean. It is not the mean of a truncated variable, which is `truncated.mean`.
//!
//! # Checked by
//! Quadrature; both ends of the mean.

use crate::form::{Control, Form, number};
use fovea_core::params::{Schema, finite, finite_above};
use fovea_core::special::erf;
use fovea_core::{Params, params};
use std::f64::consts::{FRAC_2_PI, SQRT_2};

/// The mean absolute value of a normal variable.
///
/// ```
/// let fold = fovea_theory::truncated::folded_mean::folded_mean(0.0, 2.0);
/// assert!((fold - 2.0 * (2.0 / std::f64::consts::PI).sqrt()).abs() < 1e-15);
/// ```
pub fn folded_mean(mu: f64, std: f64) -> f64 {
    let ratio = mu / std;
    std * FRAC_2_PI.sqrt() * libm::exp(-0.5 * ratio * ratio) + mu * erf(ratio / SQRT_2)
}

/// Note 001 (76) as printed, with $`\mu`$ and $`s`$ for its $`\rho T'`$ and $`\sqrt{1-\rho^2}`$.
fn source_form(mu: f64, std: f64) -> f64 {
    FRAC_2_PI.sqrt() * std * std * libm::exp(-0.5 * mu * mu / std) + mu * erf(mu / (SQRT_2 * std))
}

params! {
    /// Arguments of `truncated.folded_mean`.
    pub struct Args {
        /// Mean of the variable.
        mean: f64 = 0.48, finite(), "";
        /// Its standard deviation.
        std: f64 = 0.8, finite_above(0.0), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "truncated.folded_mean",
    text: include_str!("folded_mean.rs"),
    control: Control {
        what: "note 001 (76): s^2 before the exponential, s inside it",
        eval: |given| number(given, |a: Args| Ok(source_form(a.mean, a.std))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| Ok(folded_mean(a.mean, a.std))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::agree::agrees_to_digits;
    use fovea_core::quadrature::normal_expectation;

    #[test]
    fn quadrature_finds_the_same_mean_and_not_that_of_the_note() {
        for (mu, std) in [(0.48, 0.8), (-1.0, 0.3), (2.0, 5.0), (0.0, 2.0)] {
            let want = normal_expectation(|z| (mu + std * z).abs(), &[-mu / std]).value;
            agrees_to_digits(folded_mean(mu, std), want, 13.0).unwrap();
            assert!(agrees_to_digits(source_form(mu, std), want, 3.0).is_err());
        }
        agrees_to_digits(folded_mean(-1e200, 1.0), 1e200, 15.0).unwrap();
    }
}
