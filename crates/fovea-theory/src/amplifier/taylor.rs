//! Localization amplifier to third order in the correlation of site and preactivation.
//!
//! ```math
//! \varphi(a)=\sqrt{\tfrac2\pi}\,\Big[a-\frac{\kappa}{6}\,a^3\Big]+O(a^5),\qquad\kappa=EX^4-3
//! ```
//!
//! # Source
//! Claim 3.2 of lufkin2024, whose kurtosis is $`\kappa+3`$. Their program for it drops the $`\sqrt{2/\pi}`$ of the
//! cubic term.
//!
//! # Symbols
//! * $`a`$: `a`, the correlation of site and preactivation
//! * $`\kappa`$: excess kurtosis of `marginal`
//!
//! # Holds when
//! Small `a` and a distribution with a fourth moment: `k > 4` for `kur`, refused otherwise. Negative excess kurtosis
//! bends the curve up: the largest entry of $`Cw`$ is amplified.
//!
//! # Checked by
//! The order of its difference from `amplifier.phi`.

use crate::form::{Control, Form, FormError, number};
use crate::site::{Site, SiteLaw};
use fovea_core::params::{Schema, above, any, between};
use fovea_core::{Params, params};
use std::f64::consts::FRAC_2_PI;

/// The amplifier to third order for a site of this excess kurtosis.
///
/// ```
/// let line = fovea_theory::amplifier::taylor::taylor(0.0, 0.5);
/// assert!((line - 0.5 * 0.7978845608028654).abs() < 1e-15);
/// ```
pub fn taylor(excess_kurtosis: f64, a: f64) -> f64 {
    FRAC_2_PI.sqrt() * (a - excess_kurtosis / 6.0 * a * a * a)
}

/// The third order without the factor on its cubic term, as published.
pub fn published(excess_kurtosis: f64, a: f64) -> f64 {
    FRAC_2_PI.sqrt() * a - excess_kurtosis / 6.0 * a * a * a
}

params! {
    /// Arguments of `amplifier.taylor`.
    pub struct Args {
        /// Correlation of the site with the preactivation.
        a: f64 = 0.6, between(-1.0, 1.0), "";
        /// Distribution of a site.
        marginal: SiteLaw = SiteLaw::Nlgp, any(), "";
        /// Gain of `nlgp`; `inf` is the sign.
        gain: f64 = 3.0, above(0.0), "";
        /// Exponent of `kur`.
        k: f64 = 10.0, above(2.0), "";
    }
}

impl Params for Args {}

impl Args {
    fn kurtosis(&self) -> Result<f64, FormError> {
        Ok(Site::with_fourth_moment(self.marginal, self.gain, self.k)?.excess_kurtosis())
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "amplifier.taylor",
    text: include_str!("taylor.rs"),
    control: Control {
        what: "the cubic term without sqrt(2/pi), as in the published program",
        eval: |given| number(given, |a: Args| Ok(published(a.kurtosis()?, a.a))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| Ok(taylor(a.kurtosis()?, a.a))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amplifier::phi::phi;
    use crate::copula::Marginal;
    use fovea_core::agree::has_order;

    #[test]
    fn the_rest_is_of_fifth_order_and_without_the_factor_of_third() {
        for site in [
            Site::Nlgp { gain: 1.0 },
            Site::Nlgp { gain: f64::INFINITY },
            Site::Copula(Marginal::Uniform),
            Site::Copula(Marginal::Laplace),
        ] {
            let steps = [0.04, 0.028, 0.02, 0.014, 0.01];
            let rest = |form: fn(f64, f64) -> f64| {
                steps.map(|a| (phi(site, a) - form(site.excess_kurtosis(), a)).abs())
            };
            has_order(&steps, &rest(taylor), 5.0).unwrap();
            assert!(has_order(&steps, &rest(published), 5.0).is_err());
        }
    }
}
