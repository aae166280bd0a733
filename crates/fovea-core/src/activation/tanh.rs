//! The hyperbolic tangent.

use super::{Activation, Row};
use crate::lanes::Real;

/// $`\tanh h = \mathrm{sign}(h) (1 - e^{-2|h|}) / (1 + e^{-2|h|})`$, a form that cannot overflow.
#[derive(Debug)]
pub struct Tanh;

impl Activation for Tanh {
    const SLOPE_FROM_VALUE: bool = true;

    #[inline(always)]
    fn value<T: Real>(h: T) -> T {
        let e = (h.abs() * T::from_f64(-2.0)).exp();
        ((T::ONE - e) / (T::ONE + e)).copysign(h)
    }
    #[inline(always)]
    fn slope<T: Real>(h: T) -> T {
        Self::slope_from(Self::value(h))
    }
    #[inline(always)]
    fn slope_from<T: Real>(t: T) -> T {
        T::ONE - t * t
    }
    fn curve(h: f64) -> f64 {
        let t = Self::value(h);
        -2.0 * t * (1.0 - t * t)
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<Tanh>("tanh", "tanh h", -1.0);
