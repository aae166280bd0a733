//! Weights of one ReLU unit at time t on Gaussian data, from one scalar equation.
//!
//! ```math
//! u_k(t)=u_k(0)\exp\Big[-\tfrac14(\lambda^0_k+\lambda^1_k)t+\tfrac14\sqrt{\tfrac2\pi}\,\lambda^1_k\Theta(t)\Big],\qquad
//! \dot\Theta=\frac1{s_1(\Theta,t)},\qquad s_1^2=\sum_k\lambda^1_ku_k^2
//! ```
//!
//! # Source
//! Note 003 after (21), "we can't solve this ODE exactly", improved; claim L003.11.
//!
//! # Symbols
//! * $`\Theta`$: `theta`
//! * $`\lambda^1`$: class pos
//! * $`\lambda^0`$: class neg
//! * $`u`$: $`F^\top w`$
//! * $`\tau`$: 1, the time constant of the notes
//!
//! # Holds when
//! As `relu.flow_fourier`, from weights with variance in class pos. Every factor is positive: the signs and the phases
//! of the modes never change.
//!
//! # Checked by
//! Reference values (`tests/oracle`); the full system of equations and gradient descent at first order in the learning
//! rate (`tests/relu_flow`).

use crate::form::{Control, Form, FormError, bump, one_entry_per_site, with};
use crate::gaussian_flow::{GaussianFlow, SOLVER, quadratic};
use crate::pair::largest;
use fovea_core::fourier::{frequency_of, from_fourier, to_fourier};
use fovea_core::ode::OdeError;
use fovea_core::params::{Schema, any, between, finite, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::{ParamError, Params, Value, params, work};
use std::f64::consts::TAU;

/// The state of the flow at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowExact {
    /// The scalar clock, the time integral of one over the standard deviation of the preactivation.
    pub theta: f64,
    /// Weights.
    pub w: Vec<f64>,
}

impl From<FlowExact> for Value {
    fn from(state: FlowExact) -> Self {
        Self::table([("theta", state.theta.into()), ("w", Self::reals(&state.w))])
    }
}

/// The weights at time `t`, from `w0` at time 0; eigenvalues are indexed by frequency.
///
/// ```
/// let start = fovea_theory::relu::flow_exact::flow_exact(&[1.0, 1.0], &[1.0, 1.0], &[2.0, 0.0], 0.0)?;
/// assert!(start.theta == 0.0 && (start.w[0] - 2.0).abs() < 1e-15);
/// # Ok::<(), fovea_core::ode::OdeError>(())
/// ```
///
/// # Errors
/// A scalar equation that takes more steps than the solver allows, or starts from weights without variance in class pos.
pub fn flow_exact(
    eigs_pos: &[f64],
    eigs_neg: &[f64],
    w0: &[f64],
    t: f64,
) -> Result<FlowExact, OdeError> {
    with_decay(eigs_pos, eigs_neg, w0, t, 0.25)
}

fn with_decay(
    eigs_pos: &[f64],
    eigs_neg: &[f64],
    w0: &[f64],
    t: f64,
    decay: f64,
) -> Result<FlowExact, OdeError> {
    let (u0, n) = (to_fourier(w0), w0.len());
    let share = |k: usize| eigs_pos[k] / (eigs_pos[k] + eigs_neg[k]);
    let moving = (0..n).filter(|j| u0[*j].abs() > 0.0).map(|j| frequency_of(j, n));
    let taught = moving.filter(|k| eigs_pos[*k] > 0.0);
    let Some(last) = taught.max_by(|a, b| share(*a).total_cmp(&share(*b))) else {
        return Err(OdeError::NotFinite { t: 0.0 });
    };
    // L003.11, with sqrt(2/pi)/4 = 1/(2 sqrt(2 pi)). Theta grows with t; the exponent x of the mode that lasts stays bounded, and
    // with Theta = (x + decay_last t)/rise_last no other exponent is a difference of large numbers.
    let rise = |k: usize| 0.5 / TAU.sqrt() * eigs_pos[k];
    let lost = |k: usize| decay * (eigs_pos[k] + eigs_neg[k]);
    let state = |x: f64, t: f64| -> Vec<f64> {
        let factor = |k: usize| {
            let part = eigs_pos[k] / eigs_pos[last];
            let behind = if k == last { 0.0 } else { (part * lost(last) - lost(k)) * t };
            libm::exp(part * x + behind)
        };
        u0.iter().enumerate().map(|(j, u)| u * factor(frequency_of(j, n))).collect()
    };
    let exponent = |t: f64, x: &[f64], out: &mut [f64]| {
        // One exponent, and a velocity with one term per mode.
        work::spend(n);
        let u = state(x[0], t);
        // At unit scale no square under- or overflows.
        let scale = largest(&u);
        let unit: Vec<f64> = u.iter().map(|u| u / scale).collect();
        out[0] = rise(last) / (scale * quadratic(eigs_pos, &unit).sqrt()) - lost(last);
    };
    let x = SOLVER.solve(exponent, 0.0, t, &[0.0])?.last()[0];
    let theta = (x + lost(last) * t) / rise(last);
    Ok(FlowExact { theta, w: from_fourier(&state(x, t)) })
}

params! {
    /// Arguments of `relu.flow_exact`.
    pub struct Args {
        /// Ring size.
        n: usize = 12, between(2.0, 1e4), "sites";
        /// Correlation length of class pos, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class neg, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Weights at time 0, one per site.
        w0: Vec<f64> = bump(12), finite(), "";
        /// Time, the number of steps times the learning rate.
        t: f64 = 4.0, between(0.0, 1e5), "";
        /// Covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        one_entry_per_site("w0", self.w0.len(), self.n)?;
        if self.w0.iter().any(|w| w.abs() > 0.0) {
            return Ok(());
        }
        Err(ParamError::Inconsistent {
            what: "`w0` is zero, where the gate is undefined and the flow has no direction"
                .to_owned(),
            hint: "give `w0` an entry that is not 0".to_owned(),
        })
    }
}

impl Args {
    fn value(&self, decay: f64) -> Result<Value, FormError> {
        let flow = GaussianFlow::on_ring(self.n, self.xi_pos, self.xi_neg, self.kernel)?;
        Ok(with_decay(&flow.eigs_pos, &flow.eigs_neg, &self.w0, self.t, decay)?.into())
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "relu.flow_exact",
    text: include_str!("flow_exact.rs"),
    control: Control {
        what: "the decay of note 000 (4), too fast by a factor of 2",
        eval: |given| with(given, |a: Args| a.value(0.5)),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| a.value(0.25)),
};
