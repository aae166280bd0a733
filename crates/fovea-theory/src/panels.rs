//! Averages by quadrature over one preactivation and over two, in panels on the scale on which the integrand varies.
//!
//! The distribution of a preactivation and the activation each have a scale, whose ratio is arbitrary. Panels end at the
//! kinks, at the places where the activation varies, and at distances from those that grow by a factor from their widths up to the
//! width of the distribution.

use crate::correlated::Pair;
use crate::form::{BUDGET, FormError};
use crate::mehler;
use crate::plane;
use fovea_core::Function;
use fovea_core::quadrature::{Integral, adaptive_split, normal_expectation, normal_pdf};
use fovea_core::work::{self, Exhausted};

/// Tolerance of an average over two preactivations.
pub(crate) const TOLERANCE: f64 = 1e-11;
/// An integral that is not known to this share of its scale has not converged.
const UNSETTLED: f64 = 1e-8;
/// The ratio of one distance to the next: an algebraic tail loses seven digits over one panel, which is noticed.
const STEP: f64 = 8.0;
/// An integral that is not known to this share of its size does not exist.
const DIVERGES: f64 = 1e-2;
/// Panels of the distribution resolve features wider than this share of its deviation.
const WIDE: f64 = 0.25;
/// The ends of the panels of a standard normal distribution.
const PANELS: [f64; 8] = [-38.0, -9.0, -4.0, -1.5, 1.5, 4.0, 9.0, 38.0];

/// The quadratures of one activation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Panels<'a> {
    /// The activation.
    pub(crate) activation: &'a Function,
    /// Units of work per value of it.
    pub(crate) cost: usize,
    /// Tolerance of an average over two preactivations.
    pub(crate) tolerance: f64,
}

impl Panels<'_> {
    /// The width of the narrowest place at which the activation varies; infinite where it has no scale.
    pub(crate) fn narrowest(&self) -> f64 {
        let widths = self.activation.features().iter().map(|feature| feature.width);
        widths.fold(f64::INFINITY, f64::min)
    }

    /// Where panels should end for a preactivation of deviation `scale`, of an activation blurred over `blur`.
    fn breaks(&self, scale: f64, blur: f64) -> Vec<f64> {
        let mut points = self.activation.kinks().to_vec();
        for feature in self.activation.features() {
            let mut reach = feature.width.max(blur);
            if reach > WIDE * scale {
                continue;
            }
            points.push(feature.at);
            while reach < 0.5 * scale {
                points.extend([feature.at - reach, feature.at + reach]);
                reach *= STEP;
            }
        }
        points
    }

    /// $`E\,f(z)`$ at variance `k`, for an `f` that varies where the activation does.
    ///
    /// # Errors
    /// The average is not finite, or takes more work than one evaluation may.
    pub(crate) fn average(&self, k: f64, f: impl Fn(f64) -> f64) -> Result<f64, FormError> {
        self.average_split(k, self.breaks(k.sqrt(), 0.0), f)
    }

    /// The same with panels that end at `breaks`.
    fn average_split(
        &self,
        k: f64,
        breaks: Vec<f64>,
        f: impl Fn(f64) -> f64,
    ) -> Result<f64, FormError> {
        if k == 0.0 {
            return Ok(f(0.0));
        }
        let scale = k.sqrt();
        let points: Vec<f64> = breaks.into_iter().map(|x| x / scale).collect();
        let integral = normal_expectation(|u| f(scale * u), &points);
        self.charge(integral.evaluations)?;
        // The integrand where the density ends: it is negligible for an average that exists.
        let edge = |u: f64| (f(scale * u) * normal_pdf(u)).abs();
        let edge = edge(37.0).max(edge(-37.0));
        let ends = edge <= 1e-12 * integral.value.abs() || edge < 1e-100;
        if ends { self.settled(integral, integral.size, k) } else { Err(self.growth_error(k)) }
    }

    /// Spends the cost of the activation at this many points, beyond the one unit that each has already cost.
    fn charge(&self, points: usize) -> Result<(), FormError> {
        if work::spend((self.cost - 1) * points) {
            return Ok(());
        }
        Err(Exhausted { budget: BUDGET }.into())
    }

    /// An integral that has converged on the scale `size`; one over a pole that cannot be integrated never does.
    fn settled(&self, integral: Integral, size: f64, k: f64) -> Result<f64, FormError> {
        let allowed = UNSETTLED.max(10.0 * self.tolerance) * size;
        if integral.error <= allowed {
            return Ok(integral.value);
        }
        if integral.error > DIVERGES * size || !integral.error.is_finite() {
            return Err(self.growth_error(k));
        }
        let (name, share) = (self.activation.name(), integral.error / size);
        Err(FormError::Within {
            what: format!("the average of `{name}` over preactivations of variance {k:e} converges to a relative accuracy of only {share:.0e}"),
            hint: "its digits cancel or it varies too fast there: write it in a form in which they do not, or choose a variance closer to 1".to_owned(),
        })
    }

    /// The error that an average does not exist.
    pub(crate) fn growth_error(&self, k: f64) -> FormError {
        FormError::Growth { activation: self.activation.name().to_owned(), k }
    }

    /// The size of `f` on the scale of a preactivation where its square would over- or underflow, else 1.
    pub(crate) fn unit(f: impl Fn(f64) -> f64, scale: f64) -> f64 {
        let size = f(scale).abs().max(f(-scale).abs());
        let ordinary = (1e-100..=1e100).contains(&size) || size == 0.0 || !size.is_finite();
        if ordinary { 1.0 } else { size }
    }

    /// $`E\,f(z_a)f(z_b)`$ with $`z_b=\sqrt{K_{bb}}(ru+\sqrt{1-r^2}\,v)`$, which needs no inverse of a covariance.
    ///
    /// The wider of the two is called a, so that the order of the pair makes no difference.
    pub(crate) fn average_of_two(
        &self,
        pair: Pair,
        f: impl Fn(f64) -> f64,
    ) -> Result<f64, FormError> {
        let (wide, narrow) = (pair.aa.max(pair.bb), pair.aa.min(pair.bb));
        let (a, b) = (wide.sqrt(), narrow.sqrt());
        if b == 0.0 {
            return Ok(f(0.0) * self.average(wide, &f)?);
        }
        let (unit_a, unit_b) = (Self::unit(&f, a), Self::unit(&f, b));
        let (f_a, f_b) = (|x: f64| f(x) / unit_a, |x: f64| f(x) / unit_b);
        // The growth of the activation is judged along each preactivation.
        let square_a = self.average(wide, |z| f_a(z) * f_a(z))?;
        let square_b = if a > b { self.average(narrow, |z| f_b(z) * f_b(z))? } else { square_a };
        let (r, across) = (pair.correlation(), pair.decorrelation().sqrt());
        let narrowest = self.narrowest();
        let found = if across < 1e-9 && across * b < 1e-8 * narrowest {
            let share = b / a * r.signum();
            let mut breaks = self.breaks(a, 0.0);
            breaks.extend(self.breaks(b, 0.0).into_iter().map(|x| x / share));
            self.average_split(wide, breaks, |z| f_a(z) * f_b(share * z))
        } else if let Some(found) = self.picture([a, b], [r, across], f_a, f_b) {
            Ok(found)
        } else if let Some(found) = mehler::sum(r, [square_a, square_b], |n| {
            let hermite = |u: f64| mehler::normalised(n, u);
            let of_a = self.average(wide, |z| f_a(z) * hermite(z / a))?;
            let same = wide.to_bits() == narrow.to_bits();
            let of_b = || self.average(narrow, |z| f_b(z) * hermite(z / b));
            Ok([of_a, if same { of_a } else { of_b()? }])
        })? {
            Ok(found)
        } else {
            let outer = self.nested([a, b], [r, across], f_a, f_b);
            self.charge(0)?;
            // For an odd activation of independent preactivations the integral is all rounding, so the squares set the scale.
            self.settled(outer, (square_a * square_b).sqrt(), wide)
        }?;
        Ok(found * unit_a * unit_b)
    }

    /// The same on a grid, if picture accuracy is enough and the activation is smooth and not narrow.
    fn picture(
        &self,
        [a, b]: [f64; 2],
        [r, across]: [f64; 2],
        f_a: impl Fn(f64) -> f64,
        f_b: impl Fn(f64) -> f64,
    ) -> Option<f64> {
        // The finest grid has a few points within the narrowest place.
        let seen = self.activation.kinks().is_empty() && a <= 40.0 * self.narrowest();
        if self.tolerance <= TOLERANCE || !seen {
            return None;
        }
        plane::average(|u| f_a(a * u), |u, v| f_b(b * (r * u + across * v)), self.tolerance)
    }

    /// The same by panels within panels.
    fn nested(
        &self,
        [a, b]: [f64; 2],
        [r, across]: [f64; 2],
        f_a: impl Fn(f64) -> f64,
        f_b: impl Fn(f64) -> f64,
    ) -> Integral {
        // The outer integral must not try to resolve the errors of the inner one.
        let inner_tolerance = 1e-2 * self.tolerance;
        let breaks = self.breaks(b * across, 0.0);
        let inner = |u: f64| {
            let along = r * u;
            let mut points = PANELS.to_vec();
            let at = breaks.iter().map(|x| (x / b - along) / across);
            points.extend(at.filter(|v| v.abs() < 38.0));
            let integrand = |v: f64| f_b(b * (along + across * v)) * normal_pdf(v);
            let integral = adaptive_split(integrand, &points, inner_tolerance);
            work::spend((self.cost - 1) * integral.evaluations);
            integral.value
        };
        let mut points = PANELS.to_vec();
        let of_a = self.breaks(a, 0.0).into_iter().map(|x| x / a);
        let of_b = self.breaks(b * r.abs(), b * across).into_iter().map(|x| x / (b * r));
        points.extend(of_a.chain(of_b).filter(|u| u.abs() < 38.0));
        let integrand = |u: f64| {
            let weight = f_a(a * u) * normal_pdf(u);
            // Where a narrow slope has decayed the inner integral is not needed.
            if weight == 0.0 { 0.0 } else { weight * inner(u) }
        };
        adaptive_split(integrand, &points, self.tolerance)
    }
}
