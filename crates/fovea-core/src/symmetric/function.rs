//! Functions of a symmetric matrix: the same eigenvectors, other eigenvalues.

use super::{Eigen, PER_UNIT, SymmetricError, eigen};
use crate::vector::largest;
use crate::work::spend;

/// $`f(A)`$ for the symmetric matrix whose rows are given.
///
/// ```
/// use fovea_core::symmetric::function;
/// let root = function(&[vec![5.0, 4.0], vec![4.0, 5.0]], f64::sqrt).unwrap();
/// assert!((root[0][0] - 2.0).abs() < 1e-14 && (root[0][1] - 1.0).abs() < 1e-14);
/// ```
///
/// # Errors
/// As for [`eigen`], and the function is not finite at an eigenvalue.
pub fn function(
    rows: &[Vec<f64>],
    f: impl Fn(f64) -> f64,
) -> Result<Vec<Vec<f64>>, SymmetricError> {
    eigen(rows)?.function(f)
}

/// $`e^A`$.
///
/// Entries have an error of machine precision times the exponential of the largest eigenvalue.
///
/// # Errors
/// As for [`eigen`], and the exponential of an eigenvalue is not finite.
pub fn exponential(rows: &[Vec<f64>]) -> Result<Vec<Vec<f64>>, SymmetricError> {
    function(rows, libm::exp)
}

/// The pseudo-inverse (Moore, Penrose): eigenvalues are inverted, except those that are zero to rounding.
///
/// The latter are at most [`Eigen::rounding`] in size.
///
/// # Errors
/// As for [`eigen`], and the inverse of an eigenvalue is not finite.
pub fn pseudo_inverse(rows: &[Vec<f64>]) -> Result<Vec<Vec<f64>>, SymmetricError> {
    let eigen = eigen(rows)?;
    let zero = eigen.rounding();
    eigen.function(|x| if x.abs() <= zero { 0.0 } else { 1.0 / x })
}

impl Eigen {
    /// Eigenvalues up to this size count as zero: machine precision times the number of rows times the largest eigenvalue in size.
    pub fn rounding(&self) -> f64 {
        self.values.len() as f64 * f64::EPSILON * largest(&self.values)
    }

    /// The number of eigenvalues larger in size than rounding.
    pub fn rank(&self) -> usize {
        let zero = self.rounding();
        self.values.iter().filter(|x| x.abs() > zero).count()
    }

    /// $`\sum_k f(\lambda_k)\,v_kv_k^\top`$, symmetric to the bit.
    ///
    /// # Errors
    /// The function is not finite at an eigenvalue, or an entry is not.
    pub fn function(&self, f: impl Fn(f64) -> f64) -> Result<Vec<Vec<f64>>, SymmetricError> {
        let n = self.values.len();
        let mut rows = vec![vec![0.0; n]; n];
        for (eigenvalue, vector) in self.values.iter().zip(&self.vectors) {
            if !spend(n * n / PER_UNIT) {
                break;
            }
            let value = f(*eigenvalue);
            if !value.is_finite() {
                return Err(SymmetricError::Undefined { eigenvalue: *eigenvalue });
            }
            for (i, (row, a)) in rows.iter_mut().zip(vector).enumerate() {
                let share = value * a;
                for (x, b) in row[..=i].iter_mut().zip(vector) {
                    *x += share * b;
                }
            }
        }
        for i in 0..n {
            let (above, row) = rows.split_at_mut(i);
            for (other, x) in above.iter_mut().zip(&row[0]) {
                other[i] = *x;
            }
        }
        if rows.iter().flatten().all(|x| x.is_finite()) {
            Ok(rows)
        } else {
            Err(SymmetricError::TooLarge)
        }
    }
}
