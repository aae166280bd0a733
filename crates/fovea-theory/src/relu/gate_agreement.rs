//! Probability that the gates of two weight vectors agree on the mixture of the classes.
//!
//! ```math
//! p=P\big(\mathbf 1(\langle w,X\rangle>0)=\mathbf 1(\langle w',X\rangle>0)\big)=1-\frac{\theta_1+\theta_0}{2\pi}
//! ```
//!
//! # Source
//! Note 001 (78), with a closed form added; claims L001.36, L003.39.
//!
//! # Symbols
//! * $`w, w'`$: `w`, `w2`, in the note $`w(t)`$ and $`w(t+\delta t)`$
//! * $`\theta_c`$: their angle in the inner product of the covariance of class $`c`$
//!
//! # Holds when
//! Balanced Gaussian classes, and every elliptical distribution, since a gate depends only on the direction. Both
//! weights need variance in both classes; refused otherwise. Over one class alone the agreement is
//! $`1-\theta_c/\pi`$ (erratum E.3: say which is meant).
//!
//! # Checked by
//! Reference values (`tests/oracle`); gates at an angle of a trillionth of a turn; sampled gates.

use crate::form::{Control, Form, FormError, bump, number, one_entry_per_site};
use crate::gaussian_flow::GaussianFlow;
use crate::pair::{Pair, largest};
use crate::relu::pair_vec::shifted_bump;
use fovea_core::fourier::to_fourier;
use fovea_core::params::{Schema, any, between, finite, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::{ParamError, Params, params};
use std::f64::consts::{PI, TAU};

/// The agreement of the gates of `w` and `w2`, if both vary in both classes; eigenvalues are indexed by frequency.
///
/// ```
/// use fovea_theory::relu::gate_agreement::gate_agreement;
/// let p = gate_agreement(&[1.0, 1.0], &[1.0, 1.0], &[1.0, 0.0], &[0.0, 3.0]).unwrap();
/// assert!((p - 0.5).abs() < 1e-15);
/// ```
pub fn gate_agreement(eigs_pos: &[f64], eigs_neg: &[f64], w: &[f64], w2: &[f64]) -> Option<f64> {
    Some(1.0 - (angle(eigs_pos, w, w2)? + angle(eigs_neg, w, w2)?) / TAU)
}

/// The angle of two units in the inner product of a covariance.
fn angle(eigs: &[f64], w: &[f64], w2: &[f64]) -> Option<f64> {
    // The angle does not depend on the scales; at unit scale no square under- or overflows.
    let unit = |w: &[f64]| {
        let scale = largest(w);
        (scale > 0.0).then(|| to_fourier(&w.iter().map(|x| x / scale).collect::<Vec<f64>>()))
    };
    let pair = Pair::between(eigs, &unit(w)?, &unit(w2)?);
    (pair.var_s > 0.0 && pair.var_t > 0.0).then_some(pair.angle)
}

params! {
    /// Arguments of `relu.gate_agreement`.
    pub struct Args {
        /// Ring size.
        n: usize = 12, between(2.0, 1e4), "sites";
        /// Correlation length of class pos, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class neg, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Weights of one gate, one per site.
        w: Vec<f64> = bump(12), finite(), "";
        /// Weights of the other gate, one per site.
        w2: Vec<f64> = shifted_bump(12), finite(), "";
        /// Covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        one_entry_per_site("w", self.w.len(), self.n)?;
        one_entry_per_site("w2", self.w2.len(), self.n)
    }
}

impl Args {
    fn flow(&self) -> Result<GaussianFlow, FormError> {
        Ok(GaussianFlow::on_ring(self.n, self.xi_pos, self.xi_neg, self.kernel)?)
    }

    fn value(&self) -> Result<f64, FormError> {
        let flow = self.flow()?;
        gate_agreement(&flow.eigs_pos, &flow.eigs_neg, &self.w, &self.w2)
            .ok_or(FormError::Undefined)
    }

    /// Over class pos alone.
    fn of_one_class(&self) -> Result<f64, FormError> {
        let theta = angle(&self.flow()?.eigs_pos, &self.w, &self.w2).ok_or(FormError::Undefined)?;
        Ok(1.0 - theta / PI)
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "relu.gate_agreement",
    text: include_str!("gate_agreement.rs"),
    control: Control {
        what: "the agreement over class pos alone, 1 - theta_1/pi",
        eval: |given| number(given, |a: Args| a.of_one_class()),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| a.value()),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_gates_disagree_in_proportion_to_their_angle() {
        let eigs = [1.0; 4];
        for delta in [0.0, 1e-12, 1e-6, 0.1] {
            let turned = [libm::cos(delta), 0.0, libm::sin(delta), 0.0].map(|x| 1e200 * x);
            let p = gate_agreement(&eigs, &eigs, &[1e-200, 0.0, 0.0, 0.0], &turned).unwrap();
            assert!((1.0 - p - delta / PI).abs() < 2e-16, "{delta:e}: {p}");
            let opposite = turned.map(|x| -x);
            let p = gate_agreement(&eigs, &eigs, &[1.0, 0.0, 0.0, 0.0], &opposite).unwrap();
            assert!((p - delta / PI).abs() < 2e-16, "{delta:e}: {p:e}");
        }
    }

    #[test]
    fn a_gate_without_variance_has_no_agreement() {
        assert_eq!(gate_agreement(&[1.0, 1.0], &[1.0, 1.0], &[0.0, 0.0], &[1.0, 0.0]), None);
        assert_eq!(gate_agreement(&[1.0, 1.0], &[1.0, 0.0], &[1.0, -1.0], &[1.0, 0.0]), None);
    }
}
