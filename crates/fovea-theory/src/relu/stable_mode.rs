//! The only stable frequency of one ReLU unit on Gaussian data, and its eigenvalue ratio.
//!
//! ```math
//! k^*=\arg\min_kq_k,\qquad q_k=\frac{\lambda^0_k}{\lambda^1_k}
//! ```
//!
//! # Source
//! The question after note 003 (31), answered by claim L003.16. The note's criterion, the smallest
//! $`1/(\lambda^0+\lambda^1)`$, is irrelevant (L003.17). For `floor` see claim C.3c.
//!
//! # Symbols
//! * $`\lambda^1`$: class pos
//! * $`\lambda^0`$: class neg
//! * `floor`: modes whose eigenvalue in either class is below this fraction of the largest are left out
//!
//! # Holds when
//! Both lengths are below `ring.critical_xi`, or the kernel is the wrapped one; refused otherwise, because the ratio of
//! a clipped eigenvalue is meaningless. Then k = 0 for `xi_pos > xi_neg` and k = n/2 for `xi_pos < xi_neg`. Claim C.3c
//! needs a `floor` of 1e-12 because a plain cosine sum is noise there, while the eigenvalues used here are accurate
//! down to underflow; a mode that underflows in either class is left out.
//!
//! # Checked by
//! Reference values (`tests/oracle`); both orders of the lengths.

use crate::form::{Control, Form, FormError, with};
use crate::gaussian_flow::GaussianFlow;
use fovea_core::params::{Schema, any, between, finite_above};
use fovea_core::ring::{Kernel, RingError, RingKernel, is_unfolded, psd_limit};
use fovea_core::{Params, Value, params};

/// The stable frequency and its ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StableMode {
    /// Frequency.
    pub k: usize,
    /// Eigenvalue of class neg over that of class pos.
    pub ratio: f64,
}

impl From<StableMode> for Value {
    fn from(mode: StableMode) -> Self {
        Self::table([("k", mode.k.into()), ("ratio", mode.ratio.into())])
    }
}

/// The frequency of least ratio among those with eigenvalues above `floor` times the largest in both classes.
///
/// ```
/// let mode = fovea_theory::relu::stable_mode::stable_mode(&[1.0, 1.0], &[0.5, 2.0], 0.0);
/// assert_eq!((mode.k, mode.ratio), (0, 0.5));
/// ```
///
/// # Panics
/// A list that is not complete and symmetric: only half of a half spectrum would be searched.
pub fn stable_mode(eigs_pos: &[f64], eigs_neg: &[f64], floor: f64) -> StableMode {
    assert!(is_unfolded(eigs_pos) && is_unfolded(eigs_neg), "spectra are listed for k = 0..n");
    let (least_pos, least_neg) = (floor * eigs_pos[0], floor * eigs_neg[0]);
    let mut best = StableMode { k: 0, ratio: eigs_neg[0] / eigs_pos[0] };
    for k in 1..=eigs_pos.len() / 2 {
        let ratio = eigs_neg[k] / eigs_pos[k];
        if eigs_pos[k] > least_pos && eigs_neg[k] > least_neg && ratio < best.ratio {
            best = StableMode { k, ratio };
        }
    }
    best
}

params! {
    /// Arguments of `relu.stable_mode`; the default order is the one in which the note's criterion is wrong.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
        /// Correlation length of class pos, label 1.
        xi_pos: f64 = 1.0, finite_above(0.0), "sites";
        /// Correlation length of class neg, label 0.
        xi_neg: f64 = 2.0, finite_above(0.0), "sites";
        /// Fraction of the largest eigenvalue below which a mode is left out.
        floor: f64 = 0.0, between(0.0, 1.0), "";
        /// Covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {}

impl Args {
    /// The two spectra, refused where one of them is clipped.
    fn spectra(&self) -> Result<GaussianFlow, FormError> {
        let eigs = |xi| match RingKernel::new(self.n, xi, self.kernel)? {
            RingKernel { clipped: None, eigs, .. } => Ok(eigs),
            _ => Err(RingError::NotPsd { n: self.n, xi, limit: psd_limit(self.n) }),
        };
        Ok(GaussianFlow { eigs_pos: eigs(self.xi_pos)?, eigs_neg: eigs(self.xi_neg)? })
    }

    fn value(&self) -> Result<StableMode, FormError> {
        let GaussianFlow { eigs_pos, eigs_neg } = self.spectra()?;
        Ok(stable_mode(&eigs_pos, &eigs_neg, self.floor))
    }

    /// Note 003: the largest sum of eigenvalues wins.
    fn source_form(&self) -> Result<StableMode, FormError> {
        let GaussianFlow { eigs_pos, eigs_neg } = self.spectra()?;
        let sum = |k: &usize| eigs_pos[*k] + eigs_neg[*k];
        let k = (0..=self.n / 2).max_by(|a, b| sum(a).total_cmp(&sum(b))).unwrap_or(0);
        Ok(StableMode { k, ratio: eigs_neg[k] / eigs_pos[k] })
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "relu.stable_mode",
    text: include_str!("stable_mode.rs"),
    control: Control {
        what: "note 003's criterion, the smallest 1/(lambda0+lambda1)",
        eval: |given| with(given, |a: Args| Ok(a.source_form()?.into())),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(a.value()?.into())),
};

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(xi_pos: f64, xi_neg: f64, kernel: Kernel, floor: f64) -> Result<StableMode, FormError> {
        Args { xi_pos, xi_neg, floor, kernel, ..Args::default() }.value()
    }

    #[test]
    fn the_stable_mode_is_flat_for_a_longer_positive_class_and_alternates_for_a_shorter() {
        for kernel in [Kernel::Ring, Kernel::Wrapped] {
            for (long, short) in [(2.0, 1.0), (3.6, 0.5), (3.0, 2.9)] {
                assert_eq!(mode(long, short, kernel, 0.0).unwrap().k, 0, "({long}, {short})");
                assert_eq!(mode(short, long, kernel, 0.0).unwrap().k, 20, "({short}, {long})");
            }
        }
        assert!((mode(2.0, 1.0, Kernel::Ring, 0.0).unwrap().ratio - 0.500051723186).abs() < 1e-12);
    }

    #[test]
    fn the_floor_of_the_catalogue_hides_the_true_mode() {
        assert_eq!(mode(1.0, 3.5, Kernel::Ring, 0.0).unwrap().k, 20);
        assert_eq!(mode(1.0, 3.5, Kernel::Ring, 1e-12).unwrap().k, 19);
    }

    #[test]
    fn a_clipped_spectrum_is_refused() {
        let error = mode(1.0, 4.0, Kernel::Ring, 0.0).unwrap_err();
        assert!(error.hint().contains("wrapped"), "{error}");
        assert_eq!(mode(20.0, 10.0, Kernel::Wrapped, 0.0).unwrap().k, 0);
    }
}
