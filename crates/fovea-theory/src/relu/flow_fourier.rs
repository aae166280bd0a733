//! Velocity of one ReLU unit in the real Fourier basis, in which only a scalar couples the modes.
//!
//! ```math
//! \dot u_k=\tfrac12\frac{\lambda^1_ku_k}{\sqrt{2\pi\,u^\top\Lambda_1u}}-\tfrac14(\lambda^0_k+\lambda^1_k)u_k
//! ```
//!
//! # Source
//! Note 003 (21), claim L003.9; note 000 (6) with both constants halved, claim L000.12.
//!
//! # Symbols
//! * $`\lambda^1`$: class pos, from `xi_pos`, by frequency
//! * $`\lambda^0`$: class neg, from `xi_neg`, by frequency
//! * $`u`$: `u`, $`F^\top w`$ in the basis of `fovea_core::fourier`
//! * $`\tau`$: 1, the time constant of the notes
//!
//! # Holds when
//! As `relu.flow_single`, with circulant covariances. The origin, where the gate is undefined, has velocity 0.
//!
//! # Checked by
//! Change of basis of `relu.flow_single` and conserved phases (`tests/relu_flow`); trained seeds.

use crate::form::{Control, Form, FormError, bump, one_entry_per_site, with};
use crate::gaussian_flow::{GaussianFlow, RATES, weighted_velocity};
use fovea_core::params::{Schema, any, between, finite, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::{ParamError, Params, Value, params};

/// The velocity at the Fourier coefficients `u`; eigenvalues are indexed by frequency.
///
/// ```
/// let u_dot = fovea_theory::relu::flow_fourier::velocity(&[1.0, 1.0], &[1.0, 1.0], &[1.0, 0.0]);
/// assert!((u_dot[0] - (0.5 * 0.3989422804014327 - 0.5)).abs() < 1e-15);
/// ```
pub fn velocity(eigs_pos: &[f64], eigs_neg: &[f64], u: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; u.len()];
    weighted_velocity(eigs_pos, eigs_neg, RATES, u, &mut out);
    out
}

params! {
    /// Arguments of `relu.flow_fourier`.
    pub struct Args {
        /// Ring size.
        n: usize = 12, between(2.0, 1e4), "sites";
        /// Correlation length of class pos, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class neg, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Fourier coefficients, in the order const, cos 1, sin 1, and so on.
        u: Vec<f64> = bump(12), finite(), "";
        /// Covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        one_entry_per_site("u", self.u.len(), self.n)
    }
}

impl Args {
    fn value(&self, constants: [f64; 2]) -> Result<Value, FormError> {
        let flow = GaussianFlow::on_ring(self.n, self.xi_pos, self.xi_neg, self.kernel)?;
        let mut out = vec![0.0; self.n];
        weighted_velocity(&flow.eigs_pos, &flow.eigs_neg, constants, &self.u, &mut out);
        Ok(Value::reals(&out))
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "relu.flow_fourier",
    text: include_str!("flow_fourier.rs"),
    control: Control {
        what: "note 000 (6): 1 and 1/2 instead of 1/2 and 1/4",
        eval: |given| with(given, |a: Args| a.value([1.0, 0.5])),
    },
    schema: Args::schema,
    moves: Some("u"),
    eval: |given| with(given, |a: Args| a.value(RATES)),
};
