//! Covariance of two spins of the Ising ring at distances d = 0..n/2.
//!
//! ```math
//! E\,x_0x_d=\frac{a^d+a^{n-d}}{1+a^n},\qquad a=\tanh J,\qquad d=0,\dots,\lfloor n/2\rfloor
//! ```
//!
//! # Source
//! Derived by the transfer matrix, whose eigenvalues are $`2\cosh J`$ and $`2\sinh J`$; the data of lufkin2024.
//!
//! # Symbols
//! * $`J`$: `coupling`, one bond between neighbours around the ring
//! * $`d`$: the ring distance
//!
//! # Holds when
//! Every coupling. Negative couplings order a ring of even size antiferromagnetically and frustrate an odd one. Two
//! sites share two bonds: $`\tanh2J`$ at n = 2.
//!
//! # Checked by
//! All 2^n states; sampled covariances.

use crate::chain::closed_chain;
use crate::form::{Control, Form, with};
use fovea_core::params::{Schema, between};
use fovea_core::{Params, Value, params};

/// Covariances at distances `d = 0..=n/2`.
///
/// ```
/// let cov = fovea_theory::ising::cov::cov(2, 0.3);
/// assert!((cov[1] - libm::tanh(0.6)).abs() < 1e-15);
/// ```
pub fn cov(n: usize, coupling: f64) -> Vec<f64> {
    (0..=n / 2).map(|d| closed_chain(d, n, coupling)).collect()
}

/// The same on an open chain, without the way around the ring.
fn open_chain(n: usize, coupling: f64) -> Vec<f64> {
    let a = libm::tanh(coupling);
    (0..=n / 2).map(|d| if d == 0 { 1.0 } else { libm::pow(a, d as f64) }).collect()
}

params! {
    /// Arguments of `ising.cov`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
        /// Coupling of neighbours.
        coupling: f64 = 0.7, between(-5.0, 5.0), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "ising.cov",
    text: include_str!("cov.rs"),
    control: Control {
        what: "the open chain, a^d",
        eval: |given| with(given, |a: Args| Ok(Value::reals(&open_chain(a.n, a.coupling)))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(Value::reals(&cov(a.n, a.coupling)))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ising::enumerated;

    #[test]
    fn all_states_of_small_rings_have_these_covariances() {
        for n in [2, 3, 4, 5, 8, 9, 10] {
            for coupling in [-5.0, -0.7, -1e-3, 0.0, 0.3, 1.2, 5.0] {
                for (d, got) in cov(n, coupling).iter().enumerate() {
                    let want = enumerated(n, coupling, |x| x[0] * x[d]);
                    assert!((got - want).abs() < 5e-14, "n={n} J={coupling} d={d}: {got} {want}");
                }
            }
        }
    }

    #[test]
    fn strong_coupling_keeps_the_digits_of_the_difference_from_order() {
        // 1 - E x_0 x_1 = (1-a)(1-a^(n-1))/(1+a^n); mpmath 1.3, 40 digits, at n = 10^4, J = 5.
        let gap = 1.0 - cov(10_000, 5.0)[1];
        assert!((gap / 3.8602241773785306e-05 - 1.0).abs() < 1e-11, "{gap:e}");
        // A frustrated ring has one broken bond: E x_0 x_1 -> -(n-2)/n; at n = 10^4 + 1 a^n is still 0.4.
        let frustrated = cov(10_001, -5.0);
        assert!((frustrated[1] - -0.9997864669607154).abs() < 1e-15);
        assert!((frustrated[5000] / 9.663527407210255e-05 - 1.0).abs() < 1e-11);
        assert!((cov(3, -5.0)[1] + 1.0 / 3.0).abs() < 1e-4);
    }

    #[test]
    fn the_open_chain_is_rejected() {
        let (n, coupling) = (6, 0.7);
        let want = enumerated(n, coupling, |x| x[0] * x[3]);
        assert!((open_chain(n, coupling)[3] - want).abs() > 0.05);
    }
}
