//! Mean of (w_k.X) X for Gaussian data behind the gates of two units.
//!
//! ```math
//! E\big[\langle w_k,X\rangle X;\,\langle w_1,X\rangle>0,\langle w_k,X\rangle>0\big]
//! =\frac1{2\pi}\Big[\sqrt{\tfrac{\rho_{kk}}{\rho_{11}}}\sin\theta\;\Sigma w_1+(\pi-\theta)\,\Sigma w_k\Big]
//! ```
//!
//! # Source
//! Note 001 (41)-(48) and note 003 (16)-(18) corrected; claims L001.18, L001.19, L003.5. By Stein's lemma. The note's
//! `[??]` is $`(\pi-\theta)/2\pi`$.
//!
//! # Symbols
//! * $`w_1, w_k`$: `w1`, `wk`
//! * $`\rho_{ij}`$: $`w_i^\top\Sigma w_j`$
//! * $`\theta`$: the angle of the two units in that inner product
//!
//! # Holds when
//! Every covariance, singular ones included, and every angle: $`\tfrac12\Sigma w_k`$ at 0, 0 at $`\pi`$. A unit without
//! variance opens no gate. The value is computed along $`\Sigma w_1`$ and the part of $`w_k`$ orthogonal to $`w_1`$.
//! Gaussian data and every elliptical distribution of the same covariance, because the moment is homogeneous of degree
//! 2 in the data.
//!
//! # Checked by
//! Reference values (`tests/oracle`); the gradient of the pair moment (`tests/relu_flow`); both ends of the angle.

use crate::form::{Control, Form, FormError, bump, one_entry_per_site, with};
use crate::pair::{Pair, add_gated};
use fovea_core::fourier::{frequency_of, from_fourier, to_fourier};
use fovea_core::params::{Schema, any, between, finite, finite_above};
use fovea_core::ring::{Kernel, RingKernel};
use fovea_core::{ParamError, Params, Value, params};
use std::f64::consts::TAU;

/// The gated mean of two units; eigenvalues of the covariance are indexed by frequency.
///
/// ```
/// let both = fovea_theory::relu::pair_vec::pair_vec(&[1.0, 1.0], &[3.0, 0.0], &[0.5, 0.0]);
/// assert!((both[0] - 0.25).abs() < 1e-15 && both[1].abs() < 1e-15);
/// ```
pub fn pair_vec(eigs: &[f64], w1: &[f64], wk: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; w1.len()];
    add_gated(eigs, &to_fourier(w1), &to_fourier(wk), 1.0, &mut out);
    from_fourier(&out)
}

params! {
    /// Arguments of `relu.pair_vec`.
    pub struct Args {
        /// Ring size.
        n: usize = 12, between(2.0, 1e4), "sites";
        /// Correlation length of the data.
        xi: f64 = 1.5, finite_above(0.0), "sites";
        /// Weights of the first unit, one per site.
        w1: Vec<f64> = bump(12), finite(), "";
        /// Weights of the second unit, one per site.
        wk: Vec<f64> = shifted_bump(12), finite(), "";
        /// Covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

/// The default weights of a second unit: the small bump, shifted by two sites.
pub(crate) fn shifted_bump(n: usize) -> Vec<f64> {
    let mut w = bump(n);
    w.rotate_right(2);
    w
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        one_entry_per_site("w1", self.w1.len(), self.n)?;
        one_entry_per_site("wk", self.wk.len(), self.n)
    }
}

impl Args {
    fn value(&self) -> Result<Value, FormError> {
        let eigs = RingKernel::new(self.n, self.xi, self.kernel)?.eigs;
        Ok(Value::reals(&pair_vec(&eigs, &self.w1, &self.wk)))
    }

    /// Note 001 (49)-(52): everything along the first unit, no competition with the second.
    fn without_competition(&self) -> Result<Value, FormError> {
        let eigs = RingKernel::new(self.n, self.xi, self.kernel)?.eigs;
        let (u, v) = (to_fourier(&self.w1), to_fourier(&self.wk));
        let pair = Pair::between(&eigs, &u, &v);
        let factor = (pair.var_t / pair.var_s).sqrt() * libm::sin(pair.angle) / TAU;
        let along = |(j, u): (usize, &f64)| factor * eigs[frequency_of(j, self.n)] * u;
        Ok(Value::reals(&from_fourier(&u.iter().enumerate().map(along).collect::<Vec<f64>>())))
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "relu.pair_vec",
    text: include_str!("pair_vec.rs"),
    control: Control {
        what: "note 001 (49)-(52): no competition term along wk",
        eval: |given| with(given, |a: Args| a.without_competition()),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| a.value()),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::ring::{circulant_apply, kernel_row};

    #[test]
    fn parallel_units_give_half_the_image_and_opposite_ones_zero() {
        let (n, xi) = (6, 1.5);
        let eigs = RingKernel::new(n, xi, Kernel::Ring).unwrap().eigs;
        let row = kernel_row(n, xi, Kernel::Ring);
        let w: Vec<f64> = vec![1.0, 0.75, -0.25, -1.0, -0.75, 0.25];
        let turned = |delta: f64, sign: f64| -> Vec<f64> {
            (0..n).map(|i| sign * (w[i] + delta * if i == 2 { 1.0 } else { 0.0 })).collect()
        };
        for delta in [0.0, 1e-12, 1e-9, 1e-6] {
            let near = turned(delta, 1.5);
            let half = circulant_apply(&row, &near);
            let got = pair_vec(&eigs, &w, &near);
            // The deviation from half the image is linear in the angle.
            let gap = got.iter().zip(&half).map(|(a, b)| (a - 0.5 * b).abs()).fold(0.0, f64::max);
            assert!(gap < 1e-15 + delta, "{delta:e}: {gap:e}");
            let far = pair_vec(&eigs, &w, &turned(delta, -1.5));
            let size = far.iter().fold(0.0, |top: f64, x| top.max(x.abs()));
            // Quadratic in the angle: the leading term is delta times the orthogonal part, itself of that size.
            assert!(
                size <= delta * delta + 1e-30 && (size > 0.01 * delta * delta || delta < 1e-11)
            );
        }
    }

    #[test]
    fn two_sites_and_units_without_variance_are_no_exception() {
        let both = pair_vec(&[1.5, 0.5], &[1.0, 0.0], &[0.0, 1.0]);
        assert!(both.iter().all(|x| x.is_finite()) && both[1] > both[0]);
        assert_eq!(pair_vec(&[1.5, 0.5], &[0.0, 0.0], &[0.0, 1.0]), [0.0, 0.0]);
        assert_eq!(pair_vec(&[1.5, 0.5], &[0.0, 1.0], &[0.0, 0.0]), [0.0, 0.0]);
        // A singular covariance: the second unit lies in its null space.
        assert_eq!(pair_vec(&[2.0, 0.0], &[1.0, 0.0], &[1.0, -1.0]), [0.0, 0.0]);
    }
}
