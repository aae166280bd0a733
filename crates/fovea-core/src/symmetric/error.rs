//! What is wrong with a matrix that should be symmetric.

use crate::params::ParamError;

/// Mirror images may differ by this share of the largest entry: what rounding leaves of a matrix that is symmetric by construction.
pub(super) const ASYMMETRY: f64 = 1e-9;

/// Why the eigenvalues or a function of a matrix cannot be computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SymmetricError {
    /// The length of a row differs from the number of rows.
    #[error("the matrix is not square: row {row} has {entries} entries, and there are {rows} rows")]
    NotSquare {
        /// The first such row.
        row: usize,
        /// The number of its entries.
        entries: usize,
        /// The number of rows.
        rows: usize,
    },
    /// An entry is infinite or NaN.
    #[error("the matrix is not finite: the entry in row {row}, column {column} is {value}")]
    NotFinite {
        /// The row of the first such entry.
        row: usize,
        /// Its column.
        column: usize,
        /// The entry.
        value: f64,
    },
    /// Two entries that should be equal differ.
    #[error(
        "the matrix is not symmetric: the entry in row {row}, column {column} is {below}, and its mirror image {above}"
    )]
    NotSymmetric {
        /// The row of the entry below the diagonal.
        row: usize,
        /// Its column.
        column: usize,
        /// The entry below the diagonal.
        below: f64,
        /// The entry above it.
        above: f64,
    },
    /// An eigenvalue or an entry of a function overflows.
    #[error("the matrix is too large: a number in its decomposition is infinite")]
    TooLarge,
    /// The iteration did not converge.
    #[error("the eigenvalues of a matrix of {n} rows did not converge in {steps} steps")]
    NotConverged {
        /// Rows of the matrix.
        n: usize,
        /// Steps taken.
        steps: usize,
    },
    /// A function has no finite value at an eigenvalue.
    #[error("the function has no finite value at the eigenvalue {eigenvalue}")]
    Undefined {
        /// The eigenvalue.
        eigenvalue: f64,
    },
}

impl SymmetricError {
    /// The next step for the user.
    pub fn hint(&self) -> String {
        match self {
            Self::NotSquare { .. } => "give as many columns as rows".to_owned(),
            Self::NotFinite { .. } => "give finite numbers".to_owned(),
            Self::NotSymmetric { .. } => format!(
                "give the same number above and below the diagonal, to within {ASYMMETRY:.0e} of the largest entry"
            ),
            Self::TooLarge | Self::NotConverged { .. } => {
                "bring the entries closer to 1 in size".to_owned()
            }
            Self::Undefined { .. } => {
                "choose a matrix whose eigenvalues lie where the function is finite".to_owned()
            }
        }
    }
}

impl From<SymmetricError> for ParamError {
    fn from(error: SymmetricError) -> Self {
        Self::Inconsistent { what: error.to_string(), hint: error.hint() }
    }
}
