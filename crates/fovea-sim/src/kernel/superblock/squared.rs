//! Committees under the squared error: from preactivations to the loss's derivative by them in one pass.
//!
//! The bits are those of the passes one after the other. A block's rows are still in the nearest cache on their way back, and one
//! block does not wait for another.

use super::{Rows, Theta, Typed, slopes, values};
use crate::loss::Loss;
use crate::loss::mse::Mse;
use crate::simd::{Kernel, Simd, dispatch};
use fovea_core::activation::{Activation, Visitor};
use fovea_core::lanes::{BLOCK, LANES, Real, tree_sum};
use std::marker::PhantomData;

/// From preactivations to the loss's derivative by them; returns the sum of losses.
pub(in crate::kernel) struct Squared<'a, T> {
    pub(in crate::kernel) theta: &'a Theta<T>,
    pub(in crate::kernel) rows: &'a mut Rows<T>,
    /// Whether the sums of what the units pass on are in the place of the outputs already.
    pub(in crate::kernel) summed: bool,
}

impl<T: Real> Visitor for Squared<'_, T> {
    type Output = f64;
    fn visit<A: Activation>(self) -> f64 {
        Mse::SCALE * dispatch(Typed::<_, A>(self, PhantomData)).to_f64()
    }
}

impl<A: Activation, T: Real> Kernel for Typed<Squared<'_, T>, A> {
    type Output = T;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> T {
        let Squared { theta, rows, summed } = self.0;
        let width = theta.hidden.units();
        let mean = T::splat(s, T::ONE / T::from_f64(width as f64));
        let mut total = T::splat(s, T::ZERO);
        for (slot, used) in rows.used.iter().enumerate() {
            let h = rows.h[slot * width..(slot + 1) * width].as_flattened_mut();
            let (h, _) = h.as_chunks_mut::<LANES>();
            let mut sums = [T::splat(s, T::ZERO); 2];
            if summed {
                let (y, _) = rows.y[slot].as_chunks::<LANES>();
                sums = [T::load(s, &y[0]), T::load(s, &y[1])];
            } else {
                for row in h.chunks_exact_mut(2) {
                    for half in 0..2 {
                        let value = values::<A, T, S>(s, T::load(s, &row[half]));
                        sums[half] = T::plus(s, sums[half], value);
                        if A::SLOPE_FROM_VALUE {
                            T::store(s, value, &mut row[half]);
                        }
                    }
                }
            }
            let (target, _) = rows.target[slot].as_chunks::<LANES>();
            let mut errors = sums;
            for half in 0..2 {
                let y = T::times(s, sums[half], mean);
                errors[half] = T::minus(s, y, T::load(s, &target[half]));
            }
            if *used < BLOCK {
                for half in 0..2 {
                    let mut lanes = [T::ZERO; LANES];
                    T::store(s, errors[half], &mut lanes);
                    lanes[used.saturating_sub(half * LANES).min(LANES)..].fill(T::ZERO);
                    errors[half] = T::load(s, &lanes);
                }
            }
            for error in errors {
                total = T::times_plus(s, error, error, total);
            }
            for row in h.chunks_exact_mut(2) {
                for half in 0..2 {
                    let slope = slopes::<A, T, S>(s, T::load(s, &row[half]));
                    T::store(s, T::times(s, errors[half], slope), &mut row[half]);
                }
            }
        }
        let mut lanes = [T::ZERO; LANES];
        T::store(s, total, &mut lanes);
        tree_sum(lanes)
    }
}
