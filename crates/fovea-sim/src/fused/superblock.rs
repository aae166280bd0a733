//! One superblock through the network and back, lane by lane.
//!
//! Products, activations, loss and their backward passes are separate bodies: activations are functions over the rows of a block
//! (`fovea_core::activation::Blocks`), so that all else is compiled once and not for every activation.

mod readout;
mod squared;
mod units;

pub(super) use squared::Squared;
pub(super) use units::values;

use super::tiles::{Affine, Entries, gradients, preactivations};
use crate::loss::{self, Loss};
use crate::simd::{Body, Level, Simd, dispatch, dispatch_at};
use fovea_core::Function;
use fovea_core::activation::Blocked;
use fovea_core::lanes::{BLOCK, LANES, Real, Room, tree_sum};
use readout::{Mean, ReadOut, TimesSlopes};
use std::marker::PhantomData;

/// The parameters in the number type of the pass, with shared rows written out at every shift.
pub(super) struct Theta<T> {
    /// Weights and biases of the units.
    pub(super) hidden: Affine<T>,
    /// Gate vectors and offsets; no units without gates.
    pub(super) gates: Affine<T>,
    /// Readout, `[output][unit]`; empty for the plain mean.
    pub(super) readout: Vec<T>,
    /// Output biases; empty for the plain mean.
    pub(super) output_biases: Vec<T>,
    /// Whether the answer is the mean of rectified units, which is summed while they are in registers.
    pub(super) rectified: bool,
    /// Whether the units' biases are trained.
    pub(super) trains_biases: bool,
}

/// The work space of one superblock; rows are `[block][row][sample]`.
pub(super) struct Rows<T> {
    /// Samples.
    pub(super) x: Room<T, BLOCK>,
    /// Preactivations, then the loss's derivative by them.
    pub(super) h: Room<T, BLOCK>,
    /// What the units pass on, for all blocks where a readout needs it and else for one; or the gates' preactivations.
    pub(super) u: Room<T, BLOCK>,
    /// Outputs, then the loss's derivative by them.
    pub(super) y: Room<T, BLOCK>,
    /// Targets.
    pub(super) target: Room<T, BLOCK>,
    /// Number of used samples of each block.
    pub(super) used: Vec<usize>,
    /// What kind of entries the samples of the used blocks have.
    pub(super) entries: Entries,
}

/// From samples to preactivations.
pub(super) struct Preactivate<'a, T> {
    pub(super) theta: &'a Affine<T>,
    pub(super) blocks: usize,
    pub(super) x: (Entries, &'a [[T; BLOCK]]),
    pub(super) h: &'a mut [[T; BLOCK]],
    /// Sums of the outputs of rectified units, where they are asked for.
    pub(super) passed: Option<&'a mut [[T; BLOCK]]>,
}

/// From preactivations to outputs.
pub(super) struct Forward<'a, T> {
    pub(super) theta: &'a Theta<T>,
    pub(super) rows: &'a mut Rows<T>,
}

/// From the loss's derivative by the outputs to that by the preactivations.
pub(super) struct Backward<'a, T> {
    pub(super) theta: &'a Theta<T>,
    pub(super) rows: &'a mut Rows<T>,
}

/// From the loss's derivative by the preactivations, or outputs, to that by weights and biases.
pub(super) struct Accumulate<'a, T> {
    pub(super) blocks: usize,
    /// Units and inputs.
    pub(super) size: (usize, usize),
    pub(super) x: (Entries, &'a [[T; BLOCK]]),
    pub(super) delta: &'a [[T; BLOCK]],
    /// Weights, then biases.
    pub(super) grad: &'a mut [T],
}

impl<T: Real> Body for Preactivate<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        preactivations(s, self.blocks, self.theta, self.x, self.h, self.passed);
    }
}

impl<T: Real> Body for Accumulate<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        gradients(s, self.blocks, self.size, self.x, self.delta, self.grad);
    }
}

/// Outputs and targets into errors and the sum of losses.
pub(super) struct Errors<'a, T> {
    pub(super) rows: &'a mut Rows<T>,
}

/// The errors with their loss known to the compiler.
struct Typed<P, L>(P, PhantomData<L>);

/// One of the passes above through fixed gates.
pub(super) struct ThroughGates<P>(pub(super) P);

impl<T: Blocked> Forward<'_, T> {
    /// Through units with activation `phi`.
    pub(super) fn through(self, level: Level, phi: &Function) {
        let Self { theta, rows } = self;
        let (width, outputs) = (theta.hidden.units(), theta.output_biases.len());
        for slot in 0..rows.used.len() {
            let h = &mut rows.h[slot * width..(slot + 1) * width];
            if outputs == 0 && phi.slope_from_value() {
                phi.values(level, h.as_flattened_mut());
                dispatch_at(level, Mean { u: h, y: &mut rows.y[slot] });
                continue;
            }
            // Without a readout the values of a block are not needed again.
            let first = if outputs == 0 { 0 } else { slot * width };
            let u = &mut rows.u[first..first + width];
            u.copy_from_slice(h);
            phi.values(level, u.as_flattened_mut());
            if phi.slope_from_value() {
                h.copy_from_slice(u);
            }
            if outputs == 0 {
                dispatch_at(level, Mean { u, y: &mut rows.y[slot] });
            } else {
                let y = &mut rows.y[slot * outputs..(slot + 1) * outputs];
                dispatch_at(level, ReadOut { theta, u, y });
            }
        }
    }
}

impl<T: Blocked> Backward<'_, T> {
    /// Through units with activation `phi`.
    pub(super) fn through(self, level: Level, phi: &Function) {
        let Self { theta, rows } = self;
        let (width, outputs) = (theta.hidden.units(), theta.output_biases.len());
        for slot in 0..rows.used.len() {
            let h = &mut rows.h[slot * width..(slot + 1) * width];
            phi.kept_slopes(level, h.as_flattened_mut());
            let errors = &rows.y[slot * outputs.max(1)..(slot + 1) * outputs.max(1)];
            dispatch_at(level, TimesSlopes { theta, errors, h });
        }
    }
}

impl<T: Real> loss::Visitor for Errors<'_, T> {
    type Output = f64;
    fn visit<L: Loss>(self) -> f64 {
        L::SCALE * dispatch(Typed::<_, L>(self, PhantomData)).to_f64()
    }
}

impl<L: Loss, T: Real> Body for Typed<Errors<'_, T>, L> {
    type Output = T;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> T {
        let Errors { rows } = self.0;
        let outputs = rows.y.len() / super::SUPERBLOCK;
        let mut total = [T::ZERO; LANES];
        for (slot, used) in rows.used.iter().enumerate() {
            let place = slot * outputs..(slot + 1) * outputs;
            L::errors(&mut rows.y[place.clone()], &rows.target[place], *used, &mut total);
        }
        tree_sum(total)
    }
}

impl<T: Real> Body for ThroughGates<Forward<'_, T>> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Forward { theta, rows } = self.0;
        let width = theta.hidden.units();
        let mean = T::ONE / T::from_f64(width as f64);
        for slot in 0..rows.used.len() {
            let h = &rows.h[slot * width..(slot + 1) * width];
            let gates = &rows.u[slot * width..(slot + 1) * width];
            let mut sum = [T::ZERO; BLOCK];
            for (row, gate) in h.iter().zip(gates.iter()) {
                for l in 0..BLOCK {
                    sum[l] = sum[l] + if gate[l] >= T::ZERO { row[l] } else { T::ZERO };
                }
            }
            for l in 0..BLOCK {
                rows.y[slot][l] = sum[l] * mean;
            }
        }
    }
}

impl<T: Real> Body for ThroughGates<Backward<'_, T>> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Backward { theta, rows } = self.0;
        let width = theta.hidden.units();
        for slot in 0..rows.used.len() {
            let error = rows.y[slot];
            for k in slot * width..(slot + 1) * width {
                for l in 0..BLOCK {
                    let open = rows.u[k][l] >= T::ZERO;
                    rows.h[k][l] = if open { error[l] } else { T::ZERO };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
