//! Candidate for a localized state of one ReLU unit on sign data, for any label of class neg.
//!
//! ```math
//! w=(C_0+C_1)^{-1}(C_1+y\,C_0)\,e_0,\qquad\text{margin}=\frac{2|w_0|}{\|w\|_1}-1,\qquad
//! L=\tfrac12\Big[\frac{1+y^2}2-\tfrac14e_0^\top(C_1+yC_0)w\Big]
//! ```
//!
//! # Source
//! Derived; claim L001.64: labels +1 and -1 give $`\tfrac12(f_1-f_0)-\tfrac14Mw`$ with $`M=C_0+C_1`$.
//!
//! # Symbols
//! * $`C`$: covariance of the signs, $`\tfrac2\pi\arcsin\Sigma`$
//! * $`C_1`$: class pos, label 1
//! * $`C_0`$: class neg, label $`y`$
//! * $`y`$: `label_neg`
//! * $`w_0`$: `centre`
//! * $`L`$: `gate_loss`, the loss under the assumed gate $`\mathbf 1(x_0>0)`$ (that of the unit if `exists`)
//!
//! # Holds when
//! `gain = inf`, one unit, no output bias. It is the only solution of the equations of the gate $`\mathbf 1(x_0>0)`$. It
//! is a state (`exists`) if it agrees with its gate, by $`w_0>0`$ and a positive margin; otherwise these weights have
//! another gate and another loss. With labels +1 and -1 and `xi_pos > xi_neg` the centre is negative.
//!
//! # Checked by
//! The equations of the gate; `dictator.fixed_point` at y = 0; fields started there in the experiment
//! `loss-label-bias`.

use super::fixed_point::{fixed_point, sign_cov};
use crate::form::{Control, Form, FormError, with};
use fovea_core::params::{Schema, any, between, finite, finite_above};
use fovea_core::ring::{Kernel, RingKernel};
use fovea_core::{Params, Value, params};

/// The solution of the equations of a gate on site 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Weights.
    pub w: Vec<f64>,
    /// The margin by which site 0 outvotes the others, from -1 to 1.
    pub margin: f64,
    /// Population loss under that gate: that of the unit itself if it `exists`.
    pub loss: f64,
    /// Whether the weights agree with their gate.
    pub exists: bool,
}

impl Candidate {
    /// From its weights and loss.
    pub(super) fn of(w: Vec<f64>, loss: f64) -> Self {
        let l1: f64 = w.iter().map(|x| x.abs()).sum();
        let margin = if l1 > 0.0 { 2.0 * w[0].abs() / l1 - 1.0 } else { -1.0 };
        let exists = w[0] > 0.0 && margin > 0.0;
        Self { w, margin, loss, exists }
    }
}

impl From<Candidate> for Value {
    fn from(point: Candidate) -> Self {
        Self::table([
            ("centre", point.w[0].into()),
            ("margin", point.margin.into()),
            ("gate_loss", point.loss.into()),
            ("exists", Self::Bool(point.exists)),
            ("w", Self::reals(&point.w)),
        ])
    }
}

/// The candidate between sign data whose covariances have these first rows, class neg with this label.
///
/// ```
/// let point = fovea_theory::dictator::labels::labels(&[1.0, 0.0], &[1.0, 0.0], -1.0);
/// assert!(point.w[0] == 0.0 && !point.exists);
/// ```
pub fn labels(row_pos: &[f64], row_neg: &[f64], label_neg: f64) -> Candidate {
    // M^-1 C_0 e_0 = e_0 - w*, so one inverse is enough for every label.
    let mut w: Vec<f64> =
        fixed_point(row_pos, row_neg).w.iter().map(|w| (1.0 - label_neg) * w).collect();
    w[0] += label_neg;
    let teacher = row_pos.iter().zip(row_neg).map(|(pos, neg)| pos + label_neg * neg);
    let taught: f64 = teacher.zip(&w).map(|(c, w)| c * w).sum();
    let loss = 0.5 * (0.5 * (1.0 + label_neg * label_neg) - 0.25 * taught);
    Candidate::of(w, loss)
}

params! {
    /// Arguments of `dictator.labels`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
        /// Correlation length of class pos, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class neg.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Label of class neg.
        label_neg: f64 = -1.0, finite(), "";
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

    fn value(&self, label_neg: f64) -> Result<Value, FormError> {
        let [pos, neg] = self.rows()?;
        Ok(labels(&pos, &neg, label_neg).into())
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "dictator.labels",
    text: include_str!("labels.rs"),
    control: Control {
        what: "labels 1 and 0, whatever the label of class neg",
        eval: |given| {
            with(given, |a: Args| a.value(if a.label_neg.abs() > 0.0 { 0.0 } else { -1.0 }))
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| a.value(a.label_neg)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::ring::circulant_apply;

    #[test]
    fn the_candidate_solves_the_equations_of_its_gate() {
        for n in [2, 3, 40] {
            let [pos, neg] =
                Args { n, xi_pos: 1.2, xi_neg: 0.8, ..Args::default() }.rows().unwrap();
            let sum: Vec<f64> = pos.iter().zip(&neg).map(|(p, n)| p + n).collect();
            for y in [-1.0, 0.0, 0.3] {
                let point = labels(&pos, &neg, y);
                for (i, pull) in circulant_apply(&sum, &point.w).iter().enumerate() {
                    // E[(Y - <w,x>) 1(x_0 > 0) x] = (C_1 + y C_0) e_0 / 4 - M w / 4.
                    assert!((pos[i] + y * neg[i] - pull).abs() < 1e-13, "n={n} y={y} {i}");
                }
            }
            let zero = labels(&pos, &neg, 0.0);
            let known = fixed_point(&pos, &neg);
            assert!((zero.loss - known.loss).abs() < 1e-15);
            assert!((zero.margin - known.margin).abs() < 1e-15);
        }
    }

    #[test]
    fn the_numbers_are_those_of_the_catalogue() {
        let point = |xi_pos: f64, xi_neg: f64| {
            let [pos, neg] = Args { xi_pos, xi_neg, ..Args::default() }.rows().unwrap();
            labels(&pos, &neg, -1.0)
        };
        let (there, back) = (point(2.0, 1.0), point(1.0, 2.0));
        assert!((there.w[0] + 0.1614).abs() < 5e-5 && !there.exists);
        assert!((back.w[0] - 0.1614).abs() < 5e-5 && !back.exists);
        assert!((back.margin + 0.51).abs() < 5e-3, "{}", back.margin);
    }
}
