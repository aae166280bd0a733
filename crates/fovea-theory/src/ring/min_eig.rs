//! Smallest eigenvalue of the ring covariance and the number of negative ones.
//!
//! ```math
//! \lambda_{\min}=\min_k\lambda_k,\qquad \#\{k\in 0..n:\lambda_k<0\}
//! ```
//!
//! # Source
//! Derived; claim C.2: the notes treat the matrix as a covariance at every length.
//!
//! # Symbols
//! * $`\xi`$: `xi`, in sites
//! * $`\lambda_k`$: `ring.eigs`, with multiplicity
//!
//! # Holds when
//! Always. The eigenvalues keep their relative accuracy, so that even the sign of 1e-40 is correct.
//!
//! # Checked by
//! Reference values (`tests/oracle`); the catalogue's table at n = 40.

use crate::form::{Control, Form, with};
use fovea_core::params::{Schema, between, finite_above};
use fovea_core::ring::{Kernel, kernel_eigs, unfold};
use fovea_core::{Params, Value, params};

/// The lower end of a spectrum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MinEig {
    /// The smallest eigenvalue.
    pub min_eig: f64,
    /// The number of negative ones, with multiplicity.
    pub negative_count: usize,
}

impl From<MinEig> for Value {
    fn from(bottom: MinEig) -> Self {
        Self::table([
            ("min_eig", bottom.min_eig.into()),
            ("negative_count", bottom.negative_count.into()),
        ])
    }
}

/// The lower end of the spectrum of the ring covariance.
///
/// ```
/// let bottom = fovea_theory::ring::min_eig::min_eig(40, 5.0);
/// assert_eq!(bottom.negative_count, 9);
/// ```
pub fn min_eig(n: usize, xi: f64) -> MinEig {
    bottom(n, xi, Kernel::Ring)
}

fn bottom(n: usize, xi: f64, kernel: Kernel) -> MinEig {
    let eigs = unfold(&kernel_eigs(n, xi, kernel), n);
    MinEig {
        min_eig: eigs.iter().copied().fold(f64::INFINITY, f64::min),
        negative_count: eigs.iter().filter(|&&eig| eig < 0.0).count(),
    }
}

params! {
    /// Arguments of `ring.min_eig`.
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
    name: "ring.min_eig",
    text: include_str!("min_eig.rs"),
    control: Control {
        what: "the wrapped kernel, which has no negative eigenvalue",
        eval: |given| with(given, |a: Args| Ok(bottom(a.n, a.xi, Kernel::Wrapped).into())),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(min_eig(a.n, a.xi).into())),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lower_end_of_the_spectrum_follows_the_table_of_the_catalogue() {
        // C.2, n = 40, printed to two to four digits.
        let table = [
            (0.5, 0.963, 0),
            (1.0, 0.3006, 0),
            (1.5, 2.1e-2, 0),
            (2.0, 3.667e-4, 0),
            (2.5, 1.8e-6, 0),
            (3.0, 2.4e-9, 0),
            (3.5, 9.2e-13, 0),
            (4.0, -1.2e-11, 3),
            (5.0, -9.18e-8, 9),
            (6.0, -1.2e-5, 13),
            (8.0, -2.2e-3, 15),
            (10.0, -2.9e-2, 17),
            (12.0, -8.2e-2, 17),
            (15.0, -0.43, 19),
            (20.0, -0.78, 19),
        ];
        for (xi, smallest, negative) in table {
            let bottom = min_eig(40, xi);
            assert!((bottom.min_eig / smallest - 1.0).abs() < 0.05, "xi={xi}: {bottom:?}");
            assert_eq!(bottom.negative_count, negative, "xi={xi}");
        }
    }
}
