//! What a unit makes of a preactivation and of its negative.

use super::rows::Heads;
use fovea_core::Function;
use fovea_core::activation::Activation;
use fovea_core::lanes::{BLOCK, Real};
use std::marker::PhantomData;

/// What a unit does with its preactivation `h` and its gate's `g`.
pub(super) trait Response: Copy {
    /// Whether it looks at `g`.
    const GATED: bool;
    fn value<T: Real>(self, h: T, g: T) -> T;
    fn slope<T: Real>(self, h: T, g: T) -> T;
}

/// An activation function known to the compiler.
pub(super) struct Plain<A>(PhantomData<A>);

impl<A> Plain<A> {
    pub(super) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<A> Clone for Plain<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for Plain<A> {}

impl<A: Activation> Response for Plain<A> {
    const GATED: bool = false;
    #[inline(always)]
    fn value<T: Real>(self, h: T, _: T) -> T {
        A::value(h)
    }
    #[inline(always)]
    fn slope<T: Real>(self, h: T, _: T) -> T {
        A::slope(h)
    }
}

/// A typed activation, one number at a time in double precision.
#[derive(Clone, Copy)]
pub(super) struct Spelled<'a>(pub(super) &'a Function);

impl Response for Spelled<'_> {
    const GATED: bool = false;
    fn value<T: Real>(self, h: T, _: T) -> T {
        T::from_f64(self.0.value(h.to_f64()))
    }
    fn slope<T: Real>(self, h: T, _: T) -> T {
        T::from_f64(self.0.slope(h.to_f64()))
    }
}

/// A linear unit behind a half-space gate.
#[derive(Clone, Copy)]
pub(super) struct Gate;

impl Response for Gate {
    const GATED: bool = true;
    #[inline(always)]
    fn value<T: Real>(self, h: T, g: T) -> T {
        if g >= T::ZERO { h } else { T::ZERO }
    }
    #[inline(always)]
    fn slope<T: Real>(self, _: T, g: T) -> T {
        if g >= T::ZERO { T::ONE } else { T::ZERO }
    }
}

/// Bias and gate offset of unit `u`.
#[inline(always)]
pub(super) fn biases<R: Response, T: Real>(heads: &Heads<T>, u: usize) -> (T, T) {
    (heads.biases[u], if R::GATED { heads.offsets[u] } else { heads.biases[u] })
}

/// The slopes of a unit at `x` and at `-x`.
#[inline(always)]
pub(super) fn slopes<R: Response, T: Real>(r: R, (b, c): (T, T), h: T, g: T) -> (T, T) {
    (r.slope(b + h, c + g), r.slope(b - h, c - g))
}

/// What a unit passes on for `x` and for `-x`.
#[inline(always)]
pub(super) fn values<R: Response, T: Real>(
    r: R,
    (b, c): (T, T),
    h: &[T; BLOCK],
    g: &[T; BLOCK],
) -> ([T; BLOCK], [T; BLOCK]) {
    let (mut plus, mut minus) = ([T::ZERO; BLOCK], [T::ZERO; BLOCK]);
    for l in 0..BLOCK {
        plus[l] = r.value(b + h[l], c + g[l]);
        minus[l] = r.value(b - h[l], c - g[l]);
    }
    (plus, minus)
}
