//! The linear unit.

use super::{Activation, Entry};
use crate::lanes::Real;

/// $`h`$.
#[derive(Debug)]
pub struct Identity;

impl Activation for Identity {
    #[inline(always)]
    fn value<T: Real>(h: T) -> T {
        h
    }
    #[inline(always)]
    fn slope<T: Real>(_: T) -> T {
        T::ONE
    }
    fn curve(_: f64) -> f64 {
        0.0
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<Identity>("identity", "h, a linear network", 0.0);
