//! Eigenvalues of the ring covariance, k = 0..n/2.
//!
//! ```math
//! \lambda_k=\sum_{d=0}^{n-1}c_d\cos\frac{2\pi kd}{n},\qquad c_d=e^{-\min(d,n-d)^2/\xi^2},\qquad k=0,\dots,\lfloor n/2\rfloor
//! ```
//!
//! # Source
//! Note 000 (1)-(2), read on the ring; claim C.1. The note writes `exp(-(i-j)^2/xi^2)`; only the ring distance makes
//! the matrix circulant.
//!
//! # Symbols
//! * $`\xi`$: `xi`, in sites
//! * $`\lambda_k`$: the value, by frequency $`k`$, multiplicity 1 at k = 0 and k = n/2, 2 elsewhere
//!
//! # Holds when
//! Always; above `ring.critical_xi` some eigenvalues are negative.
//!
//! # Checked by
//! Reference values (`tests/oracle`); cosine sums, 60-digit values and the Fourier basis (`fovea_core::ring`); sampled
//! covariances.

use crate::form::{Control, Form, with};
use fovea_core::fourier::cos_turns;
use fovea_core::params::{Schema, between, finite_above};
use fovea_core::ring::{Kernel, kernel_eigs};
use fovea_core::{Params, Value, params};

/// Eigenvalues `k = 0..=n/2` of the ring covariance.
///
/// ```
/// let eigs = fovea_theory::ring::eigs::eigs(40, 1.0);
/// assert!((eigs[20] - 0.3006).abs() < 1e-4);
/// ```
pub fn eigs(n: usize, xi: f64) -> Vec<f64> {
    kernel_eigs(n, xi, Kernel::Ring)
}

/// The same with the open-chain distance `|i - j|` of the note in the Fourier sum.
fn open_chain(n: usize, xi: f64) -> Vec<f64> {
    let term = |k, d: usize| libm::exp(-(d as f64 / xi) * (d as f64 / xi)) * cos_turns(k * d, n);
    (0..=n / 2).map(|k| (0..n).map(|d| term(k, d)).sum()).collect()
}

params! {
    /// Arguments of `ring.eigs`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
        /// Correlation length.
        xi: f64 = 1.0, finite_above(0.0), "sites";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "ring.eigs",
    text: include_str!("eigs.rs"),
    control: Control {
        what: "the note's open-chain distance |i-j|, which is not circulant",
        eval: |given| with(given, |a: Args| Ok(Value::reals(&open_chain(a.n, a.xi)))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(Value::reals(&eigs(a.n, a.xi)))),
};
