//! Sums over a superblock, lane by lane: preactivations and gradients, as many at a time as an instruction set has registers.
//!
//! A tile's shape affects speed alone: every sum keeps its order.

mod affine;
mod entries;

pub(super) use affine::Affine;
pub(super) use entries::Entries;

use super::superblock::values;
use crate::packed::{PACK, running_sums};
use crate::simd::Simd;
use entries::{ByGate, BySign, Fused, Products};
use fovea_core::activation::relu::Relu;
use fovea_core::lanes::{BLOCK, LANES, Real};

/// Whether products by signs and gates have bodies of their own: where some machine gains from them.
const fn splits<T, S: Simd>() -> bool {
    S::WIDTH == 64 && size_of::<T>() == 4
}

/// The two halves of a block's row.
#[inline(always)]
fn halves<T>(row: &[T; BLOCK]) -> [&[T; LANES]; 2] {
    let (halves, _) = row.as_chunks::<LANES>();
    [&halves[0], &halves[1]]
}

/// `h_k = b_k + sum_i w_ki x_i`, in the order of `i`, for all blocks of a superblock; where `passed` has room for it, also
/// `sum_k relu(h_k)`, in the order of `k`.
#[inline(always)]
pub(super) fn preactivations<T: Real, S: Simd>(
    s: S,
    blocks: usize,
    theta: &Affine<T>,
    (entries, x): (Entries, &[[T; BLOCK]]),
    h: &mut [[T; BLOCK]],
    passed: Option<&mut [[T; BLOCK]]>,
) {
    let to = &mut Preactivated { h, passed };
    if const { splits::<T, S>() } {
        match entries {
            Entries::Any => {}
            Entries::Signs => return Preactivations { theta, x, by: BySign }.all(s, blocks, to),
            Entries::Gates => return Preactivations { theta, x, by: ByGate }.all(s, blocks, to),
        }
    }
    Preactivations { theta, x, by: Fused }.all(s, blocks, to);
}

/// Where preactivations go, and the sums of what rectified units pass on.
struct Preactivated<'a, T> {
    h: &'a mut [[T; BLOCK]],
    passed: Option<&'a mut [[T; BLOCK]]>,
}

struct Preactivations<'a, T, P> {
    theta: &'a Affine<T>,
    x: &'a [[T; BLOCK]],
    by: P,
}

impl<T: Real, P: Products> Preactivations<'_, T, P> {
    #[inline(always)]
    fn all<S: Simd>(&self, s: S, blocks: usize, to: &mut Preactivated<'_, T>) {
        // Each unit keeps the two halves of every block of its tile; weights and samples need registers too.
        let room = running_sums::<T, S>();
        let units = self.theta.units();
        let mut k = 0;
        while k < units {
            k += match ((units - k).min(PACK - k % PACK), room) {
                (4.., 16..) => self.units::<S, 4, 2>(s, k, blocks, to),
                (4.., 8..) => self.units::<S, 4, 1>(s, k, blocks, to),
                (2.., 8..) => self.units::<S, 2, 2>(s, k, blocks, to),
                (2.., 4..) => self.units::<S, 2, 1>(s, k, blocks, to),
                (_, 16..) => self.units::<S, 1, 4>(s, k, blocks, to),
                (_, 8..) => self.units::<S, 1, 2>(s, k, blocks, to),
                _ => self.units::<S, 1, 1>(s, k, blocks, to),
            };
        }
    }

    /// `R` units from `k` on through all blocks, `B` blocks at a time.
    #[inline(always)]
    fn units<S: Simd, const R: usize, const B: usize>(
        &self,
        s: S,
        k: usize,
        blocks: usize,
        to: &mut Preactivated<'_, T>,
    ) -> usize {
        let mut slot = 0;
        while slot + B <= blocks {
            self.tile::<S, R, B>(s, k, slot, to);
            slot += B;
        }
        while slot < blocks {
            self.tile::<S, R, 1>(s, k, slot, to);
            slot += 1;
        }
        R
    }

    #[inline(always)]
    fn tile<S: Simd, const R: usize, const B: usize>(
        &self,
        s: S,
        k: usize,
        slot: usize,
        to: &mut Preactivated<'_, T>,
    ) {
        let n = self.theta.weights.columns();
        let (pack, first) = (k / PACK, k % PACK);
        let mut x: [&[[T; BLOCK]]; B] = [&[]; B];
        for b in 0..B {
            x[b] = &self.x[(slot + b) * n..][..n];
        }
        let mut sums = [[[T::splat(s, T::ZERO); 2]; B]; R];
        for r in 0..R {
            sums[r] = [[T::splat(s, self.theta.biases[pack][first + r]); 2]; B];
        }
        for (i, w) in self.theta.weights.pack(pack).iter().enumerate() {
            let w = &w[first..first + R];
            for b in 0..B {
                let [low, high] = halves(&x[b][i]);
                let (low, high) = (T::load(s, low), T::load(s, high));
                for r in 0..R {
                    let w = T::splat(s, w[r]);
                    sums[r][b][0] = self.by.add::<T, S>(s, (r, R), w, low, sums[r][b][0]);
                    sums[r][b][1] = self.by.add::<T, S>(s, (r, R), w, high, sums[r][b][1]);
                }
            }
        }
        for b in 0..B {
            let rows = &mut to.h[(slot + b) * self.theta.units() + k..][..R];
            for r in 0..R {
                let (row, _) = rows[r].as_chunks_mut::<LANES>();
                T::store(s, sums[r][b][0], &mut row[0]);
                T::store(s, sums[r][b][1], &mut row[1]);
            }
            let Some(passed) = &mut to.passed else { continue };
            let (passed, _) = passed[slot + b].as_chunks_mut::<LANES>();
            for half in 0..2 {
                let mut sum = if k == 0 { T::splat(s, T::ZERO) } else { T::load(s, &passed[half]) };
                for r in 0..R {
                    sum = T::plus(s, sum, values::<Relu, T, S>(s, sums[r][b][half]));
                }
                T::store(s, sum, &mut passed[half]);
            }
        }
    }
}

/// `G_ki += sum_s delta_ks x_is` and, where `grad` has room for them, `G_kb += sum_s delta_ks` over the superblock: lane by lane in
/// the order of the samples, then the lanes by halves.
#[inline(always)]
pub(super) fn gradients<T: Real, S: Simd>(
    s: S,
    blocks: usize,
    (width, n): (usize, usize),
    (entries, x): (Entries, &[[T; BLOCK]]),
    delta: &[[T; BLOCK]],
    grad: &mut [T],
) {
    if const { splits::<T, S>() } {
        match entries {
            Entries::Any => {}
            Entries::Signs => {
                return Gradients { blocks, width, n, x, delta, by: BySign }.all(s, grad);
            }
            Entries::Gates => {
                return Gradients { blocks, width, n, x, delta, by: ByGate }.all(s, grad);
            }
        }
    }
    Gradients { blocks, width, n, x, delta, by: Fused }.all(s, grad);
}

struct Gradients<'a, T, P> {
    blocks: usize,
    width: usize,
    n: usize,
    x: &'a [[T; BLOCK]],
    delta: &'a [[T; BLOCK]],
    by: P,
}

/// Inputs of a tile.
const INPUTS: usize = 4;

impl<T: Real, P: Products> Gradients<'_, T, P> {
    #[inline(always)]
    fn all<S: Simd>(&self, s: S, grad: &mut [T]) {
        let (weights, biases) = grad.split_at_mut(self.width * self.n);
        let most = running_sums::<T, S>() / 4;
        let mut k = 0;
        while k < self.width {
            k += match (self.width - k).min(most) {
                6.. => self.units::<S, 6>(s, k, weights, biases),
                4.. => self.units::<S, 4>(s, k, weights, biases),
                3.. => self.units::<S, 3>(s, k, weights, biases),
                2.. => self.units::<S, 2>(s, k, weights, biases),
                _ => self.units::<S, 1>(s, k, weights, biases),
            };
        }
    }

    /// `R` units against every input.
    #[inline(always)]
    fn units<S: Simd, const R: usize>(
        &self,
        s: S,
        k: usize,
        weights: &mut [T],
        biases: &mut [T],
    ) -> usize {
        let n = self.n;
        let zero = T::splat(s, T::ZERO);
        let rows = &mut weights[k * n..(k + R) * n];
        let whole = n - n % INPUTS;
        for i in (0..whole).step_by(INPUTS) {
            let sums = self.tile::<S, R, INPUTS>(s, k, i);
            // Two units fill the eight places of a sum over lanes.
            for r in (0..R).step_by(2) {
                let mut eight = [zero; 2 * INPUTS];
                let units = 2.min(R - r);
                for u in 0..units {
                    for c in 0..INPUTS {
                        eight[u * INPUTS + c] = sums[r + u][c];
                    }
                }
                let total = T::sums(s, eight);
                for u in 0..units {
                    let at = (r + u) * n + i;
                    for (entry, sum) in rows[at..at + INPUTS].iter_mut().zip(&total[u * INPUTS..]) {
                        *entry = *entry + *sum;
                    }
                }
            }
        }
        for i in whole..n {
            let column = self.tile::<S, R, 1>(s, k, i);
            let mut eight = [zero; 2 * INPUTS];
            for r in 0..R {
                eight[r] = column[r][0];
            }
            let total = T::sums(s, eight);
            for r in 0..R {
                rows[r * n + i] = rows[r * n + i] + total[r];
            }
        }
        if !biases.is_empty() {
            self.biases::<S, R>(s, k, biases);
        }
        R
    }

    /// The biases of `R` units; the inner loop runs over units, so that no sum waits for itself.
    #[inline(always)]
    fn biases<S: Simd, const R: usize>(&self, s: S, k: usize, biases: &mut [T]) {
        let mut lanes = [T::splat(s, T::ZERO); 2 * INPUTS];
        for slot in 0..self.blocks {
            let delta = &self.delta[slot * self.width + k..][..R];
            for half in 0..2 {
                for r in 0..R {
                    lanes[r] = T::plus(s, lanes[r], T::load(s, halves(&delta[r])[half]));
                }
            }
        }
        let total = T::sums(s, lanes);
        for r in 0..R {
            biases[k + r] = biases[k + r] + total[r];
        }
    }

    #[inline(always)]
    fn tile<S: Simd, const R: usize, const C: usize>(
        &self,
        s: S,
        k: usize,
        i: usize,
    ) -> [[T::Lanes<S>; C]; R] {
        let zero = T::splat(s, T::ZERO);
        let mut sums = [[zero; C]; R];
        for slot in 0..self.blocks {
            let delta = &self.delta[slot * self.width + k..][..R];
            let x = &self.x[slot * self.n + i..][..C];
            for half in 0..2 {
                let mut columns = [zero; C];
                for c in 0..C {
                    columns[c] = T::load(s, halves(&x[c])[half]);
                }
                for r in 0..R {
                    let d = T::load(s, halves(&delta[r])[half]);
                    for c in 0..C {
                        sums[r][c] = self.by.add::<T, S>(s, (c, C), d, columns[c], sums[r][c]);
                    }
                }
            }
        }
        sums
    }
}
