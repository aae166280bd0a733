//! The spectrum of a Gaussian sample covariance (lectures, topic 23).

use super::{Check, Comparison, Effort};
use fovea_core::quadrature::adaptive;
use fovea_desk::error::LabError;
use std::f64::consts::PI;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "sample-spectrum",
    summary: "Moments of the Marchenko-Pastur law, and the pairings they count.",
    covers: &["T23.1"],
    run,
};

const ALPHAS: [f64; 3] = [0.1, 0.5, 0.9];

/// Moments compared, from the mass on.
const MOMENTS: usize = 6;

/// The moments of the density by quadrature; those of the matrix by the non-crossing partitions of its index loop.
fn run(_: &Effort) -> Result<Vec<Comparison>, LabError> {
    let predicted: Vec<f64> =
        ALPHAS.iter().flat_map(|alpha| (0..MOMENTS).map(|k| of_density(*alpha, k))).collect();
    let measured: Vec<f64> =
        ALPHAS.iter().flat_map(|alpha| (0..MOMENTS).map(|k| of_matrix(*alpha, k))).collect();
    // The lecture's 1/(2 pi) . 1/(2x) in the place of 1/(2 pi alpha x).
    let factors = ALPHAS.iter().flat_map(|alpha| [0.5 * alpha; MOMENTS]);
    let source: Vec<f64> = predicted.iter().zip(factors).map(|(m, factor)| factor * m).collect();
    let what = "moments 0 to 5 of the density at alpha = 0.1, 0.5, 0.9, and E tr (X X^T/n_0)^k / P in the limit, which is the sum of alpha^(k - blocks) over all non-crossing partitions of k places";
    Ok(vec![Comparison::digits(&["T23.1"], what, &predicted, &measured).source(&source)])
}

/// Moment `k` of `sqrt((l_+ - x)(x - l_-)) / (2 pi alpha x)`, with `x = 1 + alpha + 2 sqrt(alpha) cos t`: the root is
/// `2 sqrt(alpha) sin t`, and so is `-dx/dt`.
fn of_density(alpha: f64, k: usize) -> f64 {
    let integrand = |t: f64| {
        let x = 1.0 + alpha + 2.0 * alpha.sqrt() * libm::cos(t);
        let root = 2.0 * alpha.sqrt() * libm::sin(t);
        libm::pow(x, k as f64 - 1.0) * root * root / (2.0 * PI * alpha)
    };
    adaptive(integrand, 0.0, PI, 1e-13).value
}

/// Mean of `tr (X X^T/n_0)^k / P`: of the pairings of the 2k factors those without crossings stay, each with a factor
/// `n_0` for every block of column indices and `P` for every loop of row indices, `k + 1` in all.
fn of_matrix(alpha: f64, k: usize) -> f64 {
    let mut sum = 0.0;
    let mut block_of = vec![0; k];
    each_partition(&mut block_of, 0, 0, &mut |block_of, blocks| {
        if !crosses(block_of) {
            sum += libm::pow(alpha, (block_of.len() - blocks) as f64);
        }
    });
    sum
}

/// Every partition of the places from `at` on, as the block of each place; blocks are numbered as they first occur.
fn each_partition(
    block_of: &mut [usize],
    at: usize,
    blocks: usize,
    visit: &mut dyn FnMut(&[usize], usize),
) {
    if at == block_of.len() {
        return visit(block_of, blocks);
    }
    for block in 0..=blocks {
        block_of[at] = block;
        each_partition(block_of, at + 1, blocks.max(block + 1), visit);
    }
}

/// Whether two blocks take turns: a, b, a, b.
fn crosses(block_of: &[usize]) -> bool {
    let k = block_of.len();
    (0..k).any(|a| {
        (a + 1..k).any(|b| {
            (b + 1..k).any(|c| {
                (c + 1..k).any(|d| {
                    block_of[a] == block_of[c]
                        && block_of[b] == block_of[d]
                        && block_of[a] != block_of[b]
                })
            })
        })
    })
}
