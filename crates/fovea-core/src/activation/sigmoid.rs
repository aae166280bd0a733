//! The logistic function.

use super::{Activation, Row};
use crate::lanes::Real;

/// $`1 / (1 + e^{-h})`$.
#[derive(Debug)]
pub struct Sigmoid;

impl Activation for Sigmoid {
    #[inline(always)]
    fn value<T: Real>(h: T) -> T {
        T::ONE / (T::ONE + (-h).exp())
    }
    #[inline(always)]
    fn slope<T: Real>(h: T) -> T {
        let s = Self::value(h);
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
