//! Excess kurtosis of data multiplied by an independent random number of unit mean square.
//!
//! ```math
//! \kappa(sX)=E s^4\,(\kappa(X)+3)-3,\qquad E s^2=1,\qquad
//! E s^4=3\ (\text{normal}),\ \tfrac95\ (\text{uniform}),\ 1\ (\text{sign}),\ 2\ (\text{root-exponential})
//! ```
//!
//! # Source
//! Derived.
//!
//! # Symbols
//! * $`s`$: the multiplier, by `factor` (`root-exponential` is the root of an exponential variable of mean 1), one
//!   number for all sites of a sample
//! * $`\kappa(X)`$: `base`, the excess kurtosis of a site before it is multiplied
//!
//! # Holds when
//! $`s`$ is independent of $`X`$, of mean square 1; `base` is a number and at least -2. The covariance does not change.
//!
//! # Checked by
//! Quadrature over s; `elliptical.excess_kurtosis`; sampled fourth moments.

use crate::form::{Control, Form, number};
use fovea_core::params::{Range, Schema, any};
use fovea_core::{Params, params};

fovea_core::choice! {
    /// The distribution of the multiplier, of unit mean square.
    pub enum Scale {
        /// Standard normal.
        Normal = "normal",
        /// Uniform between plus and minus the root of 3.
        Uniform = "uniform",
        /// Plus or minus 1, each half the time.
        Sign = "sign",
        /// The root of an exponential variable of mean 1.
        RootExponential = "root-exponential",
    }
}

impl Scale {
    /// $`E s^4`$.
    pub fn fourth_moment(self) -> f64 {
        match self {
            Self::Normal => 3.0,
            Self::Uniform => 1.8,
            Self::Sign => 1.0,
            Self::RootExponential => 2.0,
        }
    }
}

/// Excess kurtosis after multiplication, from the excess kurtosis `base` before.
///
/// ```
/// use fovea_theory::scaled::excess_kurtosis::{Scale, excess_kurtosis};
/// assert_eq!(excess_kurtosis(Scale::Sign, -1.2), -1.2);
/// ```
pub fn excess_kurtosis(scale: Scale, base: f64) -> f64 {
    // E s^4 (base + 3) - 3 with the excess of s^2 separated, so that a multiplier of constant size changes no bit.
    base + (scale.fourth_moment() - 1.0) * (base + 3.0)
}

params! {
    /// Arguments of `scaled.excess_kurtosis`.
    pub struct Args {
        /// Distribution of the multiplier.
        factor: Scale = Scale::Normal, any(), "";
        /// Excess kurtosis of a site before it is multiplied.
        base: f64 = 0.0, Range { low: -2.0, open_high: true, ..any() }, "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "scaled.excess_kurtosis",
    text: include_str!("excess_kurtosis.rs"),
    control: Control {
        what: "the sum of the two excess kurtoses, as if cumulants added up",
        eval: |given| number(given, |a: Args| Ok(a.base + a.factor.fourth_moment() - 3.0)),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| Ok(excess_kurtosis(a.factor, a.base))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elliptical::Radial;
    use crate::elliptical::excess_kurtosis::excess_kurtosis as elliptical;
    use fovea_core::quadrature::{adaptive, normal_expectation};

    #[test]
    fn quadrature_over_the_multiplier_finds_its_moments() {
        let power = |s: f64, p: f64| libm::pow(s.abs(), p);
        let moments = |scale: Scale| {
            [2.0, 4.0].map(|p| match scale {
                Scale::Normal => normal_expectation(|s| power(s, p), &[0.0]).value,
                Scale::Uniform => adaptive(|u| power(u * 3.0_f64.sqrt(), p), 0.0, 1.0, 1e-13).value,
                Scale::Sign => 1.0,
                Scale::RootExponential => {
                    adaptive(|e| power(e.sqrt(), p) * libm::exp(-e), 0.0, 60.0, 1e-13).value
                }
            })
        };
        for scale in [Scale::Normal, Scale::Uniform, Scale::Sign, Scale::RootExponential] {
            let [second, fourth] = moments(scale);
            assert!((second - 1.0).abs() < 1e-12, "{scale:?}");
            assert!((scale.fourth_moment() - fourth).abs() < 1e-11, "{scale:?}");
        }
    }

    #[test]
    fn a_gaussian_times_the_root_of_an_exponential_is_the_elliptical_laplace() {
        let got = excess_kurtosis(Scale::RootExponential, 0.0);
        assert!((got - elliptical(Radial::Laplace, 40)).abs() < 1e-15);
        assert!(
            (excess_kurtosis(Scale::Normal, -2.0) - 0.0).abs() < 1e-15,
            "a sign times a normal"
        );
    }
}
