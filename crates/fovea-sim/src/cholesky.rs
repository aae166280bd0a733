//! Pivoted Cholesky factor of a covariance.
//!
//! Written out in plain double precision rather than taken from a library: the factor goes into every sample drawn with
//! it, and a library that picks its own order of summation gives other bits on another machine.

/// The most entries a full covariance is formed or factored for; 2048 of them take some seconds and 34 MB.
pub const LARGEST: usize = 2048;

/// `C = L L^T` with the entries of `C` in the order of `order`.
#[derive(Clone, Debug)]
pub struct Cholesky {
    order: Vec<usize>,
    rows: Vec<Vec<f64>>,
    pivots: Vec<f64>,
}

/// A matrix that is not a covariance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotPsd {
    /// The entry whose variance, given the entries before it, is negative.
    pub entry: usize,
    /// That variance.
    pub variance: f64,
}

impl Cholesky {
    /// Factors the symmetric `n x n` matrix with these entries.
    ///
    /// The entry with the largest variance given those already taken comes next, until only rounding is left: a
    /// covariance without full rank has a factor with fewer columns.
    ///
    /// # Errors
    /// A variance is negative by more than rounding.
    pub fn new(n: usize, entry: impl Fn(usize, usize) -> f64) -> Result<Self, NotPsd> {
        let mut order: Vec<usize> = (0..n).collect();
        // The variance of each entry given those already taken, in the present order.
        let mut left: Vec<f64> = (0..n).map(|i| entry(i, i)).collect();
        let largest = left.iter().fold(0.0_f64, |most, variance| most.max(variance.abs()));
        let rounding = 16.0 * n as f64 * f64::EPSILON * largest;
        // Column `k` holds rows `k..n`.
        let mut columns: Vec<Vec<f64>> = Vec::new();
        let mut pivots = Vec::new();
        for k in 0..n {
            let best = (k + 1..n).fold(k, |best, i| if left[i] > left[best] { i } else { best });
            if left[best] <= rounding {
                break;
            }
            order.swap(k, best);
            left.swap(k, best);
            for (j, column) in columns.iter_mut().enumerate() {
                column.swap(k - j, best - j);
            }
            let mut next: Vec<f64> = (k..n).map(|i| entry(order[i], order[k])).collect();
            for (j, column) in columns.iter().enumerate() {
                let factor = column[k - j];
                for (sum, x) in next.iter_mut().zip(&column[k - j..]) {
                    *sum -= factor * x;
                }
            }
            let root = left[k].sqrt();
            next[0] = root;
            for (x, left) in next[1..].iter_mut().zip(&mut left[k + 1..]) {
                *x /= root;
                *left -= *x * *x;
            }
            pivots.push(left[k]);
            columns.push(next);
        }
        let rank = columns.len();
        if let Some(i) = (rank..n).find(|&i| left[i] < -1e3 * rounding) {
            return Err(NotPsd { entry: order[i], variance: left[i] });
        }
        let row = |i: usize| (0..rank.min(i + 1)).map(|k| columns[k][i - k]).collect();
        let rows = (0..n).map(row).collect();
        Ok(Self { order, rows, pivots })
    }

    /// Columns of the factor.
    pub fn rank(&self) -> usize {
        self.pivots.len()
    }

    /// The entry of the matrix that each row of the factor belongs to.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Row `i` of the factor, without the zeros that follow: at most `i + 1` numbers.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.rows[i]
    }

    /// The variance of entry `order[k]` given the entries before it, for every column.
    pub fn pivots(&self) -> &[f64] {
        &self.pivots
    }

    /// The `x` with `C x = b`; the matrix must have full rank.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let n = self.order.len();
        let mut y: Vec<f64> = self.order.iter().map(|&i| b[i]).collect();
        for i in 0..n {
            for k in 0..i {
                y[i] -= self.rows[i][k] * y[k];
            }
            y[i] /= self.rows[i][i];
        }
        for i in (0..n).rev() {
            for k in i + 1..n {
                y[i] -= self.rows[k][i] * y[k];
            }
            y[i] /= self.rows[i][i];
        }
        let mut x = vec![0.0; n];
        for (value, &i) in y.iter().zip(&self.order) {
            x[i] = *value;
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::streams::Streams;

    /// `A A^T` for an `n x rank` matrix of normals.
    fn gram(n: usize, rank: usize) -> Vec<Vec<f64>> {
        let mut normals = vec![0.0; n * rank];
        Streams::new(n as u64).named("gram").normals(rank as u64, &mut normals);
        let rows: Vec<&[f64]> = normals.chunks(rank).collect();
        let entry = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum();
        rows.iter().map(|a| rows.iter().map(|b| entry(a, b)).collect()).collect()
    }

    #[test]
    fn the_factor_times_itself_is_the_matrix() {
        for (n, rank) in [(1, 1), (2, 2), (2, 1), (7, 7), (30, 40), (30, 4), (65, 64)] {
            let matrix = gram(n, rank);
            let factor = Cholesky::new(n, |i, j| matrix[i][j]).unwrap();
            assert_eq!(factor.rank(), n.min(rank), "n = {n}, rank {rank}");
            for p in 0..n {
                for q in 0..n {
                    let product: f64 =
                        factor.row(p).iter().zip(factor.row(q)).map(|(a, b)| a * b).sum();
                    let truth = matrix[factor.order()[p]][factor.order()[q]];
                    assert!((product - truth).abs() < 1e-13 * (n + rank) as f64);
                }
            }
            assert!(factor.pivots().windows(2).all(|pair| pair[0] >= pair[1]));
        }
    }

    #[test]
    fn a_solution_solves() {
        let matrix = gram(12, 20);
        let b: Vec<f64> = (0..12).map(f64::from).collect();
        let x = Cholesky::new(12, |i, j| matrix[i][j]).unwrap().solve(&b);
        for i in 0..12 {
            let back: f64 = (0..12).map(|j| matrix[i][j] * x[j]).sum();
            assert!((back - b[i]).abs() < 1e-12);
        }
    }

    #[test]
    fn what_is_no_covariance_is_refused_and_nothing_at_all_has_rank_zero() {
        let saddle = [[1.0, 2.0], [2.0, 1.0]];
        let error = Cholesky::new(2, |i, j| saddle[i][j]).unwrap_err();
        assert_eq!((error.entry, error.variance), (1, -3.0));
        assert_eq!(Cholesky::new(3, |_, _| 0.0).unwrap().rank(), 0);
    }
}
