//! Products of a layer on blocks of samples: every sum is one chain in the order of its terms, whatever the instruction set.
//!
//! A tile's shape is a matter of speed alone. Matrices of samples are `[block][feature][sample of the block]`, so that all
//! three products of a tangent kernel (weights times samples, transposed weights times samples, samples times samples)
//! read what they need where it lies.

use crate::simd::{Kernel, Simd};
use fovea_core::lanes::{BLOCK, LANES, Real};

/// The left factor of a product, `a(row, k)`.
pub(super) trait Left<T: Real>: Copy {
    /// `a(first..first + R, k)` as a function of `k`; `first` is a multiple of `R`, a power of two up to [`MOST`].
    fn panel<const R: usize>(self, first: usize) -> impl Fn(usize) -> [T; R];
}

/// A matrix row by row.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a, T> {
    pub(super) matrix: &'a [T],
    pub(super) length: usize,
}

/// The transposed of a matrix that is stored row by row.
#[derive(Clone, Copy)]
pub(super) struct Transposed<'a, T> {
    pub(super) matrix: &'a [T],
    pub(super) length: usize,
}

/// Samples, each a row.
#[derive(Clone, Copy)]
pub(super) struct Samples<'a, T> {
    pub(super) blocks: &'a [[T; BLOCK]],
    pub(super) features: usize,
}

impl<T: Real> Left<T> for Rows<'_, T> {
    #[inline(always)]
    fn panel<const R: usize>(self, first: usize) -> impl Fn(usize) -> [T; R] {
        let mut rows: [&[T]; R] = [&[]; R];
        for r in 0..R {
            rows[r] = &self.matrix[(first + r) * self.length..][..self.length];
        }
        #[inline(always)]
        move |k| {
            let mut column = [T::ZERO; R];
            for r in 0..R {
                column[r] = rows[r][k];
            }
            column
        }
    }
}

impl<T: Real> Left<T> for Transposed<'_, T> {
    #[inline(always)]
    fn panel<const R: usize>(self, first: usize) -> impl Fn(usize) -> [T; R] {
        #[inline(always)]
        move |k| {
            let mut column = [T::ZERO; R];
            column.copy_from_slice(&self.matrix[k * self.length + first..][..R]);
            column
        }
    }
}

impl<T: Real> Left<T> for Samples<'_, T> {
    #[inline(always)]
    fn panel<const R: usize>(self, first: usize) -> impl Fn(usize) -> [T; R] {
        let block = &self.blocks[first / BLOCK * self.features..][..self.features];
        let lane = first % BLOCK;
        #[inline(always)]
        move |k| {
            let mut column = [T::ZERO; R];
            column.copy_from_slice(&block[k][lane..lane + R]);
            column
        }
    }
}

/// Rows of the tallest tile.
const MOST: usize = 8;

/// `out(i, s) = start_i + sum_k left(i, k) right(k, s)`, in the order of `k`.
pub(super) struct Product<'a, T, L> {
    pub(super) left: L,
    /// Rows of the left factor.
    pub(super) rows: usize,
    /// Terms of a sum.
    pub(super) terms: usize,
    pub(super) right: &'a [[T; BLOCK]],
    /// Samples; places behind them are left alone where a whole half block is.
    pub(super) samples: usize,
    /// Where each sum starts; at zero where it is empty.
    pub(super) start: &'a [T],
    /// Rows are samples too, and only the blocks from that of the row on are asked for.
    pub(super) upper: bool,
    pub(super) out: &'a mut [[T; BLOCK]],
}

impl<T: Real, L: Left<T>> Kernel for Product<'_, T, L> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        // Vectors of sixteen lanes that the registers hold as running sums.
        let sums = S::SUMS * S::WIDTH / size_of::<T::Lanes<S>>();
        let mut i = 0;
        while i < self.rows {
            let left = (self.rows - i).min(if sums >= 2 * MOST { MOST } else { MOST / 2 });
            i += match left {
                8.. => self.panel::<S, 8>(s, i),
                4.. => self.panel::<S, 4>(s, i),
                2.. => self.panel::<S, 2>(s, i),
                _ => self.panel::<S, 1>(s, i),
            };
        }
    }
}

impl<T: Real, L: Left<T>> Product<'_, T, L> {
    /// `R` rows against every block.
    #[inline(always)]
    fn panel<S: Simd, const R: usize>(&mut self, s: S, i: usize) -> usize {
        let first = if self.upper { i / BLOCK } else { 0 };
        let column = self.left.panel::<R>(i);
        let mut start = [T::ZERO; R];
        if let Some(given) = self.start.get(i..i + R) {
            start.copy_from_slice(given);
        }
        let wide = 2 * R * size_of::<T::Lanes<S>>() <= S::SUMS * S::WIDTH;
        for slot in first..self.samples.div_ceil(BLOCK) {
            let right = &self.right[slot * self.terms..][..self.terms];
            let out = &mut self.out[slot * self.rows + i..][..R];
            let low = !(self.upper && slot == first && i % BLOCK >= LANES);
            let high = self.samples - slot * BLOCK > LANES;
            if wide && low && high {
                tile::<T, S, R, 2>(s, &column, right, start, 0, out);
            } else {
                for half in usize::from(!low)..=usize::from(high) {
                    tile::<T, S, R, 1>(s, &column, right, start, half, out);
                }
            }
        }
        R
    }
}

/// `R` rows against `W` halves of a block, from half `half` on.
#[inline(always)]
fn tile<T: Real, S: Simd, const R: usize, const W: usize>(
    s: S,
    column: &impl Fn(usize) -> [T; R],
    right: &[[T; BLOCK]],
    start: [T; R],
    half: usize,
    out: &mut [[T; BLOCK]],
) {
    let mut sums = [[T::splat(s, T::ZERO); W]; R];
    for r in 0..R {
        sums[r] = [T::splat(s, start[r]); W];
    }
    for (k, row) in right.iter().enumerate() {
        let (halves, _) = row.as_chunks::<LANES>();
        let mut vectors = [T::splat(s, T::ZERO); W];
        for w in 0..W {
            vectors[w] = T::load(s, &halves[half + w]);
        }
        let column = column(k);
        for r in 0..R {
            let a = T::splat(s, column[r]);
            for w in 0..W {
                sums[r][w] = T::times_plus(s, a, vectors[w], sums[r][w]);
            }
        }
    }
    for r in 0..R {
        let (halves, _) = out[r].as_chunks_mut::<LANES>();
        for w in 0..W {
            T::store(s, sums[r][w], &mut halves[half + w]);
        }
    }
}
