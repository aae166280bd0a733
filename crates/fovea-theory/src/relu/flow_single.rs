//! Velocity -dL/dw of one ReLU unit between two Gaussian classes.
//!
//! ```math
//! \dot w=-\frac{\partial L}{\partial w}=\tfrac12f(w)-\tfrac14(\Sigma_0+\Sigma_1)w,\qquad
//! f(w)=\frac{\Sigma_1w}{\sqrt{2\pi\,w^\top\Sigma_1w}}
//! ```
//!
//! # Source
//! Note 003 (19)-(20), claim L003.8; note 000 (4), which has $`\tfrac12(\Sigma_0+\Sigma_1)w`$, with this term halved,
//! claim L000.3.
//!
//! # Symbols
//! * $`\Sigma_1`$: class pos, from `xi_pos`
//! * $`\Sigma_0`$: class neg, from `xi_neg`
//!
//! # Holds when
//! One bias-free unit, labels 1 and 0, balanced Gaussian classes; the time constant $`\tau`$ of the notes is 1. With
//! another $`f`$ it holds for every centrally symmetric distribution.
//!
//! # Checked by
//! Reference values (`tests/oracle`); difference quotients of the loss and the same flow in the Fourier basis
//! (`tests/relu_flow`); sampled gradients.

use super::f_gauss::f_gauss;
use crate::form::{Control, Form, FormError, bump, one_entry_per_site, with};
use fovea_core::params::{Schema, any, between, finite, finite_above};
use fovea_core::ring::{Kernel, RingKernel, circulant_apply};
use fovea_core::{ParamError, Params, Value, params};

/// The velocity at the weights `w`, for covariances with these first rows.
///
/// ```
/// let w_dot = fovea_theory::relu::flow_single::velocity(&[1.0, 0.0], &[1.0, 0.0], &[1.0, 0.0]);
/// assert!((w_dot[0] - (0.5 * 0.3989422804014327 - 0.5)).abs() < 1e-15);
/// ```
pub fn velocity(row_pos: &[f64], row_neg: &[f64], w: &[f64]) -> Vec<f64> {
    velocity_with_decay(row_pos, row_neg, w, 0.25)
}

fn velocity_with_decay(row_pos: &[f64], row_neg: &[f64], w: &[f64], decay: f64) -> Vec<f64> {
    let sum_row: Vec<f64> = row_pos.iter().zip(row_neg).map(|(pos, neg)| pos + neg).collect();
    let pull = circulant_apply(&sum_row, w);
    f_gauss(row_pos, w).iter().zip(&pull).map(|(f, pull)| 0.5 * f - decay * pull).collect()
}

params! {
    /// Arguments of `relu.flow_single`.
    pub struct Args {
        /// Ring size.
        n: usize = 12, between(2.0, 1e4), "sites";
        /// Correlation length of class pos, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class neg, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
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
    fn value(&self, decay: f64) -> Result<Value, FormError> {
        let row_pos = RingKernel::new(self.n, self.xi_pos, self.kernel)?.first_row;
        let row_neg = RingKernel::new(self.n, self.xi_neg, self.kernel)?.first_row;
        Ok(Value::reals(&velocity_with_decay(&row_pos, &row_neg, &self.w, decay)))
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "relu.flow_single",
    text: include_str!("flow_single.rs"),
    control: Control {
        what: "note 000 (4): 1/2 instead of 1/4 before (S0+S1) w",
        eval: |given| with(given, |a: Args| a.value(0.5)),
    },
    schema: Args::schema,
    moves: Some("w"),
    eval: |given| with(given, |a: Args| a.value(0.25)),
};
