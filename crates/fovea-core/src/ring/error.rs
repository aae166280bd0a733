//! What is wrong with a ring kernel.

use crate::params::ParamError;
use crate::value::Value;

/// A ring kernel that cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RingError {
    /// Fewer than two sites.
    #[error("`n` is {n}; a ring needs n >= 2")]
    TooSmall {
        /// The number of sites given.
        n: usize,
    },
    /// A correlation length that is not positive and finite.
    #[error("`xi` is {}; a correlation length must be > 0 and finite", Value::Real(*xi))]
    BadLength {
        /// The correlation length given.
        xi: f64,
    },
    /// The kernel has eigenvalues too negative to be rounding.
    #[error(
        "exp(-d^2/xi^2) with n = {n}, xi = {} is not a covariance: it has negative eigenvalues above xi = {limit:.6}",
        Value::Real(*xi)
    )]
    NotPsd {
        /// The number of sites.
        n: usize,
        /// The correlation length given.
        xi: f64,
        /// The largest correlation length at which the kernel is positive semidefinite.
        limit: f64,
    },
    /// A cosine with more waves than the ring resolves.
    #[error("`waves` is {waves}; a ring of n = {n} sites holds at most {} waves", n / 2)]
    TooManyWaves {
        /// The number of waves given.
        waves: usize,
        /// The number of sites.
        n: usize,
    },
}

impl RingError {
    /// The next step for the user.
    pub fn hint(&self) -> String {
        match self {
            Self::TooSmall { .. } => "choose n >= 2".to_owned(),
            Self::BadLength { .. } => "choose a finite xi > 0, in lattice sites".to_owned(),
            Self::NotPsd { limit, .. } => format!(
                "write `kernel=wrapped`, which is a covariance for every xi, or choose xi <= {limit:.6}"
            ),
            Self::TooManyWaves { n, .. } => format!("choose waves <= {}, or a larger n", n / 2),
        }
    }
}

impl From<RingError> for ParamError {
    fn from(error: RingError) -> Self {
        Self::Inconsistent { what: error.to_string(), hint: error.hint() }
    }
}
