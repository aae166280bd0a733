//! Moments of Gaussian-copula data $`X_i=\psi(Z_i)`$: a latent Gaussian whose sites are given another marginal distribution.
//!
//! $`\psi=F^{-1}\circ\Phi`$ is odd, increasing, and scaled to unit variance.

use crate::Form;
use crate::form::FormError;
use crate::kur::variance::variance;
use fovea_core::{ParamError, Value};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, SQRT_2};

fovea_core::registry! { "src/copula": Form; cov, excess_kurtosis }

fovea_core::choice! {
    /// Name of a marginal distribution.
    pub enum Law {
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

/// A marginal distribution with its parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Marginal {
    /// Uniform on $`[-\sqrt3,\sqrt3]`$.
    Uniform,
    /// $`\sqrt2\sin(\pi(u-\tfrac12))`$ for uniform $`u`$.
    Arcsine,
    /// Density $`e^{-\sqrt2|x|}/\sqrt2`$.
    Laplace,
    /// The distribution of `kur`, divided by its deviation.
    Kur {
        /// Exponent, above 2; `inf` is uniform.
        k: f64,
    },
}

impl Marginal {
    /// The distribution of this name; only the algebraic one reads `k`.
    pub fn new(law: Law, k: f64) -> Self {
        match law {
            Law::Uniform => Self::Uniform,
            Law::Arcsine => Self::Arcsine,
            Law::Laplace => Self::Laplace,
            Law::Kur => Self::Kur { k },
        }
    }

    /// The same, if it has a fourth moment.
    pub(crate) fn with_fourth_moment(law: Law, k: f64) -> Result<Self, FormError> {
        if law == Law::Kur && k <= 4.0 {
            return Err(ParamError::Inconsistent {
                what: format!("Kur({}) has no fourth moment", Value::Real(k)),
                hint: "choose k > 4".to_owned(),
            }
            .into());
        }
        Ok(Self::new(law, k))
    }

    /// The deviation of the quantile as usually written: on $`[-1,1]`$, or of unit scale.
    pub(crate) fn deviation(self) -> f64 {
        match self {
            Self::Uniform => (1.0_f64 / 3.0).sqrt(),
            Self::Arcsine => FRAC_1_SQRT_2,
            Self::Laplace => SQRT_2,
            Self::Kur { k } => variance(k).sqrt(),
        }
    }

    /// That quantile at $`\Phi(z)`$ times $`e^{-a}`$, in one exponential where it could overflow.
    pub(crate) fn damped(self, z: f64, a: f64) -> f64 {
        let erf = || libm::erf(z * FRAC_1_SQRT_2);
        let plain = match self {
            Self::Uniform => erf(),
            Self::Arcsine => libm::sin(FRAC_PI_2 * erf()),
            Self::Laplace => (-ln_both_tails(z.abs())).copysign(z),
            Self::Kur { k } => return libm::exp(ln_algebraic(z.abs(), k) - a).copysign(z),
        };
        plain * libm::exp(-a)
    }
}

/// $`\ln P(|Z|>z)=\ln\mathrm{erfc}(z/\sqrt2)`$ for $`z\ge0`$, also where the probability underflows.
fn ln_both_tails(z: f64) -> f64 {
    if z < 1.0 {
        return libm::log1p(-libm::erf(z * FRAC_1_SQRT_2));
    }
    if z < 25.0 {
        return libm::log(libm::erfc(z * FRAC_1_SQRT_2));
    }
    // The asymptotic series of erfc; its first omitted term is below 1e-13 of the value.
    let w = 1.0 / (z * z);
    let series = -w * (1.0 - w * (3.0 - w * (15.0 - w * (105.0 - 945.0 * w))));
    -0.5 * z * z - libm::log(z * FRAC_PI_2.sqrt()) + libm::log1p(series)
}

/// $`\ln F^{-1}(\Phi(z))`$ of the algebraic distribution for $`z>0`$: $`x=y\,(1-y^k)^{-1/k}`$ with $`y=P(|Z|\le z)`$.
fn ln_algebraic(z: f64, k: f64) -> f64 {
    let ln_tail = ln_both_tails(z);
    let tail = libm::exp(ln_tail);
    let ln_y = if z < 1.0 { libm::log(libm::erf(z * FRAC_1_SQRT_2)) } else { libm::log1p(-tail) };
    if k.is_infinite() {
        return ln_y;
    }
    // Where k (1-y) is under rounding, 1 - y^k = k (1-y): no subtraction, and no underflow.
    let ln_gap =
        if k * tail < 1e-17 { libm::log(k) + ln_tail } else { libm::log(-libm::expm1(k * ln_y)) };
    ln_y - ln_gap / k
}
