//! Radii of elliptical distributions, standardised without sampling.

use crate::quantiles::Quantiles;
use fovea_core::lanes::LANES;
use fovea_core::quadrature::adaptive;
use fovea_core::special::ln_gamma;
use fovea_core::streams::BlockRng;

/// A radius whose mean square is the number of sites, with the constants its sampling needs.
#[derive(Clone, Debug)]
pub enum RadialLaw {
    /// Student's t: a Gaussian over the root of a chi-square number.
    Student {
        /// Degrees of freedom, above 2.
        dof: f64,
    },
    /// A Gaussian times the root of an exponential number.
    Laplace,
    /// One radius.
    Shell,
    /// Uniform inside an ellipsoid.
    Ball,
    /// Density falling as `exp(-r^(2 beta) / 2)`: `r^(2 beta) / 2` is a gamma number.
    Power {
        /// Exponent.
        beta: f64,
        /// Shape of the gamma number.
        shape: f64,
        /// Logarithm of the factor that standardises.
        ln_scale: f64,
    },
    /// Two more than the inverse hyperbolic tangent of a uniform number, which is half-logistic.
    HalfLogistic {
        /// The factor that standardises.
        scale: f64,
    },
    /// A table of radii.
    Quantile(Quantiles),
}

/// The smallest radius of the half-logistic distribution before it is standardised.
const GAP: f64 = 2.0;

impl RadialLaw {
    /// Power-exponential in `sites` dimensions.
    ///
    /// With `a = sites / 2 beta`, `E r^2 = 2^(1/beta) Gamma(a + 1/beta) / Gamma(a)`; the power of two cancels.
    pub fn power(beta: f64, sites: f64) -> Self {
        let shape = sites / (2.0 * beta);
        let ln_mean_square = ln_gamma(shape + 1.0 / beta) - ln_gamma(shape);
        Self::Power { beta, shape, ln_scale: 0.5 * (libm::log(sites) - ln_mean_square) }
    }

    /// Half-logistic behind its gap, in `sites` dimensions.
    ///
    /// `artanh U` has the density `1/cosh^2`, whose mean square with the gap is computed by quadrature; beyond 30 it is negligible.
    pub fn half_logistic(sites: f64) -> Self {
        let density = |y: f64| 1.0 / (libm::cosh(y) * libm::cosh(y));
        let square = |y: f64| (GAP + y) * (GAP + y) * density(y);
        Self::HalfLogistic { scale: (sites / adaptive(square, 0.0, 30.0, 1e-13).value).sqrt() }
    }

    /// Whether the distribution is a Gaussian times an independent factor, which needs no direction.
    pub fn mixes_gaussians(&self) -> bool {
        matches!(self, Self::Student { .. } | Self::Laplace)
    }

    /// One number per lane: the factor of a Gaussian where [`Self::mixes_gaussians`], else the radius.
    pub fn draw(&self, rng: &mut BlockRng, sites: f64) -> [f64; LANES] {
        match self {
            Self::Student { dof } => {
                rng.gammas(0.5 * dof).map(|gamma| ((0.5 * dof - 1.0) / gamma).sqrt())
            }
            Self::Laplace => rng.exponentials().map(f64::sqrt),
            Self::Shell => [sites.sqrt(); LANES],
            Self::Ball => {
                rng.uniforms().map(|u| (sites + 2.0).sqrt() * libm::exp(libm::log(u) / sites))
            }
            // A gamma number is one of the next shape times U^(1/shape), which does not underflow for a small shape
            // once the root is taken.
            Self::Power { beta, shape, ln_scale } => {
                let (gammas, uniforms) = (rng.gammas(shape + 1.0), rng.uniforms());
                std::array::from_fn(|l| {
                    let root = libm::log(gammas[l]) / (2.0 * beta) + libm::log(uniforms[l]) / sites;
                    libm::exp(root + ln_scale)
                })
            }
            // artanh(1 - u), which keeps its digits where it is large.
            Self::HalfLogistic { scale } => {
                rng.uniforms().map(|u| scale * (GAP + 0.5 * (libm::log(2.0 - u) - libm::log(u))))
            }
            Self::Quantile(table) => rng.uniforms().map(|u| table.at(u)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::agree::{agrees, test_seed};
    use fovea_core::stats::Estimate;
    use fovea_core::streams::Streams;

    fn drawn(law: &RadialLaw, sites: f64, index: u64) -> Vec<f64> {
        let stream = Streams::new(test_seed(module_path!(), index)).named("radius");
        (0..2000).flat_map(|block| law.draw(&mut stream.block(0, block), sites)).collect()
    }

    #[test]
    fn mean_and_mean_square_are_those_of_the_law() {
        // Mean radius by 30-digit quadrature of the density; the mean square is the number of sites.
        let power = |beta, sites, mean| (RadialLaw::power(beta, sites), sites, mean);
        let cases = [
            power(0.5, 2.0, 1.1547005383792515),
            power(0.5, 7.0, 2.4748737341529163),
            power(1.0, 3.0, 1.5957691216057308),
            power(3.0, 5.0, 2.1850968611841584),
            power(100.0, 4.0, 1.9595529258636368),
            power(0.2, 6.0, 2.0369262789381546),
            // Mean 2 + ln 2, mean square 4 + 4 ln 2 + pi^2/12 before it is standardised.
            (RadialLaw::half_logistic(4.0), 4.0, 1.9544501630267288),
            (RadialLaw::Ball, 3.0, 3.0 / 4.0 * 5.0_f64.sqrt()),
            (RadialLaw::Shell, 3.0, 3.0_f64.sqrt()),
        ];
        for (index, (law, sites, mean)) in cases.into_iter().enumerate() {
            let radii = drawn(&law, sites, index as u64);
            assert!(radii.iter().all(|r| r.is_finite() && *r > 0.0), "{law:?}");
            let estimate = Estimate::from_samples(&radii).unwrap();
            let squares: Vec<f64> = radii.iter().map(|r| r * r).collect();
            let square = Estimate::from_samples(&squares).unwrap();
            if matches!(law, RadialLaw::Shell) {
                assert!(
                    (estimate.mean() - mean).abs() < 1e-12 && (square.mean() - sites).abs() < 1e-12
                );
                continue;
            }
            agrees(&estimate, mean, 20).unwrap_or_else(|e| panic!("{law:?}: {e}"));
            agrees(&square, sites, 20).unwrap_or_else(|e| panic!("{law:?}: {e}"));
            assert!(
                agrees(&estimate, 1.05 * mean, 20).is_err()
                    && agrees(&square, 1.1 * sites, 20).is_err()
            );
        }
    }

    #[test]
    fn factors_of_a_gaussian_have_mean_square_one() {
        for (index, law) in
            [RadialLaw::Student { dof: 12.0 }, RadialLaw::Laplace].into_iter().enumerate()
        {
            let squares: Vec<f64> =
                drawn(&law, 5.0, 30 + index as u64).iter().map(|f| f * f).collect();
            let square = Estimate::from_samples(&squares).unwrap();
            agrees(&square, 1.0, 2).unwrap_or_else(|e| panic!("{law:?}: {e}"));
            assert!(agrees(&square, 1.1, 2).is_err());
        }
    }

    #[test]
    fn the_ends_of_the_ranges_stay_finite() {
        for sites in [2.0, 40.0, 65536.0] {
            for law in [
                RadialLaw::power(0.05, sites),
                RadialLaw::half_logistic(sites),
                RadialLaw::power(1e6, sites),
                RadialLaw::Student { dof: 2.0 + 1e-15 },
                RadialLaw::Student { dof: 1e300 },
            ] {
                let radii = drawn(&law, sites, 40);
                assert!(radii.iter().all(|r| r.is_finite() && *r >= 0.0), "{law:?} {sites}");
            }
        }
    }
}
