//! The intermediate results of a tangent kernel, in blocks of samples.

use super::lanes::{Join, Multiply};
use super::product::{Product, Samples};
use super::{Blocks, Folded};
use crate::simd::{Level, dispatch_at};
use fovea_core::Function;
use fovea_core::activation::Blocked;
use fovea_core::lanes::{BLOCK, Real};

/// Intermediate results, in blocks; kept between calls, since allocating them takes as long as a product.
#[derive(Clone, Debug, Default)]
pub(super) struct Room<T> {
    pub(super) samples: usize,
    /// The input of every layer.
    pub(super) h: Vec<Blocks<T>>,
    /// Slopes of every hidden layer.
    pub(super) slopes: Vec<Blocks<T>>,
    /// The derivatives of two outputs by the preactivations of a layer, and space for those of the next.
    pub(super) deltas: [Blocks<T>; 3],
    /// Inner products of the derivatives by preactivations, and of the inputs of layers.
    pub(super) errors: Blocks<T>,
    pub(super) inner: Blocks<T>,
    pub(super) theta: Blocks<T>,
}

impl<T: Blocked> Room<T> {
    pub(super) fn blocks(&self) -> usize {
        self.samples.div_ceil(BLOCK)
    }

    /// Copies inputs, one per row of `n`.
    pub(super) fn feed(&mut self, x: &[T], n: usize) {
        self.samples = x.len() / n;
        let blocks = self.blocks();
        let first = &mut self.h[0];
        first.clear();
        first.resize(blocks * n, [T::ZERO; BLOCK]);
        for (a, row) in x.chunks_exact(n).enumerate() {
            for (place, x) in first[a / BLOCK * n..][..n].iter_mut().zip(row) {
                place[a % BLOCK] = *x;
            }
        }
    }

    /// Preactivations of a layer, stored where its slopes will be.
    pub(super) fn forward(&mut self, level: Level, index: usize, layer: &Folded<T>) {
        let blocks = self.blocks();
        let z = &mut self.slopes[index];
        z.resize(blocks * layer.units, [T::ZERO; BLOCK]);
        let product = Product {
            left: &layer.weights,
            rows: layer.units,
            terms: layer.inputs,
            right: &self.h[index],
            samples: self.samples,
            start: &layer.biases,
            upper: false,
            out: z,
        };
        dispatch_at(level, product);
    }

    /// Turns preactivations into slopes and writes the values as input of the next layer.
    pub(super) fn activate(&mut self, level: Level, index: usize, activation: &Function) {
        let (z, h) = (&mut self.slopes[index], &mut self.h[index + 1]);
        h.clone_from(z);
        activation.values(level, h.as_flattened_mut());
        if activation.slope_from_value() {
            z.copy_from_slice(h);
        }
        activation.kept_slopes(level, z.as_flattened_mut());
    }

    /// The derivative of an output by the last hidden preactivations.
    pub(super) fn seed(&mut self, side: usize, output: usize, layer: &Folded<T>) {
        let weights = layer.weights.row(output).cycle();
        let delta = &mut self.deltas[side];
        delta.clear();
        if let Some(slopes) = self.slopes.last() {
            delta.extend(slopes.iter().zip(weights).map(|(row, w)| row.map(|slope| slope * w)));
        }
    }

    /// From the derivatives by the preactivations of a hidden layer to those of the one before it.
    pub(super) fn back(&mut self, level: Level, index: usize, side: usize, layer: &Folded<T>) {
        let blocks = self.blocks();
        let [one, other, out] = &mut self.deltas;
        out.resize(blocks * layer.inputs, [T::ZERO; BLOCK]);
        let product = Product {
            left: &layer.transposed,
            rows: layer.inputs,
            terms: layer.units,
            right: if side == 0 { one } else { other },
            samples: self.samples,
            start: &[],
            upper: false,
            out,
        };
        dispatch_at(level, product);
        dispatch_at(level, Multiply { by: &self.slopes[index - 1], out });
        self.deltas.swap(side, 2);
    }

    /// Adds a layer's part, given the inner products of the derivatives by its preactivations.
    pub(super) fn join(&mut self, level: Level, index: usize, layer: &Folded<T>, same: bool) {
        let Self { samples, h, errors, inner, theta, .. } = self;
        gram(level, *samples, [&h[index]; 2], same, inner);
        dispatch_at(level, Join { theta, errors, inner, layer });
    }

    /// The kernel row by row, mirrored where only its upper blocks were computed.
    pub(super) fn rows(&self, mirrored: bool) -> Vec<T> {
        let count = self.samples;
        let mut all = vec![T::ZERO; count * count];
        for (slot, rows) in self.theta.chunks_exact(count).enumerate() {
            let width = BLOCK.min(count - slot * BLOCK);
            for (a, row) in rows.iter().enumerate() {
                all[a * count + slot * BLOCK..][..width].copy_from_slice(&row[..width]);
            }
        }
        if mirrored {
            for a in 0..count {
                for b in 0..a {
                    all[a * count + b] = all[b * count + a];
                }
            }
        }
        all
    }
}

/// Inner products of samples with samples; where `upper`, the lower blocks are left unchanged.
pub(super) fn gram<T: Real>(
    level: Level,
    samples: usize,
    [left, right]: [&Blocks<T>; 2],
    upper: bool,
    out: &mut Blocks<T>,
) {
    let terms = right.len() / samples.div_ceil(BLOCK).max(1);
    let left = Samples { blocks: left, features: terms };
    dispatch_at(
        level,
        Product { left, rows: samples, terms, right, samples, start: &[], upper, out },
    );
}
