//! Products with the entries of samples, and a cheaper way for pulses and spins.
//!
//! Where entries are 1 and -1, or 1 and 0, a product is exact and `w x + sum` is one rounded addition: the bits are those of the
//! fused product. A processor that can add in parallel with its multiply-adds does some of the products this way and is faster.

use crate::simd::{Body, Simd, adds_beside_products, dispatch};
use fovea_core::lanes::{BLOCK, Real};

/// The kind of entries that some samples have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fused) enum Entries {
    /// Any numbers.
    Any,
    /// 1 and -1.
    Signs,
    /// 1 and 0.
    Gates,
}

impl Entries {
    /// The kind of these, where knowing it helps a network of this many units.
    pub(in crate::fused) fn of<T: Real>(x: &[[T; BLOCK]], units: usize) -> Self {
        // Looking costs as much as one unit's products, and only tiles of many units are split.
        let known = |x: &T| x.abs() == T::ONE || *x == T::ZERO;
        let worth = units >= 8 && size_of::<T>() == 4 && x[0].first().is_some_and(known);
        if !worth || !adds_beside_products() {
            return Self::Any;
        }
        dispatch(Look { x })
    }

    /// The kind of these and others together.
    pub(in crate::fused) fn and(self, other: Self) -> Self {
        if self == other { self } else { Self::Any }
    }
}

struct Look<'a, T> {
    x: &'a [[T; BLOCK]],
}

impl<T: Real> Body for Look<'_, T> {
    type Output = Entries;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> Entries {
        if all(self.x, |x| x.abs() == T::ONE) {
            Entries::Signs
        } else if all(self.x, |x| x == T::ONE || (x == T::ZERO && T::ONE.copysign(x) > T::ZERO)) {
            Entries::Gates
        } else {
            Entries::Any
        }
    }
}

/// Whether every entry passes; it stops at the first row that fails.
#[inline(always)]
fn all<T: Real>(x: &[[T; BLOCK]], passes: impl Fn(T) -> bool) -> bool {
    x.iter().all(|row| {
        let mut every = true;
        for entry in row {
            every &= passes(*entry);
        }
        every
    })
}

/// A way to compute the products of a tile.
pub(super) trait Products: Copy {
    /// How many of `terms` products, each added to a sum of its own, are computed the other way.
    fn split(self, terms: usize) -> usize;
    /// `a * x` the other way.
    fn other<T: Real, S: Simd>(self, s: S, a: T::Lanes<S>, x: T::Lanes<S>) -> T::Lanes<S>;

    /// `a * x + sum` for product `term` of `terms`.
    #[inline(always)]
    fn add<T: Real, S: Simd>(
        self,
        s: S,
        (term, terms): (usize, usize),
        a: T::Lanes<S>,
        x: T::Lanes<S>,
        sum: T::Lanes<S>,
    ) -> T::Lanes<S> {
        if term + self.split(terms) < terms {
            T::times_plus(s, a, x, sum)
        } else {
            T::plus(s, sum, self.other::<T, S>(s, a, x))
        }
    }
}

/// Fused products of any numbers.
#[derive(Clone, Copy)]
pub(super) struct Fused;

impl Products for Fused {
    #[inline(always)]
    fn split(self, _: usize) -> usize {
        0
    }
    #[inline(always)]
    fn other<T: Real, S: Simd>(self, s: S, a: T::Lanes<S>, x: T::Lanes<S>) -> T::Lanes<S> {
        T::times(s, a, x)
    }
}

macro_rules! split {
    ($about:literal $name:ident = $other:ident) => {
        #[doc = $about]
        #[derive(Clone, Copy)]
        pub(super) struct $name;

        impl Products for $name {
            #[inline(always)]
            fn split(self, terms: usize) -> usize {
                // A product the other way takes two instructions, not all of them on the adding units: measured, splitting off a quarter of
                // the products is faster than three eighths.
                terms / 4
            }
            #[inline(always)]
            fn other<T: Real, S: Simd>(self, s: S, a: T::Lanes<S>, x: T::Lanes<S>) -> T::Lanes<S> {
                T::$other(s, a, x)
            }
        }
    };
}

split!("Products by 1 and -1." BySign = times_sign);
split!("Products by 1 and 0." ByGate = times_gate);
