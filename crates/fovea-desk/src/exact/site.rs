//! The distribution of one site: its distribution function and its excess kurtosis.

use fovea_core::special::{beta_inc, inv_erf, normal_cdf, student_t_cdf};
use fovea_theory::copula::{Marginal, excess_kurtosis::excess_kurtosis as of_copula};
use fovea_theory::elliptical::{Radial, excess_kurtosis::excess_kurtosis as of_elliptical};
use fovea_theory::kur::variance::variance;
use fovea_theory::nlgp::excess_kurtosis::excess_kurtosis as of_nlgp;
use fovea_theory::nlgp::normalizer::normalizer;
use fovea_theory::scaled::excess_kurtosis::{Scale, excess_kurtosis as of_scaled};
use std::f64::consts::{FRAC_1_PI, FRAC_1_SQRT_2, SQRT_2};

/// The distribution of one site.
#[derive(Clone, Debug, PartialEq)]
pub enum SiteLaw {
    /// Normal.
    Normal {
        /// Mean.
        mean: f64,
        /// Standard deviation.
        std: f64,
    },
    /// `erf(gain z)`, `z` standard normal, brought to unit variance.
    Squashed {
        /// Gain; `inf` is the sign.
        gain: f64,
    },
    /// The same of a `z` with another mean and deviation.
    Given {
        /// Gain.
        gain: f64,
        /// Mean of `z`.
        mean: f64,
        /// Deviation of `z`.
        std: f64,
    },
    /// A marginal distribution of unit variance.
    Copula(Marginal),
    /// One coordinate of an elliptical distribution.
    Elliptical {
        /// Distribution of the radius.
        law: Radial,
        /// Number of sites.
        n: usize,
    },
    /// Values with their probabilities, in increasing order.
    Atoms(Vec<(f64, f64)>),
    /// A site of mean 0 times an independent number of unit mean square.
    Scaled {
        /// Distribution of the number.
        scale: Scale,
        /// Distribution of the site.
        base: Box<SiteLaw>,
    },
    /// Theory has nothing; why.
    Unknown(String),
}

/// Below this gain a squashed normal is a normal to rounding.
const LINEAR: f64 = 1e-8;

impl SiteLaw {
    /// The distribution of a site that is `high` with the probability that gives its mean.
    pub(super) fn two_levels(mean: f64, low: f64, high: f64) -> Self {
        let on = (mean - low) / (high - low);
        Self::Atoms(vec![(low, 1.0 - on), (high, on)])
    }

    /// The excess kurtosis.
    ///
    /// # Errors
    /// It does not exist, or there is no form for it; the text says which.
    pub fn excess_kurtosis(&self) -> Result<f64, String> {
        match self {
            Self::Normal { std, .. } if *std > 0.0 => Ok(0.0),
            Self::Normal { .. } => Err("the site does not vary".to_owned()),
            Self::Squashed { gain } => Ok(of_nlgp(*gain)),
            Self::Given { .. } => {
                Err("there is no form for the fourth moment given other sites".to_owned())
            }
            Self::Copula(Marginal::Kur { k }) if *k <= 4.0 => {
                Err(format!("Kur({k}) has no fourth moment"))
            }
            Self::Copula(marginal) => Ok(of_copula(*marginal)),
            Self::Elliptical { law: Radial::Student { dof }, .. } if *dof <= 4.0 => {
                Err(format!("a Student distribution of dof = {dof} has no fourth moment"))
            }
            Self::Elliptical { law, n } => Ok(of_elliptical(*law, *n)),
            Self::Atoms(atoms) => of_atoms(atoms),
            Self::Scaled { scale, base } => Ok(of_scaled(*scale, base.excess_kurtosis()?)),
            Self::Unknown(why) => Err(why.clone()),
        }
    }

    /// The order from which on moments are infinite.
    pub fn moments(&self) -> f64 {
        match self {
            Self::Copula(Marginal::Kur { k }) => *k,
            Self::Elliptical { law: Radial::Student { dof }, .. } => *dof,
            Self::Scaled { base, .. } => base.moments(),
            _ => f64::INFINITY,
        }
    }

    /// The probability of a value up to `x`.
    ///
    /// # Errors
    /// No closed form is known; the text says of what.
    pub fn cdf(&self, x: f64) -> Result<f64, String> {
        match self {
            Self::Normal { mean, std } => Ok(normal_below(x, *mean, *std)),
            Self::Squashed { gain } => Ok(squashed_below(x, *gain, 0.0, 1.0)),
            Self::Given { gain, mean, std } => Ok(squashed_below(x, *gain, *mean, *std)),
            Self::Copula(marginal) => Ok(marginal_below(x, *marginal)),
            Self::Elliptical { law, n } => coordinate_below(x, *law, *n as f64),
            Self::Atoms(atoms) => {
                Ok(atoms.iter().filter(|(value, _)| *value <= x).map(|(_, p)| p).sum())
            }
            Self::Scaled { scale, base } => scaled_below(x, *scale, base),
            Self::Unknown(why) => Err(why.clone()),
        }
    }
}

fn normal_below(x: f64, mean: f64, std: f64) -> f64 {
    if std > 0.0 { normal_cdf((x - mean) / std) } else { f64::from(u8::from(x >= mean)) }
}

/// `erf(gain z) <= x sqrt(Z)`, solved for `z`.
fn squashed_below(x: f64, gain: f64, mean: f64, std: f64) -> f64 {
    if gain < LINEAR {
        return normal_below(x, mean, std);
    }
    let inside = x * normalizer(gain).sqrt();
    if inside.abs() >= 1.0 {
        return if inside > 0.0 { 1.0 } else { 0.0 };
    }
    normal_below(inv_erf(inside) / gain, mean, std)
}

fn laplace_below(x: f64) -> f64 {
    let tail = 0.5 * libm::exp(-SQRT_2 * x.abs());
    if x < 0.0 { tail } else { 1.0 - tail }
}

fn marginal_below(x: f64, marginal: Marginal) -> f64 {
    match marginal {
        Marginal::Uniform => 0.5 + 0.5 * (x / 3.0_f64.sqrt()).clamp(-1.0, 1.0),
        Marginal::Arcsine => 0.5 + FRAC_1_PI * libm::asin((x * FRAC_1_SQRT_2).clamp(-1.0, 1.0)),
        Marginal::Laplace => laplace_below(x),
        Marginal::Kur { k } => {
            let y = x.abs() * variance(k).sqrt();
            // y / (1 + y^k)^(1/k), from whichever side the power stays finite.
            let share = if y <= 1.0 {
                y * libm::exp(-libm::log1p(libm::pow(y, k)) / k)
            } else {
                libm::exp(-libm::log1p(libm::pow(y, -k)) / k)
            };
            0.5 + 0.5 * share.copysign(x)
        }
    }
}

/// The square of a coordinate of the sphere, over the radius squared, is a beta number.
fn coordinate_below(x: f64, law: Radial, n: f64) -> Result<f64, String> {
    let beta = |square: f64, rest: f64| {
        let share = (x * x / square).min(1.0);
        0.5 + 0.5 * beta_inc(0.5, 0.5 * rest, share).copysign(x)
    };
    match law {
        Radial::Student { dof } => Ok(student_t_cdf(x * (dof / (dof - 2.0)).sqrt(), dof)),
        Radial::Laplace => Ok(laplace_below(x)),
        Radial::Shell => Ok(beta(n, n - 1.0)),
        Radial::Ball => Ok(beta(n + 2.0, n + 1.0)),
        Radial::Power { .. } => {
            Err("no closed form is known for one site of a power-exponential distribution"
                .to_owned())
        }
        Radial::HalfLogistic => {
            Err("no closed form is known for one site of a half-logistic radius".to_owned())
        }
    }
}

fn scaled_below(x: f64, scale: Scale, base: &SiteLaw) -> Result<f64, String> {
    match (scale, base) {
        (Scale::Sign, SiteLaw::Atoms(atoms)) => {
            let up = atoms.iter().filter(|(value, _)| *value <= x).map(|(_, p)| p).sum::<f64>();
            let down = atoms.iter().filter(|(value, _)| -*value <= x).map(|(_, p)| p).sum::<f64>();
            Ok(0.5 * (up + down))
        }
        (Scale::Sign, _) => Ok(0.5 * (base.cdf(x)? + 1.0 - base.cdf(-x)?)),
        // A Gaussian times the root of an exponential number is a Laplace number.
        (Scale::RootExponential, SiteLaw::Normal { std, .. }) if *std > 0.0 => {
            Ok(laplace_below(x / std))
        }
        _ => Err("there is no closed form for the distribution of such a product".to_owned()),
    }
}

fn of_atoms(atoms: &[(f64, f64)]) -> Result<f64, String> {
    let mean: f64 = atoms.iter().map(|(x, p)| p * x).sum();
    let central = |power: f64| -> f64 {
        atoms.iter().map(|(x, p)| p * libm::pow((x - mean).abs(), power)).sum()
    };
    let var = central(2.0);
    if var > 1e-18 * (1.0 + mean * mean) {
        Ok(central(4.0) / (var * var) - 3.0)
    } else {
        Err("the site does not vary".to_owned())
    }
}

#[cfg(test)]
mod tests;
