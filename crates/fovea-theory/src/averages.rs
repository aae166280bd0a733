//! Gaussian averages of an activation and of its slope, over one preactivation and over two.
//!
//! Closed forms for the identity, the rectifiers, the sine and the two error functions; quadrature for everything else.
//! Only the slope is used where this keeps digits: by Stein's identity $`E[ss''+s'^2]=E[z\,ss']/K`$, which also holds for kinks,
//! where $`s''`$ is a point mass. At small variances its right side cancels unless $`s(0)s'(0)=0`$; there the left side is summed.

use crate::correlated::{kappa0, kappa1};
use crate::form::FormError;
use crate::panels::{Panels, TOLERANCE};
use fovea_core::Function;
use fovea_core::quadrature::normal_pdf;
use std::f64::consts::FRAC_2_PI;

pub use crate::correlated::Pair;

/// Activations whose averages are known.
#[derive(Clone, Copy, Debug)]
enum Closed {
    /// $`z`$ for $`z\ge0`$ and $`az`$ below: 1 is the identity, 0 the rectifier.
    Rectifier(f64),
    /// $`\mathrm{erf}(cz)`$, by $`2c^2`$.
    Error(f64),
    /// $`\sin z`$.
    Wave,
}

/// The Gaussian averages of one activation.
#[derive(Clone, Debug)]
pub struct Averages {
    /// The activation.
    pub activation: Function,
    closed: Option<Closed>,
    /// Tolerance of an average over two preactivations.
    tolerance: f64,
    /// Units of work per value of the activation.
    cost: usize,
}

impl Averages {
    /// The averages of `activation`, in closed form where one is known.
    pub fn of(activation: &Function) -> Self {
        let closed = activation.entry().and_then(|entry| match entry.name {
            "identity" => Some(Closed::Rectifier(1.0)),
            "relu" => Some(Closed::Rectifier(0.0)),
            "leaky-relu" => Some(Closed::Rectifier((entry.slope)(-1.0))),
            "erf" => Some(Closed::Error(1.0)),
            "erf-raw" => Some(Closed::Error(2.0)),
            "sin" => Some(Closed::Wave),
            _ => None,
        });
        let cost = activation.cost();
        Self { activation: activation.clone(), closed, tolerance: TOLERANCE, cost }
    }

    /// The averages of `activation` by quadrature, even where closed forms are known.
    pub fn by_quadrature(activation: &Function) -> Self {
        Self { closed: None, ..Self::of(activation) }
    }

    /// The same averages, those over two preactivations only to `tolerance`, which is enough for a picture.
    #[must_use]
    pub fn to(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// The tolerance of averages over two preactivations.
    pub fn tolerance(&self) -> f64 {
        self.tolerance
    }

    /// $`m`$ where $`E\,s(z)^2=mK`$ at every variance, in closed form.
    pub fn share(&self) -> Option<f64> {
        match self.closed {
            Some(Closed::Rectifier(leak)) => Some(0.5 * (1.0 + leak * leak)),
            _ => None,
        }
    }

    /// The quadratures of the activation.
    fn panels(&self) -> Panels<'_> {
        Panels { activation: &self.activation, cost: self.cost, tolerance: self.tolerance }
    }

    /// The width of the narrowest place at which the activation varies; infinite where it has no scale.
    pub fn narrowest(&self) -> f64 {
        self.panels().narrowest()
    }

    /// $`E\,f(z)`$ at variance `k`, for an `f` that varies where the activation does.
    ///
    /// # Errors
    /// The average is not finite, or takes more work than one evaluation may.
    pub fn average(&self, k: f64, f: impl Fn(f64) -> f64) -> Result<f64, FormError> {
        self.panels().average(k, f)
    }

    /// $`E\,s(z)^2`$ at variance `k`.
    ///
    /// # Errors
    /// The average is not finite.
    pub fn square(&self, k: f64) -> Result<f64, FormError> {
        if self.closed.is_some() {
            return self.product(Pair::twin(k));
        }
        let s = &self.activation;
        let unit = Panels::unit(|z| s.value(z), k.sqrt());
        let square = self.average(k, |z| {
            let value = s.value(z) / unit;
            value * value
        })?;
        Ok(square * unit * unit)
    }

    /// $`E\,s'(z)^2`$ at variance `k`.
    ///
    /// # Errors
    /// The average is not finite.
    pub fn slope_square(&self, k: f64) -> Result<f64, FormError> {
        if self.closed.is_some() {
            return self.slope_product(Pair::twin(k));
        }
        let s = &self.activation;
        if k == 0.0 {
            // The mean of the squares on both sides, where zero is a kink.
            let tiny = f64::MIN_POSITIVE;
            let (right, left) = (s.slope(tiny), s.slope(-tiny));
            return Ok(0.5 * (right * right + left * left));
        }
        self.average(k, |z| s.slope(z) * s.slope(z))
    }

    /// $`dE\,s^2/dK=\tfrac12E(s^2)''=E[ss''+s'^2]`$ at variance `k`, as $`E[z\,s\,s']/K`$.
    ///
    /// # Errors
    /// The average is not finite.
    pub fn growth(&self, k: f64) -> Result<f64, FormError> {
        match self.closed {
            Some(Closed::Rectifier(_)) => self.slope_square(k),
            // The derivative of (2/pi) asin(m K / (1 + m K)), m = 2 c^2.
            Some(Closed::Error(m)) => {
                Ok(FRAC_2_PI * m / ((1.0 + m * k) * (1.0 + 2.0 * m * k).sqrt()))
            }
            Some(Closed::Wave) => Ok(libm::exp(-2.0 * k)),
            None => {
                let s = &self.activation;
                if self.small(k) {
                    return Ok(self.slope_square(k)? + self.bend(k)?);
                }
                // Keeps the product of three numbers from overflowing.
                let unit = if (1e-150..=1e150).contains(&k) { 1.0 } else { k.sqrt() };
                let radial = self.average(k, |z| {
                    let (value, slope) = s.both(z);
                    z / unit * (value / unit) * slope
                })?;
                Ok(radial / (k / unit / unit))
            }
        }
    }

    /// Whether `k` is so small that Stein's identity would cancel.
    pub fn small(&self, k: f64) -> bool {
        let (width, s) = (self.narrowest(), &self.activation);
        k == 0.0 || (k < 1e-3 * width * width && s.value(0.0) * s.slope(0.0) != 0.0)
    }

    /// $`E[ss'']`$ at variance `k`, with the point masses of $`s''`$ at the kinks.
    ///
    /// # Errors
    /// The average is not finite.
    pub fn bend(&self, k: f64) -> Result<f64, FormError> {
        let s = &self.activation;
        match self.closed {
            Some(Closed::Rectifier(_)) => return Ok(0.0),
            Some(Closed::Error(m)) => return Ok(-m * k * self.growth(k)?),
            Some(Closed::Wave) => return Ok(0.5 * libm::expm1(-2.0 * k)),
            None => {}
        }
        let scale = k.sqrt();
        let mut masses = 0.0;
        for kink in s.kinks() {
            let aside = (1e-14 * kink.abs()).max(f64::MIN_POSITIVE);
            let mass = s.value(*kink) * (s.slope(kink + aside) - s.slope(kink - aside));
            if k == 0.0 && *kink == 0.0 && mass != 0.0 {
                return Err(self.panels().growth_error(k));
            }
            if k > 0.0 && mass != 0.0 {
                masses += mass * normal_pdf(kink / scale) / scale;
            }
        }
        Ok(self.average(k, |z| s.value(z) * s.curve(z))? + masses)
    }

    /// $`E\,s(z)^4`$ at variance `k`.
    ///
    /// # Errors
    /// The average is not finite.
    pub fn fourth(&self, k: f64) -> Result<f64, FormError> {
        let s = &self.activation;
        let square = |z: f64| s.value(z) * s.value(z);
        let root = Panels::unit(square, k.sqrt()).sqrt();
        let fourth = self.average(k, |z| {
            let value = s.value(z) / root;
            value * value * (value * value)
        })?;
        Ok(fourth * root * root * root * root)
    }

    /// $`E\,s(z)^4-(E\,s(z)^2)^2`$ at variance `k`; nine digits at small variances, where nearly all of it cancels.
    ///
    /// # Errors
    /// The average is not finite.
    pub fn square_variance(&self, k: f64) -> Result<f64, FormError> {
        let (square, fourth) = (self.square(k)?, self.fourth(k)?);
        let difference = fourth - square * square;
        if difference > 1e-6 * fourth || k == 0.0 {
            return Ok(if k == 0.0 { 0.0 } else { difference });
        }
        let (s, width) = (&self.activation, self.narrowest());
        if k < 1e-10 * width * width && !s.kinks().contains(&0.0) {
            // 4 (s s')^2 K + O(K^2) at zero: the differences below would lose all digits.
            let slope = 2.0 * s.value(0.0) * s.slope(0.0);
            return Ok(slope * slope * k);
        }
        self.average(k, |z| {
            let apart = s.value(z) * s.value(z) - square;
            apart * apart
        })
    }

    /// $`E\,s(z_a)s(z_b)`$.
    ///
    /// # Errors
    /// The average is not finite.
    pub fn product(&self, pair: Pair) -> Result<f64, FormError> {
        let s = &self.activation;
        match self.closed {
            Some(Closed::Rectifier(leak)) => {
                let angle = pair.angle();
                let size = pair.size();
                let open = kappa1(angle);
                // kappa1(-r) = kappa1(r) - r.
                let crossed = open - pair.correlation();
                Ok(size * (0.5 * (1.0 + leak * leak) * open - leak * crossed))
            }
            Some(Closed::Error(m)) => {
                let (mixed, rest, _) = spread(pair, m);
                Ok(FRAC_2_PI * libm::atan2(mixed, rest.sqrt()))
            }
            Some(Closed::Wave) => {
                let (near, far) = waves(pair);
                Ok(0.5 * near * far.copysign(pair.ab))
            }
            None => self.panels().average_of_two(pair, |z| s.value(z)),
        }
    }

    /// $`E\,s'(z_a)s'(z_b)`$.
    ///
    /// # Errors
    /// The average is not finite.
    pub fn slope_product(&self, pair: Pair) -> Result<f64, FormError> {
        let s = &self.activation;
        match self.closed {
            Some(Closed::Rectifier(leak)) => {
                let open = kappa0(pair.angle());
                Ok(0.5 * (1.0 + leak * leak) * open + leak * (1.0 - open))
            }
            Some(Closed::Error(m)) => {
                let (_, rest, factor) = spread(pair, m);
                Ok(FRAC_2_PI * factor / rest.sqrt())
            }
            Some(Closed::Wave) => {
                let (near, far) = waves(pair);
                Ok(0.5 * near * (2.0 + far))
            }
            None => self.panels().average_of_two(pair, |z| s.slope(z)),
        }
    }
}

/// Both sides of the arctangent of the error functions, the second squared, and the factor of their slopes; for large variances in
/// units of their mean, so that nothing cancels.
fn spread(pair: Pair, m: f64) -> (f64, f64, f64) {
    let size = m * pair.size();
    if size > 1e3 {
        let rest = (1.0 / size + (pair.aa + pair.bb) / pair.size()) / size + pair.decorrelation();
        return (pair.correlation(), rest, 1.0 / pair.size());
    }
    let mixed = m * pair.ab;
    let wide = (1.0 + m * pair.aa) * (1.0 + m * pair.bb);
    (mixed, (wide - mixed * mixed).max(0.0), m)
}

/// $`e^{|K_{ab}|-(K_{aa}+K_{bb})/2}`$ and $`e^{-2|K_{ab}|}-1`$, from which the averages of sines and cosines are built.
fn waves(pair: Pair) -> (f64, f64) {
    let (apart, cov) = (pair.aa.sqrt() - pair.bb.sqrt(), pair.ab.abs());
    let near = libm::exp(-0.5 * apart * apart - (pair.size() - cov).max(0.0));
    (near, libm::expm1(-2.0 * cov))
}
