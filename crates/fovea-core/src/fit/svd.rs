//! Singular values of a tall matrix with few columns, by Householder triangularisation and one-sided Jacobi rotations.

/// `A = U diag(s) V'`, together with `U' b` for one right-hand side.
pub(super) struct Svd {
    /// Singular values, in no order.
    pub(super) values: Vec<f64>,
    /// `V` column by column.
    pub(super) v: Vec<f64>,
    /// `U' b`, zero where the singular value is.
    pub(super) ub: Vec<f64>,
}

/// Rotations leave columns this far from orthogonal, relative to their lengths.
const ORTHOGONAL: f64 = 1e-15;
/// Jacobi's iteration converges quadratically; this is never reached for a handful of columns.
const SWEEPS: usize = 40;

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Decomposes the matrix whose columns of length `b.len()` follow each other in `a`.
pub(super) fn svd(a: &[f64], b: &[f64]) -> Svd {
    let rows = b.len();
    let p = a.len() / rows;
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    if rows > p {
        triangle(&mut a, &mut b, p);
        a = a.chunks(rows).flat_map(|column| column[..p].to_vec()).collect();
        b.truncate(p);
    }
    let rows = b.len();
    let mut v: Vec<f64> = (0..p * p).map(|i| if i % (p + 1) == 0 { 1.0 } else { 0.0 }).collect();
    for _ in 0..SWEEPS {
        let mut still = true;
        for i in 0..p {
            for j in i + 1..p {
                let (left, right) = (&a[i * rows..(i + 1) * rows], &a[j * rows..(j + 1) * rows]);
                let (aa, bb, ab) = (dot(left, left), dot(right, right), dot(left, right));
                if ab.abs() <= ORTHOGONAL * (aa * bb).sqrt() {
                    continue;
                }
                still = false;
                // The rotation that makes the two columns orthogonal, by the smaller of the two angles.
                let zeta = (bb - aa) / (2.0 * ab);
                let tan = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
                let cos = 1.0 / (1.0 + tan * tan).sqrt();
                rotate(&mut a, rows, (i, j), (cos, cos * tan));
                rotate(&mut v, p, (i, j), (cos, cos * tan));
            }
        }
        if still {
            break;
        }
    }
    let values: Vec<f64> = a.chunks(rows).map(|column| dot(column, column).sqrt()).collect();
    let ub = a.chunks(rows).zip(&values);
    let ub = ub.map(|(column, s)| if *s > 0.0 { dot(column, &b) / s } else { 0.0 }).collect();
    Svd { values, v, ub }
}

fn rotate(a: &mut [f64], rows: usize, (i, j): (usize, usize), (cos, sin): (f64, f64)) {
    let (head, tail) = a.split_at_mut(j * rows);
    for (x, y) in head[i * rows..(i + 1) * rows].iter_mut().zip(&mut tail[..rows]) {
        (*x, *y) = (cos * *x - sin * *y, sin * *x + cos * *y);
    }
}

/// Makes the first `p` rows of `a` triangular by reflections, and reflects `b` with them.
fn triangle(a: &mut [f64], b: &mut [f64], p: usize) {
    let rows = b.len();
    for k in 0..p {
        let (done, rest) = a.split_at_mut((k + 1) * rows);
        let column = &mut done[k * rows..];
        let length = dot(&column[k..], &column[k..]).sqrt();
        if length <= 0.0 {
            continue;
        }
        let mut mirror = column[k..].to_vec();
        mirror[0] += length.copysign(mirror[0]);
        let square = dot(&mirror, &mirror);
        let reflect = |target: &mut [f64]| {
            let share = 2.0 * dot(&mirror, target) / square;
            for (x, m) in target.iter_mut().zip(&mirror) {
                *x -= share * m;
            }
        };
        column[k] = -length.copysign(column[k]);
        column[k + 1..].fill(0.0);
        for other in rest.chunks_mut(rows) {
            reflect(&mut other[k..]);
        }
        reflect(&mut b[k..]);
    }
}
