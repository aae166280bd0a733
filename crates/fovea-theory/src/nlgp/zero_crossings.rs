//! Mean number of sign changes around the ring, the same at every gain.
//!
//! ```math
//! E\,\#\{i:X_iX_{i+1}<0\}=\frac n\pi\arccos r_1,\qquad r_1=e^{-1/\xi^2}\ (\text{kernel ring})
//! ```
//!
//! # Source
//! Note 002 footnote 1, made exact; claim L002.2.
//!
//! # Symbols
//! * $`r_1`$: latent correlation of neighbours, by `kernel`
//! * $`\xi`$: `xi`, in sites
//!
//! # Holds when
//! Every gain, because $`X_i`$ and $`Z_i`$ share their sign. Two sites are neighbours twice.
//!
//! # Checked by
//! Reference values (`tests/oracle`); the limit of long correlation; sampled counts.

use crate::form::{Control, Form, FormError, with};
use fovea_core::params::{Schema, any, between, finite_above};
use fovea_core::ring::{Kernel, RingKernel};
use fovea_core::{Params, params};
use std::f64::consts::{FRAC_1_PI, PI};

/// Mean number of sign changes on a ring of `n` sites under the ring kernel.
///
/// ```
/// let count = fovea_theory::nlgp::zero_crossings::zero_crossings(40, 2.0);
/// assert!((count - 8.633131779551).abs() < 1e-12);
/// ```
pub fn zero_crossings(n: usize, xi: f64) -> f64 {
    // arccos(r) = arctan(sqrt(1 - r^2) / r), with 1 - r^2 from expm1: a long field keeps its digits.
    let inverse = 1.0 / xi / xi;
    let sin = (-libm::expm1(-2.0 * inverse)).sqrt();
    n as f64 * FRAC_1_PI * libm::atan2(sin, libm::exp(-inverse))
}

/// The same for any latent correlation of neighbours.
pub fn of_neighbours(n: usize, rho: f64) -> f64 {
    n as f64 * FRAC_1_PI * libm::atan2(((1.0 - rho) * (1.0 + rho)).sqrt(), rho)
}

params! {
    /// Arguments of `nlgp.zero_crossings`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
        /// Correlation length.
        xi: f64 = 2.0, finite_above(0.0), "sites";
        /// Covariance kernel of the latent Gaussian.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {}

impl Args {
    fn value(&self) -> Result<f64, FormError> {
        let row = RingKernel::new(self.n, self.xi, self.kernel)?.first_row;
        Ok(match self.kernel {
            Kernel::Ring => zero_crossings(self.n, self.xi),
            _ => of_neighbours(self.n, row[1]),
        })
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "nlgp.zero_crossings",
    text: include_str!("zero_crossings.rs"),
    control: Control {
        what: "Rice's formula for a smooth field, n sqrt(2)/(pi xi), which also counts changes between sites",
        eval: |given| {
            with(given, |a: Args| {
                a.value().map(|_| (a.n as f64 * 2.0_f64.sqrt() / (PI * a.xi)).into())
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| a.value().map(Into::into)),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_routes_agree_and_a_long_field_approaches_the_formula_of_rice() {
        for xi in [0.3, 1.0, 2.0, 30.0] {
            let rho = libm::exp(-1.0 / (xi * xi));
            assert!((zero_crossings(40, xi) - of_neighbours(40, rho)).abs() < 1e-12, "{xi}");
        }
        for xi in [1e4, 1e7, 1e100] {
            let rice = 40.0 * 2.0_f64.sqrt() / (PI * xi);
            assert!((zero_crossings(40, xi) / rice - 1.0).abs() < 1e-8, "{xi:e}");
        }
        assert!((zero_crossings(40, 1e-200) - 20.0).abs() < 1e-13);
        assert!((of_neighbours(40, -1.0) - 40.0).abs() < 1e-13);
    }
}
