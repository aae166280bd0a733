//! The logistic function.

use super::tanh::Tanh;
use super::{Activation, Entry};
use crate::lanes::Real;

/// $`1 / (1 + e^{-h})`$.
#[derive(Debug)]
pub struct Sigmoid;

/// $`s(h)`$ and $`s(h)(1 - s(h))`$, neither computed as a difference of numbers near one.
#[inline(always)]
pub(super) fn logistic<T: Real>(h: T) -> (T, T) {
    let e = (-h.abs()).exp();
    let upper = T::ONE / (T::ONE + e);
    let lower = e * upper;
    (if h > T::ZERO { upper } else { lower }, upper * lower)
}

impl Activation for Sigmoid {
    const SLOPE_FROM_VALUE: bool = true;

    #[inline(always)]
    fn value<T: Real>(h: T) -> T {
        T::ONE / (T::ONE + (-h).exp())
    }
    #[inline(always)]
    fn slope<T: Real>(h: T) -> T {
        logistic(h).1
    }
    #[inline(always)]
    fn slope_from<T: Real>(s: T) -> T {
        s * (T::ONE - s)
    }
    fn curve(h: f64) -> f64 {
        // 1 - 2 s is -tanh(h/2), which does not cancel.
        -Tanh::value(0.5 * h) * Self::slope(h)
    }
}

/// The registry entry.
pub const ENTRY: Entry =
    Entry::of::<Sigmoid>("sigmoid", "1 / (1 + exp(-h)), the logistic function", 0.0);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::within;

    /// An argument, the function there and at minus it, slope and curve: mpmath, 400 digits.
    const KNOWN: [(f64, f64, f64, f64, f64); 7] = [
        (1e-10, 0.500000000025, 0.499999999975, 0.25, -1.25e-11),
        (
            0.001,
            0.5002499999791666,
            0.4997500000208333,
            0.24999993750001043,
            -0.0001249999583333422,
        ),
        (1.0, 0.7310585786300049, 0.2689414213699951, 0.19661193324148185, -0.09085774767294841),
        (
            20.0,
            0.9999999979388464,
            2.0611536181902037e-09,
            2.061153613941849e-09,
            -2.061153605445141e-09,
        ),
        (40.0, 1.0, 4.248354255291589e-18, 4.248354255291589e-18, -4.248354255291589e-18),
        (300.0, 1.0, 5.148200222412013e-131, 5.148200222412013e-131, -5.148200222412013e-131),
        (700.0, 1.0, 9.85967654375977e-305, 9.85967654375977e-305, -9.85967654375977e-305),
    ];

    #[test]
    fn both_ends_keep_their_digits() {
        for (h, value, opposite, slope, curve) in KNOWN {
            within(Sigmoid::value(h), value, 5e-16, 0.0).unwrap();
            within(Sigmoid::value(-h), opposite, 5e-16, 0.0).unwrap();
            for sign in [1.0, -1.0] {
                within(Sigmoid::slope(sign * h), slope, 7e-16, 0.0).unwrap();
                within(Sigmoid::curve(sign * h), sign * curve, 1.2e-15, 0.0).unwrap();
            }
        }
    }
}
