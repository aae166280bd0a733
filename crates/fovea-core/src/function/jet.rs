//! Numbers that carry their first two derivatives: dual numbers of second order.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A value at a point, with its first and second derivative there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet {
    /// The value.
    pub value: f64,
    /// The first derivative.
    pub slope: f64,
    /// The second derivative.
    pub curve: f64,
}

impl Jet {
    /// A number that does not vary.
    pub const fn constant(value: f64) -> Self {
        Self { value, slope: 0.0, curve: 0.0 }
    }

    /// The variable itself at a point.
    pub const fn variable(value: f64) -> Self {
        Self { value, slope: 1.0, curve: 0.0 }
    }

    /// A function of this number, given its value and its two derivatives at [`Self::value`].
    #[must_use]
    pub fn through(self, value: f64, slope: f64, curve: f64) -> Self {
        // A product with an exact zero is zero: derivatives of what does not vary here are not needed.
        let times = |a: f64, b: f64| if b == 0.0 { 0.0 } else { a * b };
        Self {
            value,
            slope: times(slope, self.slope),
            curve: times(curve, self.slope * self.slope) + times(slope, self.curve),
        }
    }

    /// This number to the power `exponent`; a negative base has only constant integer powers.
    #[must_use]
    pub fn power(self, exponent: Self) -> Self {
        let base = self.value;
        if exponent.slope == 0.0 && exponent.curve == 0.0 {
            let c = exponent.value;
            let term = |factor: f64, power: f64| {
                if factor == 0.0 { 0.0 } else { factor * libm::pow(base, power) }
            };
            return self.through(
                libm::pow(base, c),
                term(c, c - 1.0),
                term(c * (c - 1.0), c - 2.0),
            );
        }
        let log = self.through(libm::log(base), 1.0 / base, -1.0 / (base * base));
        let product = exponent * log;
        let value = libm::exp(product.value);
        product.through(value, value, value)
    }
}

impl Neg for Jet {
    type Output = Self;
    fn neg(self) -> Self {
        Self { value: -self.value, slope: -self.slope, curve: -self.curve }
    }
}

impl Add for Jet {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            slope: self.slope + other.slope,
            curve: self.curve + other.curve,
        }
    }
}

impl Sub for Jet {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Jet {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self {
            value: self.value * other.value,
            slope: self.slope * other.value + self.value * other.slope,
            curve: self.curve * other.value
                + 2.0 * self.slope * other.slope
                + self.value * other.curve,
        }
    }
}

impl Div for Jet {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        // From q b = a, differentiated twice.
        let value = self.value / other.value;
        let slope = (self.slope - value * other.slope) / other.value;
        let curve = (self.curve - 2.0 * slope * other.slope - value * other.curve) / other.value;
        Self { value, slope, curve }
    }
}
