//! The rectified linear unit that passes a hundredth of its input when closed.

use super::{Activation, Entry};
use crate::lanes::Real;

/// $`h`$ for $`h \ge 0`$ and $`0.01\,h`$ below; the slope at zero is that of the open side.
#[derive(Debug)]
pub struct LeakyRelu;

/// The slope of the closed side.
const LEAK: f64 = 0.01;

impl Activation for LeakyRelu {
    const KINKS: &'static [f64] = &[0.0];

    #[inline(always)]
    fn value<T: Real>(h: T) -> T {
        h * Self::slope(h)
    }
    #[inline(always)]
    fn slope<T: Real>(h: T) -> T {
        if h >= T::ZERO { T::ONE } else { T::from_f64(LEAK) }
    }
    fn curve(_: f64) -> f64 {
        0.0
    }
}

/// The registry entry.
pub const ENTRY: Entry =
    Entry::of::<LeakyRelu>("leaky-relu", "h for h >= 0, 0.01 h for h < 0", 0.0);
