//! Excess kurtosis of one site of Gaussian-copula data.
//!
//! ```math
//! \kappa=E\,\psi(Z)^4-3:\qquad-\tfrac65\ (\text{uniform}),\quad-\tfrac32\ (\text{arcsine}),\quad3\ (\text{laplace}),\quad
//! \kappa_{\mathrm{Kur}}(k)\ (\text{kur})
//! ```
//!
//! # Source
//! Derived; claim L000.45, and `kur.excess_kurtosis`.
//!
//! # Symbols
//! * $`\psi`$: quantile of `marginal`, of unit variance (the latent correlation does not enter)
//!
//! # Holds when
//! The fourth moment exists: for `kur` where `k > 4`, refused otherwise; for the others always.
//!
//! # Checked by
//! Quadrature over the latent Gaussian; sampled fourth moments.

use super::{Law, Marginal};
use crate::form::{Control, Form, with};
use crate::kur;
use fovea_core::params::{Schema, above, any};
use fovea_core::{Params, params};

/// Excess kurtosis of one site.
///
/// ```
/// use fovea_theory::copula::{Marginal, excess_kurtosis::excess_kurtosis};
/// assert!((excess_kurtosis(Marginal::Arcsine) + 1.5).abs() < 1e-15);
/// ```
pub fn excess_kurtosis(marginal: Marginal) -> f64 {
    match marginal {
        Marginal::Uniform => -1.2,
        Marginal::Arcsine => -1.5,
        Marginal::Laplace => 3.0,
        Marginal::Kur { k } => kur::excess_kurtosis::excess_kurtosis(k),
    }
}

/// $`E x^4-3`$ of the usual quantile, before it is scaled to unit variance.
fn unscaled(marginal: Marginal) -> f64 {
    match marginal {
        Marginal::Uniform => 0.2 - 3.0,
        Marginal::Arcsine => 0.375 - 3.0,
        Marginal::Laplace => 24.0 - 3.0,
        Marginal::Kur { k } => kur::abs_moment(k, 4.0) - 3.0,
    }
}

params! {
    /// Arguments of `copula.excess_kurtosis`.
    pub struct Args {
        /// Marginal distribution of a site.
        marginal: Law = Law::Uniform, any(), "";
        /// Exponent of `kur`.
        k: f64 = 10.0, above(2.0), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "copula.excess_kurtosis",
    text: include_str!("excess_kurtosis.rs"),
    control: Control {
        what: "the distribution on its usual scale instead of unit variance, E x^4 - 3",
        eval: |given| {
            with(given, |a: Args| {
                Marginal::with_fourth_moment(a.marginal, a.k).map(|m| unscaled(m).into())
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| {
        with(given, |a: Args| {
            Marginal::with_fourth_moment(a.marginal, a.k).map(|m| excess_kurtosis(m).into())
        })
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::quadrature::normal_expectation;

    #[test]
    fn quadrature_over_the_latent_gaussian_finds_the_same_kurtosis() {
        for marginal in [
            Marginal::Uniform,
            Marginal::Arcsine,
            Marginal::Laplace,
            Marginal::Kur { k: 5.5 },
            Marginal::Kur { k: 10.0 },
        ] {
            let power = |z: f64, p: f64| libm::pow(marginal.damped(z, 0.0).abs(), p);
            let [second, fourth] =
                [2.0, 4.0].map(|p| normal_expectation(|z| power(z, p), &[0.0]).value);
            let deviation = marginal.deviation();
            assert!((second / (deviation * deviation) - 1.0).abs() < 1e-11, "{marginal:?}");
            let gap = excess_kurtosis(marginal) - (fourth / (second * second) - 3.0);
            assert!(gap.abs() < 1e-9, "{marginal:?}: {gap:e}");
            assert!(
                (unscaled(marginal) - (fourth - 3.0)).abs() < 1e-9,
                "{marginal:?}: the control"
            );
        }
    }

    #[test]
    fn a_distribution_without_a_fourth_moment_is_refused() {
        let given = vec![("marginal".to_owned(), "kur".into()), ("k".to_owned(), 4.0.into())];
        assert!(ENTRY.at(&given).unwrap_err().hint().contains("k > 4"));
    }
}
