//! Moments of elliptical data $`X=R\,\Sigma^{1/2}U`$, $`U`$ uniform on the sphere and independent of the radius $`R`$.
//!
//! Every law is scaled to covariance $`\Sigma`$, $`ER^2=n`$. Elliptical data of any radius give one ReLU unit the flow of
//! Gaussian data with another constant (L000.11).

use crate::Form;
use crate::form::FormError;
use fovea_core::ParamError;
use fovea_core::special::{ln_beta, ln_gamma};

fovea_core::registry! { "src/elliptical": Form; excess_kurtosis, fourth, half_mean_abs, constant, scale_mixture }

fovea_core::choice! {
    /// Name of a radial law.
    pub enum Law {
        /// Multivariate t.
        Student = "student",
        /// A Gaussian times the root of an exponential variable.
        Laplace = "laplace",
        /// The surface of the ellipsoid.
        Shell = "shell",
        /// The inside of the ellipsoid.
        Ball = "ball",
        /// Density falling as a power of the radius in the exponent.
        Power = "power",
    }
}

/// A radial law with its parameter.
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
    /// Density proportional to $`e^{-r^{2\beta}/2}`$ before scaling; Gaussian at 1.
    Power {
        /// Half the power of the radius, positive.
        beta: f64,
    },
}

impl Radial {
    /// The law of this name with its parameter among the two.
    pub fn new(law: Law, dof: f64, beta: f64) -> Self {
        match law {
            Law::Student => Self::Student { dof },
            Law::Laplace => Self::Laplace,
            Law::Shell => Self::Shell,
            Law::Ball => Self::Ball,
            Law::Power => Self::Power { beta },
        }
    }

    /// The factor of all fourth moments over those of a Gaussian, less 1: $`nER^4/[(n+2)(ER^2)^2]-1`$.
    ///
    /// Infinite for a Student law of at most 4 degrees of freedom. As a difference from 1, because it is of order $`1/n`$.
    pub fn excess_factor(self, n: usize) -> f64 {
        let n = n as f64;
        match self {
            Self::Student { dof } if dof <= 4.0 => f64::INFINITY,
            Self::Student { dof } => 2.0 / (dof - 4.0),
            Self::Laplace => 1.0,
            Self::Shell => -2.0 / (n + 2.0),
            Self::Ball => -2.0 / (n + 4.0),
            Self::Power { beta } => {
                // E R^p = 2^(p/2b) G((n+p)/2b)/G(n/2b); with G(x) = G(1+x)/x the ball's factor comes out, and what is left
                // vanishes as b grows.
                let bend = ln_gamma_bend(0.5 * n / beta, 1.0 / beta);
                libm::expm1(libm::log1p(-2.0 / (n + 4.0)) + bend)
            }
        }
    }

    /// The factor, where it exists.
    fn finite_excess_factor(self, n: usize) -> Result<f64, FormError> {
        if let Self::Student { dof } = self
            && dof <= 4.0
        {
            return Err(ParamError::Inconsistent {
                what: format!("a Student law of dof = {dof} has no fourth moment"),
                hint: "choose dof > 4".to_owned(),
            }
            .into());
        }
        let factor = self.excess_factor(n);
        if factor.is_finite() { Ok(factor) } else { Err(FormError::Undefined) }
    }
}

/// The second difference $`\ln\Gamma(1+x+2h)-2\ln\Gamma(1+x+h)+\ln\Gamma(1+x)`$.
///
/// For large arguments by beta functions, whose large parts cancel on paper.
fn ln_gamma_bend(x: f64, h: f64) -> f64 {
    let x = 1.0 + x;
    if x + 2.0 * h < 10.0 {
        ln_gamma(x + 2.0 * h) - 2.0 * ln_gamma(x + h) + ln_gamma(x)
    } else {
        ln_gamma(2.0 * h) - 2.0 * ln_gamma(h) + 2.0 * ln_beta(x, h) - ln_beta(x, 2.0 * h)
    }
}
