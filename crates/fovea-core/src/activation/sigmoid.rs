//! The logistic function.

use super::{Activation, Row};
use crate::lanes::Real;

/// $`1 / (1 + e^{-h})`$.
#[derive(Debug)]
pub struct Sigmoid;

impl Activation for Sigmoid {
    const SLOPE_FROM_VALUE: bool = true;

    #[inline(always)]
    fn value<T: Real>(h: T) -> T {
        T::ONE / (T::ONE + (-h).exp())
    }
    #[inline(always)]
    fn slope<T: Real>(h: T) -> T {
        Self::slope_from(Self::value(h))
    }
    #[inline(always)]
    fn slope_from<T: Real>(s: T) -> T {
        s * (T::ONE - s)
    }
    fn curve(h: f64) -> f64 {
        let s = Self::value(h);
        s * (1.0 - s) * (1.0 - 2.0 * s)
    }
}

/// The registry row.
pub const ENTRY: Row =
    Row::of::<Sigmoid>("sigmoid", "1 / (1 + exp(-h)), the logistic function", 0.0);
