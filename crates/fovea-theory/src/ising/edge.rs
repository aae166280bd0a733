//! The strongest coupling at which one site still outvotes all others.
//!
//! ```math
//! J^*(J_0)=\sup\Big\{J_1>J_0:\;\sum_{d\ne0}|w^*_d|<|w^*_0|\Big\},\qquad w^*=(C_0+C_1)^{-1}C_1e_0
//! ```
//!
//! # Source
//! Claim L000.39 turned into a phase boundary; the data of lufkin2024.
//!
//! # Symbols
//! $`J_0`$ is `coupling_neg`, and the value is the largest `coupling_pos`.
//!
//! # Holds when
//! One bias-free ReLU unit, labels 1 and 0. The first crossing of the ratio through 1 above $`J_0`$, where $`w^*=\tfrac12e_0`$; 5 where
//! there is none below the largest coupling.
//!
//! # Checked by
//! Published edges and the sign of the margin on both sides, below; exact flow in experiment `phase-cells`.

use super::dictator::dictator;
use crate::dictator::edge::first_zero;
use crate::form::{Control, Form, with};
use fovea_core::params::{Schema, between};
use fovea_core::{Params, Value, params};

/// The strongest coupling of class pos at which the dictator state exists.
///
/// ```
/// assert!((fovea_theory::ising::edge::edge(40, 0.3) - 0.84).abs() < 0.01);
/// ```
pub fn edge(n: usize, coupling_neg: f64) -> f64 {
    first_zero(|coupling| dictator(n, coupling, coupling_neg).margin, coupling_neg, 5.0, 0.02)
        .unwrap_or(5.0)
}

params! {
    /// Arguments of `ising.edge`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e3), "sites";
        /// Coupling of class neg, label 0.
        coupling_neg: f64 = 0.3, between(-5.0, 4.9), "";
    }
}

impl Params for Args {}

/// The row of this form.
pub const ENTRY: Form = Form {
    name: "ising.edge",
    summary: "Strongest coupling of class pos at which the localized fixed point exists.",
    equation: r"J^*(J_0)=\sup\{J_1>J_0:\sum_{d\ne0}|w^*_d|<|w^*_0|\}",
    source: "derived; L000.39 on the Ising ring",
    symbols: &[("J_0", "coupling_neg"), ("J^*", "the largest coupling_pos")],
    holds: "one bias-free unit, labels 1 and 0",
    checks: "published edges; the margin on both sides; exact flow",
    control: Control {
        what: "where a quarter of the vote is left to the site, instead of a half",
        eval: |given| {
            with(given, |a: Args| {
                let margin = |j: f64| dictator(a.n, j, a.coupling_neg).margin + 0.5;
                Ok(first_zero(margin, a.coupling_neg, 5.0, 0.02).unwrap_or(5.0).into())
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(Value::Real(edge(a.n, a.coupling_neg)))),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_the_published_ones_and_the_margin_changes_sign_there() {
        for (coupling_neg, published) in
            [(0.1, 0.74), (0.3, 0.84), (0.5, 0.98), (0.7, 1.14), (1.0, 1.40)]
        {
            let edge = edge(40, coupling_neg);
            // Published on a grid of 0.01: the first point at which the state does not exist.
            assert!((published - 0.01..published).contains(&edge), "{coupling_neg}: {edge}");
            let margin = |j: f64| dictator(40, j, coupling_neg).margin;
            assert!(margin(edge - 1e-9) > 0.0 && margin(edge + 1e-9) < 0.0);
        }
    }
}
