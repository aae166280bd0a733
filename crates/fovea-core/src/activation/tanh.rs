//! The hyperbolic tangent.

use super::{Activation, Entry};
use crate::lanes::Real;

/// $`\tanh h=-\mathrm{sign}(h)\,q/(2+q)`$ with $`q=e^{-2|h|}-1`$: this cannot overflow, and no digits cancel, however small $`h`$ is.
#[derive(Debug)]
pub struct Tanh;

impl Activation for Tanh {
    const SLOPE_FROM_VALUE: bool = true;

    #[inline(always)]
    fn value<T: Real>(h: T) -> T {
        let q = (h.abs() * T::from_f64(-2.0)).exp_m1();
        (-q / (T::from_f64(2.0) + q)).copysign(h)
    }
    /// $`4e/(1+e)^2`$ with $`e=e^{-2|h|}`$, which keeps its digits where the hyperbolic tangent has reached one.
    #[inline(always)]
    fn slope<T: Real>(h: T) -> T {
        let e = (h.abs() * T::from_f64(-2.0)).exp();
        let half = T::from_f64(2.0) / (T::ONE + e);
        e * half * half
    }
    #[inline(always)]
    fn slope_from<T: Real>(t: T) -> T {
        (T::ONE - t) * (T::ONE + t)
    }
    fn curve(h: f64) -> f64 {
        -2.0 * Self::value(h) * Self::slope(h)
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<Tanh>("tanh", "tanh h", -1.0);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::{same_bits, within};

    /// An argument with its tangent, slope and curve: mpmath, 400 digits.
    const KNOWN: [(f64, f64, f64, f64); 17] = [
        (5e-324, 5e-324, 1.0, -1e-323),
        (1e-300, 1e-300, 1.0, -2e-300),
        (1e-20, 1e-20, 1.0, -2e-20),
        (3e-10, 3e-10, 1.0, -6e-10),
        (1e-06, 9.999999999996666e-07, 0.999999999999, -1.9999999999973334e-06),
        (0.001, 0.0009999996666668, 0.9999990000006667, -0.0019999973333356),
        (0.1, 0.09966799462495582, 0.9900662908474398, -0.19735584350906515),
        (0.17, 0.16838104587081473, 0.9716478233914506, -0.32721415344150623),
        (0.34, 0.32747739480870536, 0.8927585558893033, -0.584716492151622),
        (0.5, 0.46211715726000974, 0.7864477329659274, -0.7268619813835873),
        (1.0, 0.7615941559557649, 0.4199743416140261, -0.6397000084492245),
        (3.0, 0.9950547536867305, 0.00986603716544019, -0.019634494363042435),
        (9.0, 0.999999969540041, 6.091991712323229e-08, -1.2183983053522824e-07),
        (19.0, 0.9999999999999999, 1.2556531168192118e-16, -2.511306233638423e-16),
        (25.0, 1.0, 7.714999391855671e-22, -1.5429998783711343e-21),
        (100.0, 1.0, 5.53558610694695e-87, -1.10711722138939e-86),
        (350.0, 1.0, 3.943870617503908e-304, -7.887741235007817e-304),
    ];

    #[test]
    fn every_argument_keeps_its_digits() {
        for (h, value, slope, curve) in KNOWN {
            for sign in [1.0, -1.0] {
                within(Tanh::value(sign * h), sign * value, 5e-16, 0.0).unwrap();
                within(Tanh::slope(sign * h), slope, 7e-16, 0.0).unwrap();
                within(Tanh::curve(sign * h), sign * curve, 1.2e-15, 0.0).unwrap();
            }
            assert_eq!(Tanh::value(-h).to_bits(), (-Tanh::value(h)).to_bits());
        }
        for h in [1e3, 1e300, f64::INFINITY] {
            same_bits(&[Tanh::value(h), Tanh::value(-h), Tanh::slope(h)], &[1.0, -1.0, 0.0])
                .unwrap();
        }
        assert!(Tanh::value(f64::NAN).is_nan());
    }

    /// The reference is the function in double precision, which the test above checks.
    #[test]
    fn single_precision_keeps_its_digits() {
        let sizes = (0..1480).map(|i| 1e-36 * libm::pow(1.06, f64::from(i)));
        for h in sizes.map(|h| h as f32) {
            let (value, slope) = (Tanh::value(f64::from(h)), Tanh::slope(f64::from(h)));
            within(Tanh::value(h).to_f64(), value, 2.5e-7, 0.0).unwrap();
            within(Tanh::slope(h).to_f64(), slope, 4e-7, 1e-37).unwrap();
            assert_eq!(Tanh::value(-h).to_bits(), (-Tanh::value(h)).to_bits());
        }
    }
}
