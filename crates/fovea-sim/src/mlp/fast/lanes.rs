//! Elementwise operations on a block.

use super::Folded;
use crate::simd::{Body, Simd};
use fovea_core::lanes::{BLOCK, LANES, Real};

/// `theta += errors (of_weights inner + of_biases)`.
pub(super) struct Join<'a, T> {
    pub(super) theta: &'a mut [[T; BLOCK]],
    pub(super) errors: &'a [[T; BLOCK]],
    pub(super) inner: &'a [[T; BLOCK]],
    pub(super) layer: &'a Folded<T>,
}

impl<T: Real> Body for Join<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let [weights, biases] =
            [self.layer.of_weights, self.layer.of_biases].map(|x| T::splat(s, x));
        let all =
            halves_mut(self.theta).iter_mut().zip(halves(self.errors)).zip(halves(self.inner));
        for ((theta, errors), inner) in all {
            let inner = T::times_plus(s, T::load(s, inner), weights, biases);
            let sum = T::times_plus(s, T::load(s, errors), inner, T::load(s, theta));
            T::store(s, sum, theta);
        }
    }
}

/// `out *= by`.
pub(super) struct Multiply<'a, T> {
    pub(super) by: &'a [[T; BLOCK]],
    pub(super) out: &'a mut [[T; BLOCK]],
}

impl<T: Real> Body for Multiply<'_, T> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for (out, by) in halves_mut(self.out).iter_mut().zip(halves(self.by)) {
            T::store(s, T::times(s, T::load(s, out), T::load(s, by)), out);
        }
    }
}

fn halves<T>(blocks: &[[T; BLOCK]]) -> &[[T; LANES]] {
    blocks.as_flattened().as_chunks().0
}

fn halves_mut<T>(blocks: &mut [[T; BLOCK]]) -> &mut [[T; LANES]] {
    blocks.as_flattened_mut().as_chunks_mut().0
}
