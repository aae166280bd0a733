//! Frequency and value of the largest eigenvalue of the difference of the class covariances.
//!
//! ```math
//! k^*=\arg\max_k(\lambda^1_k-\lambda^0_k),\qquad \omega_*^2=\frac{12\ln(\xi_0/\xi_1)}{\xi_0^2-\xi_1^2}\ \ (\xi_1<\xi_0)
//! ```
//!
//! # Source
//! Note 002 after (18), corrected; claim L002.18: the note takes the leading eigenvector for constant always.
//!
//! # Symbols
//! * $`\lambda^1, \xi_1`$: class pos, `xi_pos`
//! * $`\lambda^0, \xi_0`$: class neg, `xi_neg`
//! * $`n\omega_*/2\pi`$: `k_continuum`, the frequency on a long ring, 0 for $`\xi_1\ge\xi_0`$
//!
//! # Holds when
//! The lengths differ: the leading mode is constant for `xi_pos > xi_neg` and oscillates for `xi_pos < xi_neg`.
//! `k_continuum` is for lengths of several sites: at a length of one site the lattice folds part of the spectrum back.
//!
//! # Checked by
//! Reference values (`tests/oracle`); both orders of the lengths; a long ring.

use crate::form::{Control, Form, FormError, with};
use fovea_core::params::{Schema, any, between, finite_above};
use fovea_core::ring::{Kernel, RingKernel, is_unfolded};
use fovea_core::{Params, Value, params};
use std::f64::consts::TAU;

/// The leading mode of the difference of two covariances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeadingMode {
    /// Frequency, in cycles around the ring.
    pub k: usize,
    /// Eigenvalue of the difference.
    pub value: f64,
    /// The frequency on a long ring.
    pub k_continuum: f64,
}

impl From<LeadingMode> for Value {
    fn from(mode: LeadingMode) -> Self {
        Self::table([
            ("k", mode.k.into()),
            ("value", mode.value.into()),
            ("k_continuum", mode.k_continuum.into()),
        ])
    }
}

/// The frequency of the largest difference of two spectra, each listed for `k = 0..n`, and the difference.
///
/// ```
/// use fovea_theory::diff::leading_mode::leading_mode;
/// assert_eq!(leading_mode(&[2.0, 1.0, 1.0], &[3.0, 0.5, 0.5]), (1, 0.5));
/// ```
///
/// # Panics
/// A list that is not complete and symmetric: only half of a half spectrum would be searched.
pub fn leading_mode(eigs_pos: &[f64], eigs_neg: &[f64]) -> (usize, f64) {
    assert!(is_unfolded(eigs_pos) && is_unfolded(eigs_neg), "spectra are listed for k = 0..n");
    let value = |k: usize| eigs_pos[k] - eigs_neg[k];
    let better = |best: usize, k: usize| if value(k) > value(best) { k } else { best };
    let k = (0..=eigs_pos.len() / 2).fold(0, better);
    (k, value(k))
}

/// $`\omega_*`$, in radians per site; 0 for `xi_pos >= xi_neg`.
pub fn continuum_frequency(xi_pos: f64, xi_neg: f64) -> f64 {
    if xi_pos >= xi_neg {
        return 0.0;
    }
    // ln(xi0/xi1) / (xi0 - xi1) by log1p: the lengths may be close.
    let gap = xi_neg - xi_pos;
    (12.0 * libm::log1p(gap / xi_pos) / gap / (xi_neg + xi_pos)).sqrt()
}

params! {
    /// Arguments of `diff.leading_mode`; the default order is the one in which the note is wrong.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
        /// Correlation length of class pos, label 1.
        xi_pos: f64 = 1.0, finite_above(0.0), "sites";
        /// Correlation length of class neg.
        xi_neg: f64 = 2.0, finite_above(0.0), "sites";
        /// Covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {}

impl Args {
    fn spectra(&self) -> Result<[Vec<f64>; 2], FormError> {
        let eigs = |xi| RingKernel::new(self.n, xi, self.kernel).map(|kernel| kernel.eigs);
        Ok([eigs(self.xi_pos)?, eigs(self.xi_neg)?])
    }

    fn value(&self) -> Result<LeadingMode, FormError> {
        let [pos, neg] = self.spectra()?;
        let (k, value) = leading_mode(&pos, &neg);
        let k_continuum = continuum_frequency(self.xi_pos, self.xi_neg) * self.n as f64 / TAU;
        Ok(LeadingMode { k, value, k_continuum })
    }

    /// Note 002: the constant mode, whatever the order of the lengths.
    fn source_form(&self) -> Result<LeadingMode, FormError> {
        let [pos, neg] = self.spectra()?;
        Ok(LeadingMode { k: 0, value: pos[0] - neg[0], k_continuum: 0.0 })
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "diff.leading_mode",
    text: include_str!("leading_mode.rs"),
    control: Control {
        what: "note 002: the leading mode is constant",
        eval: |given| with(given, |a: Args| Ok(a.source_form()?.into())),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(a.value()?.into())),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_leading_mode_is_flat_for_a_longer_positive_class_and_oscillates_for_a_shorter() {
        let mode = |n, xi_pos, xi_neg| {
            Args { n, xi_pos, xi_neg, kernel: Kernel::Wrapped }.value().unwrap()
        };
        for (long, short) in [(2.0, 1.0), (3.6, 0.5), (3.0, 2.9)] {
            assert_eq!(mode(40, long, short).k, 0, "({long}, {short})");
            let ring = mode(40, short, long);
            assert!(ring.k > 0 && ring.value > 0.0, "{ring:?}");
            let long_ring = mode(8000, 4.0 * short, 4.0 * long);
            assert!((long_ring.k as f64 - long_ring.k_continuum).abs() <= 1.0, "{long_ring:?}");
        }
        assert!((continuum_frequency(1.0, 1.0 + 1e-12) - 6.0_f64.sqrt()).abs() < 1e-6);
    }
}
