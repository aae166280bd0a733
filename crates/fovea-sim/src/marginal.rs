//! Distributions of one number, as increasing functions `Q(Phi(z))` of a standard normal.
//!
//! A probability near 1 has no digits left for the tail it cuts off, so nothing is computed from `Phi(z)` there: the
//! tail comes from the complementary error function of `|z|`. Beyond 37 the function is constant.

use crate::pairs::Entrywise;
use crate::quantiles::Quantiles;
use fovea_core::quadrature::adaptive_split;
use fovea_core::special::{normal_quantile, normal_sf};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, SQRT_2};

/// A distribution with mean zero and variance one.
#[derive(Clone, Debug)]
pub enum Marginal {
    /// Uniform on `[-sqrt 3, sqrt 3]`.
    Uniform,
    /// Density `1 / (pi sqrt(2 - x^2))`.
    Arcsine,
    /// Density `exp(-sqrt 2 |x|) / sqrt 2`.
    Laplace,
    /// Distribution function `(1 + x / (1 + |x|^k)^(1/k)) / 2`, divided by its standard deviation.
    Kur {
        /// Exponent; the tail of the distribution falls as `|x|^-k`.
        k: f64,
        /// Standard deviation before the division.
        std: f64,
    },
    /// A table.
    Custom(Quantiles),
}

/// Beyond this point the normal tail is subnormal and loses digits.
const END: f64 = 37.0;

/// Below this `k` more than 1e-10 of the variance of `kur` lies where the normal tail has lost its digits.
pub const SLOWEST: f64 = 2.07;

/// With more bends than this only some of them become panel ends.
const MANY: usize = 1000;

impl Marginal {
    /// The distribution with exponent `k > 2`.
    pub fn kur(k: f64) -> Self {
        Self::Kur { k, std: kur_variance(k).sqrt() }
    }

    /// The value at a standard normal `z`.
    pub fn value(&self, z: f64) -> f64 {
        let z = z.clamp(-END, END);
        let size = z.abs();
        match self {
            Self::Uniform => 3.0_f64.sqrt() * libm::erf(z * FRAC_1_SQRT_2),
            Self::Arcsine => SQRT_2 * libm::sin(FRAC_PI_2 * libm::erf(z * FRAC_1_SQRT_2)),
            Self::Laplace => (-FRAC_1_SQRT_2 * ln_erf(size).1).copysign(z),
            Self::Kur { k, std } => {
                let below = libm::log(-libm::expm1(k * ln_erf(size).0));
                let v = libm::erf(size * FRAC_1_SQRT_2);
                (v * libm::exp(-below / k) / std).copysign(z)
            }
            Self::Custom(law) if z < 0.0 => law.at(normal_sf(size)),
            Self::Custom(law) => law.at_upper(normal_sf(size)),
        }
    }

    /// Whether the distribution is symmetric about 0.
    pub fn is_symmetric(&self) -> bool {
        if let Self::Custom(law) = self { law.is_symmetric() } else { true }
    }

    /// What the quadrature of its covariances needs to know.
    ///
    /// # Errors
    /// Too much of the variance lies where double precision has no normal tail.
    pub fn entrywise<'a>(
        &self,
        value: &'a (dyn Fn(f64) -> f64 + Sync),
    ) -> Result<Entrywise<'a>, String> {
        let mut entrywise = Entrywise::odd(value, vec![0.0]);
        match self {
            Self::Kur { k, .. } if *k < SLOWEST => {
                return Err(format!(
                    "the variance of kur at k = {k} lies in tails beyond double precision; from k = {SLOWEST} on it is known"
                ));
            }
            Self::Kur { .. } => entrywise.reach = END,
            Self::Custom(law) => {
                let bends: Vec<f64> = law.inner_probabilities().map(normal_quantile).collect();
                let every = bends.len().div_ceil(MANY).max(1);
                entrywise.bends = bends.into_iter().step_by(every).collect();
                entrywise.odd = law.is_symmetric();
            }
            _ => {}
        }
        Ok(entrywise)
    }
}

/// Logarithms of `erf(z / sqrt 2)` and of `1 - erf(z / sqrt 2)` for `z >= 0`, each to full relative accuracy.
fn ln_erf(z: f64) -> (f64, f64) {
    let (inside, outside) = (libm::erf(z * FRAC_1_SQRT_2), 2.0 * normal_sf(z));
    if inside < 0.5 {
        (libm::log(inside), libm::log1p(-inside))
    } else {
        (libm::log1p(-outside), libm::log(outside))
    }
}

/// Mean square of `Q = v / (1 - v^k)^(1/k)`, `v` uniform on (0, 1), by quadrature.
///
/// `Q^2` is not bounded at `v = 1` and barely integrable for `k` near 2. With `v^k = 1 - y^p`, `p = k / (k - 2)`, it
/// becomes `(1 - y^p)^(3/k - 1) / (k - 2)`, which is bounded; that serves the part with `v^k > 1/2`.
fn kur_variance(k: f64) -> f64 {
    let low = |v: f64| v * v * libm::exp(-2.0 / k * libm::log1p(-libm::pow(v, k)));
    // For a large k the integrand changes only close to v = 1.
    let half = libm::exp2(-1.0 / k);
    let points = [60.0, 16.0, 4.0].map(|f| half * (1.0 - f / k).max(0.0));
    let low = adaptive_split(low, &[&points[..], &[0.0, half]].concat(), 1e-14).value;
    let p = k / (k - 2.0);
    // y = 1 - s: for a large p the integrand changes only close to y = 1.
    let high = |s: f64| libm::exp((3.0 / k - 1.0) * libm::log(-libm::expm1(p * libm::log1p(-s))));
    let from = -libm::expm1(-std::f64::consts::LN_2 / p);
    let points: Vec<f64> = [1.0, 4.0, 16.0, 60.0].iter().map(|f| (f * from).min(1.0)).collect();
    let points = [&points[..], &[1.0]].concat();
    low + adaptive_split(high, &points, 1e-14).value / (k - 2.0)
}

/// A symmetric distribution in single precision: a cubic on every cell of `|z|`.
#[derive(Clone, Debug)]
pub struct Table(Box<[[f32; 4]; ROOM]>);

/// Cells per unit of `z`: a power of two, so that the place inside a cell is exact.
const CELLS: f32 = 64.0;

/// The last place of the table, just below `z = 9`; once in 4e18 draws a normal lies beyond it and is clipped to it.
const LAST: f32 = 575.99994;

/// Cells of the table: a power of two above the last place.
const ROOM: usize = 1024;

impl Table {
    /// Tabulates a symmetric distribution.
    pub fn new(law: &Marginal) -> Self {
        let cell = |i: usize| {
            let f = |t: f64| law.value((i as f64 + t) / f64::from(CELLS));
            let (a, b, c, d) = (f(0.0), f(1.0 / 3.0), f(2.0 / 3.0), f(1.0));
            // The cubic through the four points.
            [
                a,
                0.5 * (-11.0 * a + 18.0 * b - 9.0 * c + 2.0 * d),
                0.5 * (18.0 * a - 45.0 * b + 36.0 * c - 9.0 * d),
                4.5 * (d - a - 3.0 * (c - b)),
            ]
            .map(|x| x as f32)
        };
        let mut cells = Box::new([[0.0; 4]; ROOM]);
        for i in 0..=LAST as usize {
            cells[i] = cell(i);
        }
        Self(cells)
    }

    /// The value at a standard normal `z`.
    #[inline(always)]
    pub fn value(&self, z: f32) -> f32 {
        let place = z.abs() * CELLS;
        let place = if place > LAST { LAST } else { place };
        // Signed conversion exists on every vector unit, and the mask avoids the bounds check.
        let cell = place as i32;
        let t = place - cell as f32;
        let c = &self.0[cell as usize & (ROOM - 1)];
        c[3].mul_add(t, c[2]).mul_add(t, c[1]).mul_add(t, c[0]).copysign(z)
    }
}

#[cfg(test)]
mod tests;
