//! Every sample and its negative.
//!
//! ```math
//! \hat g = \frac{1}{2B} \sum_d \left( g(x_d) + g(-x_d) \right)
//! ```
//!
//! `h(-x) = -<w, x> + b`, so the second sample costs an activation and no sum over sites.

use super::{Estimator, every_class};
use crate::task::Task;
use fovea_core::ParamError;

/// Refuses a class whose negative has a different distribution.
///
/// # Errors
/// The first such class, by name.
pub(super) fn fits(estimator: Estimator, task: &Task) -> Result<(), ParamError> {
    every_class(
        task,
        estimator,
        |law| law.sign_symmetric,
        "x and -x to have the same distribution (sign symmetry)",
    )
}
