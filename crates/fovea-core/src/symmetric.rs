//! Eigenvalues and eigenvectors of a symmetric matrix, by Jacobi's rotations.
//!
//! Small eigenvalues keep an error of rounding times the largest, which is what a test of definiteness can have at all.

/// Eigenvalues in ascending order, each with its unit eigenvector.
#[derive(Clone, Debug)]
pub struct Eigen {
    /// The eigenvalues, ascending.
    pub values: Vec<f64>,
    /// The eigenvectors, in the order of the values.
    pub vectors: Vec<Vec<f64>>,
}

/// Jacobi's iteration converges quadratically; this is never reached.
const SWEEPS: usize = 60;

/// Decomposes the symmetric matrix whose rows are given; the upper triangle alone is read.
///
/// ```
/// let eigen = fovea_core::symmetric::eigen(&[vec![2.0, 1.0], vec![1.0, 2.0]]);
/// assert!((eigen.values[0] - 1.0).abs() < 1e-15 && (eigen.values[1] - 3.0).abs() < 1e-15);
/// ```
pub fn eigen(rows: &[Vec<f64>]) -> Eigen {
    let n = rows.len();
    let mut a: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| rows[i.min(j)][i.max(j)]).collect()).collect();
    let mut v: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    let scale: f64 = a.iter().flatten().map(|x| x * x).sum::<f64>().sqrt();
    for _ in 0..SWEEPS {
        let off = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
        let largest = off.map(|(i, j)| a[i][j].abs()).fold(0.0, f64::max);
        // Below this a rotation changes no eigenvalue; a matrix that is not finite stops here too.
        if largest <= 1e-17 * scale || !scale.is_finite() {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut a, &mut v, p, q);
            }
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|i, j| a[*i][*i].total_cmp(&a[*j][*j]));
    Eigen {
        values: order.iter().map(|i| a[*i][*i]).collect(),
        vectors: order.iter().map(|i| v[*i].clone()).collect(),
    }
}

/// Turns the plane of `p` and `q` so that their entry vanishes; `v` holds the vectors as rows.
fn rotate(a: &mut [Vec<f64>], v: &mut [Vec<f64>], p: usize, q: usize) {
    let entry = a[p][q];
    if entry == 0.0 {
        return;
    }
    let half = 0.5 * (a[q][q] - a[p][p]) / entry;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The second difference on a path: eigenvalues 2 - 2 cos(pi k / (n + 1)).
    #[test]
    fn eigenvalues_and_vectors_of_a_known_matrix() {
        let n = 12;
        let entry = |i: usize, j: usize| match i.abs_diff(j) {
            0 => 2.0,
            1 => -1.0,
            _ => 0.0,
        };
        let rows: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
        let found = eigen(&rows);
        for (k, (value, vector)) in found.values.iter().zip(&found.vectors).enumerate() {
            let angle = std::f64::consts::PI * (k + 1) as f64 / (n + 1) as f64;
            assert!((value - (2.0 - 2.0 * libm::cos(angle))).abs() < 1e-14);
            for (row, x) in rows.iter().zip(vector) {
                let image: f64 = row.iter().zip(vector).map(|(a, b)| a * b).sum();
                assert!((image - value * x).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn a_singular_matrix_shows_it_and_an_empty_one_has_none() {
        let rank_one: Vec<Vec<f64>> =
            (1..5).map(|i| (1..5).map(|j| f64::from(i * j)).collect()).collect();
        let values = eigen(&rank_one).values;
        assert!((values[3] - 30.0).abs() < 1e-13 && values[0].abs() < 1e-14);
        assert!(eigen(&[]).values.is_empty());
    }
}
