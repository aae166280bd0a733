//! Products of a layer on blocks of samples: every sum is one chain in the order of its terms, whatever the instruction set.
//!
//! A tile's shape affects speed alone. Matrices of samples are `[block][feature][sample of the block]`, so that all
//! three products of a tangent kernel (weights times samples, transposed weights times samples, samples times samples)
//! read contiguous memory.

use crate::packed::{NEAREST, PACK, Packed, running_sums};
use crate::simd::{Body, Simd};
use fovea_core::lanes::{BLOCK, LANES, Real};
use std::ops::Range;

/// The left factor of a product, `a(row, k)`.
pub(super) trait Left<T: Real>: Copy {
    /// `a(first..first + R, k + i)` as a function of `i`; `first` is a multiple of `R`, a power of two up to [`PACK`].
    fn panel<const R: usize>(self, first: usize, k: usize) -> impl Fn(usize) -> [T; R];
}

impl<T: Real> Left<T> for &Packed<T> {
    #[inline(always)]
    fn panel<const R: usize>(self, first: usize, k: usize) -> impl Fn(usize) -> [T; R] {
        columns(&self.pack(first / PACK)[k..], first % PACK)
    }
}

/// Samples, one per row.
#[derive(Clone, Copy)]
pub(super) struct Samples<'a, T> {
    pub(super) blocks: &'a [[T; BLOCK]],
    pub(super) features: usize,
}

impl<T: Real> Left<T> for Samples<'_, T> {
    #[inline(always)]
    fn panel<const R: usize>(self, first: usize, k: usize) -> impl Fn(usize) -> [T; R] {
        let block = &self.blocks[first / BLOCK * self.features..][k..self.features];
        columns(block, first % BLOCK)
    }
}

/// Places `at..at + R` of every column.
#[inline(always)]
fn columns<T: Real, const N: usize, const R: usize>(
    columns: &[[T; N]],
    at: usize,
) -> impl Fn(usize) -> [T; R] {
    #[inline(always)]
    move |i| {
        let mut column = [T::ZERO; R];
        column.copy_from_slice(&columns[i][at..at + R]);
        column
    }
}

/// `out(i, s) = start_i + sum_k left(i, k) right(k, s)`, in the order of `k`.
pub(super) struct Product<'a, T, L> {
    pub(super) left: L,
    /// Rows of the left factor.
    pub(super) rows: usize,
    /// Terms of a sum.
    pub(super) terms: usize,
    pub(super) right: &'a [[T; BLOCK]],
    /// Samples; a half block beyond them is left unchanged.
    pub(super) samples: usize,
    /// Where each sum starts; at zero where it is empty.
    pub(super) start: &'a [T],
    /// Rows are samples too, and only the blocks from that of the row on are computed.
    pub(super) upper: bool,
    pub(super) out: &'a mut [[T; BLOCK]],
}

/// A tile: row, block, its first half that takes part, and terms.
struct Place {
    row: usize,
    slot: usize,
    half: usize,
    terms: Range<usize>,
}

impl<T: Real, L: Left<T>> Body for Product<'_, T, L> {
    type Output = ();

    /// Some terms of a strip of samples stay in the nearest cache while all rows are multiplied by them; the sums are kept in `out`.
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let sums = running_sums::<T, S>();
        let tall = if sums >= 2 * PACK { PACK } else { PACK / 2 };
        let wide = sums >= 2 * tall;
        let depth = NEAREST / size_of::<[T; LANES]>() / if wide { 2 } else { 1 };
        for k in (0..self.terms.max(1)).step_by(depth) {
            let terms = k..self.terms.min(k + depth);
            for slot in 0..self.samples.div_ceil(BLOCK) {
                let halves = if self.samples - slot * BLOCK > LANES { 2 } else { 1 };
                let whole = wide && halves == 2;
                for half in 0..if whole { 1 } else { halves } {
                    self.strip(s, &Place { row: 0, slot, half, terms: terms.clone() }, tall, whole);
                }
            }
        }
    }
}

impl<T: Real, L: Left<T>> Product<'_, T, L> {
    /// All rows against one half of a block, or against both.
    #[inline(always)]
    fn strip<S: Simd>(&mut self, s: S, strip: &Place, tall: usize, whole: bool) {
        // A row is multiplied by the samples of its own half block and later ones.
        let last = strip.slot * BLOCK + if whole { BLOCK } else { (strip.half + 1) * LANES };
        let rows = if self.upper { self.rows.min(last) } else { self.rows };
        let mut row = 0;
        while row < rows {
            let second = self.upper && row >= strip.slot * BLOCK + LANES;
            let (half, whole) = if second { (1, false) } else { (strip.half, whole) };
            let place = Place { row, half, terms: strip.terms.clone(), ..*strip };
            row += match (rows - row).min(tall) {
                8.. => self.panel::<S, 8>(s, &place, whole),
                4.. => self.panel::<S, 4>(s, &place, whole),
                2.. => self.panel::<S, 2>(s, &place, whole),
                _ => self.panel::<S, 1>(s, &place, whole),
            };
        }
    }

    /// `R` rows.
    #[inline(always)]
    fn panel<S: Simd, const R: usize>(&mut self, s: S, at: &Place, whole: bool) -> usize {
        let column = self.left.panel::<R>(at.row, at.terms.start);
        let right = &self.right[at.slot * self.terms..][at.terms.clone()];
        let out = &mut self.out[at.slot * self.rows + at.row..][..R];
        let mut start = None;
        if at.terms.start == 0 {
            let mut given = [T::ZERO; R];
            if let Some(rows) = self.start.get(at.row..at.row + R) {
                given.copy_from_slice(rows);
            }
            start = Some(given);
        }
        if whole {
            tile::<T, S, R, 2>(s, &column, right, start, 0, out);
        } else {
            tile::<T, S, R, 1>(s, &column, right, start, at.half, out);
        }
        R
    }
}

/// `R` rows against `W` halves of a block, from half `half` on; sums go on from `out` where they have no start.
#[inline(always)]
fn tile<T: Real, S: Simd, const R: usize, const W: usize>(
    s: S,
    column: &impl Fn(usize) -> [T; R],
    right: &[[T; BLOCK]],
    start: Option<[T; R]>,
    half: usize,
    out: &mut [[T; BLOCK]],
) {
    let mut sums = [[T::splat(s, T::ZERO); W]; R];
    for r in 0..R {
        let (halves, _) = out[r].as_chunks::<LANES>();
        for w in 0..W {
            sums[r][w] = match start {
                Some(start) => T::splat(s, start[r]),
                None => T::load(s, &halves[half + w]),
            };
        }
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
