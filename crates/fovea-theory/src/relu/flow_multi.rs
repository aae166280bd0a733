//! Velocity -dL/dw of every unit of a ReLU committee between two Gaussian or elliptical classes.
//!
//! ```math
//! \dot w_i=-\frac{\partial L}{\partial w_i}=\frac1K\Big[\tfrac12f_1(w_i)-\frac1{2K}\sum_k\big(H_1(w_i,w_k)+H_0(w_i,w_k)\big)\Big],\qquad
//! f_1(w)=\frac{c\,\Sigma_1w}{\sqrt{w^\top\Sigma_1w}}
//! ```
//!
//! # Source
//! Note 001 (5) and (50) with the missing class added, note 003 (5), "the full update is", completed; claims L001.21,
//! L003.6. The notes put the outer $`1/K`$ of the chain rule into their time constant $`\tau`$, which is 1 here.
//!
//! # Symbols
//! * $`K`$: the number of rows of `w`
//! * $`\Sigma_1`$: class pos
//! * $`\Sigma_0`$: class neg
//! * $`H`$: `relu.pair_vec`
//! * $`c`$: `c`, $`1/\sqrt{2\pi}`$ for Gaussian data, else `elliptical.constant`
//!
//! # Holds when
//! Bias-free units with mean readout, labels 1 and 0, balanced Gaussian or elliptical classes. For elliptical data
//! $`H`$ is homogeneous of degree 2 and depends only on the covariance; only the constant $`c`$ of class pos changes.
//!
//! # Checked by
//! Reference values (`tests/oracle`); difference quotients of the loss, one unit, copies and opposites
//! (`tests/relu_flow`).

use crate::committee_flow::{CONSTANT, CommitteeFlow, GAUSSIAN};
use crate::form::{Control, Form, FormError, bump, matrix, one_entry_per_site, with};
use crate::gaussian_flow::GaussianFlow;
use crate::relu::pair_vec::shifted_bump;
use fovea_core::params::{Schema, any, between, finite, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::{ParamError, Params, Value, params};

/// The velocity of the units `w`, one per row, on elliptical data with the constant `c`; eigenvalues are indexed by frequency.
///
/// ```
/// use fovea_theory::relu::flow_multi::flow_multi;
/// let w_dot = flow_multi(0.3989422804014327, &[1.0, 1.0], &[1.0, 1.0], &[vec![1.0, 0.0]]);
/// assert!((w_dot[0][0] - (0.5 * 0.3989422804014327 - 0.5)).abs() < 1e-15);
/// ```
pub fn flow_multi(c: f64, eigs_pos: &[f64], eigs_neg: &[f64], w: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let classes = GaussianFlow { eigs_pos: eigs_pos.to_vec(), eigs_neg: eigs_neg.to_vec() };
    CommitteeFlow { classes, constant: c }.velocity(w)
}

params! {
    /// Arguments of `relu.flow_multi`.
    pub struct Args {
        /// Ring size.
        n: usize = 12, between(2.0, 1e4), "sites";
        /// Correlation length of class pos, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class neg, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Weights, one row per unit and one entry per site.
        w: Vec<Vec<f64>> = vec![bump(12), shifted_bump(12)], finite(), "";
        /// Half the mean absolute value of a site of class pos at unit variance; the default is Gaussian.
        c: f64 = GAUSSIAN, CONSTANT, "";
        /// Covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        self.w.iter().try_for_each(|w| one_entry_per_site("w", w.len(), self.n))
    }
}

impl Args {
    fn value(&self, factor: f64) -> Result<Value, FormError> {
        let flow = GaussianFlow::on_ring(self.n, self.xi_pos, self.xi_neg, self.kernel)?;
        let mut w_dot = flow_multi(self.c, &flow.eigs_pos, &flow.eigs_neg, &self.w);
        w_dot.iter_mut().flatten().for_each(|x| *x *= factor);
        Ok(matrix(&w_dot))
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "relu.flow_multi",
    text: include_str!("flow_multi.rs"),
    control: Control {
        what: "without the 1/K of the chain rule, as in the notes' time, K times as fast",
        eval: |given| with(given, |a: Args| a.value(a.w.len() as f64)),
    },
    schema: Args::schema,
    moves: Some("w"),
    eval: |given| with(given, |a: Args| a.value(1.0)),
};
