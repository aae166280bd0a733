//! Distribution of the signs of four or five Gaussians on a ring: moments and two probabilities.
//!
//! ```math
//! P(x)=2^{-n}\Big(1+\sum_{i<j}C_{ij}x_ix_j+\sum_{i<j<k<l}M_{ijkl}\,x_ix_jx_kx_l\Big),\qquad
//! C_{ij}=\tfrac2\pi\arcsin r_{ij}
//! ```
//!
//! # Source
//! Note 003, before (36), calls it open beyond four sites; claim L003.23.
//!
//! # Symbols
//! * $`C`$: covariance of the signs
//! * $`M`$: `sign.four` (`m4` is $`E\,x_0x_1x_2x_3`$)
//! * $`r`$: latent correlation
//! * `p_pppp`: probability of all spins up
//! * `p_pmpm`: probability of alternating spins
//!
//! # Holds when
//! Four or five sites: moments of an odd number of signs vanish, so that the sixth moment is the first that would be
//! missing.
//!
//! # Checked by
//! Reference values (`tests/oracle`); normalisation and elementary orthant probabilities (`spins`); sampled moments.

use crate::form::{Control, Form, FormError, with};
use crate::spins::Spins;
use crate::threshold::spin;
use fovea_core::params::{Schema, any, between, finite_above};
use fovea_core::ring::{Kernel, RingKernel, distance};
use fovea_core::{Params, Value, params};

/// Moments and two probabilities of the signs of four or five Gaussians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pmf4 {
    /// Covariance of neighbours.
    pub c01: f64,
    /// Covariance of second neighbours.
    pub c02: f64,
    /// Mean of the product of four neighbouring signs.
    pub m4: f64,
    /// Probability that all are up.
    pub p_all: f64,
    /// Probability that they alternate, the first one up.
    pub p_alternating: f64,
}

impl From<Pmf4> for Value {
    fn from(law: Pmf4) -> Self {
        Self::table([
            ("C01", law.c01.into()),
            ("C02", law.c02.into()),
            ("m4", law.m4.into()),
            ("p_pppp", law.p_all.into()),
            ("p_pmpm", law.p_alternating.into()),
        ])
    }
}

/// The distribution of the signs for the first row of a latent covariance.
///
/// ```
/// use fovea_theory::sign::pmf4::pmf4;
/// let law = pmf4(&[1.0, 0.0, 0.0, 0.0])?;
/// assert!((law.p_all - 0.0625).abs() < 1e-16 && law.m4.abs() < 1e-16);
/// # Ok::<(), fovea_theory::FormError>(())
/// ```
///
/// # Errors
/// Fewer than four sites or more than five.
pub fn pmf4(first_row: &[f64]) -> Result<Pmf4, FormError> {
    let n = first_row.len();
    let row = |i: usize| (0..n).map(|j| first_row[distance(i, j, n)]).collect();
    let spins = Spins::signs(&(0..n).map(row).collect::<Vec<Vec<f64>>>())?;
    let product = |corner: usize| (0..4.min(n)).map(|i| spin(corner, i)).product::<f64>();
    Ok(Pmf4 {
        c01: spins.cov(0, 1),
        c02: spins.cov(0, 2 % n),
        m4: (0..1 << n).map(|corner| spins.pmf(corner) * product(corner)).sum(),
        p_all: spins.pmf((1 << n) - 1),
        p_alternating: spins.pmf(0b10101 & ((1 << n) - 1)),
    })
}

params! {
    /// Arguments of `sign.pmf4`.
    pub struct Args {
        /// Ring size.
        n: usize = 4, between(4.0, 5.0), "sites";
        /// Correlation length of the Gaussians.
        xi: f64 = 1.2, finite_above(0.0), "sites";
        /// Their covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {}

impl Args {
    fn value(&self) -> Result<Pmf4, FormError> {
        pmf4(&RingKernel::new(self.n, self.xi, self.kernel)?.first_row)
    }

    /// As if moments of pairs determined everything.
    fn pairs_only(&self) -> Result<Pmf4, FormError> {
        let law = self.value()?;
        // Five sites have five sets of four; with alternating spins three products are +1 and two are -1.
        let share = law.m4 / libm::exp2(self.n as f64);
        let p_all = law.p_all - if self.n == 4 { share } else { 5.0 * share };
        Ok(Pmf4 { m4: 0.0, p_all, p_alternating: law.p_alternating - share, ..law })
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "sign.pmf4",
    text: include_str!("pmf4.rs"),
    control: Control {
        what: "moments of two signs only, without those of four",
        eval: |given| with(given, |a: Args| Ok(Value::from(a.pairs_only()?))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(Value::from(a.value()?))),
};
