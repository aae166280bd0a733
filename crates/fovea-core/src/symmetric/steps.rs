//! Implicit QL steps with Wilkinson's shift: a tridiagonal matrix becomes diagonal, and its vectors are rotated along.
//!
//! Rotations are collected, and then applied to a few columns of the vectors at a time, which stay in the cache.

use super::tridiagonal::Reduced;
use super::{PER_UNIT, SymmetricError};
use crate::work::spend;

/// Steps allowed per eigenvalue on average; two are usual.
const STEPS: usize = 60;
/// Columns that are rotated together.
const COLUMNS: usize = 16;
/// Rotations that are collected.
const KEPT: usize = 1 << 15;

/// Rotates rows `place` and `place + 1`.
struct Rotation {
    place: usize,
    cos: f64,
    sin: f64,
}

/// The iteration.
pub(super) struct Steps {
    diagonal: Vec<f64>,
    off_diagonal: Vec<f64>,
    turns: Vec<Rotation>,
}

impl Steps {
    pub(super) fn of(reduced: Reduced) -> Self {
        Self { diagonal: reduced.diagonal, off_diagonal: reduced.off_diagonal, turns: Vec::new() }
    }

    /// The eigenvalues, unordered; the rows of `vectors` become their eigenvectors.
    pub(super) fn diagonal(
        mut self,
        mut vectors: Option<&mut Vec<f64>>,
    ) -> Result<Vec<f64>, SymmetricError> {
        let n = self.diagonal.len();
        let mut steps = 0;
        for low in 0..n {
            loop {
                let high = self.end_of_block(low);
                // Rotations are computed one by one, and cost more than the numbers they change.
                if high == low || !spend((high - low).div_ceil(4)) {
                    break;
                }
                if steps == STEPS * n {
                    return Err(SymmetricError::NotConverged { n, steps });
                }
                steps += 1;
                self.step(low, high);
                match &mut vectors {
                    Some(vectors) if self.turns.len() >= KEPT => turn(vectors, n, &self.turns),
                    Some(_) => continue,
                    None => {}
                }
                self.turns.clear();
            }
        }
        if let Some(vectors) = vectors {
            turn(vectors, n, &self.turns);
        }
        Ok(self.diagonal)
    }

    /// The last index that is coupled to `low`.
    fn end_of_block(&self, low: usize) -> usize {
        let last = self.diagonal.len() - 1;
        (low..last).find(|i| self.negligible(*i)).unwrap_or(last)
    }

    /// Whether an entry next to the diagonal changes no eigenvalue by more than rounding.
    fn negligible(&self, i: usize) -> bool {
        let off_diagonal = self.off_diagonal[i].abs();
        let (a, b) = (self.diagonal[i].abs(), self.diagonal[i + 1].abs());
        // Separate roots, since the product of tiny numbers underflows.
        off_diagonal <= f64::EPSILON * (a.sqrt() * b.sqrt()) || off_diagonal < f64::MIN_POSITIVE
    }

    /// One step on the block from `low` to `high`, from end to beginning.
    fn step(&mut self, low: usize, high: usize) {
        let (d, e) = (&mut self.diagonal, &mut self.off_diagonal);
        // Wilkinson's shift: the eigenvalue of the first 2 x 2 block that is nearer to its first entry.
        let half = (d[low + 1] - d[low]) / (2.0 * e[low]);
        let root = libm::hypot(half, 1.0);
        let mut g = d[high] - d[low] + e[low] / (half + root.copysign(half));
        let (mut sin, mut cos, mut shift) = (1.0, 1.0, 0.0);
        for i in (low..high).rev() {
            let (f, b) = (sin * e[i], cos * e[i]);
            let length = libm::hypot(f, g);
            e[i + 1] = length;
            if length <= 0.0 {
                // The block has split: the next steps do the rest of it.
                d[i + 1] -= shift;
                e[high] = 0.0;
                return;
            }
            (sin, cos) = (f / length, g / length);
            let above = d[i + 1] - shift;
            let r = (d[i] - above) * sin + 2.0 * cos * b;
            shift = sin * r;
            d[i + 1] = above + shift;
            g = cos * r - b;
            self.turns.push(Rotation { place: i, cos, sin });
        }
        d[low] -= shift;
        e[low] = g;
        e[high] = 0.0;
    }
}

/// Applies rotations, in their order, to the rows of `vectors`.
fn turn(vectors: &mut [f64], n: usize, turns: &[Rotation]) {
    let mut columns = vec![[0.0; COLUMNS]; n];
    for first in (0..n).step_by(COLUMNS) {
        let width = COLUMNS.min(n - first);
        let rows = vectors.chunks(n).map(|row| &row[first..first + width]);
        columns.iter_mut().zip(rows).for_each(|(to, from)| to[..width].copy_from_slice(from));
        if !spend(turns.len() * width / PER_UNIT) {
            break;
        }
        for Rotation { place, cos, sin } in turns {
            let [upper, lower] = &mut columns[*place..place + 2] else { continue };
            for (a, b) in upper.iter_mut().zip(lower) {
                (*a, *b) = (cos * *a - sin * *b, sin * *a + cos * *b);
            }
        }
        let rows = vectors.chunks_mut(n).map(|row| &mut row[first..first + width]);
        columns.iter().zip(rows).for_each(|(from, to)| to.copy_from_slice(&from[..width]));
    }
}
