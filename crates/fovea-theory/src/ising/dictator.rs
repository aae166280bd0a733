//! Localized fixed point of one ReLU unit between two Ising rings: weights, margin, ratio, IPR, loss.
//!
//! ```math
//! w^*_d=\frac1n\sum_k\frac{\lambda^1_k}{\lambda^0_k+\lambda^1_k}\cos\frac{2\pi kd}n,\qquad
//! \text{ratio}=\frac{\sum_{d\ne0}|w^*_d|}{|w^*_0|},\qquad\text{exists}\iff\text{ratio}<1
//! ```
//!
//! # Source
//! Derived; claim L000.39, which holds for every distribution on the cube, for the data of lufkin2024.
//!
//! # Symbols
//! * $`\lambda^1`$: eigenvalues of `ising.cov` at `coupling_pos`, label 1
//! * $`\lambda^0`$: the same at `coupling_neg`, label 0
//! * $`\text{ratio}`$: `ratio` (the margin of `dictator.fixed_point` is $`2/(1+\text{ratio})-1`$)
//!
//! # Holds when
//! One bias-free ReLU unit, labels 1 and 0. With `ratio < 1` the site outvotes all others and $`w^*`$ is a strict local
//! minimum of the true loss; otherwise the weights have another gate, and the loss is that of the assumed gate, which
//! exceeds the unit's. The excess kurtosis of a spin is -2 at every coupling.
//!
//! # Checked by
//! Exact flow from cell to cell (`cell_flow`); published ratios and IPRs; trained units.

use super::cov::cov;
use crate::dictator::fixed_point::{FixedPoint, fixed_point};
use crate::form::{Control, Form, with};
use fovea_core::params::{Schema, between};
use fovea_core::ring::unfold;
use fovea_core::{Params, Value, params};

/// The fixed point of the gate that depends on site 0 only.
///
/// ```
/// let point = fovea_theory::ising::dictator::dictator(40, 0.7, 0.3);
/// assert!((point.ipr - 0.8537).abs() < 5e-5 && point.exists);
/// ```
pub fn dictator(n: usize, coupling_pos: f64, coupling_neg: f64) -> FixedPoint {
    fixed_point(&row(n, coupling_pos), &row(n, coupling_neg))
}

/// The sum of the other weights over the largest.
pub fn rest_over_peak(point: &FixedPoint) -> f64 {
    let rest: f64 = point.w[1..].iter().map(|w| w.abs()).sum();
    rest / point.w[0].abs()
}

/// First row of the covariance.
pub(crate) fn row(n: usize, coupling: f64) -> Vec<f64> {
    unfold(&cov(n, coupling), n)
}

params! {
    /// Arguments of `ising.dictator`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
        /// Coupling of class pos, label 1.
        coupling_pos: f64 = 0.7, between(-5.0, 5.0), "";
        /// Coupling of class neg, label 0.
        coupling_neg: f64 = 0.3, between(-5.0, 5.0), "";
    }
}

impl Params for Args {}

fn table(point: FixedPoint) -> Value {
    let ratio = rest_over_peak(&point);
    match point.into() {
        Value::Table(mut rows) => {
            rows.push(("ratio".to_owned(), ratio.into()));
            Value::Table(rows)
        }
        other => other,
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "ising.dictator",
    text: include_str!("dictator.rs"),
    control: Control {
        what: "the classes exchanged",
        eval: |given| {
            with(given, |a: Args| Ok(table(dictator(a.n, a.coupling_neg, a.coupling_pos))))
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(table(dictator(a.n, a.coupling_pos, a.coupling_neg)))),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_and_ratio_are_the_published_ones() {
        let point = dictator(40, 0.7, 0.3);
        for (got, want) in point.w.iter().zip([0.4122, 0.0747, 0.0345]) {
            assert!((got - want).abs() < 5e-5);
        }
        assert!((rest_over_peak(&point) - 0.674).abs() < 5e-4);
        assert!((2.0 / (1.0 + rest_over_peak(&point)) - 1.0 - point.margin).abs() < 1e-14);
    }
}
