//! Eigenvalues of the exponential kernel $`e^{-d/\xi}`$.
//!
//! The kernel is convex and decreasing up to half the ring, so all its Fourier coefficients are positive (Polya): it is a
//! covariance for every length. A cosine sum would lose the small coefficients in the rounding of the large one; the geometric
//! series has a closed form with positive factors.

use crate::fourier::{cos_turns, sin_turns};

/// Eigenvalues `k = 0..=n/2`.
///
/// With $`q=e^{-1/\xi}`$ and $`D_k=(1-q)^2+4q\sin^2(\pi k/n)`$,
/// $`\lambda_k=(1-q^2)\,(1-(-1)^kq^{n/2})/D_k`$ for even `n` and
/// $`\lambda_k=(1-q)\,(1+q-2(-1)^kq^{(n+1)/2}\cos(\pi k/n))/D_k`$ for odd `n`.
pub(super) fn eigs(n: usize, xi: f64) -> Vec<f64> {
    let power = |d: f64| libm::exp(-d / xi);
    let short_of_one = |d: f64| -libm::expm1(-d / xi);
    let q = power(1.0);
    // At frequency 0 both forms are 0/0 for a flat kernel, and the sum has positive terms.
    let sum: f64 = (1..n).map(|d| power(d.min(n - d) as f64)).sum();
    let eig = |k: usize| {
        let sine = sin_turns(k, 2 * n);
        let one_less_q = short_of_one(1.0);
        let below = one_less_q * one_less_q + 4.0 * q * sine * sine;
        let above = match (n.is_multiple_of(2), k.is_multiple_of(2)) {
            (true, true) => (1.0 + q) * short_of_one(n as f64 / 2.0),
            (true, false) => (1.0 + q) * (1.0 + power(n as f64 / 2.0)),
            (false, even) => {
                let last = 2.0 * power(n.div_ceil(2) as f64) * cos_turns(k, 2 * n);
                1.0 + q - if even { last } else { -last }
            }
        };
        one_less_q * above / below
    };
    std::iter::once(1.0 + sum).chain((1..=n / 2).map(eig)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_eigenvalues_keep_their_digits() {
        // 60-digit cosine sums: n, xi, k, eigenvalue.
        let table = [
            (40, 2.0, 20, 0.2449075431136385),
            (40, 2.0, 0, 4.082802797697681),
            (40, 300.0, 1, 0.5237955102451773),
            (40, 300.0, 2, 0.004391855650123923),
            (40, 1000000000.0, 20, 9.9999999e-18),
            (41, 300.0, 1, 0.5490232525323886),
            (41, 300.0, 2, 0.005506628679350503),
            (41, 1000000000.0, 20, 4.815551227832024e-10),
            (41, 0.3, 20, 0.931291373850871),
            (7, 5.0, 3, 0.11632943027479561),
            (2, 1000000.0, 1, 9.999995000001667e-07),
            (3, 1000000.0, 1, 9.999995000001667e-07),
        ];
        for (n, xi, k, want) in table {
            let got = eigs(n, xi)[k];
            assert!((got / want - 1.0).abs() < 1e-14, "n={n} xi={xi} k={k}: {got:e} {want:e}");
        }
    }

    #[test]
    fn every_length_is_a_covariance() {
        for n in [2, 3, 4, 7, 40, 41] {
            for xi in [1e-300, 1e-3, 0.3, 1.0, 7.0, 1e3, 1e9, 1e300] {
                let eigs = eigs(n, xi);
                assert!(eigs.iter().all(|e| *e >= 0.0 && e.is_finite()), "n={n} xi={xi}: {eigs:?}");
                let trace: f64 = eigs
                    .iter()
                    .enumerate()
                    .map(|(k, eig)| eig * super::super::multiplicity(k, n) as f64)
                    .sum();
                assert!((trace / n as f64 - 1.0).abs() < 1e-14, "n={n} xi={xi}: {trace}");
            }
        }
    }
}
