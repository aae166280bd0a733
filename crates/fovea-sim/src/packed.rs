//! Matrices in the order that tiles of rows read them, and the limits that set the size of tiles.

use crate::simd::{Body, Simd, dispatch};
use fovea_core::lanes::Real;

/// Rows that lie side by side.
pub(crate) const PACK: usize = 8;
/// Bytes of the nearest cache that samples may fill while rows are read.
pub(crate) const NEAREST: usize = 20 << 10;

/// Vectors of sixteen lanes that an instruction set keeps in registers as running sums.
#[inline(always)]
pub(crate) fn running_sums<T: Real, S: Simd>() -> usize {
    S::SUMS * S::WIDTH / size_of::<T::Lanes<S>>()
}

/// A matrix as `[pack][column][row of the pack]`, the last pack filled up with zeros.
#[derive(Clone, Debug)]
pub(crate) struct Packed<T> {
    rows: usize,
    columns: usize,
    packs: Vec<[T; PACK]>,
}

impl<T: Real> Packed<T> {
    /// No rows yet, of this many columns.
    pub(crate) fn new(columns: usize) -> Self {
        Self { rows: 0, columns, packs: Vec::new() }
    }

    /// The matrix `a(row, column)`.
    pub(crate) fn of(rows: usize, columns: usize, a: impl Fn(usize, usize) -> T) -> Self {
        let mut packed = Self::new(columns);
        packed.load(rows, |row, first, to| {
            for (column, to) in to.iter_mut().enumerate() {
                *to = a(row, first + column);
            }
        });
        packed
    }

    /// Copies this many rows: `row` writes the numbers of a row from a column on.
    pub(crate) fn load(&mut self, rows: usize, row: impl Fn(usize, usize, &mut [T])) {
        self.rows = rows;
        self.packs.resize(rows.div_ceil(PACK) * self.columns, [T::ZERO; PACK]);
        dispatch(Load { packed: self, row });
    }

    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// The columns of a pack.
    #[inline(always)]
    pub(crate) fn pack(&self, index: usize) -> &[[T; PACK]] {
        &self.packs[index * self.columns..][..self.columns]
    }

    /// One row.
    pub(crate) fn row(&self, row: usize) -> impl Iterator<Item = T> + Clone {
        self.pack(row / PACK).iter().map(move |pack| pack[row % PACK])
    }
}

/// Rows into packs, eight numbers of eight rows at a time.
struct Load<'a, T, F> {
    packed: &'a mut Packed<T>,
    row: F,
}

impl<T: Real, F: Fn(usize, usize, &mut [T])> Body for Load<'_, T, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Packed { rows, columns, packs } = self.packed;
        for (pack, packs) in packs.chunks_mut(*columns).enumerate() {
            let first = pack * PACK;
            let mut tile = [[T::ZERO; PACK]; PACK];
            for (at, columns) in packs.chunks_mut(PACK).enumerate() {
                for (r, row) in tile.iter_mut().enumerate().take(*rows - first) {
                    // A row of known length is converted in one go.
                    if columns.len() == PACK {
                        (self.row)(first + r, at * PACK, row);
                    } else {
                        (self.row)(first + r, at * PACK, &mut row[..columns.len()]);
                    }
                }
                let turned = T::columns(s, tile);
                columns.copy_from_slice(&turned[..columns.len()]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_whatever_fills_the_last_pack() {
        for (rows, columns) in [(1, 1), (8, 8), (9, 3), (20, 17)] {
            let a = |row: usize, column: usize| (100 * row + column) as f64;
            let packed = Packed::of(rows, columns, a);
            assert_eq!((packed.rows(), packed.columns()), (rows, columns));
            for row in 0..rows {
                let whole: Vec<f64> = (0..columns).map(|column| a(row, column)).collect();
                assert_eq!(packed.row(row).collect::<Vec<f64>>(), whole);
            }
            let rest = (rows - 1) / PACK;
            let filled = packed.pack(rest).iter().flat_map(|pack| &pack[rows - rest * PACK..]);
            assert_eq!(filled.copied().fold(0.0, f64::max).to_bits(), 0);
        }
    }
}
