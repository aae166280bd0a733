//! Stationary point of one ReLU unit at frequency k: amplitude, loss, unstable directions.
//!
//! ```math
//! |u_k|=\sqrt{\tfrac2\pi}\,\frac{\sqrt{\lambda^1_k}}{\lambda^0_k+\lambda^1_k},\qquad
//! L_k=\tfrac14\Big(1-\frac1{\pi(1+q_k)}\Big),\qquad q_k=\frac{\lambda^0_k}{\lambda^1_k}
//! ```
//!
//! # Source
//! Note 003 (25)-(31) corrected, claims L003.13 and L003.14: the note omits the square root in the norm. The stability
//! is derived, claim L003.16.
//!
//! # Symbols
//! * $`\lambda^1`$: class pos
//! * $`\lambda^0`$: class neg
//! * $`q_k`$: their ratio, neg over pos
//! * $`|u_k|`$: `amplitude`, of cosine and sine together (the phase, which is the position of the field, is free)
//!
//! # Holds when
//! One bias-free unit, labels 1 and 0, Gaussian classes, variance in class pos at `k`, and ratios $`q_k`$ that differ.
//! The Jacobian has the rates $`-\tfrac14\lambda^1_j(q_j-q_k)`$, so that the number of growing directions is the number
//! of modes with a smaller ratio.
//!
//! # Checked by
//! Reference values (`tests/oracle`); zeros of the velocity and unstable directions of a numerical Jacobian
//! (`tests/relu_flow`).

use crate::form::{Control, Form, FormError, with};
use crate::gaussian_flow::GaussianFlow;
use fovea_core::params::{Schema, any, at_least, between, finite_above};
use fovea_core::ring::{Kernel, multiplicity};
use fovea_core::{ParamError, Params, Value, params};
use std::f64::consts::{FRAC_2_PI, PI};

/// A stationary point with all its weight on one frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steady {
    /// Norm of the weights.
    pub amplitude: f64,
    /// Population loss.
    pub loss: f64,
    /// Number of directions in which the flow leaves it.
    pub unstable_dirs: usize,
}

impl From<Steady> for Value {
    fn from(point: Steady) -> Self {
        Self::table([
            ("amplitude", point.amplitude.into()),
            ("loss", point.loss.into()),
            ("unstable_dirs", point.unstable_dirs.into()),
        ])
    }
}

/// The stationary point at frequency `k`, if class pos has variance there; eigenvalues are listed for `k = 0..n`.
///
/// ```
/// let point = fovea_theory::relu::steady::steady(&[2.0, 1.0], &[1.0, 1.0], 0).unwrap();
/// assert_eq!(point.unstable_dirs, 0);
/// ```
pub fn steady(eigs_pos: &[f64], eigs_neg: &[f64], k: usize) -> Option<Steady> {
    let (n, pos, neg) = (eigs_pos.len(), eigs_pos[k], eigs_neg[k]);
    if pos <= 0.0 {
        return None;
    }
    let ratio = neg / pos;
    // L003.16, multiplied by lambda^1_j, so that a mode without variance in class pos counts as stable.
    let grows = |j: usize| j != k && eigs_pos[j] * ratio - eigs_neg[j] > 0.0;
    Some(Steady {
        amplitude: (FRAC_2_PI * pos).sqrt() / (pos + neg),
        loss: 0.25 * (1.0 - 1.0 / (PI * (1.0 + ratio))),
        unstable_dirs: (0..=n / 2).filter(|&j| grows(j)).map(|j| multiplicity(j, n)).sum(),
    })
}

params! {
    /// Arguments of `relu.steady`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
        /// Correlation length of class pos, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class neg, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Frequency of the mode, at most n/2.
        k: usize = 3, at_least(0.0), "cycles";
        /// Covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        let highest = self.n / 2;
        if self.k <= highest {
            return Ok(());
        }
        Err(ParamError::Inconsistent {
            what: format!("`k` is {} on a ring of n = {} sites", self.k, self.n),
            hint: format!("choose k <= {highest}"),
        })
    }
}

impl Args {
    fn flow_and_point(&self) -> Result<(GaussianFlow, Steady), FormError> {
        let flow = GaussianFlow::on_ring(self.n, self.xi_pos, self.xi_neg, self.kernel)?;
        let point = steady(&flow.eigs_pos, &flow.eigs_neg, self.k);
        Ok((flow, point.ok_or(FormError::NoSteadyState { k: self.k })?))
    }

    /// Note 003 (25): the norm enters without its square root.
    fn source_form(&self) -> Result<Steady, FormError> {
        let (flow, point) = self.flow_and_point()?;
        let sum = flow.eigs_pos[self.k] + flow.eigs_neg[self.k];
        Ok(Steady { amplitude: (FRAC_2_PI.sqrt() / sum).sqrt(), ..point })
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "relu.steady",
    text: include_str!("steady.rs"),
    control: Control {
        what: "note 003 (25): u_k^2 = sqrt(2/pi)/(lambda0+lambda1)",
        eval: |given| with(given, |a: Args| Ok(a.source_form()?.into())),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(a.flow_and_point()?.1.into())),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unstable_directions_are_those_of_the_catalogue() {
        // L003.16, n = 40, (2, 1).
        let flow = GaussianFlow::on_ring(40, 2.0, 1.0, Kernel::Ring).unwrap();
        for (k, unstable) in [(0, 0), (3, 5), (20, 39)] {
            let point = steady(&flow.eigs_pos, &flow.eigs_neg, k).unwrap();
            assert_eq!(point.unstable_dirs, unstable, "k={k}");
        }
        let flat = steady(&flow.eigs_pos, &flow.eigs_neg, 0).unwrap();
        assert!((flat.loss - 0.19695018157).abs() < 5e-12);
    }

    #[test]
    fn a_clipped_mode_has_no_stationary_point() {
        let args = Args { xi_pos: 5.0, k: 20, ..Args::default() };
        let error = args.flow_and_point().unwrap_err();
        assert_eq!(error, FormError::NoSteadyState { k: 20 });
        assert!(error.hint().contains("ring.critical_xi"));
    }
}
