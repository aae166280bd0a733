//! Activations: value, slope, curve and kinks, one a file.
//!
//! The scalar functions are generic over the two kernel types, so a training kernel inlines them; the registry's rows
//! hold the same functions in double precision for theory, quadrature and the shells.

use crate::lanes::{LANES, Real};
use crate::params::{Kind, ParamType};
use crate::registry;
use crate::simd::{Kernel, Simd, dispatch};
use crate::value::Value;

/// An activation function.
pub trait Activation: Send + Sync + 'static {
    /// Where the slope jumps; quadrature splits there.
    const KINKS: &'static [f64] = &[];

    /// The activation itself.
    fn value<T: Real>(h: T) -> T;

    /// Its first derivative; at a kink, the derivative from the right.
    fn slope<T: Real>(h: T) -> T;

    /// Whether the slope follows from the value, so that the value is what the way back needs and not the preactivation.
    const SLOPE_FROM_VALUE: bool = false;

    /// The slope, to the last bit, from the value where [`Self::SLOPE_FROM_VALUE`] holds and from the preactivation else.
    #[inline(always)]
    fn slope_from<T: Real>(kept: T) -> T {
        Self::slope(kept)
    }

    /// Its second derivative away from kinks.
    fn curve(h: f64) -> f64;
}

/// A registered activation.
#[derive(Debug)]
pub struct Row {
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
    /// Many numbers into their values, in the registers of the machine; the bits are those of [`Self::value`].
    pub values: fn(&mut [f64]),
    /// Many numbers into their slopes.
    pub slopes: fn(&mut [f64]),
    /// Its curve in double precision.
    pub curve: fn(f64) -> f64,
    /// Where the slope jumps.
    pub kinks: &'static [f64],
}

impl Row {
    /// The row of an activation.
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
            values: |numbers| dispatch(Each(numbers, A::value::<f64>)),
            slopes: |numbers| dispatch(Each(numbers, A::slope::<f64>)),
            curve: A::curve,
            kinks: A::KINKS,
        }
    }
}

/// A function of every number.
struct Each<'a, F>(&'a mut [f64], F);

impl<F: Fn(f64) -> f64> Kernel for Each<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let (lanes, rest) = self.0.as_chunks_mut::<LANES>();
        for lanes in lanes {
            for x in lanes {
                *x = (self.1)(*x);
            }
        }
        for x in rest {
            *x = (self.1)(*x);
        }
    }
}

/// Work that is compiled once for each activation.
pub trait Visitor {
    /// What the work returns.
    type Output;

    /// Does the work with activation `A` known to the compiler.
    fn visit<A: Activation>(self) -> Self::Output;
}

macro_rules! activations {
    ($($file:ident::$activation:ident),+ $(,)?) => {
        registry! { "src/activation": Row; $($file),+ }

        /// The names of all activations.
        pub const NAMES: &[&str] = &[$($file::ENTRY.name),+];

        /// Runs `visitor` with the activation called `name`, or returns it unused if there is none.
        ///
        /// # Errors
        /// No activation has this name.
        pub fn visit<V: Visitor>(name: &str, visitor: V) -> Result<V::Output, V> {
            match name {
                $(n if n == $file::ENTRY.name => Ok(visitor.visit::<$file::$activation>()),)+
                _ => Err(visitor),
            }
        }
    };
}

activations! {
    erf::Erf,
    erf_raw::ErfRaw,
    gelu::Gelu,
    identity::Identity,
    leaky_relu::LeakyRelu,
    relu::Relu,
    sigmoid::Sigmoid,
    silu::Silu,
    sin::Sin,
    softplus::Softplus,
    tanh::Tanh,
}

/// An activation is a parameter that is chosen by name.
impl ParamType for &'static Row {
    const KIND: Kind = Kind::Choice(NAMES);
    fn read(value: &Value) -> Option<Self> {
        let Value::Text(name) = value else { return None };
        ALL.iter().find(|row| row.name == name.replace('_', "-")).copied()
    }
    fn write(&self) -> Value {
        Value::Text(self.name.to_owned())
    }
    fn numbers(&self) -> Vec<f64> {
        Vec::new()
    }
}

#[cfg(test)]
mod laws {
    use super::*;

    /// Points of a grid that keep `2 step` away from every kink.
    fn grid(row: &Row, step: f64) -> Vec<f64> {
        let away = |h: &f64| row.kinks.iter().all(|kink| (h - kink).abs() > 2.0 * step);
        (-60..=60).map(|i| f64::from(i) / 12.0 + 0.001).filter(away).collect()
    }

    #[test]
    fn slope_and_curve_match_central_differences() {
        let step = 1e-5;
        for row in ALL {
            for h in grid(row, step) {
                let slope = ((row.value)(h + step) - (row.value)(h - step)) / (2.0 * step);
                let curve = ((row.slope)(h + step) - (row.slope)(h - step)) / (2.0 * step);
                assert!((slope - (row.slope)(h)).abs() < 1e-9, "{} slope at {h}", row.name);
                assert!((curve - (row.curve)(h)).abs() < 1e-9, "{} curve at {h}", row.name);
            }
        }
    }

    struct KeptSlope(f32);

    impl Visitor for KeptSlope {
        type Output = (f32, f32);
        fn visit<A: Activation>(self) -> (f32, f32) {
            let kept = if A::SLOPE_FROM_VALUE { A::value(self.0) } else { self.0 };
            (A::slope_from(kept), A::slope(self.0))
        }
    }

    #[test]
    fn the_slope_from_what_is_kept_is_the_slope() {
        for row in ALL {
            for i in -4000..4000_i16 {
                let (kept, slope) = visit(row.name, KeptSlope(f32::from(i) / 90.0)).ok().unwrap();
                crate::agree::same_bits_f32(&[kept], &[slope]).unwrap();
            }
        }
    }

    #[test]
    fn many_numbers_have_the_bits_of_each() {
        let numbers: Vec<f64> = (-5000..5005).map(|i| f64::from(i) / 130.0).collect();
        for row in ALL {
            let [mut values, mut slopes] = [numbers.clone(), numbers.clone()];
            (row.values)(&mut values);
            (row.slopes)(&mut slopes);
            let each = |f: fn(f64) -> f64| numbers.iter().map(|h| f(*h)).collect::<Vec<f64>>();
            crate::agree::same_bits(&values, &each(row.value)).unwrap();
            crate::agree::same_bits(&slopes, &each(row.slope)).unwrap();
        }
    }

    #[test]
    fn kinks_are_where_the_slope_jumps() {
        for row in ALL {
            for kink in row.kinks {
                assert!(((row.slope)(kink + 1e-9) - (row.slope)(kink - 1e-9)).abs() > 0.1);
            }
        }
    }

    /// The largest gap between the precisions over arguments up to `10 scale`.
    struct SingleGap {
        scale: f32,
    }

    impl Visitor for SingleGap {
        type Output = f64;
        fn visit<A: Activation>(self) -> f64 {
            // Relative to numbers above one: an unbounded activation is rounded in proportion to its size.
            let gap =
                |single: f32, double: f64| (single.to_f64() - double).abs() / double.abs().max(1.0);
            (-600..600).fold(0.0, |worst: f64, i| {
                let h = i as f32 / 60.0 * self.scale;
                let value = gap(A::value(h), A::value(f64::from(h)));
                let slope = gap(A::slope(h), A::slope(f64::from(h)));
                assert!(value.is_finite() && slope.is_finite(), "at {h}");
                worst.max(value).max(slope)
            })
        }
    }

    #[test]
    fn single_precision_follows_double() {
        for row in ALL {
            for scale in [1.0, 0.01, 30.0, 1e3] {
                let gap = visit(row.name, SingleGap { scale }).ok().unwrap();
                assert!(gap < 6e-7, "{}, scale {scale}: {gap:e}", row.name);
            }
        }
        assert!(visit("no-such", SingleGap { scale: 1.0 }).is_err());
    }
}
