//! One superblock through the network and back, lane by lane.
//!
//! Forward, loss and backward are separate bodies, so that each is compiled once for each activation or loss and not for
//! every pair of them.

use super::tiles::{gradients, preactivations};
use crate::loss::{self, Loss};
use crate::simd::{Kernel, dispatch};
use fovea_core::activation::{self, Activation};
use fovea_core::lanes::{BLOCK, LANES, Real, tree_sum};
use std::marker::PhantomData;

/// The parameters in the kernel's type, shared rows written out at every shift.
pub(super) struct Theta<T> {
    /// Weights, `[unit][input]`.
    pub(super) weights: Vec<T>,
    /// Biases of the units.
    pub(super) biases: Vec<T>,
    /// Gate vectors, `[unit][input]`, and offsets; empty without gates.
    pub(super) gates: (Vec<T>, Vec<T>),
    /// Readout, `[output][unit]`; empty for the plain mean.
    pub(super) readout: Vec<T>,
    /// Output biases; empty for the plain mean.
    pub(super) output_biases: Vec<T>,
}

/// Where one superblock is worked on; rows are `[block][row][sample]`.
pub(super) struct Rows<T> {
    /// Samples.
    pub(super) x: Vec<[T; BLOCK]>,
    /// Preactivations, then the loss's derivative by them.
    pub(super) h: Vec<[T; BLOCK]>,
    /// What the units pass on where a readout needs it, or the gates' preactivations.
    pub(super) u: Vec<[T; BLOCK]>,
    /// Outputs, then the loss's derivative by them.
    pub(super) y: Vec<[T; BLOCK]>,
    /// Targets.
    pub(super) target: Vec<[T; BLOCK]>,
    /// Number of used samples of each block.
    pub(super) used: Vec<usize>,
}

/// From samples to outputs.
pub(super) struct Forward<'a, T> {
    pub(super) theta: &'a Theta<T>,
    pub(super) rows: &'a mut Rows<T>,
}

/// From the loss's derivative by the outputs to that by the parameters.
pub(super) struct Backward<'a, T> {
    pub(super) theta: &'a Theta<T>,
    pub(super) rows: &'a mut Rows<T>,
    /// Weights, biases, then readout and output biases where there are any.
    pub(super) grad: &'a mut [T],
}

/// Outputs and targets into errors and the sum of losses.
pub(super) struct Errors<'a, T> {
    pub(super) rows: &'a mut Rows<T>,
}

/// One of the passes above with its activation or loss known to the compiler.
struct Typed<P, A>(P, PhantomData<A>);

/// One of the passes above through fixed gates.
pub(super) struct ThroughGates<P>(pub(super) P);

impl<T: Real> activation::Visitor for Forward<'_, T> {
    type Output = ();
    fn visit<A: Activation>(self) {
        dispatch(Typed::<_, A>(self, PhantomData));
    }
}

impl<T: Real> activation::Visitor for Backward<'_, T> {
    type Output = ();
    fn visit<A: Activation>(self) {
        dispatch(Typed::<_, A>(self, PhantomData));
    }
}

impl<T: Real> loss::Visitor for Errors<'_, T> {
    type Output = f64;
    fn visit<L: Loss>(self) -> f64 {
        L::SCALE * dispatch(Typed::<_, L>(self, PhantomData)).to_f64()
    }
}

impl<A: Activation, T: Real> Kernel for Typed<Forward<'_, T>, A> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Forward { theta, rows } = self.0;
        let (width, n) = (theta.biases.len(), theta.weights.len() / theta.biases.len());
        let mean = T::ONE / T::from_f64(width as f64);
        let outputs = theta.output_biases.len();
        for slot in 0..rows.used.len() {
            let h = &mut rows.h[slot * width..(slot + 1) * width];
            preactivations(&theta.weights, &theta.biases, &rows.x[slot * n..(slot + 1) * n], h);
            if outputs == 0 {
                let mut sum = [T::ZERO; BLOCK];
                for row in h.iter() {
                    for l in 0..BLOCK {
                        sum[l] = sum[l] + A::value(row[l]);
                    }
                }
                for l in 0..BLOCK {
                    rows.y[slot][l] = sum[l] * mean;
                }
                continue;
            }
            let u = &mut rows.u[slot * width..(slot + 1) * width];
            for (passed, row) in u.iter_mut().zip(h.iter()) {
                for l in 0..BLOCK {
                    passed[l] = A::value(row[l]);
                }
            }
            for o in 0..outputs {
                let mut sum = [T::ZERO; BLOCK];
                for (passed, v) in u.iter().zip(&theta.readout[o * width..(o + 1) * width]) {
                    for l in 0..BLOCK {
                        sum[l] = v.fma(passed[l], sum[l]);
                    }
                }
                for l in 0..BLOCK {
                    rows.y[slot * outputs + o][l] = sum[l] * mean + theta.output_biases[o];
                }
            }
        }
    }
}

impl<L: Loss, T: Real> Kernel for Typed<Errors<'_, T>, L> {
    type Output = T;

    #[inline(always)]
    fn run(self) -> T {
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

impl<A: Activation, T: Real> Kernel for Typed<Backward<'_, T>, A> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Backward { theta, rows, grad } = self.0;
        let (width, n) = (theta.biases.len(), theta.weights.len() / theta.biases.len());
        let outputs = theta.output_biases.len();
        for slot in 0..rows.used.len() {
            let h = &mut rows.h[slot * width..(slot + 1) * width];
            if outputs == 0 {
                let error = &rows.y[slot];
                for row in h.iter_mut() {
                    for l in 0..BLOCK {
                        row[l] = error[l] * A::slope(row[l]);
                    }
                }
                continue;
            }
            let errors = &rows.y[slot * outputs..(slot + 1) * outputs];
            for (k, row) in h.iter_mut().enumerate() {
                let mut back = [T::ZERO; BLOCK];
                for (o, error) in errors.iter().enumerate() {
                    let v = theta.readout[o * width + k];
                    for l in 0..BLOCK {
                        back[l] = v.fma(error[l], back[l]);
                    }
                }
                for l in 0..BLOCK {
                    row[l] = back[l] * A::slope(row[l]);
                }
            }
        }
        let blocks = rows.used.len();
        let (hidden, readout) = grad.split_at_mut(width * (n + 1));
        gradients(blocks, (width, n), &rows.x, &rows.h, hidden);
        if outputs > 0 {
            gradients(blocks, (outputs, width), &rows.u, &rows.y, readout);
        }
    }
}

impl<T: Real> Kernel for ThroughGates<Forward<'_, T>> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Forward { theta, rows } = self.0;
        let (width, n) = (theta.biases.len(), theta.weights.len() / theta.biases.len());
        let mean = T::ONE / T::from_f64(width as f64);
        for slot in 0..rows.used.len() {
            let x = &rows.x[slot * n..(slot + 1) * n];
            let h = &mut rows.h[slot * width..(slot + 1) * width];
            let gates = &mut rows.u[slot * width..(slot + 1) * width];
            preactivations(&theta.weights, &theta.biases, x, h);
            preactivations(&theta.gates.0, &theta.gates.1, x, gates);
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

impl<T: Real> Kernel for ThroughGates<Backward<'_, T>> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Backward { theta, rows, grad } = self.0;
        let (width, n) = (theta.biases.len(), theta.weights.len() / theta.biases.len());
        for slot in 0..rows.used.len() {
            let error = rows.y[slot];
            for k in slot * width..(slot + 1) * width {
                for l in 0..BLOCK {
                    let open = rows.u[k][l] >= T::ZERO;
                    rows.h[k][l] = if open { error[l] } else { T::ZERO };
                }
            }
        }
        gradients(rows.used.len(), (width, n), &rows.x, &rows.h, grad);
    }
}

#[cfg(test)]
mod tests;
