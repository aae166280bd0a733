//! The Gaussian error linear unit, exact.

use super::{Activation, Entry};
use crate::lanes::Real;

/// $`h\,\Phi(h) = \max(h, 0) - |h|\,\Phi(-|h|)`$ with the normal distribution function $`\Phi`$; nothing cancels in the second form.
#[derive(Debug)]
pub struct Gelu;

const SQRT_HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;
const FRAC_1_SQRT_2PI: f64 = 0.398_942_280_401_432_7;

/// The normal distribution function $`\Phi(h)`$, with full relative accuracy in the lower tail.
#[inline(always)]
fn cdf<T: Real>(h: T) -> T {
    T::from_f64(0.5) * (h * T::from_f64(-SQRT_HALF)).erfc()
}

/// The normal density $`\varphi(h)`$.
#[inline(always)]
fn density<T: Real>(h: T) -> T {
    T::from_f64(FRAC_1_SQRT_2PI) * (h * h * T::from_f64(-0.5)).exp()
}

impl Activation for Gelu {
    #[inline(always)]
    fn value<T: Real>(h: T) -> T {
        let open = if h > T::ZERO { h } else { T::ZERO };
        let size = h.abs();
        open - size * cdf(-size)
    }
    #[inline(always)]
    fn slope<T: Real>(h: T) -> T {
        h.fma(density(h), cdf(h))
    }
    fn curve(h: f64) -> f64 {
        (2.0 - h * h) * density(h)
    }
}

/// The registry entry.
pub const ENTRY: Entry =
    Entry::of::<Gelu>("gelu", "h Phi(h), Phi the normal distribution, exact", 0.0);
