//! The activations of a block's units, in registers.

use crate::simd::Simd;
use fovea_core::activation::Activation;
use fovea_core::lanes::{LANES, Real};

/// `phi` in every lane. Vectors around it keep the compiler from running over units instead of lanes.
#[inline(always)]
pub(in crate::fused) fn values<A: Activation, T: Real, S: Simd>(
    s: S,
    h: T::Lanes<S>,
) -> T::Lanes<S> {
    let mut lanes = [T::ZERO; LANES];
    T::store(s, h, &mut lanes);
    for l in 0..LANES {
        lanes[l] = A::value(lanes[l]);
    }
    T::load(s, &lanes)
}

/// `phi'` in every lane, from what the forward pass has kept.
#[inline(always)]
pub(super) fn slopes<A: Activation, T: Real, S: Simd>(s: S, kept: T::Lanes<S>) -> T::Lanes<S> {
    let mut lanes = [T::ZERO; LANES];
    T::store(s, kept, &mut lanes);
    for l in 0..LANES {
        lanes[l] = A::slope_from(lanes[l]);
    }
    T::load(s, &lanes)
}

/// `sum_k phi(h_k)` of a block, in the order of the units; rows keep what the backward pass needs.
#[inline(always)]
pub(super) fn sum_of_values<A: Activation, T: Real, S: Simd>(
    s: S,
    h: &mut [[T; LANES]],
) -> [T::Lanes<S>; 2] {
    let mut sums = [T::splat(s, T::ZERO); 2];
    for row in h.chunks_exact_mut(2) {
        for half in 0..2 {
            let value = values::<A, T, S>(s, T::load(s, &row[half]));
            sums[half] = T::plus(s, sums[half], value);
            if A::SLOPE_FROM_VALUE {
                T::store(s, value, &mut row[half]);
            }
        }
    }
    sums
}

/// The rows of a block into `error * phi'`.
#[inline(always)]
pub(super) fn times_slopes<A: Activation, T: Real, S: Simd>(
    s: S,
    error: [T::Lanes<S>; 2],
    h: &mut [[T; LANES]],
) {
    for row in h.chunks_exact_mut(2) {
        for half in 0..2 {
            let slope = slopes::<A, T, S>(s, T::load(s, &row[half]));
            T::store(s, T::times(s, error[half], slope), &mut row[half]);
        }
    }
}
