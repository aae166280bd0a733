//! Why a closed form has no value.
//!
//! Only errors of core are named here. A distribution or a flow of this crate with an error of its own turns it into
//! [`FormError::Within`] where it is defined, so that this module does not depend on it.

use fovea_core::ode::OdeError;
use fovea_core::ring::RingError;
use fovea_core::symmetric::SymmetricError;
use fovea_core::work::Exhausted;
use fovea_core::{ParamError, Value};

/// Why a form has no value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FormError {
    /// An argument cannot be used.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The covariance cannot be used.
    #[error(transparent)]
    Ring(#[from] RingError),
    /// The flow could not be followed to the given time.
    #[error(transparent)]
    Ode(#[from] OdeError),
    /// A matrix has no eigenvalues.
    #[error(transparent)]
    Symmetric(#[from] SymmetricError),
    /// A part of the form, such as a distribution or a flow, has no value and gives its own reason.
    #[error("{what}")]
    Within {
        /// What is wrong.
        what: String,
        /// What to do about it.
        hint: String,
    },
    /// The arguments are so large or small that the value is not a number.
    #[error(
        "the value is not a number at these arguments: an intermediate step over- or underflows"
    )]
    Undefined,
    /// A Gaussian average of an activation is not finite.
    #[error("the average of `{activation}` over preactivations of variance {} is not finite", Value::Real(*k))]
    Growth {
        /// The activation.
        activation: String,
        /// The variance.
        k: f64,
    },
    /// The value would take more work than one evaluation may.
    #[error("one evaluation may take {} million units of work, and this one needs more", .0.budget / 1_000_000)]
    Work(#[from] Exhausted),
    /// There is no stationary point at this frequency.
    #[error("there is no stationary point at frequency {k}: class pos has no variance there")]
    NoSteadyState {
        /// The frequency.
        k: usize,
    },
}

impl FormError {
    /// The next step for the user.
    pub fn hint(&self) -> String {
        match self {
            Self::Param(error) => error.hint(),
            Self::Ring(error) => error.hint(),
            Self::Symmetric(error) => error.hint(),
            Self::Ode(_) => "choose a shorter time, or weights closer to 1".to_owned(),
            Self::Within { hint, .. } => hint.clone(),
            Self::Undefined => "bring the arguments closer to 1 in size".to_owned(),
            Self::Growth { .. } => {
                "choose a smaller variance, or an activation that grows more slowly and has no poles".to_owned()
            }
            Self::Work(_) => {
                "bring the arguments closer to their defaults: a shorter time, fewer sites or layers, less extreme numbers"
                    .to_owned()
            }
            Self::NoSteadyState { .. } => {
                "choose a smaller k, or an xi_pos below the limit that ring.critical_xi gives"
                    .to_owned()
            }
        }
    }
}
