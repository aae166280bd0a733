//! The sine, a periodic activation.

use super::{Activation, Entry};
use crate::lanes::Real;

/// $`\sin h`$.
#[derive(Debug)]
pub struct Sin;

impl Activation for Sin {
    #[inline(always)]
    fn value<T: Real>(h: T) -> T {
        h.sin()
    }
    #[inline(always)]
    fn slope<T: Real>(h: T) -> T {
        h.cos()
    }
    fn curve(h: f64) -> f64 {
        -Self::value(h)
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<Sin>("sin", "sin h", -1.0);
