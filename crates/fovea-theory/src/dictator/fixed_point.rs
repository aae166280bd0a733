//! Localized fixed point of one ReLU unit on sign data: weights, margin, loss, IPR, relaxation time.
//!
//! ```math
//! w^*=(C_0+C_1)^{-1}C_1e_0,\qquad C=\tfrac2\pi\arcsin\Sigma,\qquad
//! \text{margin}=\frac{2|w^*_0|}{\|w^*\|_1}-1,\qquad L=\tfrac14\big[1-\tfrac12e_0^\top C_1w^*\big]
//! ```
//!
//! # Source
//! Derived; claim L000.39. Note 000 (8) gives $`f=\Sigma e_i`$, which is $`f=\tfrac12Ce_i`$ (L000.22). The loss is that
//! of claim L000.38, $`L=\tfrac14[1+\tfrac12w^\top Mw-2\langle w,f\rangle]`$ with $`M=C_0+C_1`$, at
//! $`f=\tfrac12C_1e_0`$.
//!
//! # Symbols
//! * $`C_1`$: class pos, from `xi_pos`
//! * $`C_0`$: class neg, from `xi_neg`
//!
//! # Holds when
//! `gain = inf`, one unit, labels 1 and 0, no output bias. With a positive margin (`exists`) one site outvotes all
//! others, the gate is $`\mathbf 1(x_0>0)`$, and $`w^*`$ is a strict local minimum of the true loss. With a negative
//! margin it solves the equations of that gate but has another gate itself; the loss is then that of the assumed gate,
//! which exceeds the unit's, since $`2\langle w,f(v)\rangle\le E|\langle w,X\rangle|`$ for any gate $`v`$. A mode in
//! which both classes lack variance has component 0.
//!
//! # Checked by
//! Reference values (`tests/oracle`); the velocity there is 0; the symmetry of the loss; sampled gradient and loss;
//! trained replicas.

use crate::form::{Control, Form, FormError, with};
use crate::nlgp::cov::cov;
use fovea_core::params::{Schema, any, between, finite_above};
use fovea_core::ring::{Kernel, RingKernel, circulant_eigs, unfold};
use fovea_core::{Params, Value, params};

/// The fixed point of the gate that depends on site 0 only.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedPoint {
    /// Weights.
    pub w: Vec<f64>,
    /// The margin by which site 0 outvotes the others, from -1 to 1.
    pub margin: f64,
    /// Population loss under that gate.
    pub loss: f64,
    /// Inverse participation ratio of the weights.
    pub ipr: f64,
    /// Whether the weights agree with their gate.
    pub exists: bool,
    /// The slowest relaxation time of the linear flow around it, $`4/\lambda_{\min}(C_0+C_1)`$.
    pub relaxation: f64,
}

impl From<FixedPoint> for Value {
    fn from(point: FixedPoint) -> Self {
        Self::table([
            ("w", Self::reals(&point.w)),
            ("margin", point.margin.into()),
            ("loss", point.loss.into()),
            ("ipr", point.ipr.into()),
            ("exists", Self::Bool(point.exists)),
            ("relaxation", point.relaxation.into()),
        ])
    }
}

/// First row of the covariance of sign data, from that of the latent Gaussian.
pub fn sign_cov(first_row: &[f64]) -> Vec<f64> {
    first_row.iter().map(|&rho| cov(rho, f64::INFINITY)).collect()
}

/// The fixed point between sign data whose covariances have these first rows.
///
/// ```
/// let point = fovea_theory::dictator::fixed_point::fixed_point(&[1.0, 0.0], &[1.0, 0.0]);
/// assert_eq!((point.w, point.margin), (vec![0.5, 0.0], 1.0));
/// ```
pub fn fixed_point(row_pos: &[f64], row_neg: &[f64]) -> FixedPoint {
    scaled_point(row_pos, row_neg, 1.0)
}

fn scaled_point(row_pos: &[f64], row_neg: &[f64], scale: f64) -> FixedPoint {
    let n = row_pos.len();
    let (pos, neg) = (circulant_eigs(row_pos), circulant_eigs(row_neg));
    let least = 1e-12 * (pos[0] + neg[0]);
    let share = |(pos, neg): (&f64, &f64)| if pos + neg > least { pos / (pos + neg) } else { 0.0 };
    let shares: Vec<f64> = pos.iter().zip(&neg).map(share).collect();
    // The first row of a symmetric circulant is the cosine sum of its eigenvalues over n.
    let row = unfold(&circulant_eigs(&unfold(&shares, n)), n);
    let w: Vec<f64> = row.iter().map(|x| scale * x / n as f64).collect();

    let l1: f64 = w.iter().map(|x| x.abs()).sum();
    let margin = 2.0 * w[0].abs() / l1 - 1.0;
    let [teach, power, fourth] =
        [dot(&w, row_pos), dot(&w, &w), w.iter().map(|x| x * x * x * x).sum()];
    // w'Mw = scale w'C1 e_0 at the fixed point, so that L000.38 needs one product.
    let loss = 0.25 * (1.0 + 0.5 * scale * teach - teach);
    let sums = pos.iter().zip(&neg).map(|(pos, neg)| pos + neg).filter(|sum| *sum > least);
    // Inside the cell f is constant, so that w relaxes at the rates of (C0 + C1)/4 (L000.39).
    let relaxation = 4.0 / sums.fold(f64::INFINITY, f64::min);
    let (ipr, exists) = (fourth / (power * power), margin > 0.0);
    FixedPoint { w, margin, loss, ipr, exists, relaxation }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

params! {
    /// Arguments of `dictator.fixed_point`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
        /// Correlation length of class pos, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class neg, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Covariance kernel of the latent Gaussian.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {}

impl Args {
    fn rows(&self) -> Result<[Vec<f64>; 2], FormError> {
        let row = |xi| RingKernel::new(self.n, xi, self.kernel).map(|k| sign_cov(&k.first_row));
        Ok([row(self.xi_pos)?, row(self.xi_neg)?])
    }

    fn value(&self, scale: f64) -> Result<Value, FormError> {
        let [pos, neg] = self.rows()?;
        Ok(scaled_point(&pos, &neg, scale).into())
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "dictator.fixed_point",
    text: include_str!("fixed_point.rs"),
    control: Control {
        what: "note 000 (8): f = C e_i without its 1/2, which doubles the weights",
        eval: |given| with(given, |a: Args| a.value(2.0)),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| a.value(1.0)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::ring::circulant_apply;

    fn point(xi_pos: f64, xi_neg: f64) -> FixedPoint {
        let [pos, neg] = Args { xi_pos, xi_neg, ..Args::default() }.rows().unwrap();
        fixed_point(&pos, &neg)
    }

    #[test]
    fn the_weights_stand_still_under_their_gate() {
        for (xi_pos, xi_neg) in [(2.0, 1.0), (1.0, 2.0), (3.0, 1.0)] {
            let [pos, neg] = Args { xi_pos, xi_neg, ..Args::default() }.rows().unwrap();
            let w = fixed_point(&pos, &neg).w;
            let sum: Vec<f64> = pos.iter().zip(&neg).map(|(p, n)| p + n).collect();
            for (pull, teach) in circulant_apply(&sum, &w).iter().zip(&pos) {
                // 1/2 f - 1/4 M w = 0 with f = C1 e_0 / 2.
                assert!((0.25 * teach - 0.25 * pull).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn margins_ratios_and_the_symmetry_of_the_loss_are_those_of_the_catalogue() {
        let (there, back) = (point(2.0, 1.0), point(1.0, 2.0));
        assert!((there.margin - 0.2513).abs() < 5e-5 && (back.margin - 0.3966).abs() < 5e-5);
        assert!((there.ipr - 0.8239).abs() < 5e-5 && there.exists);
        assert!((there.loss / back.loss - 1.0).abs() < 1e-14);
        let broad = point(3.0, 1.0);
        assert!((broad.margin + 0.056).abs() < 5e-4 && !broad.exists);
        // R = 2 (1 - 4L) at the optimal scale, L000.38.
        assert!((2.0 * (1.0 - 4.0 * there.loss) - 0.53626).abs() < 5e-6);
    }
}
