//! Moments of elliptical data $`X=R\,\Sigma^{1/2}U`$, $`U`$ uniform on the sphere and independent of the radius $`R`$.
//!
//! Every distribution is scaled to covariance $`\Sigma`$, $`ER^2=n`$. Elliptical data of any radius give one ReLU unit the flow
//! of Gaussian data with another constant (L000.11).

use crate::Form;
use crate::form::FormError;
use fovea_core::special::{ln_beta, ln_gamma};
use fovea_core::{ParamError, Value};
use std::f64::consts::{LN_2, PI};

fovea_core::registry! { "src/elliptical": Form; excess_kurtosis, fourth, half_mean_abs, constant, scale_mixture }

fovea_core::choice! {
    /// Name of a radial distribution.
    pub enum Law {
        /// Multivariate t.
        Student = "student",
        /// A Gaussian times the root of an exponential variable.
        Laplace = "laplace",
        /// The surface of the ellipsoid.
        Shell = "shell",
        /// The inside of the ellipsoid.
        Ball = "ball",
        /// Density with a power of the radius in the exponent.
        Power = "power",
        /// Two more than a half-logistic number.
        HalfLogistic = "half-logistic",
    }
}

/// A radial distribution with its parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Radial {
    /// Multivariate t of `dof` degrees of freedom, more than 2.
    Student {
        /// Degrees of freedom.
        dof: f64,
    },
    /// A Gaussian times $`\sqrt E`$, $`E`$ exponential of mean 1.
    Laplace,
    /// Uniform on the sphere.
    Shell,
    /// Uniform in the ball.
    Ball,
    /// $`2+\mathrm{artanh}\,U`$ with $`U`$ uniform before scaling: half-logistic of scale one half, shifted away from 0.
    HalfLogistic,
    /// Density proportional to $`e^{-r^{2\beta}/2}`$ before scaling; Gaussian at 1.
    Power {
        /// Half the power of the radius, positive.
        beta: f64,
    },
}

impl Radial {
    /// The distribution of this name, with the one of the two parameters that it uses.
    pub fn new(law: Law, dof: f64, beta: f64) -> Self {
        match law {
            Law::Student => Self::Student { dof },
            Law::Laplace => Self::Laplace,
            Law::Shell => Self::Shell,
            Law::Ball => Self::Ball,
            Law::Power => Self::Power { beta },
            Law::HalfLogistic => Self::HalfLogistic,
        }
    }

    /// The factor of all fourth moments over those of a Gaussian, minus 1: $`nER^4/[(n+2)(ER^2)^2]-1`$.
    ///
    /// Infinite for a Student distribution of at most 4 degrees of freedom. It is the difference from 1, because it is of order $`1/n`$.
    pub fn excess_factor(self, n: usize) -> f64 {
        let n = n as f64;
        match self {
            Self::Student { dof } if dof <= 4.0 => f64::INFINITY,
            Self::Student { dof } => 2.0 / (dof - 4.0),
            Self::Laplace => 1.0,
            Self::Shell => -2.0 / (n + 2.0),
            Self::Ball => -2.0 / (n + 4.0),
            Self::HalfLogistic => {
                let [_, second, fourth] = half_logistic_moments();
                n * fourth / ((n + 2.0) * second * second) - 1.0
            }
            Self::Power { beta } => {
                // E R^p = 2^(p/2b) G((n+p)/2b)/G(n/2b); with G(x) = G(1+x)/x the factor of the ball separates, and the rest
                // vanishes as b grows.
                let bend = ln_gamma_bend(0.5 * n / beta, 1.0 / beta);
                libm::expm1(libm::log1p(-2.0 / (n + 4.0)) + bend)
            }
        }
    }

    /// The factor, if it exists.
    fn finite_excess_factor(self, n: usize) -> Result<f64, FormError> {
        if let Self::Student { dof } = self
            && dof <= 4.0
        {
            return Err(ParamError::Inconsistent {
                what: format!(
                    "a Student distribution of dof = {} has no fourth moment",
                    Value::Real(dof)
                ),
                hint: "choose dof > 4".to_owned(),
            }
            .into());
        }
        let factor = self.excess_factor(n);
        if factor.is_finite() { Ok(factor) } else { Err(FormError::Undefined) }
    }
}

/// $`ER`$, $`ER^2`$ and $`ER^4`$ of $`R=2+Y`$ with $`P(Y>y)=1-\tanh y`$.
///
/// $`EY^m=\int_0^\infty my^{m-1}(1-\tanh y)\,dy=m!\,\eta(m)/2^{m-1}`$ with $`\eta`$ the alternating zeta function, since
/// $`1-\tanh y=2\sum_j(-1)^{j+1}e^{-2jy}`$.
pub(crate) fn half_logistic_moments() -> [f64; 3] {
    /// Apery's constant, the zeta function at 3.
    const ZETA_3: f64 = 1.202_056_903_159_594_2;
    let (square, fourth) = (PI * PI, PI * PI * PI * PI);
    let [y1, y2, y3, y4] = [LN_2, square / 12.0, 1.125 * ZETA_3, 7.0 * fourth / 240.0];
    [2.0 + y1, 4.0 + 4.0 * y1 + y2, 16.0 + 32.0 * y1 + 24.0 * y2 + 8.0 * y3 + y4]
}

/// The second difference $`\ln\Gamma(1+x+2h)-2\ln\Gamma(1+x+h)+\ln\Gamma(1+x)`$.
///
/// For large arguments by beta functions, whose large parts are cancelled analytically.
fn ln_gamma_bend(x: f64, h: f64) -> f64 {
    let x = 1.0 + x;
    if x + 2.0 * h < 10.0 {
        ln_gamma(x + 2.0 * h) - 2.0 * ln_gamma(x + h) + ln_gamma(x)
    } else {
        ln_gamma(2.0 * h) - 2.0 * ln_gamma(h) + 2.0 * ln_beta(x, h) - ln_beta(x, 2.0 * h)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::agree::within;
    use fovea_core::quadrature::adaptive;

    #[test]
    fn half_logistic_moments_are_those_of_the_density() {
        for (power, moment) in [1, 2, 4].into_iter().zip(half_logistic_moments()) {
            let integrand = |y: f64| {
                let weight = 1.0 / (libm::cosh(y) * libm::cosh(y));
                (0..power).fold(weight, |value, _| value * (2.0 + y))
            };
            within(moment, adaptive(integrand, 0.0, 40.0, 1e-13).value, 1e-12, 0.0).unwrap();
        }
    }
}
