//! Tails too heavy for their number of samples: distances in standard errors cannot be trusted.

use fovea_core::stats::Estimate;

/// Tails are heavy where skewness moves the limit by more than this share of it.
const HEAVY: f64 = 0.2;

/// By how many standard errors heavy tails move a limit; 0 where they are not heavy.
pub(super) fn slack(estimate: &Estimate, limit: f64) -> f64 {
    let shift = estimate.shift(limit);
    if shift > HEAVY * limit { shift } else { 0.0 }
}

/// The message about heavy tails.
pub(super) fn why(estimate: &Estimate) -> String {
    let (count, skew) = (estimate.count(), estimate.skew());
    if !skew.is_finite() {
        return format!("the spread of {count} samples is outside the floating-point range");
    }
    format!(
        "the tails are too heavy for {count} samples: the skewness of their mean is {skew:.2}, so its standard error cannot be trusted"
    )
}
