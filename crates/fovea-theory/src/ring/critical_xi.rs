//! Largest correlation length at which the ring kernel is positive semidefinite.
//!
//! ```math
//! \xi_c(n)=\max\{\xi:\lambda_k(\xi)\ge 0\text{ for all }k\}\approx\sqrt{n/\pi}
//! ```
//!
//! # Source
//! Derived; claim C.2.
//!
//! # Symbols
//! * $`\xi_c`$: the value, in sites
//! * $`\lambda_k`$: `ring.eigs`
//!
//! # Holds when
//! `n >= 4`, where the sign changes once; infinite for n = 2 and n = 3, which have no limit. The value does not grow
//! monotonically with `n`: 1.886 at 6, 2.349 at 7, 1.721 at 8.
//!
//! # Checked by
//! Reference values (`tests/oracle`); eleven ring sizes (`fovea_core::ring`).

use crate::form::{Control, Form, number};
use fovea_core::params::{Schema, between};
use fovea_core::ring::psd_limit;
use fovea_core::{Params, params};

/// The limit of the ring kernel, infinite for `n < 4`.
///
/// ```
/// assert!((fovea_theory::ring::critical_xi::critical_xi(4) - 1.28102).abs() < 1e-5);
/// ```
pub fn critical_xi(n: usize) -> f64 {
    psd_limit(n)
}

params! {
    /// Arguments of `ring.critical_xi`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "ring.critical_xi",
    text: include_str!("critical_xi.rs"),
    control: Control {
        what: "the asymptotic value sqrt(n/pi), where the two exponentials balance",
        eval: |given| number(given, |a: Args| Ok((a.n as f64 / std::f64::consts::PI).sqrt())),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| Ok(critical_xi(a.n))),
};
