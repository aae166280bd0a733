//! The sigmoid linear unit, also called swish.

use super::sigmoid::logistic;
use super::{Activation, Entry};
use crate::lanes::Real;

/// $`h\,s(h)`$ with the logistic function $`s`$.
#[derive(Debug)]
pub struct Silu;

impl Activation for Silu {
    #[inline(always)]
    fn value<T: Real>(h: T) -> T {
        h * logistic(h).0
    }
    #[inline(always)]
    fn slope<T: Real>(h: T) -> T {
        let (s, bell) = logistic(h);
        h.fma(bell, s)
    }
    fn curve(h: f64) -> f64 {
        let (s, bell) = logistic(h);
        bell * (2.0 + h * (1.0 - 2.0 * s))
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<Silu>("silu", "h / (1 + exp(-h)), h times its sigmoid", 0.0);
