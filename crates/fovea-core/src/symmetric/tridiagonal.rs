//! Householder's reduction: reflections that leave only the diagonal and the entries next to it.
//!
//! It begins with the last row. Row `i` is reflected onto its entry next to the diagonal by `P = 1 - u u'/h`, where `u` has `i` entries:
//!
//! ```math
//! A\to PAP=A-uq^\top-qu^\top,\qquad p=\frac{Au}h,\quad q=p-\frac{u\cdot p}{2h}u
//! ```
//!
//! Rows are read and written in their order in memory, and only below the diagonal.

use super::PER_UNIT;
use crate::vector::{dot, largest};
use crate::work::spend;

/// A matrix made tridiagonal, with the reflections used.
pub(super) struct Reduced {
    n: usize,
    pub(super) diagonal: Vec<f64>,
    /// Entry `i` couples `i` and `i + 1`; the last one is unused.
    pub(super) off_diagonal: Vec<f64>,
    /// Row `i` holds `u` of the reflection of that row, over its scale.
    mirrors: Vec<f64>,
    /// `h` of every row; 0 where it needed no reflection.
    halves: Vec<f64>,
}

impl Reduced {
    /// Reduces the matrix whose rows, up to the diagonal, are in `a`.
    pub(super) fn of(n: usize, mut a: Vec<f64>) -> Self {
        let (mut off_diagonal, mut halves) = (vec![0.0; n], vec![0.0; n]);
        let mut q = vec![0.0; n];
        for i in (1..n).rev() {
            if !spend(i * i / PER_UNIT) {
                break;
            }
            let (above, rest) = a.split_at_mut(i * n);
            let u = &mut rest[..i];
            (off_diagonal[i - 1], halves[i]) = mirror(u);
            if halves[i] > 0.0 {
                reflect(above, n, u, halves[i], &mut q[..i]);
            }
        }
        let diagonal = (0..n).map(|i| a[i * n + i]).collect();
        Self { n, diagonal, off_diagonal, mirrors: a, halves }
    }

    /// The basis in which the matrix is tridiagonal, row by row: the product of all reflections.
    pub(super) fn basis(&mut self) -> Vec<f64> {
        let n = self.n;
        let mut basis = vec![0.0; n * n];
        for i in 0..n {
            if !spend(i * i / PER_UNIT) {
                break;
            }
            basis[i * n + i] = 1.0;
            if self.halves[i] > 0.0 {
                let u = &self.mirrors[i * n..i * n + i];
                for row in basis.chunks_mut(n).take(i) {
                    let share = dot(&row[..i], u) / self.halves[i];
                    for (x, u) in row.iter_mut().zip(u) {
                        *x -= share * u;
                    }
                }
            }
        }
        basis
    }
}

/// Turns a row into the vector of its reflection and returns the entry left next to the diagonal, and `h`, which is 0 if all else
/// vanishes already.
fn mirror(row: &mut [f64]) -> (f64, f64) {
    let last = row.len() - 1;
    if largest(&row[..last]) <= 0.0 {
        return (row[last], 0.0);
    }
    // A power of two: entries keep their bits, and the sum of their squares is at least 1.
    let scale = libm::scalbn(1.0, libm::ilogb(largest(row)));
    for x in &mut *row {
        *x /= scale;
    }
    let square = dot(row, row);
    let end = -square.sqrt().copysign(row[last]);
    let half = square - row[last] * end;
    row[last] -= end;
    (scale * end, half)
}

/// Reflects the rows above; `q` is scratch space.
fn reflect(a: &mut [f64], n: usize, u: &[f64], half: f64, q: &mut [f64]) {
    q.fill(0.0);
    for (j, row) in a.chunks(n).enumerate() {
        let (row, share) = (&row[..j], u[j]);
        let diagonal = a[j * n + j] * share;
        let mut sum = 0.0;
        for ((x, u), q) in row.iter().zip(u).zip(q.iter_mut()) {
            sum += x * u;
            *q += x * share;
        }
        q[j] += sum + diagonal;
    }
    for x in &mut *q {
        *x /= half;
    }
    let share = 0.5 * dot(u, q) / half;
    for (q, u) in q.iter_mut().zip(u) {
        *q -= share * u;
    }
    for (j, row) in a.chunks_mut(n).enumerate() {
        let (of_u, of_q) = (u[j], q[j]);
        for ((x, u), q) in row[..=j].iter_mut().zip(u).zip(q.iter()) {
            *x -= of_u * q + of_q * u;
        }
    }
}
