//! Mean of a normal variable given that it is positive.
//!
//! ```math
//! E[S\,|\,S>0]=\mu+s\,\frac{\varphi(\mu/s)}{\Phi(\mu/s)},\qquad S\sim N(\mu,s^2)
//! ```
//!
//! # Source
//! Note 001 (76), "(?)", corrected; claim L001.32. The note mixes this mean with that of $`|S|`$
//! (`truncated.folded_mean`).
//!
//! # Symbols
//! * $`\mu`$: `mean`, in the note $`\rho T'`$
//! * $`s`$: `std`, in the note the root of $`1-\rho^2`$
//!
//! # Holds when
//! `std > 0`, every mean: the value tends to $`\mu`$ far above 0 and to $`s^2/|\mu|`$ far below, where density and
//! probability both vanish.
//!
//! # Checked by
//! Quadrature; both ends of the mean.

use super::Tail;
use crate::form::{Control, Form, number};
use fovea_core::params::{Schema, finite, finite_above};
use fovea_core::{Params, params};

/// The mean of a normal variable given that it is positive.
///
/// ```
/// let half = fovea_theory::truncated::mean::mean(0.0, 2.0);
/// assert!((half - 2.0 * (2.0 / std::f64::consts::PI).sqrt()).abs() < 1e-15);
/// ```
pub fn mean(mu: f64, std: f64) -> f64 {
    // mu + s lambda(-mu/s) = s (lambda - tau): far below 0 the difference is taken before it cancels.
    std * Tail::beyond(-mu / std).over
}

params! {
    /// Arguments of `truncated.mean`.
    pub struct Args {
        /// Mean of the whole variable.
        mean: f64 = 0.48, finite(), "";
        /// Its standard deviation.
        std: f64 = 0.8, finite_above(0.0), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "truncated.mean",
    text: include_str!("mean.rs"),
    control: Control {
        what: "the mean of |S|, which note 001 (76) intends",
        eval: |given| number(given, |a: Args| Ok(super::folded_mean::folded_mean(a.mean, a.std))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| Ok(mean(a.mean, a.std))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::agree::agrees_to_digits;
    use fovea_core::quadrature::adaptive;
    use fovea_core::special::normal_pdf;

    #[test]
    fn quadrature_finds_the_same_mean() {
        for (mu, std) in [(0.48_f64, 0.8_f64), (-1.0, 0.3), (2.0, 5.0), (0.0, 1.0), (-4.0, 1.0)] {
            let density = |x: f64| normal_pdf((x - mu) / std);
            let end = mu.max(0.0) + 12.0 * std;
            let moment = |p: f64| adaptive(|x| libm::pow(x, p) * density(x), 0.0, end, 1e-14).value;
            agrees_to_digits(mean(mu, std), moment(1.0) / moment(0.0), 12.5).unwrap();
        }
    }

    #[test]
    fn far_means_are_limits() {
        agrees_to_digits(mean(50.0, 1.0), 50.0, 15.0).unwrap();
        // Laplace's fraction: s^2/|mu| (1 - 2/tau^2 + ...), tau = |mu|/s.
        agrees_to_digits(mean(-1e6, 2.0), 4e-6 * (1.0 - 8e-12), 15.0).unwrap();
        agrees_to_digits(mean(-1e200, 1e-3), 1e-206, 15.0).unwrap();
    }
}
