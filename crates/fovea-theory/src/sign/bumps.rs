//! Gated mean of sign data for a field of one, two or three bumps.
//!
//! ```math
//! f=\sum_a\hat h(a)\,Ce_a+\hat h(abc)\,E[x_ax_bx_cx],\qquad
//! f(e_a)=\tfrac12Ce_a,\quad f(e_a+e_b)=\tfrac14C(e_a+e_b),\quad f(\text{majority})=\tfrac14\big(C(e_a+e_b+e_c)-E[x_ax_bx_cx]\big)
//! ```
//!
//! # Source
//! Note 000 (8)-(12) with the constants and the majority of claims L000.22-25; the expansion is that of L000.35.
//!
//! # Symbols
//! * $`C`$: covariance of the signs, $`\tfrac2\pi\arcsin\Sigma`$
//! * $`a, b, c`$: `sites` of the bumps
//! * $`\hat h`$: Walsh coefficients of the gate, from `heights` (there are few for at most three sites)
//!
//! # Holds when
//! Signs of any stationary Gaussian field; one to three bumps of any height. Only which bumps outvote which others
//! matters: a bump that exceeds the others together decides alone; three of which none does decide by majority; ties
//! give the mean of both sides.
//!
//! # Checked by
//! `cube.f` on four sites; sampled gated means in the experiment `hypercube-bumps`.

use super::four::four;
use crate::cube::largest;
use crate::form::{Control, Form, FormError, sites, with};
use crate::nlgp::cov::cov;
use crate::threshold::{partial_sums, spin, tie_width};
use fovea_core::params::{Schema, any, at_least, between, finite, finite_above};
use fovea_core::ring::{Kernel, RingKernel, distance};
use fovea_core::{ParamError, Params, Value, params};

/// The gated mean at every site, for bumps of these heights at up to three different sites of a ring with this latent covariance.
///
/// ```
/// use fovea_theory::sign::bumps::bumps;
/// let independent = [1.0, 0.0, 0.0, 0.0];
/// assert_eq!(bumps(&independent, &[0, 2], &[2.0, -1.0]), [0.5, 0.0, 0.0, 0.0]);
/// ```
///
/// # Panics
/// No bump or more than three, or another number of heights.
pub fn bumps(latent: &[f64], sites: &[usize], heights: &[f64]) -> Vec<f64> {
    assert!((1..=3).contains(&sites.len()) && sites.len() == heights.len(), "one to three bumps");
    let n = latent.len();
    let at = |i: usize, j: usize| latent[distance(i, j, n)];
    let count = 1 << sites.len();
    let width = tie_width(heights);
    let sign = |sum: &f64| if sum.abs() <= width { 0.0 } else { sum.signum() };
    // 1(S >= 0) = (1 + sgn S)/2; the expansion of the sign has only odd products.
    let signs: Vec<f64> = partial_sums(heights).iter().map(sign).collect();
    let weight = |chi: &dyn Fn(usize) -> f64| -> f64 {
        signs.iter().enumerate().map(|(corner, s)| 0.5 * s * chi(corner)).sum::<f64>()
            / f64::from(count)
    };
    let all = |corner: usize| (0..sites.len()).map(|a| spin(corner, a)).product();
    let of_three = if sites.len() == 3 { weight(&all) } else { 0.0 };
    let value = |l: usize| {
        let single: f64 = sites
            .iter()
            .enumerate()
            .map(|(a, site)| weight(&|corner| spin(corner, a)) * cov(at(*site, l), f64::INFINITY))
            .sum();
        if of_three.abs() <= 0.0 {
            return single;
        }
        let [a, b, c] = [sites[0], sites[1], sites[2]];
        let product = match [a, b, c].iter().position(|site| *site == l) {
            // A repeated site squares to 1.
            Some(0) => cov(at(b, c), f64::INFINITY),
            Some(1) => cov(at(a, c), f64::INFINITY),
            Some(_) => cov(at(a, b), f64::INFINITY),
            None => four([at(a, b), at(a, c), at(a, l), at(b, c), at(b, l), at(c, l)]),
        };
        single + of_three * product
    };
    (0..n).map(value).collect()
}

/// Note 000 (8), (10)-(12): the column of the highest bump of the latent covariance, without its 1/2.
fn extracted(latent: &[f64], sites: &[usize], heights: &[f64]) -> Vec<f64> {
    let peak = largest(heights);
    let n = latent.len();
    (0..n).map(|l| heights[peak].signum() * latent[distance(sites[peak], l, n)]).collect()
}

params! {
    /// Arguments of `sign.bumps`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e3), "sites";
        /// Correlation length of the Gaussians.
        xi: f64 = 2.0, finite_above(0.0), "sites";
        /// Their covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Sites of the bumps, one to three different ones.
        sites: Vec<f64> = vec![18.0, 20.0, 22.0], at_least(0.0), "sites";
        /// Their weights.
        heights: Vec<f64> = vec![2.0, 1.5, 1.0], finite(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        let mut at = sites("sites", &self.sites, self.n)?;
        at.sort_unstable();
        at.dedup();
        if at.len() == self.sites.len() && at.len() == self.heights.len() && at.len() <= 3 {
            return Ok(());
        }
        Err(ParamError::Inconsistent {
            what: format!("{} different `sites` for {} `heights`", at.len(), self.heights.len()),
            hint: "give one to three different sites, and a height for each".to_owned(),
        })
    }
}

/// From latent covariance, sites and heights.
type GatedMean = fn(&[f64], &[usize], &[f64]) -> Vec<f64>;

impl Args {
    fn value(&self, f: GatedMean) -> Result<Value, FormError> {
        let row = RingKernel::new(self.n, self.xi, self.kernel)?.first_row;
        Ok(Value::reals(&f(&row, &sites("sites", &self.sites, self.n)?, &self.heights)))
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "sign.bumps",
    text: include_str!("bumps.rs"),
    control: Control {
        what: "note 000 (8), (10)-(12): the highest bump is extracted, without its 1/2",
        eval: |given| with(given, |a: Args| a.value(extracted)),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| a.value(bumps)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spins::Spins;
    use fovea_core::ring::kernel_row;

    #[test]
    fn few_sites_summed_over_all_corners_agree() {
        let row = kernel_row(5, 1.0, Kernel::Ring);
        let latent: Vec<Vec<f64>> =
            (0..5).map(|i| (0..5).map(|j| row[distance(i, j, 5)]).collect()).collect();
        let spins = Spins::signs(&latent).unwrap();
        for (sites, heights) in [
            (vec![2], vec![-0.5]),
            (vec![0, 3], vec![1.0, 1.0]),
            (vec![0, 1], vec![-2.0, 1.0]),
            (vec![4, 0, 2], vec![2.0, 1.5, 1.0]),
            (vec![4, 0, 2], vec![2.5, -1.5, 1.0]),
            (vec![1, 2, 3], vec![4.0, 1.5, 1.0]),
        ] {
            let mut w = [0.0; 5];
            for (site, height) in sites.iter().zip(&heights) {
                w[*site] = *height;
            }
            for (a, b) in bumps(&row, &sites, &heights).iter().zip(spins.gated_mean(&w)) {
                assert!((a - b).abs() < 1e-13, "{sites:?} {heights:?}");
            }
        }
    }
}
