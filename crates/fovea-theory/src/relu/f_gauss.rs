//! Gated mean of Gaussian data, the teacher term of a ReLU unit.
//!
//! ```math
//! f(w)=E\big[\mathbf 1(\langle w,X\rangle\ge0)\,X\big]=\frac{\Sigma w}{\sqrt{2\pi\,w^\top\Sigma w}}
//! ```
//!
//! # Source
//! Note 001 (6), (11) and note 003 (12); claims L000.10, L001.8, L003.3.
//!
//! # Symbols
//! * $`\Sigma`$: the covariance, circulant, given by its first row, from `n` and `xi`
//! * $`w`$: `w`, $`w_1`$ in the notes
//! * $`f`$: the value, an unconditional expectation, which includes $`P(S>0)=\tfrac12`$
//!
//! # Holds when
//! Gaussian data and $`w^\top\Sigma w>0`$; where it vanishes f is taken to be 0. Any elliptical distribution has the
//! same direction and another constant (L000.11).
//!
//! # Checked by
//! Reference values (`tests/oracle`); behaviour under scaling and shifts; sampled gated means.

use crate::form::{Control, Form, FormError, bump, one_entry_per_site, with};
use fovea_core::params::{Schema, any, between, finite, finite_above};
use fovea_core::ring::{Kernel, RingKernel, circulant_apply};
use fovea_core::{ParamError, Params, Value, params};
use std::f64::consts::TAU;

/// The gated mean of a Gaussian whose circulant covariance has this first row.
///
/// ```
/// let f = fovea_theory::relu::f_gauss::f_gauss(&[1.0, 0.0, 0.0], &[0.0, 5.0, 0.0]);
/// assert!((f[1] - 0.3989422804014327).abs() < 1e-15);
/// ```
pub fn f_gauss(first_row: &[f64], w: &[f64]) -> Vec<f64> {
    // f depends only on the direction; at unit scale no square under- or overflows.
    let scale = w.iter().fold(0.0, |top: f64, x| top.max(x.abs()));
    if scale <= 0.0 {
        return vec![0.0; w.len()];
    }
    let w: Vec<f64> = w.iter().map(|x| x / scale).collect();
    let image = circulant_apply(first_row, &w);
    let var: f64 = w.iter().zip(&image).map(|(w, x)| w * x).sum();
    let factor = if var > 0.0 { 1.0 / (TAU * var).sqrt() } else { 0.0 };
    image.into_iter().map(|x| factor * x).collect()
}

params! {
    /// Arguments of `relu.f_gauss`.
    pub struct Args {
        /// Ring size.
        n: usize = 12, between(2.0, 1e4), "sites";
        /// Correlation length of the data.
        xi: f64 = 2.0, finite_above(0.0), "sites";
        /// Weights, one per site.
        w: Vec<f64> = bump(12), finite(), "";
        /// Covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        one_entry_per_site("w", self.w.len(), self.n)
    }
}

impl Args {
    fn value(&self, factor: f64) -> Result<Value, FormError> {
        let row = RingKernel::new(self.n, self.xi, self.kernel)?.first_row;
        let f: Vec<f64> = f_gauss(&row, &self.w).iter().map(|f| factor * f).collect();
        Ok(Value::reals(&f))
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "relu.f_gauss",
    text: include_str!("f_gauss.rs"),
    control: Control {
        what: "the conditional mean E[X | <w,X> >= 0], twice as large",
        eval: |given| with(given, |a: Args| a.value(2.0)),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| a.value(1.0)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::ring::kernel_row;

    #[test]
    fn f_does_not_depend_on_the_scale_of_the_weights_and_shifts_with_them() {
        let row = kernel_row(12, 1.5, Kernel::Ring);
        let w: Vec<f64> = (0..12).map(|i| f64::from(i * i % 7) - 2.5).collect();
        let f = f_gauss(&row, &w);
        for scale in [1e-300, 1e-3, 1e300] {
            let scaled: Vec<f64> = w.iter().map(|x| scale * x).collect();
            let same = f_gauss(&row, &scaled);
            assert!(same.iter().zip(&f).all(|(a, b)| (a - b).abs() < 1e-15), "{scale:e}");
        }
        let mut shifted = w.clone();
        shifted.rotate_right(5);
        let mut want = f.clone();
        want.rotate_right(5);
        let got = f_gauss(&row, &shifted);
        assert!(got.iter().zip(&want).all(|(a, b)| (a - b).abs() < 1e-15));
        assert_eq!(f_gauss(&row, &[0.0; 12]), [0.0; 12]);
    }
}
