//! The flow of one ReLU unit on Gaussian data, solved mode by mode.
//!
//! ```math
//! \dot u_k=\tfrac12\frac{\lambda^+_ku_k}{\sqrt{2\pi}\,s_+}-\tfrac14(\lambda^+_k+\lambda^-_k)u_k,\qquad
//! s_+^2=\sum_k\lambda^+_ku_k^2
//! ```
//!
//! Note 003 (21), claim L003.9. It is $`-\partial L/\partial w`$ for labels 1 and 0 with every factor of the loss, so
//! that after `step` steps of learning rate `lr` the time is `t = step * lr`. A program whose loss has no 1/2 runs
//! twice as fast. At finite gain the covariances of the nonlinear process are used instead of the latent ones: this is
//! the matched Gaussian. Any symmetric circulant is allowed.

use fovea_core::fourier::{frequency_of, from_fourier, to_fourier};
use fovea_core::ode::{DormandPrince, OdeError, Trajectory, euler};
use fovea_core::ring::{Kernel, RingError, RingKernel, circulant_eigs, unfold};
use std::f64::consts::{FRAC_2_PI, TAU};

/// The population flow of one bias-free ReLU unit between two Gaussian classes with circulant covariances.
#[derive(Clone, Debug, PartialEq)]
pub struct GaussianFlow {
    /// Eigenvalues of the covariance of class pos (label 1), `k = 0..n`.
    pub eigs_pos: Vec<f64>,
    /// Eigenvalues of the covariance of class neg (label 0), `k = 0..n`.
    pub eigs_neg: Vec<f64>,
}

impl GaussianFlow {
    /// The flow between two classes given by the first rows of their covariances.
    pub fn from_rows(row_pos: &[f64], row_neg: &[f64]) -> Self {
        let eigs = |row: &[f64]| unfold(&circulant_eigs(row), row.len());
        Self { eigs_pos: eigs(row_pos), eigs_neg: eigs(row_neg) }
    }

    /// The flow between two classes that differ in correlation length.
    ///
    /// # Errors
    /// A correlation length at which the kernel is not a covariance.
    pub fn on_ring(n: usize, xi_pos: f64, xi_neg: f64, kernel: Kernel) -> Result<Self, RingError> {
        Ok(Self {
            eigs_pos: RingKernel::new(n, xi_pos, kernel)?.eigs,
            eigs_neg: RingKernel::new(n, xi_neg, kernel)?.eigs,
        })
    }

    /// Number of sites.
    pub fn n(&self) -> usize {
        self.eigs_pos.len()
    }

    /// Writes $`\dot u`$ at the Fourier coefficients `u`; the flow does not depend on the time.
    pub fn fourier_velocity(&self, _t: f64, u: &[f64], out: &mut [f64]) {
        weighted_velocity(&self.eigs_pos, &self.eigs_neg, RATES, u, out);
    }

    /// Writes $`\dot w`$ at the weights `w`; the flow does not depend on the time.
    pub fn velocity(&self, t: f64, w: &[f64], out: &mut [f64]) {
        let mut u_dot = vec![0.0; w.len()];
        self.fourier_velocity(t, &to_fourier(w), &mut u_dot);
        out.copy_from_slice(&from_fourier(&u_dot));
    }

    /// The population loss $`\tfrac14[1+\tfrac12(s_+^2+s_-^2)-\sqrt{2/\pi}\,s_+]`$ at the weights `w`.
    pub fn loss(&self, w: &[f64]) -> f64 {
        let u = to_fourier(w);
        let (var_pos, var_neg) = (quadratic(&self.eigs_pos, &u), quadratic(&self.eigs_neg, &u));
        0.25 * (1.0 + 0.5 * (var_pos + var_neg) - (FRAC_2_PI * var_pos).sqrt())
    }

    /// Gradient descent on the population loss: `steps` steps of size `lr` from `w0`, and the weights at the end.
    ///
    /// `observe` sees the time and the Fourier coefficients before the first and after every step.
    pub fn euler_map(
        &self,
        w0: &[f64],
        lr: f64,
        steps: usize,
        observe: impl FnMut(f64, &[f64]),
    ) -> Vec<f64> {
        let velocity = |t: f64, u: &[f64], out: &mut [f64]| self.fourier_velocity(t, u, out);
        from_fourier(&euler(velocity, 0.0, &to_fourier(w0), lr, steps, observe))
    }

    /// The path of the Fourier coefficients from the weights `w0` at time 0 to time `t`.
    ///
    /// # Errors
    /// A path that takes more steps than the solver allows, or that diverges.
    pub fn path(&self, w0: &[f64], t: f64) -> Result<Trajectory, OdeError> {
        let velocity = |t: f64, u: &[f64], out: &mut [f64]| self.fourier_velocity(t, u, out);
        SOLVER.solve(velocity, 0.0, t, &to_fourier(w0))
    }

    /// The weights at time `t`, from `w0` at time 0.
    ///
    /// # Errors
    /// Those of [`path`](Self::path).
    pub fn solve(&self, w0: &[f64], t: f64) -> Result<Vec<f64>, OdeError> {
        Ok(from_fourier(self.path(w0, t)?.last()))
    }
}

/// Tight enough that a claim at 1e-8 tests the equation and not the solver.
pub(crate) const SOLVER: DormandPrince =
    DormandPrince { rtol: 1e-11, atol: 1e-14, max_steps: 1_000_000, h0: None };

/// $`\sum_j\lambda_{k(j)}u_j^2`$, the variance of the preactivation.
pub(crate) fn quadratic(eigs: &[f64], u: &[f64]) -> f64 {
    bilinear(eigs, u, u)
}

/// $`\sum_j\lambda_{k(j)}u_jv_j`$, the covariance of two preactivations.
pub(crate) fn bilinear(eigs: &[f64], u: &[f64], v: &[f64]) -> f64 {
    let n = u.len();
    u.iter().zip(v).enumerate().map(|(j, (u, v))| eigs[frequency_of(j, n)] * u * v).sum()
}

/// The constants before the two terms of the velocity, as in the gradient of the loss.
pub(crate) const RATES: [f64; 2] = [0.5, 0.25];

/// Writes the velocity at the Fourier coefficients `u`, with the given constants before its two terms; eigenvalues are
/// indexed by frequency.
pub(crate) fn weighted_velocity(
    eigs_pos: &[f64],
    eigs_neg: &[f64],
    [teach, decay]: [f64; 2],
    u: &[f64],
    out: &mut [f64],
) {
    // The standard deviation at unit scale, so that no square under- or overflows.
    let scale = u.iter().fold(0.0, |top: f64, u| top.max(u.abs()));
    let unit: Vec<f64> = u.iter().map(|u| if scale > 0.0 { u / scale } else { 0.0 }).collect();
    let std = scale * quadratic(eigs_pos, &unit).sqrt();
    let gate = if std > 0.0 { teach / (TAU.sqrt() * std) } else { 0.0 };
    for (j, (u, out)) in u.iter().zip(out.iter_mut()).enumerate() {
        let k = frequency_of(j, eigs_pos.len());
        *out = (gate * eigs_pos[k] - decay * (eigs_pos[k] + eigs_neg[k])) * u;
    }
}
