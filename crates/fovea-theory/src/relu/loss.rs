//! Population loss of a ReLU committee between two Gaussian or elliptical classes.
//!
//! ```math
//! L=\tfrac14\Big[1-\frac{2c}K\sum_k\sqrt{\rho^1_{kk}}+\frac1{K^2}\sum_{jk}(J^1_{jk}+J^0_{jk})\Big],\qquad
//! J_{jk}=\frac{\sqrt{\rho_{jj}\rho_{kk}}}{2\pi}\big(\sin\theta+(\pi-\theta)\cos\theta\big)
//! ```
//!
//! # Source
//! Derived; claim L003.7, with the Gaussian constant. The pair moment is the arc-cosine kernel, claims L001.15 and
//! L001.18, where note 001 (26)-(30) is wrong.
//!
//! # Symbols
//! * $`K`$: the number of rows of `w`
//! * $`\rho^c_{jk}`$: $`w_j^\top\Sigma_cw_k`$, class 1 is pos, class 0 neg
//! * $`\theta`$: the angle of two units in that inner product
//! * $`c`$: `c`, $`1/\sqrt{2\pi}`$ for Gaussian data, else `elliptical.constant` of class pos
//!
//! # Holds when
//! Bias-free units with mean readout, labels 1 and 0, balanced Gaussian or elliptical classes, any width. For one unit
//! $`L=\tfrac14[1+\tfrac12(s_1^2+s_0^2)-\sqrt{2/\pi}\,s_1]`$. For elliptical data the pair moment is homogeneous of degree
//! 2 and depends only on the covariance, and the mean output is $`c\,s`$; class neg, of label 0, may have any constant.
//!
//! # Checked by
//! Reference values (`tests/oracle`); difference quotients against the velocity (`tests/relu_flow`); the form for one
//! unit; sampled losses.

use crate::committee_flow::{CONSTANT, GAUSSIAN, loss_elliptical};
use crate::form::{Control, Form, FormError, bump, number, one_entry_per_site, with};
use crate::gaussian_flow::GaussianFlow;
use fovea_core::params::{Schema, any, between, finite, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::{ParamError, Params, Value, params};

/// The loss of the units `w` on Gaussian data, one unit per row; eigenvalues are indexed by frequency.
///
/// ```
/// let loss = fovea_theory::relu::loss::loss(&[1.0, 1.0], &[1.0, 1.0], &[vec![0.0, 0.0]]);
/// assert!((loss - 0.25).abs() < 1e-15);
/// ```
pub fn loss(eigs_pos: &[f64], eigs_neg: &[f64], w: &[Vec<f64>]) -> f64 {
    loss_elliptical(GAUSSIAN, eigs_pos, eigs_neg, w)
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
        /// Weights, one row per unit and one entry per site.
        w: Vec<Vec<f64>> = vec![bump(12)], finite(), "";
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
    fn value(&self) -> Result<f64, FormError> {
        let flow = GaussianFlow::on_ring(self.n, self.xi_pos, self.xi_neg, self.kernel)?;
        Ok(loss_elliptical(self.c, &flow.eigs_pos, &flow.eigs_neg, &self.w))
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "relu.loss",
    text: include_str!("loss.rs"),
    control: Control {
        what: "the loss without its 1/2, as in published training code",
        eval: |given| with(given, |a: Args| Ok(Value::Real(2.0 * a.value()?))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| a.value()),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gaussian_flow::quadratic;
    use fovea_core::fourier::to_fourier;
    use std::f64::consts::PI;

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
