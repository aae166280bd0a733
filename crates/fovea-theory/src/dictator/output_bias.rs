//! Candidate for a localized state of one ReLU unit with a trained output bias, and the edge for pairs.
//!
//! ```math
//! b=\tfrac12(1+y),\qquad w=u-b\,e_0=\tfrac12(1-y)\,(C_0+C_1)^{-1}(C_1-C_0)\,e_0,\qquad
//! b_{\text{edge}}=u_0-\sum_{d\ne0}|u_d|
//! ```
//!
//! # Source
//! Derived; claim L001.66, there for y = 0: the bias obeys $`b=\tfrac12-\tfrac14e_0^\top Mw`$ with $`M=C_0+C_1`$, whose
//! only solution is 1/2.
//!
//! # Symbols
//! * $`b`$: `b`, the output bias, the claim's $`b_2`$
//! * $`y`$: `label_neg`
//! * $`u`$: the candidate without a bias, `dictator.labels`
//! * $`b_{\text{edge}}`$: `pair_edge` (for two units $`w,-w`$ only $`\tfrac12w_0+b`$ matters on $`|x_0|=1`$, and every
//!   $`w=2(u-b\,e_0)`$ with $`b`$ below the edge is a state)
//! * `gate_loss`: loss under the gate $`\mathbf 1(x_0>0)`$ (that of the unit where `exists`)
//!
//! # Holds when
//! `gain = inf`, squared error, sign data. One unit: it is a state if `exists`, which is never true for
//! `xi_pos > xi_neg`, where the centre is negative.
//!
//! # Checked by
//! The equations of weights and bias; fields started there in the experiment `loss-label-bias`.

use super::fixed_point::sign_cov;
use super::labels::{Candidate, labels};
use crate::form::{Control, Form, FormError, with};
use fovea_core::params::{Schema, any, between, finite, finite_above};
use fovea_core::ring::{Kernel, RingKernel};
use fovea_core::{Params, Value, params};

/// The candidate of one unit with a trained output bias, and the line of pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Biased {
    /// Output bias.
    pub b: f64,
    /// Weights, margin, loss, and whether they agree with their gate.
    pub point: Candidate,
    /// The output bias below which pairs of opposite units have states.
    pub pair_edge: f64,
}

impl From<Biased> for Value {
    fn from(biased: Biased) -> Self {
        Self::table([
            ("b", biased.b.into()),
            ("centre", biased.point.w[0].into()),
            ("margin", biased.point.margin.into()),
            ("gate_loss", biased.point.loss.into()),
            ("exists", Self::Bool(biased.point.exists)),
            ("pair_edge", biased.pair_edge.into()),
            ("w", Self::reals(&biased.point.w)),
        ])
    }
}

/// The candidate between sign data whose covariances have these first rows, class neg with this label.
///
/// ```
/// let biased = fovea_theory::dictator::output_bias::output_bias(&[1.0, 0.0], &[1.0, 0.0], 0.0);
/// assert_eq!((biased.b, biased.pair_edge), (0.5, 0.5));
/// ```
pub fn output_bias(row_pos: &[f64], row_neg: &[f64], label_neg: f64) -> Biased {
    let without = labels(row_pos, row_neg, label_neg);
    let pair_edge = without.w[0] - without.w[1..].iter().map(|w| w.abs()).sum::<f64>();
    let b = 0.5 * (1.0 + label_neg);
    let mut w = without.w;
    w[0] -= b;
    // The labels minus the bias are plus and minus half their difference.
    let half = 0.5 * (1.0 - label_neg);
    let taught: f64 =
        row_pos.iter().zip(row_neg).zip(&w).map(|((p, n), w)| half * (p - n) * w).sum();
    let loss = 0.5 * (half * half - 0.25 * taught);
    Biased { b, point: Candidate::of(w, loss), pair_edge }
}

params! {
    /// Arguments of `dictator.output_bias`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
        /// Correlation length of class pos, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class neg.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Label of class neg.
        label_neg: f64 = 0.0, finite(), "";
        /// Covariance kernel of the latent Gaussian.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {}

impl Args {
    fn value(&self) -> Result<Biased, FormError> {
        let row = |xi| RingKernel::new(self.n, xi, self.kernel).map(|k| sign_cov(&k.first_row));
        Ok(output_bias(&row(self.xi_pos)?, &row(self.xi_neg)?, self.label_neg))
    }

    /// The state without a bias, as if removing it were neutral.
    fn without(&self) -> Result<Biased, FormError> {
        let right = self.value()?;
        let mut w = right.point.w;
        w[0] += right.b;
        Ok(Biased { b: 0.0, point: Candidate::of(w, right.point.loss), ..right })
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "dictator.output_bias",
    text: include_str!("output_bias.rs"),
    control: Control {
        what: "the state without a bias, as if an output bias were removable",
        eval: |given| with(given, |a: Args| Ok(a.without()?.into())),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(a.value()?.into())),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::ring::circulant_apply;

    #[test]
    fn weights_and_bias_are_at_rest() {
        for n in [2, 3, 40] {
            let row = |xi| sign_cov(&RingKernel::new(n, xi, Kernel::Ring).unwrap().first_row);
            let (pos, neg) = (row(1.2), row(0.8));
            let sum: Vec<f64> = pos.iter().zip(&neg).map(|(p, n)| p + n).collect();
            for y in [-1.0, 0.0, 0.3] {
                let Biased { b, point, .. } = output_bias(&pos, &neg, y);
                let pull = circulant_apply(&sum, &point.w);
                for i in 0..n {
                    let force = 0.25 * (pos[i] + y * neg[i] - pull[i] - b * sum[i]);
                    assert!(force.abs() < 1e-14, "n={n} y={y} {i}: {force}");
                }
                // E[Y - ReLU - b] with E ReLU = e_0 M w / 4.
                assert!((0.5 * (1.0 + y) - 0.25 * pull[0] - b).abs() < 1e-14, "n={n} y={y}");
            }
        }
    }

    #[test]
    fn the_numbers_are_those_of_the_catalogue() {
        let biased = Args::default().value().unwrap();
        assert!((biased.point.w[0] + 0.5 * 0.1614).abs() < 5e-5 && !biased.point.exists);
        // A pair's loss: two units share the inputs, L = (1 - R)/4 with R = 2(1 - 4L) of one unit; the edge is below 0.2.
        assert!(biased.pair_edge > 0.1 && biased.pair_edge < 0.2, "{}", biased.pair_edge);
    }
}
