//! Eigenvalues and eigenvectors of a symmetric matrix, and functions of it: pseudo-inverse, exponential, any other.
//!
//! ```math
//! A=V^\top\Lambda V,\qquad f(A)=\sum_k f(\lambda_k)\,v_kv_k^\top
//! ```
//!
//! Householder's reflections make the matrix tridiagonal, and implicit QL steps make it diagonal. It is written by hand, in plain
//! `f64` sums in a fixed order, because eigenvalues end in records: a library's matrix routines choose their order of summation by
//! machine. [`jacobi`] finds the same by rotations alone, many times slower, as the reference in tests.
//!
//! Every eigenvalue has an error of machine precision times the largest one, which limits any test of definiteness.
//!
//! # Signs and order
//! Eigenvalues are in descending order. The entry of a vector that is largest in size is positive; entries within 1e-6 of the
//! largest count as equal to it, and the first of them is positive. Eigenvectors of eigenvalues that are equal to rounding are one
//! orthogonal choice among many, which no rule fixes.

mod error;
mod function;
mod given;
pub mod jacobi;
mod steps;
#[cfg(test)]
mod tests;
mod tridiagonal;

pub use error::SymmetricError;
pub use function::{exponential, function, pseudo_inverse};

use given::Given;
use steps::Steps;
use tridiagonal::Reduced;

/// Entries of a matrix, or pairs of them, per unit of work. When no units are left the loops end with arbitrary numbers.
const PER_UNIT: usize = 64;
/// Entries this close to the largest of a vector, as a share of it, count as equal to it.
const TIE: f64 = 1e-6;

/// Eigenvalues in descending order, each with its normalised eigenvector.
#[derive(Clone, Debug, PartialEq)]
pub struct Eigen {
    /// The eigenvalues, descending.
    pub values: Vec<f64>,
    /// The eigenvectors, in the order of the values, with the sign given by the rule of this module.
    pub vectors: Vec<Vec<f64>>,
}

/// Decomposes the symmetric matrix whose rows are given.
///
/// ```
/// let eigen = fovea_core::symmetric::eigen(&[vec![2.0, 1.0], vec![1.0, 2.0]]).unwrap();
/// assert!((eigen.values[0] - 3.0).abs() < 1e-15 && (eigen.values[1] - 1.0).abs() < 1e-15);
/// assert!(eigen.vectors[1][0] > 0.0 && eigen.vectors[1][1] < 0.0);
/// ```
///
/// # Errors
/// The rows are not a square, finite, symmetric matrix; an eigenvalue overflows; or the steps did not converge.
pub fn eigen(rows: &[Vec<f64>]) -> Result<Eigen, SymmetricError> {
    let given = Given::new(rows)?;
    let mut reduced = Reduced::of(given.n, given.lower);
    let mut vectors = reduced.basis();
    let values = Steps::of(reduced).diagonal(Some(&mut vectors))?;
    Eigen::in_order(&values, &vectors, given.scale)
}

/// The eigenvalues alone, descending: those of [`eigen`] to the bit, in a fraction of its time.
///
/// # Errors
/// As for [`eigen`].
pub fn eigenvalues(rows: &[Vec<f64>]) -> Result<Vec<f64>, SymmetricError> {
    let given = Given::new(rows)?;
    let values = Steps::of(Reduced::of(given.n, given.lower)).diagonal(None)?;
    descending(&values, given.scale).map(|sorted| sorted.into_iter().map(|(_, x)| x).collect())
}

/// The largest absolute eigenvalue, by which the matrix stretches a vector at most; 0 for an empty one.
///
/// # Errors
/// As for [`eigen`].
pub fn operator_norm(rows: &[Vec<f64>]) -> Result<f64, SymmetricError> {
    Ok(crate::vector::largest(&eigenvalues(rows)?))
}

/// The least eigenvalue, which is positive where the matrix is positive definite; infinite for an empty one.
///
/// # Errors
/// As for [`eigen`].
pub fn least(rows: &[Vec<f64>]) -> Result<f64, SymmetricError> {
    Ok(eigenvalues(rows)?.last().copied().unwrap_or(f64::INFINITY))
}

impl Eigen {
    /// From the eigenvalues over `scale`, in any order, and their vectors, row by row.
    fn in_order(values: &[f64], vectors: &[f64], scale: f64) -> Result<Self, SymmetricError> {
        let n = values.len();
        let sorted = descending(values, scale)?;
        let vector = |k: usize| {
            let mut vector = vectors[k * n..(k + 1) * n].to_vec();
            fix_sign(&mut vector);
            vector
        };
        let vectors = sorted.iter().map(|(k, _)| vector(*k)).collect();
        Ok(Self { values: sorted.into_iter().map(|(_, x)| x).collect(), vectors })
    }

    /// The largest eigenvalue.
    ///
    /// # Panics
    /// The matrix is empty.
    pub fn most(&self) -> f64 {
        self.values[0]
    }

    /// The least eigenvalue.
    ///
    /// # Panics
    /// The matrix is empty.
    pub fn least(&self) -> f64 {
        self.values[self.values.len() - 1]
    }
}

/// Eigenvalues times `scale`, descending, each with its index in the given list.
fn descending(values: &[f64], scale: f64) -> Result<Vec<(usize, f64)>, SymmetricError> {
    let mut sorted: Vec<(usize, f64)> =
        values.iter().enumerate().map(|(k, x)| (k, x * scale)).collect();
    if sorted.iter().any(|(_, x)| !x.is_finite()) {
        return Err(SymmetricError::TooLarge);
    }
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
    Ok(sorted)
}

/// Gives a vector the sign required by the rule of this module.
fn fix_sign(vector: &mut [f64]) {
    let near = (1.0 - TIE) * crate::vector::largest(vector);
    if vector.iter().find(|x| x.abs() >= near).is_some_and(|x| *x < 0.0) {
        for x in vector {
            *x = -*x;
        }
    }
}
