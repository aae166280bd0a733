//! Excess kurtosis of the algebraic distribution Kur(k).
//!
//! ```math
//! \kappa(k)=\frac{E x^4}{(E x^2)^2}-3,\qquad E|x|^p=\frac1kB\Big(\frac{p+1}k,\,1-\frac pk\Big)
//! ```
//!
//! # Source
//! Derived from the density of Kur(k) of lufkin2024. Their figure has an estimate from ten thousand samples,
//! which for heavy tails is far too low: 4.63 instead of 26.33 at k = 4.1.
//!
//! # Symbols
//! * $`k`$: `k`
//! * $`B`$: the beta function
//! * $`\kappa`$: of the distribution scaled to unit variance, as a site is
//!
//! # Holds when
//! `k > 4`, `inf` included; infinite at and below 4, where the form refuses. It decreases from infinity through 0 at
//! `kur.zero_excess` to -6/5 at `k = inf`.
//!
//! # Checked by
//! Thirteen published values; the uniform limit; the beta function to 40 digits (`kur`); sampled fourth moments at k >
//! 8.

use super::abs_moment;
use crate::form::{Control, Form, number};
use fovea_core::params::{Schema, above};
use fovea_core::{Params, params};

/// Excess kurtosis of the algebraic distribution of exponent `k`.
///
/// ```
/// let kurtosis = fovea_theory::kur::excess_kurtosis::excess_kurtosis(f64::INFINITY);
/// assert!((kurtosis + 1.2).abs() < 1e-14);
/// ```
pub fn excess_kurtosis(k: f64) -> f64 {
    if k <= 4.0 {
        return f64::INFINITY;
    }
    let var = abs_moment(k, 2.0);
    abs_moment(k, 4.0) / (var * var) - 3.0
}

params! {
    /// Arguments of `kur.excess_kurtosis`.
    pub struct Args {
        /// Exponent of the algebraic distribution; `inf` is uniform.
        k: f64 = 10.0, above(4.0), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "kur.excess_kurtosis",
    text: include_str!("excess_kurtosis.rs"),
    control: Control {
        what: "the distribution not scaled to unit variance, E x^4 - 3",
        eval: |given| number(given, |a: Args| Ok(abs_moment(a.k, 4.0) - 3.0)),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| Ok(excess_kurtosis(a.k))),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_the_published_values_to_their_last_digit() {
        let table = [
            (4.1, 26.33, 5e-3),
            (4.3, 7.762, 5e-4),
            (4.5, 4.054, 5e-4),
            (4.74, 2.255, 5e-4),
            (5.0, 1.285, 5e-4),
            (5.4, 0.502, 5e-4),
            (6.0, -0.078, 5e-4),
            (6.1, -0.142, 5e-4),
            (7.0, -0.518, 5e-4),
            (7.7, -0.679, 5e-4),
            (8.0, -0.730, 5e-4),
            (10.0, -0.930, 5e-4),
            (50.0, -1.191, 5e-4),
        ];
        for (k, published, digit) in table {
            assert!((excess_kurtosis(k) - published).abs() <= digit, "{k}");
            assert!((abs_moment(k, 4.0) - 3.0 - published).abs() > digit, "{k}: the control");
        }
    }

    #[test]
    fn it_falls_from_infinity_to_that_of_the_uniform_distribution() {
        assert!(excess_kurtosis(4.0).is_infinite() && excess_kurtosis(4.0 + 1e-9) > 1e8);
        let ks = [4.0001, 4.5, 5.0, 5.9, 8.0, 20.0, 1e3, 1e6];
        assert!(ks.windows(2).all(|k| excess_kurtosis(k[1]) < excess_kurtosis(k[0])));
        assert!((excess_kurtosis(1e9) + 1.2).abs() < 1e-14);
    }
}
