//! Activations: value, slope, curve and kinks, one per file.
//!
//! The scalar functions are generic over the two number types. A registry entry holds them in double precision for theory,
//! quadrature and the shells, and over many numbers at once for both types and every instruction set. Passes through
//! a network call the latter, so that a pass is compiled once and not for every activation.

use crate::lanes::{LANES, Real};
use crate::params::{Kind, ParamType};
use crate::registry;
use crate::simd::{Body, Level, Simd, dispatch_at};
use crate::value::Value;

/// An activation function.
pub trait Activation: Send + Sync + 'static {
    /// Where the slope jumps; quadrature splits there.
    const KINKS: &'static [f64] = &[];

    /// The activation itself.
    fn value<T: Real>(h: T) -> T;

    /// Its first derivative; at a kink, the derivative from the right.
    fn slope<T: Real>(h: T) -> T;

    /// Whether the backward pass computes the slope from the value (to rounding of order one) instead of the preactivation, which saves an
    /// exponential.
    const SLOPE_FROM_VALUE: bool = false;

    /// The slope of the backward pass: from the value if [`Self::SLOPE_FROM_VALUE`] holds, else that of the preactivation to the last bit.
    #[inline(always)]
    fn slope_from<T: Real>(kept: T) -> T {
        Self::slope(kept)
    }

    /// Its second derivative away from kinks.
    fn curve(h: f64) -> f64;
}

/// A registered activation.
#[derive(Debug)]
pub struct Entry {
    /// The name in the shells.
    pub name: &'static str,
    /// One sentence with the formula.
    pub summary: &'static str,
    /// Label of the class `neg` under this activation: its lower end where it has one.
    pub negative_label: f64,
    /// The activation in double precision.
    pub value: fn(f64) -> f64,
    /// Its slope in double precision.
    pub slope: fn(f64) -> f64,
    /// Many numbers at once, in single precision.
    pub single: Blocks<f32>,
    /// Many numbers at once, in double precision: the bits are those of [`Self::value`] and [`Self::slope`].
    pub double: Blocks<f64>,
    /// Whether the backward pass needs values and not preactivations: [`Activation::SLOPE_FROM_VALUE`].
    pub slope_from_value: bool,
    /// Its curve in double precision.
    pub curve: fn(f64) -> f64,
    /// Where the slope jumps.
    pub kinks: &'static [f64],
}

impl Entry {
    /// The entry of an activation.
    pub const fn of<A: Activation>(
        name: &'static str,
        summary: &'static str,
        negative_label: f64,
    ) -> Self {
        Self {
            name,
            summary,
            negative_label,
            value: A::value::<f64>,
            slope: A::slope::<f64>,
            single: Blocks::of::<A>(),
            double: Blocks::of::<A>(),
            slope_from_value: A::SLOPE_FROM_VALUE,
            curve: A::curve,
            kinks: A::KINKS,
        }
    }
}

/// An activation over many numbers in place, at an instruction set.
#[derive(Debug)]
pub struct Blocks<T> {
    /// Preactivations into values.
    pub values: fn(Level, &mut [T]),
    /// Preactivations into slopes.
    pub slopes: fn(Level, &mut [T]),
    /// What the forward pass kept into slopes: values or preactivations, as [`Entry::slope_from_value`] says.
    pub kept_slopes: fn(Level, &mut [T]),
}

impl<T: Real> Blocks<T> {
    const fn of<A: Activation>() -> Self {
        Self {
            values: |level, numbers| dispatch_at(level, Each(numbers, A::value::<T>)),
            slopes: |level, numbers| dispatch_at(level, Each(numbers, A::slope::<T>)),
            kept_slopes: |level, numbers| dispatch_at(level, Each(numbers, A::slope_from::<T>)),
        }
    }
}

/// A number type in which an activation processes many numbers at once.
pub trait Blocked: Real {
    /// The activation in this type.
    fn blocks(entry: &Entry) -> &Blocks<Self>;
}

impl Blocked for f32 {
    fn blocks(entry: &Entry) -> &Blocks<Self> {
        &entry.single
    }
}

impl Blocked for f64 {
    fn blocks(entry: &Entry) -> &Blocks<Self> {
        &entry.double
    }
}

/// A function of every number.
struct Each<'a, T, F>(&'a mut [T], F);

impl<T: Real, F: Fn(T) -> T> Body for Each<'_, T, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (lanes, rest) = self.0.as_chunks_mut::<LANES>();
        for x in lanes {
            // Vectors around the loop make the compiler vectorise it.
            let mut lanes = [T::ZERO; LANES];
            T::store(s, T::load(s, x), &mut lanes);
            for l in 0..LANES {
                lanes[l] = (self.1)(lanes[l]);
            }
            T::store(s, T::load(s, &lanes), x);
        }
        for x in rest {
            *x = (self.1)(*x);
        }
    }
}

macro_rules! activations {
    ($($file:ident),+ $(,)?) => {
        registry! { "src/activation": Entry; $($file),+ }

        /// The names of all activations.
        pub const NAMES: &[&str] = &[$($file::ENTRY.name),+];
    };
}

activations! {
    erf,
    erf_raw,
    gelu,
    identity,
    leaky_relu,
    relu,
    sigmoid,
    silu,
    sin,
    softplus,
    tanh,
}

/// An activation is a parameter that is chosen by name.
impl ParamType for &'static Entry {
    const KIND: Kind = Kind::Choice(NAMES);
    fn read(value: &Value) -> Option<Self> {
        let Value::Text(name) = value else { return None };
        ALL.iter().find(|entry| entry.name == name.replace('_', "-")).copied()
    }
    fn write(&self) -> Value {
        Value::Text(self.name.to_owned())
    }
    fn numbers(&self) -> Vec<f64> {
        Vec::new()
    }
}

#[cfg(test)]
mod properties {
    use super::*;

    /// Points of a grid that keep `2 step` away from every kink.
    fn grid(entry: &Entry, step: f64) -> Vec<f64> {
        let away = |h: &f64| entry.kinks.iter().all(|kink| (h - kink).abs() > 2.0 * step);
        (-60..=60).map(|i| f64::from(i) / 12.0 + 0.001).filter(away).collect()
    }

    #[test]
    fn slope_and_curve_match_central_differences() {
        let step = 1e-5;
        for entry in ALL {
            for h in grid(entry, step) {
                let slope = ((entry.value)(h + step) - (entry.value)(h - step)) / (2.0 * step);
                let curve = ((entry.slope)(h + step) - (entry.slope)(h - step)) / (2.0 * step);
                assert!((slope - (entry.slope)(h)).abs() < 1e-9, "{} slope at {h}", entry.name);
                assert!((curve - (entry.curve)(h)).abs() < 1e-9, "{} curve at {h}", entry.name);
            }
        }
    }

    /// The numbers after one of the functions over many.
    fn after<T: Copy>(level: Level, of: fn(Level, &mut [T]), numbers: &[T]) -> Vec<T> {
        let mut numbers = numbers.to_vec();
        of(level, &mut numbers);
        numbers
    }

    /// Compares the slopes of the backward pass with those of the preactivations: to twice the error of a value, which is two units, if
    /// they come from values, else to the bit.
    fn is_the_slope(entry: &Entry, from_kept: &[f64], expected: &[f64], rounding: f64) {
        let allowed = if entry.slope_from_value { 4.0 * rounding } else { 0.0 };
        for (found, slope) in from_kept.iter().zip(expected) {
            assert!((found - slope).abs() <= allowed, "{}: {found:e} {slope:e}", entry.name);
        }
    }

    #[test]
    fn many_numbers_have_the_bits_of_each_at_every_instruction_set() {
        // Not a whole number of vectors.
        let double: Vec<f64> = (-5000..5005).map(|i| f64::from(i) / 130.0).collect();
        let single: Vec<f32> = double.iter().map(|h| *h as f32).collect();
        for entry in ALL {
            let each = |f: fn(f64) -> f64| double.iter().map(|h| f(*h)).collect::<Vec<f64>>();
            let portable = |of| after(Level::Portable, of, &single);
            let singles = [portable(entry.single.values), portable(entry.single.slopes)];
            for level in Level::available() {
                let Blocks { values, slopes, kept_slopes } = entry.double;
                crate::agree::same_bits(&after(level, values, &double), &each(entry.value))
                    .unwrap();
                let expected = each(entry.slope);
                crate::agree::same_bits(&after(level, slopes, &double), &expected).unwrap();
                let kept = if entry.slope_from_value { each(entry.value) } else { double.clone() };
                let from_kept = after(level, kept_slopes, &kept);
                let judge = after(Level::Portable, kept_slopes, &kept);
                crate::agree::same_bits(&from_kept, &judge).unwrap();
                is_the_slope(entry, &from_kept, &expected, f64::EPSILON);
                let Blocks { values, slopes, kept_slopes } = entry.single;
                let found = [values, slopes].map(|of| after(level, of, &single));
                let kept = if entry.slope_from_value { &found[0] } else { &single };
                let from_kept = after(level, kept_slopes, kept);
                crate::agree::same_bits_f32(&found[0], &singles[0]).unwrap();
                crate::agree::same_bits_f32(&found[1], &singles[1]).unwrap();
                let judge = after(Level::Portable, kept_slopes, kept);
                crate::agree::same_bits_f32(&from_kept, &judge).unwrap();
                let [from_kept, expected] = [&from_kept, &found[1]]
                    .map(|x| x.iter().map(|x| x.to_f64()).collect::<Vec<_>>());
                is_the_slope(entry, &from_kept, &expected, f64::from(f32::EPSILON));
            }
        }
    }

    #[test]
    fn kinks_are_where_the_slope_jumps() {
        for entry in ALL {
            for kink in entry.kinks {
                assert!(((entry.slope)(kink + 1e-9) - (entry.slope)(kink - 1e-9)).abs() > 0.1);
            }
        }
    }

    /// The largest gap between the precisions over arguments up to `10 scale`.
    fn single_gap(entry: &Entry, scale: f32) -> f64 {
        let single: Vec<f32> = (-600..600).map(|i| i as f32 / 60.0 * scale).collect();
        let double: Vec<f64> = single.iter().map(|h| f64::from(*h)).collect();
        // Relative above one: an unbounded activation is rounded in proportion to its size.
        let gap = |(single, double): (f32, f64)| {
            assert!(single.is_finite(), "{} is {single}", entry.name);
            (single.to_f64() - double).abs() / double.abs().max(1.0)
        };
        let gaps = |of: fn(Level, &mut [f32]), exact: fn(Level, &mut [f64])| {
            let single = after(Level::best(), of, &single);
            let pairs = single.into_iter().zip(after(Level::best(), exact, &double));
            pairs.map(gap).fold(0.0, f64::max)
        };
        let values = gaps(entry.single.values, entry.double.values);
        values.max(gaps(entry.single.slopes, entry.double.slopes))
    }

    #[test]
    fn single_precision_follows_double() {
        for entry in ALL {
            for scale in [1.0, 0.01, 30.0, 1e3] {
                let gap = single_gap(entry, scale);
                assert!(gap < 6e-7, "{}, scale {scale}: {gap:e}", entry.name);
            }
        }
    }
}
