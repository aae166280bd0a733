//! Eigenvalues of the exponential covariance exp(-d/xi), k = 0..n/2.
//!
//! ```math
//! \lambda_k=\frac{1-q^2}{D_k}\big(1-(-1)^kq^{n/2}\big)\quad(n\text{ even}),\qquad
//! \lambda_k=\frac{1-q}{D_k}\Big(1+q-2(-1)^kq^{(n+1)/2}\cos\frac{\pi k}n\Big)\quad(n\text{ odd})
//! ```
//!
//! ```math
//! q=e^{-1/\xi},\qquad D_k=1-2q\cos\frac{2\pi k}n+q^2,\qquad k=0,\dots,\lfloor n/2\rfloor
//! ```
//!
//! # Source
//! Derived: geometric sums of $`c_d=e^{-\min(d,n-d)/\xi}`$.
//!
//! # Symbols
//! * $`\xi`$: `xi`, in sites (in the exponent to the first power, not squared as in `ring.eigs`)
//! * $`q`$: covariance of neighbours
//!
//! # Holds when
//! Always; all eigenvalues are positive, because the kernel is convex up to half the ring.
//!
//! # Checked by
//! Cosine sums; 60-digit values (`fovea_core::ring`); sampled covariances.

use crate::form::{Control, Form, with};
use fovea_core::fourier::sin_turns;
use fovea_core::params::{Schema, between, finite_above};
use fovea_core::ring::{Kernel, kernel_eigs};
use fovea_core::{Params, Value, params};

/// Eigenvalues `k = 0..=n/2` of the exponential covariance.
///
/// ```
/// let eigs = fovea_theory::exponential::eigs::eigs(2, 1.0 / std::f64::consts::LN_2);
/// assert!((eigs[0] - 1.5).abs() < 1e-15 && (eigs[1] - 0.5).abs() < 1e-15);
/// ```
pub fn eigs(n: usize, xi: f64) -> Vec<f64> {
    kernel_eigs(n, xi, Kernel::Exponential)
}

/// The same on an infinite line, without the way around the ring: $`(1-q^2)/D_k`$.
fn infinite_line(n: usize, xi: f64) -> Vec<f64> {
    let q = libm::exp(-1.0 / xi);
    let gap = -libm::expm1(-1.0 / xi);
    let eig = |k: usize| {
        let sin = sin_turns(k, 2 * n);
        gap * (1.0 + q) / (gap * gap + 4.0 * q * sin * sin)
    };
    (0..=n / 2).map(eig).collect()
}

params! {
    /// Arguments of `exponential.eigs`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
        /// Correlation length.
        xi: f64 = 5.0, finite_above(0.0), "sites";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "exponential.eigs",
    text: include_str!("eigs.rs"),
    control: Control {
        what: "the infinite line, (1-q^2)/D_k",
        eval: |given| with(given, |a: Args| Ok(Value::reals(&infinite_line(a.n, a.xi)))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(Value::reals(&eigs(a.n, a.xi)))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::ring::{circulant_eigs, distance};

    #[test]
    fn cosine_sums_of_odd_and_even_rings_agree_and_reject_the_infinite_line() {
        for n in [2, 3, 4, 5, 12, 40, 41] {
            for xi in [0.05, 0.7, 2.0, 9.0, 1e3] {
                let row: Vec<f64> =
                    (0..n).map(|d| libm::exp(-(distance(0, d, n) as f64) / xi)).collect();
                let sums = circulant_eigs(&row);
                let (got, line) = (eigs(n, xi), infinite_line(n, xi));
                for k in 0..=n / 2 {
                    assert!((got[k] - sums[k]).abs() < 1e-14 * n as f64, "n={n} xi={xi} k={k}");
                }
                let gap = |k: usize| (line[k] - sums[k]).abs() / sums[k];
                assert!(n > 12 || xi < 2.0 || (0..=n / 2).any(|k| gap(k) > 1e-3), "n={n} xi={xi}");
            }
        }
    }

    #[test]
    fn a_flat_kernel_keeps_the_digits_of_its_small_eigenvalues() {
        // q -> 1: lambda_k -> 1/(2 xi sin^2(pi k/n)) at odd k of an even ring.
        let eigs = eigs(40, 1e12);
        for k in [1, 7, 19] {
            let sin = sin_turns(k, 80);
            assert!((eigs[k] * 1e12 * sin * sin - 1.0).abs() < 1e-10, "{k}: {}", eigs[k]);
        }
        assert!((eigs[0] - 40.0).abs() < 1e-9);
    }
}
