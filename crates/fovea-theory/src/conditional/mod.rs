//! Moments of data given the values of some sites.

use crate::Form;

fovea_core::registry! { "src/conditional": Form; nlgp }

/// A Gaussian given some of its sites: mean and covariance of all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditional {
    /// Mean of each site; at a given site its value.
    pub mean: Vec<f64>,
    /// Covariance, row by row; 0 at a given site.
    pub cov: Vec<Vec<f64>>,
}

/// The smallest variance a given site may have when the ones before it are known, a few rounding errors of the correlation.
const DETERMINED: f64 = 1e-12;

impl Conditional {
    /// The Gaussian with this covariance given the values at `sites`; `None` if one of them is determined by the others.
    ///
    /// By the Cholesky factor $`LL^\top=\Sigma_{II}`$: with $`y_j=L^{-1}\Sigma_{Ij}`$ the mean is
    /// $`y_j^\top L^{-1}z_I`$ and the covariance $`\Sigma_{jk}-y_j^\top y_k`$.
    pub fn gaussian(
        cov: impl Fn(usize, usize) -> f64,
        n: usize,
        sites: &[usize],
        values: &[f64],
    ) -> Option<Self> {
        let mut factor: Vec<Vec<f64>> = Vec::new();
        for (row, &i) in sites.iter().enumerate() {
            let right: Vec<f64> = sites[..row].iter().map(|&j| cov(i, j)).collect();
            let mut next = solve(&factor, &right);
            let left = cov(i, i) - dot(&next, &next);
            if left <= DETERMINED * cov(i, i) {
                return None;
            }
            next.push(left.sqrt());
            factor.push(next);
        }
        let z = solve(&factor, values);
        let known = |j: usize| -> Vec<f64> {
            let right: Vec<f64> = sites.iter().map(|&i| cov(i, j)).collect();
            solve(&factor, &right)
        };
        let y: Vec<Vec<f64>> = (0..n).map(known).collect();
        let mut mean: Vec<f64> = y.iter().map(|y| dot(y, &z)).collect();
        for (&i, &value) in sites.iter().zip(values) {
            mean[i] = value;
        }
        let given = |j: usize| sites.contains(&j);
        let entry = |j: usize, k: usize| {
            let left = if given(j) || given(k) { 0.0 } else { cov(j, k) - dot(&y[j], &y[k]) };
            if j == k { left.max(0.0) } else { left }
        };
        let cov = (0..n).map(|j| (0..n).map(|k| entry(j, k)).collect()).collect();
        Some(Self { mean, cov })
    }
}

/// Solves a lower triangular system, given by its rows.
fn solve(factor: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let mut y: Vec<f64> = Vec::with_capacity(right.len());
    for (row, b) in factor.iter().zip(right) {
        let (diagonal, before) = (row[y.len()], dot(row, &y));
        y.push((b - before) / diagonal);
    }
    y
}

/// The product of two lists over the length of the shorter.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
