//! A matrix as given: checked, and scaled so that no step over- or underflows.

use super::error::{ASYMMETRY, SymmetricError};
use crate::vector::largest;

/// Up to this exponent of the largest entry, up or down, the matrix is not scaled; beyond, its entries are scaled to about 1.
const FAR: i32 = 900;

/// A checked matrix over a power of two.
pub(super) struct Given {
    /// Rows.
    pub(super) n: usize,
    /// Row by row; entries above the diagonal are zero. Mirror images that differ by rounding are replaced by their mean.
    pub(super) lower: Vec<f64>,
    /// What the entries were divided by.
    pub(super) scale: f64,
}

impl Given {
    pub(super) fn new(rows: &[Vec<f64>]) -> Result<Self, SymmetricError> {
        let n = rows.len();
        if let Some(row) = (0..n).find(|i| rows[*i].len() != n) {
            return Err(SymmetricError::NotSquare { row, entries: rows[row].len(), rows: n });
        }
        for (row, entries) in rows.iter().enumerate() {
            if let Some(column) = entries.iter().position(|x| !x.is_finite()) {
                return Err(SymmetricError::NotFinite { row, column, value: entries[column] });
            }
        }
        let top = rows.iter().map(|row| largest(row)).fold(0.0, f64::max);
        let exponent = if top > 0.0 { libm::ilogb(top) } else { 0 };
        // The inverse of the smallest powers of two is not finite; the smallest with a finite inverse serves as well.
        let exponent = if exponent.abs() > FAR { exponent.max(-1000) } else { 0 };
        let (scale, inverse) = (libm::scalbn(1.0, exponent), libm::scalbn(1.0, -exponent));
        let mut lower = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let (below, above) = (inverse * rows[i][j], inverse * rows[j][i]);
                if (below - above).abs() > ASYMMETRY * inverse * top {
                    let (below, above) = (rows[i][j], rows[j][i]);
                    return Err(SymmetricError::NotSymmetric { row: i, column: j, below, above });
                }
                lower[i * n + j] = f64::midpoint(below, above);
            }
        }
        Ok(Self { n, lower, scale })
    }
}
