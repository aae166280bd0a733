//! The error function without the factor: what the lectures call erf.

use super::{Activation, Entry};
use crate::lanes::Real;

/// $`\mathrm{erf}(h)`$.
#[derive(Debug)]
pub struct ErfRaw;

const TWO_OVER_SQRT_PI: f64 = std::f64::consts::FRAC_2_SQRT_PI;

impl Activation for ErfRaw {
    #[inline(always)]
    fn value<T: Real>(h: T) -> T {
        h.erf()
    }
    #[inline(always)]
    fn slope<T: Real>(h: T) -> T {
        T::from_f64(TWO_OVER_SQRT_PI) * (-(h * h)).exp()
    }
    fn curve(h: f64) -> f64 {
        -2.0 * h * Self::slope(h)
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<ErfRaw>("erf-raw", "erf(h), the lectures' erf", -1.0);
