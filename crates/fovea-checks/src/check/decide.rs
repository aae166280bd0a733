//! Runs a check with right forms, and once for every slip with that one form wrong.

use super::{Check, Comparison, Effort};
use fovea_desk::error::LabError;

/// Both sides of every clause the check decides, with the result of every slip.
///
/// # Errors
/// A side that cannot be computed, with right forms or with a wrong one.
pub fn decide(check: &Check, effort: Effort) -> Result<Vec<Comparison>, LabError> {
    let mut comparisons = (check.run)(&effort)?;
    let (slips, mut effort) = (effort.slips(), effort);
    for slip in slips {
        effort = effort.slipped(slip);
        let wrong = (check.run)(&effort)?;
        assert_eq!(
            wrong.len(),
            comparisons.len(),
            "{}: a slip changes what is compared",
            check.name
        );
        for (comparison, wrong) in comparisons.iter_mut().zip(&wrong) {
            comparison.try_slip(slip, wrong);
        }
    }
    Ok(comparisons)
}
