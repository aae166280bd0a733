//! The error function of the notes, whose slope is a Gaussian of unit variance.

use super::{Activation, Entry};
use crate::lanes::Real;

/// $`\mathrm{erf}(h / \sqrt 2)`$.
#[derive(Debug)]
pub struct Erf;

const SQRT_HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;
const SQRT_2_OVER_PI: f64 = 0.797_884_560_802_865_4;

impl Activation for Erf {
    #[inline(always)]
    fn value<T: Real>(h: T) -> T {
        (h * T::from_f64(SQRT_HALF)).erf()
    }
    #[inline(always)]
    fn slope<T: Real>(h: T) -> T {
        T::from_f64(SQRT_2_OVER_PI) * (h * h * T::from_f64(-0.5)).exp()
    }
    fn curve(h: f64) -> f64 {
        -h * Self::slope(h)
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<Erf>("erf", "erf(h / sqrt 2), the notes' sigmoid", -1.0);
