//! Gaussian averages of an activation and of its slope, over one preactivation and over two.
//!
//! Closed forms for the identity, the rectifiers and the two error functions; quadrature split at the kinks for everything else.
//! The slope alone is used, never the second derivative: by Stein's identity $`E[ss''+s'^2]=E[z\,ss']/K`$, which holds for
//! kinks as well, where $`s''`$ is a point mass.

use crate::correlated::{kappa0, kappa1};
use crate::form::FormError;
use crate::plane;
use fovea_core::Function;
use fovea_core::quadrature::{Integral, adaptive_split, normal_expectation};
use fovea_core::special::normal_pdf;
use std::f64::consts::FRAC_2_PI;

pub use crate::correlated::Pair;

/// Activations whose averages are known.
#[derive(Clone, Copy, Debug)]
enum Closed {
    /// $`z`$ for $`z\ge0`$ and $`az`$ below: 1 is the identity, 0 the rectifier.
    Rectifier(f64),
    /// $`\mathrm{erf}(cz)`$, by $`2c^2`$.
    Error(f64),
}

/// The Gaussian averages of one activation.
#[derive(Clone, Debug)]
pub struct Averages {
    /// The activation.
    pub activation: Function,
    closed: Option<Closed>,
    /// Tolerance of an average over two preactivations.
    tolerance: f64,
}

impl Averages {
    /// Those of `activation`, in closed form where one is known.
    pub fn of(activation: &Function) -> Self {
        let closed = activation.row().and_then(|row| match row.name {
            "identity" => Some(Closed::Rectifier(1.0)),
            "relu" => Some(Closed::Rectifier(0.0)),
            "leaky-relu" => Some(Closed::Rectifier((row.slope)(-1.0))),
            "erf" => Some(Closed::Error(1.0)),
            "erf-raw" => Some(Closed::Error(2.0)),
            _ => None,
        });
        Self { activation: activation.clone(), closed, tolerance: TOLERANCE }
    }

    /// Those of `activation` by quadrature, whatever is known of it.
    pub fn by_quadrature(activation: &Function) -> Self {
        Self { closed: None, ..Self::of(activation) }
    }

    /// The same averages; those over two preactivations to `tolerance` alone, which a picture can do with.
    #[must_use]
    pub fn to(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// The tolerance of averages over two preactivations.
    pub fn tolerance(&self) -> f64 {
        self.tolerance
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
        self.average(k, |z| s.value(z) * s.value(z))
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
            None => {
                let s = &self.activation;
                if k == 0.0 {
                    return Ok(self.slope_square(0.0)? + s.value(0.0) * s.curve(0.0));
                }
                let radial = self.average(k, |z| {
                    let (value, slope) = s.both(z);
                    z * value * slope
                })?;
                Ok(radial / k)
            }
        }
    }

    /// $`E\,s(z)^4`$ at variance `k`.
    ///
    /// # Errors
    /// The average is not finite.
    pub fn fourth(&self, k: f64) -> Result<f64, FormError> {
        let s = &self.activation;
        self.average(k, |z| {
            let square = s.value(z) * s.value(z);
            square * square
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
                let wide = (1.0 + m * pair.aa) * (1.0 + m * pair.bb);
                let mixed = m * pair.ab;
                Ok(FRAC_2_PI * libm::atan2(mixed, (wide - mixed * mixed).max(0.0).sqrt()))
            }
            None => self.average_of_two(pair, |z| s.value(z)),
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
                let mixed = m * pair.ab;
                let wide = (1.0 + m * pair.aa) * (1.0 + m * pair.bb) - mixed * mixed;
                Ok(FRAC_2_PI * m / wide.sqrt())
            }
            None => self.average_of_two(pair, |z| s.slope(z)),
        }
    }

    /// $`E\,f(z)`$ at variance `k`, split at the kinks of the activation.
    ///
    /// # Errors
    /// The average is not finite.
    pub fn average(&self, k: f64, f: impl Fn(f64) -> f64) -> Result<f64, FormError> {
        if k == 0.0 {
            return Ok(f(0.0));
        }
        let scale = k.sqrt();
        let kinks: Vec<f64> = self.activation.kinks().iter().map(|kink| kink / scale).collect();
        let integral = normal_expectation(|u| f(scale * u), &kinks);
        // What is left of the integrand where the density ends: an average that exists has nothing there.
        let edge = |u: f64| (f(scale * u) * normal_pdf(u)).abs();
        let edge = edge(37.0).max(edge(-37.0));
        let ends = edge <= 1e-12 * integral.value.abs() || edge < 1e-100;
        if ends { self.settled(integral, integral.size, k) } else { Err(self.growth_error(k)) }
    }

    /// An integral that has settled on the scale `size`: one over a pole that cannot be integrated never does.
    fn settled(&self, integral: Integral, size: f64, k: f64) -> Result<f64, FormError> {
        let allowed = UNSETTLED.max(10.0 * self.tolerance) * size;
        if integral.error <= allowed { Ok(integral.value) } else { Err(self.growth_error(k)) }
    }

    fn growth_error(&self, k: f64) -> FormError {
        FormError::Growth { activation: self.activation.name().to_owned(), k }
    }

    /// $`E\,f(z_a)f(z_b)`$ with $`z_b=\sqrt{K_{bb}}(ru+\sqrt{1-r^2}\,v)`$, which needs no inverse of a covariance.
    fn average_of_two(&self, pair: Pair, f: impl Fn(f64) -> f64) -> Result<f64, FormError> {
        let (a, b) = (pair.aa.sqrt(), pair.bb.sqrt());
        let (r, across) = (pair.correlation(), pair.decorrelation().sqrt());
        if a == 0.0 || b == 0.0 {
            let larger = pair.aa.max(pair.bb);
            return Ok(f(0.0) * self.average(larger, &f)?);
        }
        // Growth is judged along each preactivation.
        let square = self.average(pair.aa.max(pair.bb), |z| f(z) * f(z))?;
        if across < 1e-9 {
            return self.average(1.0, |u| f(a * u) * f(b * r.signum() * u));
        }
        let kinks = self.activation.kinks();
        if self.tolerance > TOLERANCE && kinks.is_empty() {
            let other = |u: f64, v: f64| f(b * (r * u + across * v));
            if let Some(found) = plane::average(|u| f(a * u), other, self.tolerance) {
                return Ok(found);
            }
        }
        // The outer integral must not chase the errors of the inner one.
        let inner_tolerance = 1e-2 * self.tolerance;
        let panels = [-38.0, -9.0, -4.0, -1.5, 1.5, 4.0, 9.0, 38.0];
        let inner = |u: f64| {
            let along = r * u;
            let mut points = panels.to_vec();
            let at = kinks.iter().map(|kink| (kink / b - along) / across);
            points.extend(at.filter(|v| v.abs() < 38.0));
            adaptive_split(
                |v| f(b * (along + across * v)) * normal_pdf(v),
                &points,
                inner_tolerance,
            )
            .value
        };
        let mut points = panels.to_vec();
        let at = kinks.iter().flat_map(|kink| [kink / a, kink / (b * r)]);
        points.extend(at.filter(|u| u.abs() < 38.0));
        let outer =
            adaptive_split(|u| f(a * u) * inner(u) * normal_pdf(u), &points, self.tolerance);
        // What an odd activation makes of independent preactivations is rounding throughout, so the square is the scale.
        self.settled(outer, square, pair.aa.max(pair.bb))
    }
}

/// Tolerance of an average over two preactivations.
const TOLERANCE: f64 = 1e-11;

/// An integral that is not known to this part of its scale has not settled.
const UNSETTLED: f64 = 1e-8;
