//! Strongest coupling of class pos at which the localized fixed point exists.
//!
//! ```math
//! J^*(J_0)=\sup\Big\{J_1>J_0:\;\sum_{d\ne0}|w^*_d|<|w^*_0|\Big\},\qquad w^*=(C_0+C_1)^{-1}C_1e_0
//! ```
//!
//! # Source
//! Derived: claim L000.39 turned into a phase boundary, for the data of lufkin2024.
//!
//! # Symbols
//! * $`J_0`$: `coupling_neg`
//! * $`J^*`$: the value, the largest `coupling_pos`
//!
//! # Holds when
//! One bias-free ReLU unit, labels 1 and 0. The value is the first coupling above $`J_0`$, where $`w^*=\tfrac12e_0`$, at
//! which the ratio crosses 1; it is `inf` if there is none and the state always exists, which happens only for two
//! sites.
//!
//! # Checked by
//! Published edges; the sign of the margin on both sides; the limit of strong couplings,
//! $`J^*-J_0\to\tfrac14\ln\frac{3n-2}{n-2}`$; exact flow in the experiment `phase-cells`.

use crate::chain::ln_tanh;
use crate::dictator::edge::first_zero;
use crate::form::{Control, Form, with};
use fovea_core::fourier::{cos_turns, sin_turns};
use fovea_core::params::{Schema, between};
use fovea_core::ring::{circulant_eigs, unfold};
use fovea_core::{Params, Value, params, work};

/// The strongest coupling of class pos at which the dictator state exists.
///
/// ```
/// assert!((fovea_theory::ising::edge::edge(40, 0.3) - 0.84).abs() < 0.01);
/// ```
pub fn edge(n: usize, coupling_neg: f64) -> f64 {
    edge_at(n, coupling_neg, 0.0)
}

fn edge_at(n: usize, coupling_neg: f64, level: f64) -> f64 {
    // From three sites on the margin falls to 2/n - 1 as the coupling grows, long before this coupling.
    const FAR: f64 = 40.0;
    // On two sites both shares are positive, and their sum is always more than their difference.
    if n == 2 {
        return f64::INFINITY;
    }
    let neg = eigs(n, coupling_neg);
    let margin = |coupling: f64| {
        if !work::spend(n) {
            return f64::NAN;
        }
        margin(n, &eigs(n, coupling), &neg) - level
    };
    first_zero(margin, coupling_neg, FAR, 0.02).unwrap_or(f64::INFINITY)
}

/// Eigenvalues of the covariance at frequencies `0..=n/2`:
/// $`\frac q{\sin^2(\theta/2)+q^2\cos^2(\theta/2)}\cdot\frac{1-a^n}{1+a^n}`$, $`q=e^{-2J}`$. A sum over sites would lose the small ones.
fn eigs(n: usize, coupling: f64) -> Vec<f64> {
    let q = libm::exp(-2.0 * coupling);
    let closing = libm::tanh(-0.5 * n as f64 * ln_tanh(coupling.abs()));
    let frustrated = coupling < 0.0 && n % 2 == 1;
    let closing = if frustrated { 1.0 / closing } else { closing };
    let eig = |k: usize| {
        let (sin, cos) = (sin_turns(k, 2 * n), cos_turns(k, 2 * n));
        q / (sin * sin + q * q * cos * cos) * closing
    };
    (0..=n / 2).map(eig).collect()
}

/// The margin by which site 0 outvotes the others in $`(C_0+C_1)^{-1}C_1e_0`$.
fn margin(n: usize, pos: &[f64], neg: &[f64]) -> f64 {
    let shares: Vec<f64> = pos.iter().zip(neg).map(|(pos, neg)| pos / (pos + neg)).collect();
    let w = unfold(&circulant_eigs(&unfold(&shares, n)), n);
    2.0 * w[0].abs() / w.iter().map(|w| w.abs()).sum::<f64>() - 1.0
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

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "ising.edge",
    text: include_str!("edge.rs"),
    control: Control {
        what: "the coupling at which the site has a quarter of the vote, instead of a half",
        eval: |given| with(given, |a: Args| Ok(edge_at(a.n, a.coupling_neg, -0.5).into())),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(Value::Real(edge(a.n, a.coupling_neg)))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ising::dictator::dictator;
    use crate::ising::dictator::row;

    #[test]
    fn eigenvalues_are_those_of_the_covariance() {
        for (n, coupling) in [(2, 0.3), (5, 0.7), (8, -0.4), (9, -1.1), (40, 1.5), (6, 0.0)] {
            let summed = circulant_eigs(&row(n, coupling));
            for (eig, sum) in eigs(n, coupling).iter().zip(summed) {
                assert!((eig - sum).abs() < 1e-12, "n={n} J={coupling}: {eig} {sum}");
            }
        }
    }

    #[test]
    fn a_limit_of_the_search_is_not_reported_as_an_edge() {
        // At strong couplings the shares of all modes except the flat one are the same, (n - 2)/(4n - 4) at the edge.
        for (n, coupling_neg, most) in [(40, 4.9, 1e-5), (3, 4.9, 1e-4), (12, 4.5, 1e-4)] {
            let n_real = n as f64;
            let limit = coupling_neg + 0.25 * libm::log((3.0 * n_real - 2.0) / (n_real - 2.0));
            let edge = edge(n, coupling_neg);
            assert!((edge - limit).abs() < most, "n={n}: {edge} {limit}");
        }
        // By 50 digits of the sums over modes.
        assert!((edge(40, 4.9) - 5.183_274_716_949_394).abs() < 1e-11, "{}", edge(40, 4.9));
        assert!([-5.0, 0.0, 4.9].iter().all(|j| edge(2, *j).is_infinite()));
    }

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
