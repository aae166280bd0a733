//! The flow of a committee of bias-free ReLU units between two classes of elliptical data.
//!
//! ```math
//! \dot w_i=-\frac{\partial L}{\partial w_i}=\frac1K\Big[\tfrac12c\,\frac{\Sigma_+w_i}{\sqrt{w_i^\top\Sigma_+w_i}}
//! -\frac1{2K}\sum_k\big(H_+(w_i,w_k)+H_-(w_i,w_k)\big)\Big],\qquad H(w_i,w_k)=E[TX;S>0,T>0]
//! ```
//!
//! Claim L001.21, with the factor $`1/K`$ of the chain rule that the notes put into their time constant: after `step` steps of learning
//! rate `lr` the time is `t = step * lr`. $`H`$ is that of [`pair`](crate::pair), the same for every elliptical distribution with this
//! covariance. The distribution enters only through the constant $`c=\tfrac12E|\tilde X_1|`$ of class pos, because class neg has label
//! 0 and no teacher term: $`1/\sqrt{2\pi}`$ for Gaussian data, `elliptical.constant` for the others.

use crate::gaussian_flow::{GaussianFlow, SOLVER, quadratic};
use crate::pair::{Pair, add_gated, largest};
use fovea_core::fourier::{frequency_of, from_fourier, to_fourier};
use fovea_core::ode::{OdeError, Trajectory, euler};
use fovea_core::params::{Range, between};

/// $`1/\sqrt{2\pi}`$, half the mean absolute value of a standard normal variable.
pub const GAUSSIAN: f64 = 0.3989422804014327;

/// The range of the constant of an elliptical distribution: half the mean absolute value is at most half the standard deviation.
pub(crate) const CONSTANT: Range = between(0.0, 0.5);

/// The population flow of `K` ReLU units with mean readout, labels 1 and 0, circulant covariances.
#[derive(Clone, Debug, PartialEq)]
pub struct CommitteeFlow {
    /// The spectra of the two classes, and the flow of a single unit.
    pub classes: GaussianFlow,
    /// Half the mean absolute value of one site of class pos at unit variance; [`GAUSSIAN`] for Gaussian data.
    pub constant: f64,
}

impl From<GaussianFlow> for CommitteeFlow {
    fn from(classes: GaussianFlow) -> Self {
        Self { classes, constant: GAUSSIAN }
    }
}

impl CommitteeFlow {
    /// Number of sites.
    pub fn n(&self) -> usize {
        self.classes.n()
    }

    /// Writes $`\dot u`$ at the Fourier coefficients `u` of all units, one after the other; the flow does not depend on the time.
    ///
    /// A unit without variance in a class has an undefined gate there; that class is then taken not to move it.
    pub fn fourier_velocity(&self, _t: f64, u: &[f64], out: &mut [f64]) {
        let n = self.n();
        let width = (u.len() / n) as f64;
        let GaussianFlow { eigs_pos, eigs_neg } = &self.classes;
        for (unit, out) in u.chunks_exact(n).zip(out.chunks_exact_mut(n)) {
            teach(eigs_pos, unit, 0.5 * self.constant / width, out);
            for other in u.chunks_exact(n) {
                for eigs in [eigs_pos, eigs_neg] {
                    add_gated(eigs, unit, other, -0.5 / (width * width), out);
                }
            }
        }
    }

    /// The velocity $`\dot w`$ of the units `w`, one per row.
    pub fn velocity(&self, w: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let u = flat(w);
        let mut out = vec![0.0; u.len()];
        self.fourier_velocity(0.0, &u, &mut out);
        self.rows(&out)
    }

    /// The population loss at the units `w` (L003.7):
    /// $`L=\tfrac14[1-\tfrac{2c}K\sum_k s_k+\tfrac1{K^2}\sum_{jk}(J^+_{jk}+J^-_{jk})]`$.
    pub fn loss(&self, w: &[Vec<f64>]) -> f64 {
        let GaussianFlow { eigs_pos, eigs_neg } = &self.classes;
        loss_elliptical(self.constant, eigs_pos, eigs_neg, w)
    }

    /// Gradient descent on the population loss: `steps` steps of size `lr` from `w0`, and the units at the end.
    ///
    /// `observe` sees the time and the Fourier coefficients of all units before the first and after every step.
    pub fn euler_map(
        &self,
        w0: &[Vec<f64>],
        lr: f64,
        steps: usize,
        observe: impl FnMut(f64, &[f64]),
    ) -> Vec<Vec<f64>> {
        let velocity = |t: f64, u: &[f64], out: &mut [f64]| self.fourier_velocity(t, u, out);
        self.rows(&euler(velocity, 0.0, &flat(w0), lr, steps, observe))
    }

    /// The path of the Fourier coefficients of all units, from `w0` at time 0 to time `t`.
    ///
    /// # Errors
    /// A path that takes more steps than the solver allows, or that diverges.
    pub fn path(&self, w0: &[Vec<f64>], t: f64) -> Result<Trajectory, OdeError> {
        let velocity = |t: f64, u: &[f64], out: &mut [f64]| self.fourier_velocity(t, u, out);
        SOLVER.solve(velocity, 0.0, t, &flat(w0))
    }

    /// The units at time `t`, from `w0` at time 0.
    ///
    /// # Errors
    /// Those of [`path`](Self::path).
    pub fn solve(&self, w0: &[Vec<f64>], t: f64) -> Result<Vec<Vec<f64>>, OdeError> {
        Ok(self.rows(self.path(w0, t)?.last()))
    }

    /// The units over sites, one per row, from the Fourier coefficients of all of them.
    pub fn rows(&self, u: &[f64]) -> Vec<Vec<f64>> {
        u.chunks_exact(self.n()).map(from_fourier).collect()
    }
}

/// The population loss of the units `w`, one per row, on elliptical data whose class pos has the constant $`c`$
/// (`elliptical.constant`); eigenvalues are indexed by frequency.
pub fn loss_elliptical(c: f64, eigs_pos: &[f64], eigs_neg: &[f64], w: &[Vec<f64>]) -> f64 {
    let units: Vec<Vec<f64>> = w.iter().map(|w| to_fourier(w)).collect();
    let width = units.len() as f64;
    let mean: f64 = units.iter().map(|u| c * quadratic(eigs_pos, u).sqrt()).sum();
    let pairs: f64 = units
        .iter()
        .flat_map(|u| units.iter().map(move |v| (u, v)))
        .flat_map(|(u, v)| [eigs_pos, eigs_neg].map(|eigs| Pair::between(eigs, u, v).product()))
        .sum();
    0.25 * (1.0 - 2.0 / width * mean + pairs / (width * width))
}

/// The Fourier coefficients of all units, one after the other.
fn flat(w: &[Vec<f64>]) -> Vec<f64> {
    w.iter().flat_map(|w| to_fourier(w)).collect()
}

/// Writes `factor` $`\Sigma w/\sqrt{w^\top\Sigma w}`$, or 0 where the root vanishes.
fn teach(eigs: &[f64], u: &[f64], factor: f64, out: &mut [f64]) {
    let scale = largest(u);
    let unit: Vec<f64> = u.iter().map(|u| if scale > 0.0 { u / scale } else { 0.0 }).collect();
    let std = quadratic(eigs, &unit).max(0.0).sqrt();
    let factor = if std > 0.0 { factor / std } else { 0.0 };
    for (j, (out, u)) in out.iter_mut().zip(&unit).enumerate() {
        *out = factor * eigs[frequency_of(j, eigs.len())] * u;
    }
}
