//! Eigenvalues of the wrapped covariance times a cosine, k = 0..n/2.
//!
//! ```math
//! \lambda_k=\tfrac12(\Lambda_{k-m}+\Lambda_{k+m}),\qquad c_d=w_d\cos\frac{2\pi md}n,\qquad k=0,\dots,\lfloor n/2\rfloor
//! ```
//!
//! # Source
//! Derived: a product of covariances convolves their spectra. The wrapped kernel is that of claim C.3.
//!
//! # Symbols
//! * $`w_d`$: the wrapped covariance of length `xi`, in sites, of unit variance, as is $`c_d`$
//! * $`\Lambda_k`$: its eigenvalues, `wrapped.eigs`, even in $`k`$ and of period $`n`$
//! * $`m`$: `waves`, the periods of the cosine around the ring
//!
//! # Holds when
//! Always; all eigenvalues are positive, down to underflow.
//!
//! # Checked by
//! Cosine sums; sampled covariances; $`\Lambda`$ has reference values (`tests/oracle`).

use crate::form::{Control, Form, with};
use crate::wrapped;
use fovea_core::params::{Schema, between, finite_above};
use fovea_core::ring::distance;
use fovea_core::{Params, Value, params};

/// Eigenvalues `k = 0..=n/2` of the wrapped covariance times a cosine of `waves` periods.
///
/// ```
/// let eigs = fovea_theory::cosine::eigs::eigs(40, 3.0, 5);
/// assert!((1..=20).all(|k| eigs[k] <= eigs[5]));
/// ```
pub fn eigs(n: usize, xi: f64, waves: usize) -> Vec<f64> {
    let wrapped = wrapped::eigs::eigs(n, xi);
    let shift = waves % n;
    // k - m and k + m, folded back to 0..=n/2.
    let at = |k: usize| wrapped[distance(0, k % n, n)];
    (0..=n / 2).map(|k| 0.5 * (at(k + n - shift) + at(k + shift))).collect()
}

params! {
    /// Arguments of `cosine.eigs`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
        /// Correlation length of the wrapped covariance.
        xi: f64 = 3.0, finite_above(0.0), "sites";
        /// Periods of the cosine around the ring.
        waves: usize = 5, between(0.0, 1e4), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "cosine.eigs",
    text: include_str!("eigs.rs"),
    control: Control {
        what: "the wrapped covariance without its cosine",
        eval: |given| with(given, |a: Args| Ok(Value::reals(&wrapped::eigs::eigs(a.n, a.xi)))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(Value::reals(&eigs(a.n, a.xi, a.waves)))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::fourier::cos_turns;
    use fovea_core::ring::{Kernel, circulant_eigs, kernel_row};

    #[test]
    fn cosine_sums_of_odd_and_even_rings_agree() {
        for n in [2, 3, 4, 7, 40, 41] {
            for xi in [0.3, 1.0, 3.0, 25.0] {
                for waves in [0, 1, 2, n / 2, n - 1, n, 3 * n + 1] {
                    let row: Vec<f64> = kernel_row(n, xi, Kernel::Wrapped)
                        .iter()
                        .enumerate()
                        .map(|(d, w)| w * cos_turns(waves * d, n))
                        .collect();
                    assert!((row[0] - 1.0).abs() < 1e-15, "the variance is 1");
                    for (got, sum) in eigs(n, xi, waves).iter().zip(circulant_eigs(&row)) {
                        assert!((got - sum).abs() < 1e-14 * n as f64, "n={n} xi={xi} m={waves}");
                    }
                }
            }
        }
    }
}
