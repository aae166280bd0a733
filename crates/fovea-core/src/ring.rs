//! The ring: distance, covariance kernels and their eigenvalues.
//!
//! Sites are `0..n`, the distance is $`d(i,j)=\min(|i-j|,\,n-|i-j|)`$, and the latent covariance of two sites is
//! $`e^{-d^2/\xi^2}`$. Every such matrix is circulant: it is given by its first row, and its eigenvalues
//! $`\lambda_k=\sum_d c_d\cos(2\pi kd/n)`$ belong to the Fourier basis. Lists of eigenvalues here are ordered by
//! frequency, not by size.
//!
//! The kernel has a kink at `d = n/2` and is not a covariance above a limit, [`psd_limit`]. The wrapped kernel
//! $`\sum_a e^{-(d+an)^2/\xi^2}`$, divided by its value at `d = 0`, has no kink and is a covariance for every $`\xi`$. So is
//! the exponential kernel $`e^{-d/\xi}`$, which is convex up to its kink.

use crate::fourier::cos_turns;
use crate::work;
use std::f64::consts::PI;

mod error;
mod exponential;
mod psd;

pub use error::RingError;
pub use psd::{Clipping, RingKernel, psd_limit};

crate::choice! {
    /// The covariance of two sites as a function of their distance.
    pub enum Kernel {
        /// $`e^{-d^2/\xi^2}`$ with the ring distance.
        Ring = "ring",
        /// $`\sum_a e^{-(d+an)^2/\xi^2}`$ over all windings, normalised to unit variance.
        Wrapped = "wrapped",
        /// $`e^{-d/\xi}`$ with the ring distance.
        Exponential = "exponential",
    }
}

/// Distance of two sites on a ring of `n`.
pub fn distance(i: usize, j: usize, n: usize) -> usize {
    let d = i.abs_diff(j) % n;
    d.min(n - d)
}

/// The number of eigenvectors of frequency `k` on a ring of `n` sites: two (cosine and sine) or one.
pub fn multiplicity(k: usize, n: usize) -> usize {
    if k == 0 || 2 * k == n { 1 } else { 2 }
}

/// All entries `0..n` of a symmetric list on the ring, from its entries `0..=n/2`.
pub fn unfold(half: &[f64], n: usize) -> Vec<f64> {
    (0..n).map(|k| half[distance(0, k, n)]).collect()
}

/// Whether a list on the ring is complete and symmetric: entry `k` equals entry `n - k` to rounding. Half of one (`0..=n/2`) is not,
/// unless it is flat.
pub fn is_unfolded(list: &[f64]) -> bool {
    let largest = list.iter().fold(0.0, |top: f64, x| top.max(x.abs()));
    let same = |k: usize| (list[k] - list[list.len() - k]).abs() <= 1e-9 * largest;
    (1..list.len()).all(same)
}

/// Eigenvalues $`\lambda_k=\sum_d c_d\cos(2\pi kd/n)`$, `k = 0..=n/2`, of the symmetric circulant with this first row.
pub fn circulant_eigs(first_row: &[f64]) -> Vec<f64> {
    let n = first_row.len();
    if !work::spend_products(n * n / 2) {
        return vec![0.0; n / 2 + 1];
    }
    let cos: Vec<f64> = (0..n).map(|m| cos_turns(m, n)).collect();
    let eig = |k| first_row.iter().enumerate().map(|(d, c)| c * cos[k * d % n]).sum();
    (0..=n / 2).map(eig).collect()
}

/// The product of the symmetric circulant with this first row and a vector.
pub fn circulant_apply(first_row: &[f64], w: &[f64]) -> Vec<f64> {
    let n = first_row.len();
    if !work::spend_products(n * n) {
        return vec![0.0; n];
    }
    let entry = |i| w.iter().enumerate().map(|(j, x)| first_row[distance(i, j, n)] * x).sum();
    (0..n).map(entry).collect()
}

/// First row of the kernel, with unit diagonal.
pub fn kernel_row(n: usize, xi: f64, kernel: Kernel) -> Vec<f64> {
    let half: Vec<f64> = match kernel {
        Kernel::Ring => (0..=n / 2).map(|d| gauss(d as f64 / xi, 0.0)).collect(),
        Kernel::Wrapped => {
            let width = saturated(n, xi) / n as f64;
            let top = windings(0.0, width, 0.0);
            (0..=n / 2).map(|d| windings(d as f64 / n as f64, width, 0.0) / top).collect()
        }
        Kernel::Exponential => (0..=n / 2).map(|d| libm::exp(-(d as f64) / xi)).collect(),
    };
    unfold(&half, n)
}

/// Eigenvalues `k = 0..=n/2` of the kernel, as they are: those of the ring kernel may be negative.
///
/// The cosine sum has rounding errors of `1e-16` times the largest eigenvalue, which swamp the small ones and make
/// their sign random. By Poisson summation the wrapped kernel has
/// $`\Lambda_k=\xi\sqrt\pi\sum_a e^{-\pi^2\xi^2(k/n+a)^2}`$, all terms positive, and the ring kernel differs from it by
/// the windings it leaves out, $`\lambda_k=\Lambda_k-T_k`$. Both parts keep their relative accuracy.
pub fn kernel_eigs(n: usize, xi: f64, kernel: Kernel) -> Vec<f64> {
    match kernel {
        // Here the negative eigenvalues are of order e^{-4}, and the plain sum is more accurate.
        Kernel::Ring if 4.0 * xi > n as f64 => circulant_eigs(&kernel_row(n, xi, kernel)),
        Kernel::Ring => {
            let xi = xi.max(NARROW);
            (0..=n / 2).map(|k| lifted_ring_eig(k, n, xi, 0.0)).collect()
        }
        Kernel::Wrapped => {
            let xi = saturated(n, xi);
            let top = windings(0.0, xi / n as f64, 0.0);
            (0..=n / 2).map(|k| lifted_wrapped_eig(k, n, xi, 0.0) / top).collect()
        }
        Kernel::Exponential => exponential::eigs(n, xi),
    }
}

/// Whether the ring kernel has no negative eigenvalue.
///
/// On rings of a thousand sites both parts of an eigenvalue underflow where they balance; scaled by the larger
/// one they do not, and the sign survives.
fn is_psd(n: usize, xi: f64) -> bool {
    if 4.0 * xi > n as f64 {
        return kernel_eigs(n, xi, Kernel::Ring).iter().all(|&eig| eig >= 0.0);
    }
    let square = |x: f64| x * x;
    let left_out = square(n.div_ceil(2) as f64 / xi);
    let lift = |k: usize| left_out.min(square(PI * xi * k as f64 / n as f64));
    (0..=n / 2).all(|k| lifted_ring_eig(k, n, xi, lift(k)) >= 0.0)
}

/// Eigenvalue `k` of the ring kernel times $`e^{lift}`$.
fn lifted_ring_eig(k: usize, n: usize, xi: f64, lift: f64) -> f64 {
    lifted_wrapped_eig(k, n, xi, lift) - windings_left_out(k, n, xi, lift)
}

/// $`\Lambda_k`$, eigenvalue `k` of the wrapped kernel before it is normalised, times $`e^{lift}`$.
fn lifted_wrapped_eig(k: usize, n: usize, xi: f64, lift: f64) -> f64 {
    xi * PI.sqrt() * windings(k as f64 / n as f64, 1.0 / (PI * xi), lift)
}

/// Below this length every off-diagonal entry underflows to zero.
const NARROW: f64 = 0.01;

/// The length, clamped to the range outside which the wrapped kernel no longer changes: identity below, flat above.
fn saturated(n: usize, xi: f64) -> f64 {
    xi.clamp(NARROW, 100.0 * n as f64)
}

/// $`e^{lift-x^2}`$.
fn gauss(x: f64, lift: f64) -> f64 {
    libm::exp(lift - x * x)
}

/// $`e^{lift}\sum_{a\in\mathbb Z}e^{-((x+a)/b)^2}`$ for $`0\le x\le\tfrac12`$ and width $`b`$, to full relative accuracy.
///
/// A narrow Gaussian is summed directly, a wide one as $`b\sqrt\pi\sum_j e^{-(\pi bj)^2}\cos 2\pi jx`$; at the
/// crossing $`b^2=1/\pi`$ the rest of either sum is below `1e-16` after the terms taken.
fn windings(x: f64, width: f64, lift: f64) -> f64 {
    if width * width * PI <= 1.0 {
        (-4..=3).map(|a| gauss((x + f64::from(a)) / width, lift)).sum()
    } else {
        let wave = |j| gauss(PI * width * j, 0.0) * libm::cos(2.0 * PI * j * x);
        libm::exp(lift) * width * PI.sqrt() * (1.0 + 2.0 * (wave(1.0) + wave(2.0) + wave(3.0)))
    }
}

/// The part of the wrapped kernel that the ring kernel leaves out at frequency `k`, times $`e^{lift}`$:
/// $`T_k=2\sum_{m>n/2}e^{-m^2/\xi^2}\cos(2\pi km/n)`$, and once the term $`m=n/2`$ when `n` is even.
fn windings_left_out(k: usize, n: usize, xi: f64, lift: f64) -> f64 {
    let first = n.div_ceil(2);
    let largest = gauss(first as f64 / xi, lift);
    let mut sum = 0.0;
    for m in first.. {
        let size = gauss(m as f64 / xi, lift);
        if size <= 1e-18 * largest {
            break;
        }
        sum += if 2 * m == n { 1.0 } else { 2.0 } * size * cos_turns(k * m, n);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relative(got: f64, want: f64) -> f64 {
        (got / want - 1.0).abs()
    }

    #[test]
    fn both_routes_to_the_eigenvalues_agree_to_rounding() {
        for kernel in [Kernel::Ring, Kernel::Wrapped, Kernel::Exponential] {
            for n in [2, 3, 4, 7, 40, 41] {
                for xi in [0.01, 0.3, 0.9, 1.0, 1.7, 2.4, 5.0, 9.9, 30.0, 1e6] {
                    let plain = circulant_eigs(&kernel_row(n, xi, kernel));
                    for (fine, plain) in kernel_eigs(n, xi, kernel).iter().zip(&plain) {
                        assert!((fine - plain).abs() < 1e-14 * n as f64, "n={n} xi={xi}");
                    }
                }
            }
        }
    }

    #[test]
    fn half_of_a_spectrum_is_told_from_the_whole() {
        // Two eigenvalues are those of a ring of two as well.
        for n in [4, 5, 7, 40] {
            let half = kernel_eigs(n, 1.0, Kernel::Ring);
            assert!(is_unfolded(&unfold(&half, n)) && !is_unfolded(&half), "n={n}");
        }
    }

    #[test]
    fn small_eigenvalues_keep_their_digits() {
        // 60-digit cosine sums at n = 40, k = 20.
        for (xi, want) in [
            (3.0, 2.4127817781118715e-9),
            (3.5, 9.203351930547106e-13),
            (4.0, -1.1883440218810426e-11),
        ] {
            assert!(relative(kernel_eigs(40, xi, Kernel::Ring)[20], want) < 1e-13, "xi={xi}");
        }
    }
}
