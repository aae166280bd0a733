//! Moment and cumulant of four spins of the Ising ring.
//!
//! ```math
//! E\,x_ix_jx_kx_l=\frac{a^{d_1+d_3}+a^{d_2+d_4}}{1+a^n},\qquad a=\tanh J,\qquad d_1+d_2+d_3+d_4=n
//! ```
//!
//! # Source
//! Derived by the transfer matrix: between the first and the second spin, and between the third and the fourth, the
//! ring is in the other eigenstate. The data are those of lufkin2024.
//!
//! # Symbols
//! * $`J`$: `coupling`
//! * $`d_1,\dots,d_4`$: gaps between the sorted `sites`, once around the ring
//! * `cumulant`: the moment minus the three products of covariances
//!
//! # Holds when
//! Every coupling; repeated sites leave gaps of 0 and square to 1. Four equal sites have cumulant -2.
//!
//! # Checked by
//! All 2^n states; sampled moments.

use crate::chain::closed_chain;
use crate::cumulants::Cumulants;
use crate::form::{Control, Form, FormError, Fourth, four_sites, with};
use fovea_core::params::{Schema, at_least, between};
use fovea_core::ring::distance;
use fovea_core::{ParamError, Params, Value, params};

/// Moment and cumulant of the spins at four sites, in any order.
///
/// ```
/// let four = fovea_theory::ising::fourth::fourth(40, 0.7, [0, 0, 0, 0]);
/// assert_eq!((four.moment, four.cumulant), (1.0, -2.0));
/// ```
pub fn fourth(n: usize, coupling: f64, sites: [usize; 4]) -> Fourth {
    let mut sorted = sites.map(|site| site % n);
    sorted.sort_unstable();
    let [i, j, k, l] = sorted;
    // d1 + d3; the other two gaps make up the rest of the ring.
    Fourth::from_moment(
        closed_chain((j - i) + (l - k), n, coupling),
        Fourth::pairings(sites, |a, b| closed_chain(distance(a, b, n), n, coupling)),
    )
}

impl Cumulants {
    /// The cumulants of the Ising ring.
    pub fn ising(n: usize, coupling: f64) -> Self {
        Self::from_fn(n, |at| fourth(n, coupling, at).cumulant)
    }
}

params! {
    /// Arguments of `ising.fourth`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
        /// Coupling of neighbours.
        coupling: f64 = 0.7, between(-5.0, 5.0), "";
        /// Four sites, counted from 0; repeats are allowed.
        sites: Vec<f64> = vec![0.0, 1.0, 2.0, 4.0], at_least(0.0), "sites";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        four_sites("sites", &self.sites, self.n).map(drop)
    }
}

impl Args {
    fn value(&self) -> Result<Fourth, FormError> {
        Ok(fourth(self.n, self.coupling, four_sites("sites", &self.sites, self.n)?))
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "ising.fourth",
    text: include_str!("fourth.rs"),
    control: Control {
        what: "the three products of covariances, as if the spins were Gaussian",
        eval: |given| with(given, |a: Args| Ok(a.value()?.gaussian().into())),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(Value::from(a.value()?))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ising::enumerated;

    #[test]
    fn all_states_of_small_rings_have_these_moments() {
        for (n, sites) in [
            (2, [0, 0, 1, 1]),
            (2, [0, 1, 1, 1]),
            (3, [0, 1, 2, 2]),
            (3, [2, 0, 1, 1]),
            (7, [5, 0, 2, 1]),
            (8, [0, 1, 4, 6]),
            (9, [8, 3, 3, 1]),
            (10, [4, 4, 4, 4]),
        ] {
            for coupling in [-5.0, -0.7, 0.0, 0.3, 1.2, 5.0] {
                let mean = |a: usize, b: usize| enumerated(n, coupling, |x| x[a] * x[b]);
                let moment = enumerated(n, coupling, |x| sites.iter().map(|&i| x[i]).product());
                let pairings = Fourth::pairings(sites, mean);
                let got = fourth(n, coupling, sites);
                assert!((got.moment - moment).abs() < 2e-14, "n={n} {sites:?} J={coupling}");
                assert!((got.cumulant - (moment - pairings)).abs() < 5e-14, "n={n} {sites:?}");
            }
        }
    }

    #[test]
    fn the_gaussian_moment_is_rejected() {
        let sites = [0, 1, 4, 6];
        let want = enumerated(8, 0.7, |x| sites.iter().map(|&i| x[i]).product());
        assert!((fourth(8, 0.7, sites).gaussian().moment - want).abs() > 0.05);
    }
}
