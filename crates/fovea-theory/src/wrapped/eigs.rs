//! Eigenvalues of the wrapped covariance, k = 0..n/2.
//!
//! ```math
//! \lambda_k=\frac{\xi\sqrt\pi}{c_0}\sum_{a\in\mathbb Z}e^{-\pi^2\xi^2(k/n+a)^2},\qquad
//! c_0=\sum_{a\in\mathbb Z}e^{-(an)^2/\xi^2},\qquad k=0,\dots,\lfloor n/2\rfloor
//! ```
//!
//! # Source
//! Derived by Poisson summation; claim C.3.
//!
//! # Symbols
//! * $`\xi`$: `xi`, in sites
//! * $`c_0`$: divisor that gives a site unit variance (the catalogue also writes the eigenvalues without it)
//!
//! # Holds when
//! Always; all eigenvalues are positive, down to underflow.
//!
//! # Checked by
//! Reference values (`tests/oracle`); cosine sums of the kernel (`fovea_core::ring`); sampled covariances.

use crate::form::{Control, Form, with};
use fovea_core::params::{Schema, between, finite_above};
use fovea_core::ring::{Kernel, kernel_eigs};
use fovea_core::{Params, Value, params};

/// Eigenvalues `k = 0..=n/2` of the wrapped covariance.
///
/// ```
/// let eigs = fovea_theory::wrapped::eigs::eigs(40, 10.0);
/// assert!(eigs.iter().all(|&eig| eig > 0.0));
/// ```
pub fn eigs(n: usize, xi: f64) -> Vec<f64> {
    kernel_eigs(n, xi, Kernel::Wrapped)
}

params! {
    /// Arguments of `wrapped.eigs`.
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
    name: "wrapped.eigs",
    text: include_str!("eigs.rs"),
    control: Control {
        what: "the kernel cut off at half the ring",
        eval: |given| {
            with(given, |a: Args| Ok(Value::reals(&kernel_eigs(a.n, a.xi, Kernel::Ring))))
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(Value::reals(&eigs(a.n, a.xi)))),
};
