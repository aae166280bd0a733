//! The smooth rectifier whose slope is the logistic function.

use super::sigmoid::Sigmoid;
use super::{Activation, Entry};
use crate::lanes::Real;

/// $`\ln(1 + e^h) = \max(h, 0) + \ln(1 + e^{-|h|})`$, which overflows at neither end.
#[derive(Debug)]
pub struct Softplus;

impl Activation for Softplus {
    #[inline(always)]
    fn value<T: Real>(h: T) -> T {
        let e = (-h.abs()).exp();
        let sum = T::ONE + e;
        // The rounding of the sum is corrected to first order, so the lower end keeps its relative accuracy.
        let tail = sum.ln() + (e - (sum - T::ONE)) / sum;
        let open = if h > T::ZERO { h } else { T::ZERO };
        open + tail
    }
    #[inline(always)]
    fn slope<T: Real>(h: T) -> T {
        Sigmoid::value(h)
    }
    fn curve(h: f64) -> f64 {
        Sigmoid::slope(h)
    }
}

/// The registry entry.
pub const ENTRY: Entry =
    Entry::of::<Softplus>("softplus", "ln(1 + exp(h)), a smooth rectifier", 0.0);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::agrees_to_digits;

    #[test]
    fn both_ends_keep_their_digits() {
        for h in [-30.0, -50.0, -80.0] {
            agrees_to_digits(Softplus::value(h), libm::exp(h), 13.0).unwrap();
            agrees_to_digits(f64::from(Softplus::value(h as f32)), libm::exp(h), 6.5).unwrap();
        }
        for h in [40.0, 1e3, 1e30] {
            agrees_to_digits(Softplus::value(h), h, 15.0).unwrap();
            agrees_to_digits(f64::from(Softplus::value(h as f32)), h, 7.0).unwrap();
        }
    }
}
