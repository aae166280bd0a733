//! The reference method: eigenvalues and eigenvectors by Jacobi's rotations, each of which clears one entry.

use super::given::Given;
use super::{Eigen, PER_UNIT, SymmetricError};
use crate::work::spend;

/// Jacobi's iteration converges quadratically: about ten sweeps are usual.
const SWEEPS: usize = 60;

/// The result of [`super::eigen`], in the same order and with the same signs, by another method.
///
/// # Errors
/// As for [`super::eigen`].
pub fn eigen(rows: &[Vec<f64>]) -> Result<Eigen, SymmetricError> {
    let Given { n, lower, scale } = Given::new(rows)?;
    let entry = |i: usize, j: usize| lower[i.max(j) * n + i.min(j)];
    let mut a: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
    let mut v: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    // A sum of squares would overflow; the largest entry is within a factor n of its root.
    let size = a.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    for _ in 0..SWEEPS {
        let off = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
        let largest = off.map(|(i, j)| a[i][j].abs()).fold(0.0, f64::max);
        // Below this a rotation changes no eigenvalue.
        if largest <= 1e-17 * size {
            let values: Vec<f64> = (0..n).map(|i| a[i][i]).collect();
            return Eigen::in_order(&values, &v.concat(), scale);
        }
        for p in 0..n {
            if !spend(4 * n * (n - p) / PER_UNIT) {
                break;
            }
            for q in p + 1..n {
                rotate(&mut a, &mut v, p, q);
            }
        }
    }
    Err(SymmetricError::NotConverged { n, steps: SWEEPS })
}

/// Turns the plane of `p` and `q` so that their entry vanishes; `v` holds the vectors as rows.
fn rotate(a: &mut [Vec<f64>], v: &mut [Vec<f64>], p: usize, q: usize) {
    let entry = a[p][q];
    if entry == 0.0 {
        return;
    }
    let half = 0.5 * (a[q][q] - a[p][p]) / entry;
    // Beyond about 1e154 the square is infinite and the tangent 0, as it should be.
    let tangent = 1.0_f64.copysign(half) / (half.abs() + (1.0 + half * half).sqrt());
    let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
    let sine = tangent * cosine;
    a[p][p] -= tangent * entry;
    a[q][q] += tangent * entry;
    (a[p][q], a[q][p]) = (0.0, 0.0);
    for k in (0..a.len()).filter(|k| *k != p && *k != q) {
        let (ap, aq) = (a[k][p], a[k][q]);
        let (np, nq) = (cosine * ap - sine * aq, sine * ap + cosine * aq);
        (a[k][p], a[p][k]) = (np, np);
        (a[k][q], a[q][k]) = (nq, nq);
    }
    let (head, tail) = v.split_at_mut(q);
    for (vp, vq) in head[p].iter_mut().zip(&mut tail[0]) {
        (*vp, *vq) = (cosine * *vp - sine * *vq, sine * *vp + cosine * *vq);
    }
}
