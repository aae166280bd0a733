//! Complex numbers in registers, and the short transforms that make up the passes.

use super::super::{Real, Register};
use crate::simd::Simd;

/// One complex number per lane.
pub(super) type Complex<T, S> = (<T as Register>::Lanes<S>, <T as Register>::Lanes<S>);

#[inline(always)]
pub(super) fn splat<T: Register, S: Simd>(s: S, (re, im): (T, T)) -> Complex<T, S> {
    (T::splat(s, re), T::splat(s, im))
}

#[inline(always)]
pub(super) fn plus<T: Register, S: Simd>(
    s: S,
    a: Complex<T, S>,
    b: Complex<T, S>,
) -> Complex<T, S> {
    (T::plus(s, a.0, b.0), T::plus(s, a.1, b.1))
}

#[inline(always)]
pub(super) fn minus<T: Register, S: Simd>(
    s: S,
    a: Complex<T, S>,
    b: Complex<T, S>,
) -> Complex<T, S> {
    (T::minus(s, a.0, b.0), T::minus(s, a.1, b.1))
}

/// `a + i b`.
#[inline(always)]
pub(super) fn plus_turned<T: Register, S: Simd>(
    s: S,
    a: Complex<T, S>,
    b: Complex<T, S>,
) -> Complex<T, S> {
    (T::minus(s, a.0, b.1), T::plus(s, a.1, b.0))
}

/// `a - i b`.
#[inline(always)]
pub(super) fn minus_turned<T: Register, S: Simd>(
    s: S,
    a: Complex<T, S>,
    b: Complex<T, S>,
) -> Complex<T, S> {
    (T::plus(s, a.0, b.1), T::minus(s, a.1, b.0))
}

/// `a * c` for real `c`.
#[inline(always)]
pub(super) fn scaled<T: Register, S: Simd>(s: S, a: Complex<T, S>, c: T) -> Complex<T, S> {
    let c = T::splat(s, c);
    (T::times(s, a.0, c), T::times(s, a.1, c))
}

/// `a * c + b` for real `c`.
#[inline(always)]
pub(super) fn scaled_plus<T: Register, S: Simd>(
    s: S,
    a: Complex<T, S>,
    c: T,
    b: Complex<T, S>,
) -> Complex<T, S> {
    let c = T::splat(s, c);
    (T::times_plus(s, a.0, c, b.0), T::times_plus(s, a.1, c, b.1))
}

#[inline(always)]
pub(super) fn times<T: Register, S: Simd>(
    s: S,
    a: Complex<T, S>,
    (cos, sin): Complex<T, S>,
) -> Complex<T, S> {
    let re = T::times_minus(s, a.0, cos, T::times(s, a.1, sin));
    (re, T::times_plus(s, a.0, sin, T::times(s, a.1, cos)))
}

/// A transform of fixed length. It is a type and not a function value, so that it is compiled for the instruction set around it.
pub(super) trait Butterfly<const R: usize> {
    fn of<T: Real, S: Simd>(s: S, values: [Complex<T, S>; R]) -> [Complex<T, S>; R];
}

pub(super) struct Two;

impl Butterfly<2> for Two {
    #[inline(always)]
    fn of<T: Real, S: Simd>(s: S, [a, b]: [Complex<T, S>; 2]) -> [Complex<T, S>; 2] {
        [plus::<T, S>(s, a, b), minus::<T, S>(s, a, b)]
    }
}

pub(super) struct Three;

impl Butterfly<3> for Three {
    #[inline(always)]
    fn of<T: Real, S: Simd>(s: S, [a, b, c]: [Complex<T, S>; 3]) -> [Complex<T, S>; 3] {
        let sum = plus::<T, S>(s, b, c);
        let mean = scaled_plus::<T, S>(s, sum, T::from_f64(-0.5), a);
        let gap = minus::<T, S>(s, b, c);
        let turn = scaled::<T, S>(s, gap, T::from_f64(0.866_025_403_784_438_6));
        [
            plus::<T, S>(s, a, sum),
            plus_turned::<T, S>(s, mean, turn),
            minus_turned::<T, S>(s, mean, turn),
        ]
    }
}

pub(super) struct Four;

impl Butterfly<4> for Four {
    #[inline(always)]
    fn of<T: Real, S: Simd>(s: S, [a, b, c, d]: [Complex<T, S>; 4]) -> [Complex<T, S>; 4] {
        let (even_sum, even_gap) = (plus::<T, S>(s, a, c), minus::<T, S>(s, a, c));
        let (odd_sum, odd_gap) = (plus::<T, S>(s, b, d), minus::<T, S>(s, b, d));
        [
            plus::<T, S>(s, even_sum, odd_sum),
            plus_turned::<T, S>(s, even_gap, odd_gap),
            minus::<T, S>(s, even_sum, odd_sum),
            minus_turned::<T, S>(s, even_gap, odd_gap),
        ]
    }
}

pub(super) struct Five;

impl Butterfly<5> for Five {
    #[inline(always)]
    fn of<T: Real, S: Simd>(s: S, [a, b, c, d, e]: [Complex<T, S>; 5]) -> [Complex<T, S>; 5] {
        let (c1, c2) =
            (T::from_f64(0.309_016_994_374_947_45), T::from_f64(-0.809_016_994_374_947_5));
        let (s1, s2) = (T::from_f64(0.951_056_516_295_153_5), T::from_f64(0.587_785_252_292_473_1));
        let (outer, outer_gap) = (plus::<T, S>(s, b, e), minus::<T, S>(s, b, e));
        let (inner, inner_gap) = (plus::<T, S>(s, c, d), minus::<T, S>(s, c, d));
        let near = scaled_plus::<T, S>(s, inner, c2, scaled_plus::<T, S>(s, outer, c1, a));
        let far = scaled_plus::<T, S>(s, inner, c1, scaled_plus::<T, S>(s, outer, c2, a));
        let near_turn = scaled_plus::<T, S>(s, inner_gap, s2, scaled::<T, S>(s, outer_gap, s1));
        let far_turn = scaled_plus::<T, S>(s, inner_gap, -s1, scaled::<T, S>(s, outer_gap, s2));
        [
            plus::<T, S>(s, plus::<T, S>(s, a, outer), inner),
            plus_turned::<T, S>(s, near, near_turn),
            plus_turned::<T, S>(s, far, far_turn),
            minus_turned::<T, S>(s, far, far_turn),
            minus_turned::<T, S>(s, near, near_turn),
        ]
    }
}
