//! Sums over a superblock, lane by lane: preactivations and gradients, as many at a time as an instruction set has registers.
//!
//! A tile's shape is a matter of speed alone: every sum keeps its own order.

use crate::simd::Simd;
use fovea_core::lanes::{BLOCK, LANES, Real};

/// Vectors of sixteen lanes that an instruction set keeps in registers as running sums.
#[inline(always)]
fn running_sums<T: Real, S: Simd>() -> usize {
    S::SUMS * S::WIDTH / size_of::<T::Lanes<S>>()
}

/// The two halves of a block's row.
#[inline(always)]
fn halves<T>(row: &[T; BLOCK]) -> [&[T; LANES]; 2] {
    let (halves, _) = row.as_chunks::<LANES>();
    [&halves[0], &halves[1]]
}

/// Units whose weights lie side by side.
const PACK: usize = 8;

/// Weights and biases in the order the tiles read them: `[pack][input][unit of the pack]`, the last pack filled up with zeros.
pub(super) struct Packed<T> {
    n: usize,
    units: usize,
    weights: Vec<[T; PACK]>,
    biases: Vec<[T; PACK]>,
}

impl<T: Real> Packed<T> {
    /// Room for units of `n` inputs.
    pub(super) fn new(n: usize) -> Self {
        Self { n, units: 0, weights: Vec::new(), biases: Vec::new() }
    }

    /// Number of units.
    pub(super) fn units(&self) -> usize {
        self.units
    }

    /// Takes over weights `(unit, input)` and biases of so many units.
    pub(super) fn load(
        &mut self,
        units: usize,
        weight: impl Fn(usize, usize) -> T,
        bias: impl Fn(usize) -> f64,
    ) {
        self.units = units;
        let packs = units.div_ceil(PACK);
        self.weights.resize(packs * self.n, [T::ZERO; PACK]);
        self.biases.resize(packs, [T::ZERO; PACK]);
        for k in 0..units {
            let (pack, r) = (k / PACK, k % PACK);
            self.biases[pack][r] = T::from_f64(bias(k));
            for (i, row) in self.weights[pack * self.n..][..self.n].iter_mut().enumerate() {
                row[r] = weight(k, i);
            }
        }
    }
}

/// `h_k = b_k + sum_i w_ki x_i`, in the order of `i`, for all blocks of a superblock.
#[inline(always)]
pub(super) fn preactivations<T: Real, S: Simd>(
    s: S,
    blocks: usize,
    theta: &Packed<T>,
    x: &[[T; BLOCK]],
    h: &mut [[T; BLOCK]],
) {
    // Weights are operands too: a third of the registers for running sums leaves room for them.
    let most = running_sums::<T, S>() / 3;
    let job = Preactivations { theta, x };
    let mut k = 0;
    while k < theta.units {
        k += match (theta.units - k).min(PACK - k % PACK).min(most) {
            8.. => job.units::<S, 8, 1>(s, k, blocks, h),
            4.. => job.units::<S, 4, 2>(s, k, blocks, h),
            2.. => job.units::<S, 2, 2>(s, k, blocks, h),
            _ if most >= 8 => job.units::<S, 1, 4>(s, k, blocks, h),
            _ => job.units::<S, 1, 1>(s, k, blocks, h),
        };
    }
}

struct Preactivations<'a, T> {
    theta: &'a Packed<T>,
    x: &'a [[T; BLOCK]],
}

impl<T: Real> Preactivations<'_, T> {
    /// `R` units from `k` on through all blocks, `B` blocks at a time.
    #[inline(always)]
    fn units<S: Simd, const R: usize, const B: usize>(
        &self,
        s: S,
        k: usize,
        blocks: usize,
        h: &mut [[T; BLOCK]],
    ) -> usize {
        let mut slot = 0;
        while slot + B <= blocks {
            self.tile::<S, R, B>(s, k, slot, h);
            slot += B;
        }
        while slot < blocks {
            self.tile::<S, R, 1>(s, k, slot, h);
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
        h: &mut [[T; BLOCK]],
    ) {
        let n = self.theta.n;
        let (pack, first) = (k / PACK, k % PACK);
        let mut x: [&[[T; BLOCK]]; B] = [&[]; B];
        for b in 0..B {
            x[b] = &self.x[(slot + b) * n..][..n];
        }
        let mut sums = [[[T::splat(s, T::ZERO); 2]; B]; R];
        for r in 0..R {
            sums[r] = [[T::splat(s, self.theta.biases[pack][first + r]); 2]; B];
        }
        for (i, w) in self.theta.weights[pack * n..][..n].iter().enumerate() {
            let w = &w[first..first + R];
            for b in 0..B {
                let [low, high] = halves(&x[b][i]);
                let (low, high) = (T::load(s, low), T::load(s, high));
                for r in 0..R {
                    let w = T::splat(s, w[r]);
                    sums[r][b][0] = T::times_plus(s, w, low, sums[r][b][0]);
                    sums[r][b][1] = T::times_plus(s, w, high, sums[r][b][1]);
                }
            }
        }
        for b in 0..B {
            let rows = &mut h[(slot + b) * self.theta.units + k..][..R];
            for r in 0..R {
                let (row, _) = rows[r].as_chunks_mut::<LANES>();
                T::store(s, sums[r][b][0], &mut row[0]);
                T::store(s, sums[r][b][1], &mut row[1]);
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
    x: &[[T; BLOCK]],
    delta: &[[T; BLOCK]],
    grad: &mut [T],
) {
    let (weights, biases) = grad.split_at_mut(width * n);
    let most = running_sums::<T, S>() / 4;
    let job = Gradients { blocks, width, n, x, delta };
    let mut k = 0;
    while k < width {
        let left = width - k;
        k += match left.min(most) {
            6.. => job.units::<S, 6>(s, k, weights, biases),
            4.. => job.units::<S, 4>(s, k, weights, biases),
            3.. => job.units::<S, 3>(s, k, weights, biases),
            2.. => job.units::<S, 2>(s, k, weights, biases),
            _ => job.units::<S, 1>(s, k, weights, biases),
        };
    }
}

struct Gradients<'a, T> {
    blocks: usize,
    width: usize,
    n: usize,
    x: &'a [[T; BLOCK]],
    delta: &'a [[T; BLOCK]],
}

/// Inputs of a tile.
const INPUTS: usize = 4;

impl<T: Real> Gradients<'_, T> {
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
        let mut i = 0;
        while i < n {
            let inputs = INPUTS.min(n - i);
            let sums = if inputs == INPUTS {
                self.tile::<S, R, INPUTS>(s, k, i)
            } else {
                let mut sums = [[zero; INPUTS]; R];
                for c in 0..inputs {
                    let column = self.tile::<S, R, 1>(s, k, i + c);
                    for r in 0..R {
                        sums[r][c] = column[r][0];
                    }
                }
                sums
            };
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
                    let row = &mut weights[(k + r + u) * n + i..][..inputs];
                    // A whole tile's row is one register.
                    if inputs == INPUTS {
                        for c in 0..INPUTS {
                            row[c] = row[c] + total[u * INPUTS + c];
                        }
                    } else {
                        for c in 0..inputs {
                            row[c] = row[c] + total[u * INPUTS + c];
                        }
                    }
                }
            }
            i += inputs;
        }
        if !biases.is_empty() {
            self.biases::<S, R>(s, k, biases);
        }
        R
    }

    /// The biases of `R` units; one after the other in the inner loop, so that no sum waits for itself.
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
                        sums[r][c] = T::times_plus(s, d, columns[c], sums[r][c]);
                    }
                }
            }
        }
        sums
    }
}
