//! Relaxation of one ReLU unit on sign data from a single site into its localized fixed point.
//!
//! ```math
//! w(t)=w^*+e^{-(C_0+C_1)t/4}\,(w_0-w^*),\qquad w_0=\alpha e_0;\qquad
//! \text{with steps of }\eta:\quad w(t)=w^*+\big(1-\tfrac\eta4(C_0+C_1)\big)^{t/\eta}(w_0-w^*)
//! ```
//!
//! # Source
//! Derived; claim L000.39: where one site outvotes all others the gated mean is constant, $`f=\tfrac12C_1e_0`$, and the
//! flow $`\dot w=\tfrac12f-\tfrac14(C_0+C_1)w`$ is linear. Note 000 (4) has $`\tfrac12(C_0+C_1)w`$ (L000.3).
//!
//! # Symbols
//! * $`\alpha`$: `scale`
//! * $`C_1`$: class pos
//! * $`C_0`$: class neg
//! * $`\eta`$: `lr`, 0 for the flow
//! * $`t`$: `t`, steps times `lr`
//!
//! # Holds when
//! `gain = inf`, one unit, labels 1 and 0, no output bias. The path stays in the cell of site 0, $`2|w_0|>\|w\|_1`$,
//! which a positive margin of `dictator.fixed_point` allows. The mean of stochastic descent over its samples is exactly
//! the path in steps, as long as no sample path leaves the cell.
//!
//! # Checked by
//! An ODE solver; a loop over the steps; the mean of trained replicas in the experiment `dictator`.

use crate::dictator::fixed_point::sign_cov;
use crate::form::{Control, Form, FormError, with};
use fovea_core::params::{Schema, any, at_least, between, finite, finite_above};
use fovea_core::ring::{Kernel, RingKernel, circulant_eigs, unfold};
use fovea_core::{ParamError, Params, Value, params};

/// The weights at time `t`, from `scale` on site 0 and 0 elsewhere, between sign data whose covariances have these
/// first rows; `lr = 0` is the flow.
///
/// ```
/// let there = fovea_theory::dictator::path::path(&[1.0, 0.0], &[1.0, 0.0], 2.0, 1e3, 0.0);
/// assert!((there[0] - 0.5).abs() < 1e-15);
/// ```
pub fn path(row_pos: &[f64], row_neg: &[f64], scale: f64, t: f64, lr: f64) -> Vec<f64> {
    let n = row_pos.len();
    let (pos, neg) = (circulant_eigs(row_pos), circulant_eigs(row_neg));
    let least = 1e-12 * (pos[0] + neg[0]);
    let mode = |(pos, neg): (&f64, &f64)| {
        let sum = pos + neg;
        if sum <= least {
            return scale;
        }
        let end = pos / sum;
        end + kept(0.25 * sum, t, lr) * (scale - end)
    };
    let modes: Vec<f64> = pos.iter().zip(&neg).map(mode).collect();
    // The first row of a symmetric circulant is the cosine sum of its eigenvalues over n.
    let row = unfold(&circulant_eigs(&unfold(&modes, n)), n);
    row.iter().map(|x| x / n as f64).collect()
}

/// The remaining share after time `t` of a deviation that decays at `rate`.
fn kept(rate: f64, t: f64, lr: f64) -> f64 {
    if lr > 0.0 { libm::pow(1.0 - lr * rate, libm::round(t / lr)) } else { libm::exp(-rate * t) }
}

params! {
    /// Arguments of `dictator.path`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
        /// Correlation length of class pos, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class neg, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Covariance kernel of the latent Gaussian.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Weight of site 0 at the start; every other is 0.
        scale: f64 = 1.0, finite(), "";
        /// Time, steps times learning rate.
        t: f64 = 4.0, at_least(0.0), "";
        /// Learning rate; 0 for the flow.
        lr: f64 = 0.0, between(0.0, 10.0), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        let steps = self.t / self.lr;
        if self.lr > 0.0 && (steps - libm::round(steps)).abs() > 1e-6 * steps.max(1.0) {
            return Err(ParamError::Inconsistent {
                what: format!(
                    "`t` is {} and `lr` is {}: not a whole number of steps",
                    Value::Real(self.t),
                    Value::Real(self.lr)
                ),
                hint: format!("choose t={}", Value::Real(libm::round(steps) * self.lr)),
            });
        }
        Ok(())
    }
}

impl Args {
    fn value(&self, clock: f64) -> Result<Value, FormError> {
        let row = |xi| RingKernel::new(self.n, xi, self.kernel).map(|k| sign_cov(&k.first_row));
        let (pos, neg) = (row(self.xi_pos)?, row(self.xi_neg)?);
        Ok(Value::reals(&path(&pos, &neg, self.scale, clock * self.t, clock * self.lr)))
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "dictator.path",
    text: include_str!("path.rs"),
    control: Control {
        what: "note 000 (4): 1/2 (C_0 + C_1) w instead of 1/4, twice the rate",
        eval: |given| with(given, |a: Args| a.value(2.0)),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| a.value(1.0)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dictator::fixed_point::fixed_point;
    use crate::gaussian_flow::SOLVER;
    use fovea_core::agree::within;
    use fovea_core::ring::{circulant_apply, kernel_row};

    fn rows() -> [Vec<f64>; 2] {
        [2.0, 1.0].map(|xi| sign_cov(&kernel_row(12, xi, Kernel::Wrapped)))
    }

    fn velocity(w: &[f64], out: &mut [f64]) {
        let [pos, neg] = rows();
        let sum: Vec<f64> = pos.iter().zip(&neg).map(|(p, n)| p + n).collect();
        for ((out, pull), teach) in out.iter_mut().zip(circulant_apply(&sum, w)).zip(&pos) {
            *out = 0.25 * teach - 0.25 * pull;
        }
    }

    #[test]
    fn the_path_solves_the_linear_flow() {
        let [pos, neg] = rows();
        let mut start = vec![0.0; 12];
        start[0] = 0.7;
        let solved = SOLVER.solve(|_, w, out| velocity(w, out), 0.0, 9.0, &start).unwrap();
        let closed = path(&pos, &neg, 0.7, 9.0, 0.0);
        for (a, b) in solved.last().iter().zip(&closed) {
            within(*a, *b, 1e-9, 1e-10).unwrap();
        }
        let end = path(&pos, &neg, 0.7, 1e4, 0.0);
        for (a, b) in end.iter().zip(&fixed_point(&pos, &neg).w) {
            within(*a, *b, 1e-12, 1e-13).unwrap();
        }
    }

    #[test]
    fn the_path_in_steps_is_the_loop_over_them() {
        let [pos, neg] = rows();
        let mut w = vec![0.0; 12];
        w[0] = 0.7;
        let mut speed = vec![0.0; 12];
        for _ in 0..30 {
            velocity(&w, &mut speed);
            w.iter_mut().zip(&speed).for_each(|(w, v)| *w += 0.3 * v);
        }
        for (a, b) in w.iter().zip(&path(&pos, &neg, 0.7, 9.0, 0.3)) {
            within(*a, *b, 1e-12, 1e-14).unwrap();
        }
    }

    #[test]
    fn a_time_between_two_steps_is_refused() {
        assert!(Args { t: 1.0, lr: 0.3, ..Args::default() }.check().is_err());
        assert!(Args { t: 0.9, lr: 0.3, ..Args::default() }.check().is_ok());
    }
}
