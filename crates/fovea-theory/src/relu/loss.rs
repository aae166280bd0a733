//! The population loss of a ReLU committee between two Gaussian classes.
//!
//! ```math
//! L=\tfrac14\Big[1-\frac2K\sum_k\sqrt{\frac{\rho^1_{kk}}{2\pi}}+\frac1{K^2}\sum_{jk}(J^1_{jk}+J^0_{jk})\Big],\qquad
//! J_{jk}=\frac{\sqrt{\rho_{jj}\rho_{kk}}}{2\pi}\big(\sin\theta+(\pi-\theta)\cos\theta\big)
//! ```
//!
//! # Source
//! Claim L003.7, derived; the pair moment is the arc-cosine kernel, claims L001.15 and L001.18, where note 001
//! (26)-(30) is wrong.
//!
//! # Symbols
//! $`\rho^c_{jk}=w_j^\top\Sigma_cw_k`$; $`\theta`$ is the angle of two units in that inner product; $`K`$ is the width.
//!
//! # Holds when
//! Bias-free units with mean readout, labels 1 and 0, balanced Gaussian classes, any width. For one unit
//! $`L=\tfrac14[1+\tfrac12(s_1^2+s_0^2)-\sqrt{2/\pi}\,s_1]`$.
//!
//! # Checked by
//! `tests/oracle`; `tests/relu_flow` (difference quotients against the velocity); the form for one unit below.

use crate::form::{Control, Form, FormError, bump, one_entry_a_site, with};
use crate::gaussian_flow::{GaussianFlow, bilinear, quadratic};
use fovea_core::fourier::to_fourier;
use fovea_core::params::{Schema, any, between, finite, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::{ParamError, Params, Value, params};
use std::f64::consts::{PI, TAU};

/// The loss of the units `w`, one a row; eigenvalues are indexed by frequency.
///
/// ```
/// let loss = fovea_theory::relu::loss::loss(&[1.0, 1.0], &[1.0, 1.0], &[vec![0.0, 0.0]]);
/// assert!((loss - 0.25).abs() < 1e-15);
/// ```
pub fn loss(eigs_pos: &[f64], eigs_neg: &[f64], w: &[Vec<f64>]) -> f64 {
    let units: Vec<Vec<f64>> = w.iter().map(|w| to_fourier(w)).collect();
    let width = units.len() as f64;
    let mean: f64 = units.iter().map(|u| (quadratic(eigs_pos, u) / TAU).sqrt()).sum();
    let pairs: f64 = units
        .iter()
        .flat_map(|u| units.iter().map(move |v| (u, v)))
        .map(|(u, v)| pair_moment(eigs_pos, u, v) + pair_moment(eigs_neg, u, v))
        .sum();
    0.25 * (1.0 - 2.0 / width * mean + pairs / (width * width))
}

/// $`E[\mathrm{ReLU}(S)\,\mathrm{ReLU}(T)]`$ for the preactivations of two units.
///
/// The angle comes from the part of `v` that is orthogonal to `u` (L001.18): an arccosine loses half the digits
/// between units that are nearly parallel or opposite.
fn pair_moment(eigs: &[f64], u: &[f64], v: &[f64]) -> f64 {
    let (var_u, var_v, cov) = (quadratic(eigs, u), quadratic(eigs, v), bilinear(eigs, u, v));
    if var_u <= 0.0 || var_v <= 0.0 {
        return 0.0;
    }
    let rest: Vec<f64> = u.iter().zip(v).map(|(u, v)| v - cov / var_u * u).collect();
    let angle = libm::atan2((var_u * quadratic(eigs, &rest)).sqrt(), cov);
    (var_u * var_v).sqrt() / TAU * (libm::sin(angle) + (PI - angle) * libm::cos(angle))
}

params! {
    /// Arguments of `relu.loss`.
    pub struct Args {
        /// Ring size.
        n: usize = 12, between(2.0, 1e4), "sites";
        /// Correlation length of class pos, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class neg, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Weights, one row a unit and one entry a site.
        w: Vec<Vec<f64>> = vec![bump(12)], finite(), "";
        /// Covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        self.w.iter().try_for_each(|w| one_entry_a_site("w", w.len(), self.n))
    }
}

impl Args {
    fn value(&self) -> Result<f64, FormError> {
        let flow = GaussianFlow::on_ring(self.n, self.xi_pos, self.xi_neg, self.kernel)?;
        Ok(loss(&flow.eigs_pos, &flow.eigs_neg, &self.w))
    }
}

/// The row of this form.
pub const ENTRY: Form = Form {
    name: "relu.loss",
    summary: "Population loss of a ReLU committee between two Gaussian classes.",
    equation: r"L=\tfrac14[1-\tfrac2K\sum_k\sqrt{\rho^1_{kk}/2\pi}+\tfrac1{K^2}\sum_{jk}(J^1_{jk}+J^0_{jk})]",
    source: "derived; L003.7, with the pair moment of L001.15",
    symbols: &[("K", "the number of rows of w"), (r"\rho^1,\rho^0", "class pos, class neg")],
    holds: "bias-free units, mean readout, labels 1 and 0, balanced Gaussian classes, any width",
    checks: "reference values; difference quotients against the velocity; sampled losses",
    control: Control {
        what: "the loss without its 1/2, as published training code has it",
        eval: |given| with(given, |a: Args| Ok(Value::Real(2.0 * a.value()?))),
    },
    schema: Args::schema,
    eval: |given| with(given, |a: Args| Ok(a.value()?.into())),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_unit_has_the_loss_of_the_flow() {
        let flow = GaussianFlow::on_ring(12, 2.0, 1.0, Kernel::Ring).unwrap();
        let w: Vec<f64> = (0..12).map(|i| f64::from(i * i % 7) - 2.5).collect();
        let many = loss(&flow.eigs_pos, &flow.eigs_neg, std::slice::from_ref(&w));
        assert!((many / flow.loss(&w) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn copies_of_a_unit_count_as_one_and_a_pair_of_opposites_is_an_absolute_value() {
        let flow = GaussianFlow::on_ring(12, 2.0, 1.0, Kernel::Ring).unwrap();
        let w = bump(12);
        let opposite: Vec<f64> = w.iter().map(|x| -x).collect();
        let copies = loss(&flow.eigs_pos, &flow.eigs_neg, &[w.clone(), w.clone(), w.clone()]);
        assert!((copies / flow.loss(&w) - 1.0).abs() < 1e-14);
        // |S|/2 has half the mean square of ReLU(S) and the same mean.
        let u = to_fourier(&w);
        let (pos, neg) = (quadratic(&flow.eigs_pos, &u), quadratic(&flow.eigs_neg, &u));
        let want = 0.25 * (1.0 + 0.25 * (pos + neg) - (2.0 / PI * pos).sqrt());
        let pair = loss(&flow.eigs_pos, &flow.eigs_neg, &[w, opposite]);
        assert!((pair / want - 1.0).abs() < 1e-14);
    }
}
