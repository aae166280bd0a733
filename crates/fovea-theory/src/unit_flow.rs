//! The common part of the flows of one bias-free ReLU unit.
//!
//! ```math
//! \dot w=\tfrac12f(w)-\tfrac14(C_++C_-)\,w
//! ```
//!
//! Note 000 (4), corrected (claim L000.3): $`-\partial L/\partial w`$ for labels 1 and 0 with every factor of the loss, for any
//! centrally symmetric classes. The flows differ in $`f(w)=E[\mathbf 1(\langle w,X\rangle\ge0)X]`$ under class pos.

use crate::gaussian_flow::SOLVER;
use fovea_core::ode::{DormandPrince, OdeError, Trajectory, euler};
use fovea_core::ring::circulant_apply;

/// The first rows of the covariances of the two classes.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassRows {
    /// Class pos, label 1.
    pub pos: Vec<f64>,
    /// Class neg, label 0.
    pub neg: Vec<f64>,
}

impl ClassRows {
    /// First row of $`M=C_++C_-`$.
    pub fn sum(&self) -> Vec<f64> {
        self.pos.iter().zip(&self.neg).map(|(pos, neg)| pos + neg).collect()
    }

    /// $`\tfrac12f-\tfrac14Mw`$ for a given gated mean.
    pub fn velocity(&self, f: &[f64], w: &[f64]) -> Vec<f64> {
        let decay = circulant_apply(&self.sum(), w);
        f.iter().zip(decay).map(|(f, decay)| 0.5 * f - 0.25 * decay).collect()
    }
}

/// A population flow of one unit, defined by its gated mean.
pub trait UnitFlow {
    /// The covariances of the classes.
    fn rows(&self) -> &ClassRows;

    /// The gated mean $`f(w)`$ under class pos, or the approximation that this flow uses instead.
    fn gated_mean(&self, w: &[f64]) -> Vec<f64>;

    /// Writes $`\dot w`$; the flow does not depend on the time.
    fn velocity(&self, _t: f64, w: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&self.rows().velocity(&self.gated_mean(w), w));
    }

    /// The path of the weights from `w0` at time 0 to time `t`.
    ///
    /// # Errors
    /// A path that takes more steps than the solver allows, or that diverges.
    fn path(&self, w0: &[f64], t: f64) -> Result<Trajectory, OdeError> {
        self.path_with(SOLVER, w0, t)
    }

    /// The same with a given solver.
    ///
    /// # Errors
    /// Those of [`path`](Self::path).
    fn path_with(&self, solver: DormandPrince, w0: &[f64], t: f64) -> Result<Trajectory, OdeError> {
        solver.solve(|t, w: &[f64], out: &mut [f64]| self.velocity(t, w, out), 0.0, t, w0)
    }

    /// The weights at time `t`, from `w0` at time 0.
    ///
    /// # Errors
    /// Those of [`path`](Self::path).
    fn solve(&self, w0: &[f64], t: f64) -> Result<Vec<f64>, OdeError> {
        Ok(self.path(w0, t)?.last().to_vec())
    }

    /// Gradient descent with this velocity: `steps` steps of size `lr` from `w0`, and the weights at the end.
    ///
    /// `observe` sees the time and the weights before the first and after every step.
    fn euler_map(
        &self,
        w0: &[f64],
        lr: f64,
        steps: usize,
        observe: impl FnMut(f64, &[f64]),
    ) -> Vec<f64>
    where
        Self: Sized,
    {
        let velocity = |t: f64, w: &[f64], out: &mut [f64]| self.velocity(t, w, out);
        euler(velocity, 0.0, w0, lr, steps, observe)
    }
}

/// The image $`Cw`$ and the deviation $`s=\sqrt{w^\top Cw}`$ of the preactivation, of weights whose largest entry is 1.
pub(crate) struct Preactivation {
    /// The weights, divided by their largest entry.
    pub(crate) w: Vec<f64>,
    /// $`Cw`$ of those.
    pub(crate) image: Vec<f64>,
    /// $`s`$ of those.
    pub(crate) deviation: f64,
}

impl Preactivation {
    /// `None` if the preactivation has no variance.
    pub(crate) fn of(row: &[f64], w: &[f64]) -> Option<Self> {
        // The gated mean depends on the direction alone; at unit scale no power under- or overflows.
        let scale = w.iter().fold(0.0, |top: f64, x| top.max(x.abs()));
        if scale <= 0.0 {
            return None;
        }
        let w: Vec<f64> = w.iter().map(|x| x / scale).collect();
        let image = circulant_apply(row, &w);
        let var: f64 = w.iter().zip(&image).map(|(w, x)| w * x).sum();
        (var > 0.0).then(|| Self { w, image, deviation: var.sqrt() })
    }
}
