//! The rectified linear unit.

use super::{Activation, Entry};
use crate::lanes::Real;

/// $`\max(h, 0)`$; its gate `1(h >= 0)` is open at zero, as in the notes.
#[derive(Debug)]
pub struct Relu;

impl Activation for Relu {
    const KINKS: &'static [f64] = &[0.0];

    #[inline(always)]
    fn value<T: Real>(h: T) -> T {
        if h > T::ZERO { h } else { T::ZERO }
    }
    #[inline(always)]
    fn slope<T: Real>(h: T) -> T {
        if h >= T::ZERO { T::ONE } else { T::ZERO }
    }
    fn curve(_: f64) -> f64 {
        0.0
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<Relu>("relu", "max(h, 0), gate 1(h >= 0)", 0.0);
