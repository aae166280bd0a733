//! Which ring kernels are covariances, and how those that are not are handled.

use super::{Kernel, RingError, is_psd, kernel_eigs, kernel_row, unfold};
use crate::fourier::cos_turns;

/// The largest $`\xi`$ at which the ring kernel of `n` sites is positive semidefinite; infinite for `n = 2` and `3`.
///
/// About $`\sqrt{n/\pi}`$, where $`e^{-\pi^2\xi^2/4}`$ meets $`e^{-n^2/4\xi^2}`$.
///
/// ```
/// use fovea_core::ring::psd_limit;
/// assert!((psd_limit(40) - 3.64428825113119).abs() < 1e-13);
/// ```
pub fn psd_limit(n: usize) -> f64 {
    if n < 4 {
        return f64::INFINITY;
    }
    // At 1/2 the diagonal dominates; above, the sign changes once.
    let (mut low, mut high) = (0.5, 1.0);
    while is_psd(n, high) {
        (low, high) = (high, 2.0 * high);
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if is_psd(n, middle) { low = middle } else { high = middle }
    }
    low
}

/// The effect of setting negative eigenvalues to zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clipping {
    /// The number of negative eigenvalues, with multiplicity.
    pub count: usize,
    /// The most negative one.
    pub most_negative: f64,
    /// The increase of the variance of a site, $`\sum|\lambda_{<0}|/n`$.
    pub variance_change: f64,
}

/// A kernel that can be sampled from.
#[derive(Clone, Debug, PartialEq)]
pub struct RingKernel {
    /// First row of the kernel as defined, before clipping.
    pub first_row: Vec<f64>,
    /// Eigenvalues `k = 0..n`, none negative.
    pub eigs: Vec<f64>,
    /// What was clipped, if anything.
    pub clipped: Option<Clipping>,
}

impl RingKernel {
    /// A negative eigenvalue is clipped if its size is at most this fraction of the largest, and refused otherwise.
    pub const CLIP: f64 = 1e-7;

    /// The kernel of `n` sites with correlation length `xi`.
    ///
    /// # Errors
    /// `n < 2`; a length that is not positive and finite; a ring kernel with an eigenvalue below `-CLIP` times the
    /// largest, or with `xi` above both the limit and `n / 4`, where the kernel becomes flat and its smallest eigenvalues
    /// return to zero from below.
    pub fn new(n: usize, xi: f64, shape: Kernel) -> Result<Self, RingError> {
        if n < 2 {
            return Err(RingError::TooSmall { n });
        }
        if !(xi > 0.0 && xi.is_finite()) {
            return Err(RingError::BadLength { xi });
        }
        let mut eigs = unfold(&kernel_eigs(n, xi, shape), n);
        let most_negative = eigs.iter().copied().fold(0.0, f64::min);
        let wide = shape == Kernel::Ring && 4.0 * xi > n as f64;
        if most_negative < -Self::CLIP * eigs[0] || wide && xi > psd_limit(n) {
            return Err(RingError::NotPsd { n, xi, limit: psd_limit(n) });
        }
        let clipped = (most_negative < 0.0).then(|| Clipping {
            count: eigs.iter().filter(|&&eig| eig < 0.0).count(),
            most_negative,
            variance_change: -eigs.iter().map(|eig| eig.min(0.0)).sum::<f64>() / n as f64,
        });
        for eig in &mut eigs {
            *eig = eig.max(0.0);
        }
        Ok(Self { first_row: kernel_row(n, xi, shape), eigs, clipped })
    }

    /// The kernel times $`\cos(2\pi md/n)`$, `m` being the number of waves around the ring.
    ///
    /// The product of two covariances is one: its eigenvalues are $`\tfrac12(\lambda_{k-m}+\lambda_{k+m})`$.
    ///
    /// # Errors
    /// More waves than half the sites.
    pub fn modulated(mut self, waves: usize) -> Result<Self, RingError> {
        let n = self.eigs.len();
        if waves > n / 2 {
            return Err(RingError::TooManyWaves { waves, n });
        }
        if waves > 0 {
            let moved =
                |k: usize| 0.5 * (self.eigs[(k + n - waves) % n] + self.eigs[(k + waves) % n]);
            self.eigs = (0..n).map(moved).collect();
            for (d, c) in self.first_row.iter_mut().enumerate() {
                *c *= cos_turns(d * waves, n);
            }
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::super::circulant_eigs;
    use super::*;

    fn relative(got: f64, want: f64) -> f64 {
        (got / want - 1.0).abs()
    }

    #[test]
    fn the_psd_limit_has_the_digits_of_the_catalogue() {
        assert!(relative(psd_limit(12), 2.065456236976901) < 1e-14);
        assert!(relative(psd_limit(40), 3.64428825113119) < 1e-14);
        let rounded = [
            (4, 1.28102, 5e-6),
            (6, 1.88579, 5e-6),
            (7, 2.34898361755, 5e-12),
            (8, 1.72104, 5e-6),
            (41, 3.8386, 5e-5),
            (100, 5.698, 5e-4),
            (400, 11.318, 5e-4),
            (1000, 17.86531003136316, 5e-12),
            (1001, 17.9214612077678, 5e-12),
        ];
        for (n, limit, half_digit) in rounded {
            assert!((psd_limit(n) - limit).abs() < half_digit, "n={n}: {}", psd_limit(n));
        }
        assert!(psd_limit(2).is_infinite() && psd_limit(3).is_infinite());
    }

    #[test]
    fn slightly_negative_eigenvalues_are_clipped_and_counted() {
        let kernel = RingKernel::new(40, 5.0, Kernel::Ring).unwrap();
        let clipped = kernel.clipped.unwrap();
        assert_eq!(clipped.count, 9);
        assert!(relative(clipped.most_negative, -9.17883745423378e-8) < 1e-9);
        let variance: f64 = kernel.eigs.iter().sum::<f64>() / 40.0;
        assert!(relative(variance - 1.0, clipped.variance_change) < 1e-6);
        assert!(kernel.eigs.iter().all(|&eig| eig >= 0.0));
        assert!(RingKernel::new(40, 5.4, Kernel::Ring).is_ok());
        assert!(RingKernel::new(400, 20.0, Kernel::Ring).unwrap().clipped.is_some());
        assert!(RingKernel::new(40, 3.6, Kernel::Ring).unwrap().clipped.is_none());
    }

    #[test]
    fn a_length_far_beyond_the_limit_is_refused_and_the_wrapped_kernel_takes_it() {
        for (n, xi) in [(40, 5.5), (40, 20.0), (40, 1e9), (4, 1.3), (5, 1e200), (400, 101.0)] {
            let error = RingKernel::new(n, xi, Kernel::Ring).unwrap_err();
            assert_eq!(error, RingError::NotPsd { n, xi, limit: psd_limit(n) });
            assert!(error.hint().contains("wrapped"));
            let wrapped = RingKernel::new(n, xi, Kernel::Wrapped).unwrap();
            assert!(wrapped.clipped.is_none());
            assert!(relative(wrapped.eigs.iter().sum(), n as f64) < 1e-14);
        }
        let message = RingKernel::new(40, 5.5, Kernel::Ring).unwrap_err().to_string();
        assert!(message.contains("xi = 5.5") && message.contains("3.644288"), "{message}");
    }

    #[test]
    fn rings_of_two_and_three_take_every_length_and_no_ring_takes_a_bad_one() {
        for (n, xi) in [(2, 1e-300), (2, 1e300), (3, 7.0), (3, 1e9)] {
            assert!(
                RingKernel::new(n, xi, Kernel::Ring).unwrap().eigs.iter().all(|e| e.is_finite())
            );
        }
        for xi in [0.0, -1.0, f64::INFINITY, f64::NAN] {
            assert!(matches!(
                RingKernel::new(40, xi, Kernel::Ring),
                Err(RingError::BadLength { .. })
            ));
        }
        assert_eq!(RingKernel::new(1, 1.0, Kernel::Ring), Err(RingError::TooSmall { n: 1 }));
    }

    #[test]
    fn waves_move_the_spectrum_and_keep_the_variance() {
        for (n, waves) in [(40, 0), (40, 5), (40, 20), (7, 3), (2, 1)] {
            let plain = RingKernel::new(n, 1.5, Kernel::Wrapped).unwrap();
            let waved = plain.clone().modulated(waves).unwrap();
            let eigs = circulant_eigs(&waved.first_row);
            for (k, eig) in eigs.iter().enumerate() {
                assert!((waved.eigs[k] - eig).abs() < 1e-14 * n as f64, "n={n} m={waves} k={k}");
            }
            assert!(relative(waved.first_row[0], 1.0) < 1e-15 && (waves == 0) == (waved == plain));
        }
        let error = RingKernel::new(7, 1.0, Kernel::Ring).unwrap().modulated(4).unwrap_err();
        assert_eq!(error.to_string(), "`waves` is 4; a ring of n = 7 sites holds at most 3 waves");
        assert_eq!(error.hint(), "choose waves <= 3, or a larger n");
    }

    #[test]
    fn a_tiny_length_gives_the_identity() {
        for (kernel, xi) in
            [(Kernel::Ring, 1e-3), (Kernel::Wrapped, 1e-3), (Kernel::Wrapped, 1e-320)]
        {
            let identity = RingKernel::new(5, xi, kernel).unwrap();
            assert_eq!(identity.first_row, [1.0, 0.0, 0.0, 0.0, 0.0]);
            assert!(identity.eigs.iter().all(|&eig| relative(eig, 1.0) < 1e-15));
        }
    }
}
