//! Numbers of corners of a half space with each spin up or down: Chow parameters and Banzhaf indices.
//!
//! ```math
//! N_j^\pm=\#\{x\in\Theta:x_j=\pm1\},\quad\Theta=\{\langle w,x\rangle\ge0\},\qquad
//! \beta_j=\frac{N_j^+-N_j^-}{2^{n-1}}=\mathrm{sgn}(w_j)\,P\Big(\Big|\sum_{i\ne j}w_i\varepsilon_i\Big|<|w_j|\Big)+\text{half of ties}
//! ```
//!
//! # Source
//! Note 000 (18), (21), (22); claims L000.36, L000.37.
//!
//! # Symbols
//! * $`N_j^+, N_j^-`$: `Nplus`, `Nminus`
//! * $`\beta_j`$: `banzhaf`, twice the Chow parameter (for independent spins $`f=\tfrac12\beta`$)
//! * $`\varepsilon_i`$: fair independent signs
//! * $`\langle w,x\rangle=0`$: `ties`, the number of corners with this sum (they belong to $`\Theta`$)
//!
//! # Holds when
//! Always, with up to 44 weights; for any number of integer weights use the function `banzhaf_of_integers`. Counts are
//! exact.
//!
//! # Checked by
//! Reference values (`tests/oracle`); plain counts; the distribution of the sum of the others.

use super::{largest, summable};
use crate::form::{Control, Form, with};
use crate::threshold::signed_sums;
use fovea_core::params::{Schema, finite};
use fovea_core::{ParamError, Params, Value, params};

/// Counts over the half space of some weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Chow {
    /// Corners with spin `j` up.
    pub n_plus: Vec<f64>,
    /// Corners with spin `j` down.
    pub n_minus: Vec<f64>,
    /// Corners on the hyperplane.
    pub ties: f64,
    /// Banzhaf index of every site.
    pub banzhaf: Vec<f64>,
}

impl From<Chow> for Value {
    fn from(chow: Chow) -> Self {
        Self::table([
            ("Nplus", Self::reals(&chow.n_plus)),
            ("Nminus", Self::reals(&chow.n_minus)),
            ("ties", chow.ties.into()),
            ("banzhaf", Self::reals(&chow.banzhaf)),
        ])
    }
}

/// The counts of the half space $`\langle w,x\rangle\ge0`$.
///
/// ```
/// let chow = fovea_theory::cube::chow::chow(&[1.0, 0.7, -0.4, 0.2]);
/// assert_eq!(chow.banzhaf, [0.75, 0.25, -0.25, 0.25]);
/// ```
pub fn chow(w: &[f64]) -> Chow {
    let sums = signed_sums(w, [1.0, 1.0]);
    let corners = libm::exp2(w.len() as f64);
    counted(&sums.first, sums.ties, corners)
}

/// Counts from $`\tfrac12(N^+-N^-)`$ over the whole cube, where mirrored corners count against each other.
fn counted(first: &[f64], ties: f64, corners: f64) -> Chow {
    // A tie and its mirror image are both in the half space and cancel in the difference.
    let inside = 0.5 * (corners + ties);
    Chow {
        n_plus: first.iter().map(|d| 0.5 * (inside + d)).collect(),
        n_minus: first.iter().map(|d| 0.5 * (inside - d)).collect(),
        ties,
        banzhaf: first.iter().map(|d| 2.0 * d / corners).collect(),
    }
}

/// Banzhaf indices of integer weights, by the distribution of the sum of the others; any number of sites.
///
/// The distribution is built spin by spin, so that the cost is $`O(n^2\|w\|_1)`$ and not $`2^{n/2}`$.
pub fn banzhaf_of_integers(w: &[i64]) -> Vec<f64> {
    let index = |j: usize| {
        let reach: usize = w.iter().map(|w| w.unsigned_abs() as usize).sum();
        let (mut law, mut next) = (vec![0.0; 2 * reach + 1], vec![0.0; 2 * reach + 1]);
        law[reach] = 1.0;
        for (_, w) in w.iter().enumerate().filter(|(i, w)| *i != j && **w != 0) {
            let step = w.unsigned_abs() as usize;
            for (s, next) in next.iter_mut().enumerate() {
                let from = |at: Option<usize>| at.and_then(|at| law.get(at)).unwrap_or(&0.0);
                *next = 0.5 * (from(s.checked_sub(step)) + from(s.checked_add(step)));
            }
            std::mem::swap(&mut law, &mut next);
        }
        let own = w[j].unsigned_abs() as usize;
        let inside = |s: usize| match s.abs_diff(reach).cmp(&own) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal if own > 0 => 0.5,
            _ => 0.0,
        };
        w[j].signum() as f64 * law.iter().enumerate().map(|(s, p)| p * inside(s)).sum::<f64>()
    };
    (0..w.len()).map(index).collect()
}

params! {
    /// Arguments of `cube.chow`.
    pub struct Args {
        /// Weights.
        w: Vec<f64> = vec![1.0, 0.7, -0.4, 0.2], finite(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        summable(&self.w, 2)
    }
}

impl Args {
    /// "Nothing in between": the largest weight alone decides, whatever the others are.
    fn extracted(&self) -> Chow {
        let (peak, corners) = (largest(&self.w), libm::exp2(self.w.len() as f64));
        let alone = |j: usize| if j == peak { 0.5 * corners * self.w[j].signum() } else { 0.0 };
        let first: Vec<f64> = (0..self.w.len()).map(alone).collect();
        counted(&first, 0.0, corners)
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "cube.chow",
    text: include_str!("chow.rs"),
    control: Control {
        what: "note 000, under (20): the largest weight alone decides",
        eval: |given| with(given, |a: Args| Ok(Value::from(a.extracted()))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(Value::from(chow(&a.w)))),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distribution_of_the_sum_gives_the_same_indices_with_ties_and_without() {
        for w in [vec![5, 4, 3, 2, 1, 1], vec![2, 1, 1], vec![7, -3, 0, 2, 2], vec![1; 9]] {
            let real: Vec<f64> = w.iter().map(|w| *w as f64).collect();
            let (sums, law) = (chow(&real).banzhaf, banzhaf_of_integers(&w));
            assert!(sums.iter().zip(&law).all(|(a, b)| (a - b).abs() < 1e-14), "{w:?}");
        }
    }

    #[test]
    fn many_sites_approach_the_error_function() {
        // No entry dominates: beta_j tends to erf(w_j / (sqrt 2 |w_-j|)), here 1/sqrt(2 pi 10^3 / 4).
        let beta = banzhaf_of_integers(&[1; 401])[0];
        let limit = libm::erf(1.0 / (2.0 * 400.0_f64).sqrt());
        assert!((beta / limit - 1.0).abs() < 2e-3, "{beta} {limit}");
    }
}
