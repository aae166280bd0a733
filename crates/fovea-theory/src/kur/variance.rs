//! Variance of the algebraic distribution Kur(k).
//!
//! ```math
//! \mathrm{Var}\,x=\frac1kB\Big(\frac3k,\,1-\frac2k\Big)
//! ```
//!
//! # Source
//! Derived from the density of Kur(k) of lufkin2024; the authors' code calls it Alg(k).
//!
//! # Symbols
//! * $`k`$: `k`
//! * $`B`$: the beta function
//!
//! # Holds when
//! `k > 2`, `inf` included; infinite at and below 2, where the form refuses. 1/3 at `k = inf`, which is uniform between
//! -1 and 1. Its root scales a site to unit variance.
//!
//! # Checked by
//! The beta function to 40 digits (`kur`); quadrature over the quantile; sampled variances.

use super::abs_moment;
use crate::form::{Control, Form, number};
use fovea_core::params::{Schema, above};
use fovea_core::{Params, params};

/// Variance of the algebraic distribution of exponent `k`.
///
/// ```
/// let var = fovea_theory::kur::variance::variance(f64::INFINITY);
/// assert!((var - 1.0 / 3.0).abs() < 1e-15);
/// ```
pub fn variance(k: f64) -> f64 {
    abs_moment(k, 2.0)
}

params! {
    /// Arguments of `kur.variance`.
    pub struct Args {
        /// Exponent of the algebraic distribution; `inf` is uniform.
        k: f64 = 10.0, above(2.0), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "kur.variance",
    text: include_str!("variance.rs"),
    control: Control {
        what: "the beta function without its factor 1/k",
        eval: |given| number(given, |a: Args| Ok(a.k * variance(a.k))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| Ok(variance(a.k))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::quadrature::adaptive;

    #[test]
    fn quadrature_over_the_quantile_finds_the_same_variance() {
        // x^2 = y^2 (1 - y^k)^(-2/k) for y = 2F - 1, uniform on [0, 1].
        for k in [3.0, 4.5, 10.0, 50.0] {
            let square = |y: f64| y * y * libm::pow(1.0 - libm::pow(y, k), -2.0 / k);
            let found = adaptive(square, 0.0, 1.0, 1e-12);
            assert!((variance(k) - found.value).abs() < 1e-6 + found.error, "{k}: {found:?}");
            assert!((k * variance(k) - found.value).abs() > 0.1, "{k}");
        }
    }

    #[test]
    fn the_variance_falls_to_that_of_the_uniform_distribution() {
        assert!(variance(1e12) - 1.0 / 3.0 < 1e-11 && variance(f64::INFINITY) < variance(100.0));
        // Var -> 1/(k-2) at the edge: (1/2) B(3/2, eps) = 1/(2 eps), eps = (k-2)/k.
        assert!((variance(2.0 + 1e-9) * 1e-9 - 1.0).abs() < 1e-6);
    }
}
