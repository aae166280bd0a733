//! The distribution of one site: the nonlinear Gaussian process and the Gaussian copulas in one type.
//!
//! A site is $`X=\psi(Z)`$ with $`Z`$ standard normal, $`\psi`$ odd and increasing, and unit variance.

use crate::copula::{self, Marginal};
use crate::form::FormError;
use crate::kur;
use crate::nlgp;
use crate::nlgp::normalizer::normalizer;
use fovea_core::ring::unfold;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI, SQRT_2, TAU};

fovea_core::choice! {
    /// Name of the distribution of a site.
    pub enum SiteLaw {
        /// Standard normal.
        Gaussian = "gaussian",
        /// The nonlinear Gaussian process, with its gain; the sign at `inf`.
        Nlgp = "nlgp",
        /// Uniform.
        Uniform = "uniform",
        /// Arcsine, the distribution of a sine of random phase.
        Arcsine = "arcsine",
        /// Laplace, exponential on both sides.
        Laplace = "laplace",
        /// Algebraic, with its exponent k.
        Kur = "kur",
    }
}

/// The distribution of a site with its parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Site {
    /// Standard normal.
    Gaussian,
    /// $`\mathrm{erf}(gZ)/\sqrt{\mathcal Z(g)}`$.
    Nlgp {
        /// Gain; `inf` is the sign.
        gain: f64,
    },
    /// A Gaussian copula with another marginal.
    Copula(Marginal),
}

/// Below this gain a site is Gaussian to rounding.
const GAUSSIAN: f64 = 1e-9;

/// Where the integrals over the latent Gaussian end: 9.5 deviations of the Gaussian after multiplication by the heaviest tail with a
/// variance.
const REACH: f64 = 14.0;

impl Site {
    /// The distribution of this name; only `nlgp` reads `gain` and only `kur` reads `k`.
    pub fn new(law: SiteLaw, gain: f64, k: f64) -> Self {
        match law {
            SiteLaw::Gaussian => Self::Gaussian,
            SiteLaw::Nlgp => Self::Nlgp { gain },
            SiteLaw::Uniform => Self::Copula(Marginal::Uniform),
            SiteLaw::Arcsine => Self::Copula(Marginal::Arcsine),
            SiteLaw::Laplace => Self::Copula(Marginal::Laplace),
            SiteLaw::Kur => Self::Copula(Marginal::Kur { k }),
        }
    }

    /// The same, if it has a fourth moment.
    ///
    /// # Errors
    /// An algebraic distribution of exponent 4 or less.
    pub fn with_fourth_moment(law: SiteLaw, gain: f64, k: f64) -> Result<Self, FormError> {
        if law == SiteLaw::Kur {
            return Marginal::with_fourth_moment(copula::Law::Kur, k).map(Self::Copula);
        }
        Ok(Self::new(law, gain, k))
    }

    /// The value of a site whose latent variable is `z`.
    pub fn quantile(self, z: f64) -> f64 {
        self.damped(z, 0.0)
    }

    /// $`\psi(z)e^{-a}`$, in one exponential where it could overflow.
    fn damped(self, z: f64, a: f64) -> f64 {
        match self {
            Self::Gaussian => z * libm::exp(-a),
            Self::Nlgp { gain } if gain < GAUSSIAN => z * libm::exp(-a),
            Self::Nlgp { gain } if gain.is_infinite() => libm::exp(-a).copysign(z),
            Self::Nlgp { gain } => libm::erf(gain * z) / normalizer(gain).sqrt() * libm::exp(-a),
            Self::Copula(marginal) => marginal.damped(z, a) / marginal.deviation(),
        }
    }

    /// Mean absolute value.
    pub fn abs_mean(self) -> f64 {
        match self {
            Self::Gaussian => FRAC_2_PI.sqrt(),
            Self::Nlgp { gain } => nlgp::marginal::abs_mean(gain),
            Self::Copula(Marginal::Uniform) => 0.75_f64.sqrt(),
            Self::Copula(Marginal::Arcsine) => SQRT_2 * FRAC_2_PI,
            Self::Copula(Marginal::Laplace) => FRAC_1_SQRT_2,
            Self::Copula(marginal @ Marginal::Kur { k }) => {
                kur::abs_moment(k, 1.0) / marginal.deviation()
            }
        }
    }

    /// Fourth moment minus three; infinite if there is none.
    pub fn excess_kurtosis(self) -> f64 {
        match self {
            Self::Gaussian => 0.0,
            Self::Nlgp { gain } => nlgp::excess_kurtosis::excess_kurtosis(gain),
            Self::Copula(marginal) => copula::excess_kurtosis::excess_kurtosis(marginal),
        }
    }

    /// Covariance of two sites with latent correlation `rho`.
    pub fn cov(self, rho: f64) -> f64 {
        match self {
            Self::Gaussian => rho,
            Self::Nlgp { gain } => nlgp::cov::cov(rho, gain),
            Self::Copula(marginal) => copula::cov::cov(marginal, rho),
        }
    }

    /// First row of the covariance on a ring, from that of the latent Gaussian.
    pub fn cov_row(self, latent: &[f64]) -> Vec<f64> {
        let n = latent.len();
        let half: Vec<f64> = latent[..=n / 2].iter().map(|rho| self.cov(*rho)).collect();
        unfold(&half, n)
    }

    /// The integral $`E[\,|X|\,h(|X|)]`$ of a function that changes where the argument of `h` passes the `levels`.
    pub(crate) fn weighted_mean(self, levels: &[f64], h: impl Fn(f64) -> f64) -> f64 {
        let mut points = vec![0.0, 1.0, 3.0, REACH];
        points.extend(levels.iter().map(|level| self.latent_of(*level)));
        if let Self::Nlgp { gain } = self {
            points.extend([1.0, 3.0, 6.0].map(|step| (step / gain).min(REACH)));
        }
        let density = 2.0 / TAU.sqrt();
        let integrand = |z: f64| {
            let x = self.quantile(z);
            // The tails of the algebraic distribution overflow; h is bounded, so its share of the Gaussian is enough.
            density * self.damped(z, 0.5 * z * z) * h(x)
        };
        fovea_core::quadrature::adaptive_split(integrand, &points, 1e-14).value
    }

    /// The latent value at which a site reaches `level`, at most [`REACH`].
    fn latent_of(self, level: f64) -> f64 {
        let (mut low, mut high) = (0.0, REACH);
        // A few steps more than the logarithm of the smallest scale, 1/gain = 1e-9 of the interval.
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.quantile(middle) < level {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) const SITES: [Site; 11] = [
        Site::Gaussian,
        Site::Nlgp { gain: 1e-8 },
        Site::Nlgp { gain: 0.3 },
        Site::Nlgp { gain: 3.0 },
        Site::Nlgp { gain: 1e8 },
        Site::Copula(Marginal::Uniform),
        Site::Copula(Marginal::Arcsine),
        Site::Copula(Marginal::Laplace),
        Site::Copula(Marginal::Kur { k: 2.1 }),
        Site::Copula(Marginal::Kur { k: 5.0 }),
        Site::Copula(Marginal::Kur { k: 30.0 }),
    ];

    #[test]
    fn quadrature_finds_the_mean_absolute_value() {
        for site in SITES {
            let found = site.weighted_mean(&[1.0], |_| 1.0);
            assert!((found / site.abs_mean() - 1.0).abs() < 1e-12, "{site:?}: {found}");
        }
    }

    #[test]
    fn a_site_has_unit_variance_and_its_own_kurtosis() {
        for site in SITES {
            let heavy = matches!(site, Site::Copula(Marginal::Kur { k }) if k < 5.5);
            if !heavy {
                let second = site.weighted_mean(&[1.0], |x| x);
                assert!((second - 1.0).abs() < 1e-12, "{site:?}: {second}");
                let fourth = site.weighted_mean(&[1.0], |x| x * x * x) - 3.0;
                assert!((fourth - site.excess_kurtosis()).abs() < 1e-10, "{site:?}: {fourth}");
            }
            assert!((site.cov(1.0) - 1.0).abs() < 1e-12, "{site:?}");
        }
    }
}
