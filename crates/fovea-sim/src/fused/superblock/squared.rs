//! Committees under the squared error: from preactivations to the loss's derivative by them in one pass, for the
//! activations of the published networks.
//!
//! The bits are those of the separate passes. A block's rows are still in the nearest cache in the backward pass, and one
//! block does not wait for another.

use super::units::{sum_of_values, times_slopes};
use super::{Rows, Theta, Typed};
use crate::loss::Loss;
use crate::loss::mse::Mse;
use crate::simd::{Body, Level, Simd, dispatch_at};
use fovea_core::Function;
use fovea_core::activation::{Activation, relu, relu::Relu, sigmoid, sigmoid::Sigmoid};
use fovea_core::lanes::{BLOCK, LANES, Real, tree_sum};
use std::marker::PhantomData;

/// From preactivations to the loss's derivative by them; returns the sum of losses.
pub(in crate::fused) struct Squared<'a, T> {
    pub(in crate::fused) theta: &'a Theta<T>,
    pub(in crate::fused) rows: &'a mut Rows<T>,
}

impl<T: Real> Squared<'_, T> {
    /// Runs the pass where `phi` has one; `None` where it has none, and then nothing was done.
    pub(in crate::fused) fn through(self, level: Level, phi: &Function) -> Option<f64> {
        let loss = match phi.name() {
            name if name == relu::ENTRY.name => {
                dispatch_at(level, Typed::<_, Relu>(self, PhantomData))
            }
            name if name == sigmoid::ENTRY.name => {
                dispatch_at(level, Typed::<_, Sigmoid>(self, PhantomData))
            }
            _ => return None,
        };
        Some(Mse::SCALE * loss.to_f64())
    }
}

impl<A: Activation, T: Real> Body for Typed<Squared<'_, T>, A> {
    type Output = T;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> T {
        let Squared { theta, rows } = self.0;
        let width = theta.hidden.units();
        let mean = T::splat(s, T::ONE / T::from_f64(width as f64));
        let mut total = T::splat(s, T::ZERO);
        for (slot, used) in rows.used.iter().enumerate() {
            let h = rows.h[slot * width..(slot + 1) * width].as_flattened_mut();
            let (h, _) = h.as_chunks_mut::<LANES>();
            let sums = if theta.rectified {
                // They were added up with the preactivations.
                let (y, _) = rows.y[slot].as_chunks::<LANES>();
                [T::load(s, &y[0]), T::load(s, &y[1])]
            } else {
                sum_of_values::<A, T, S>(s, h)
            };
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
            times_slopes::<A, T, S>(s, errors, h);
        }
        let mut lanes = [T::ZERO; LANES];
        T::store(s, total, &mut lanes);
        tree_sum(lanes)
    }
}
