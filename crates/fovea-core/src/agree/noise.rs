//! Agreement of a measured mean with a value, or of two measured means.

use super::{Disagreement, same_length};
use crate::special::student_t_quantile_two_sided;
use crate::stats::Estimate;

/// The probability that a whole family of correct comparisons fails.
pub const FAMILY_ALPHA: f64 = 1e-6;

/// The largest distance, in standard errors, allowed for one of `family` comparisons whose standard error has `dof` degrees of freedom.
///
/// It is the two-sided Student limit at [`FAMILY_ALPHA`]`/ family`. For many degrees of freedom it is 4.9 for one comparison,
/// 5.3 for 10, 5.7 for 100; a standard error from few samples is itself uncertain, and the limit is wider.
///
/// ```
/// use fovea_core::agree::noise_limit;
/// assert!((noise_limit(1, f64::INFINITY) - 4.89).abs() < 0.01);
/// assert!(noise_limit(1, 9.0) > 11.0);
/// ```
pub fn noise_limit(family: usize, dof: f64) -> f64 {
    student_t_quantile_two_sided(FAMILY_ALPHA / family.max(1) as f64, dof)
}

/// Requires that a measured mean is compatible with `value`, as one of `family` comparisons.
///
/// # Errors
/// Both numbers, the standard error, z and its limit.
pub fn agrees(estimate: &Estimate, value: f64, family: usize) -> Result<(), Disagreement> {
    distance(0, estimate, value, family).map(|_| ())
}

/// Requires that two independent measured means are compatible, as one of `family` comparisons.
///
/// # Errors
/// The difference of the means against 0, its standard error, z and its limit.
pub fn estimates_agree(a: &Estimate, b: &Estimate, family: usize) -> Result<(), Disagreement> {
    agrees(&a.difference(b), 0.0, family)
}

/// Requires that every mean of a family is compatible with its value; returns the largest z.
///
/// # Errors
/// The comparison furthest beyond its limit, an empty family, or two families of different size.
pub fn all_agree(estimates: &[Estimate], values: &[f64]) -> Result<f64, Disagreement> {
    same_length(estimates.len(), values.len())?;
    if estimates.is_empty() {
        // A comparison of nothing passes for every wrong program.
        return Err(Disagreement::TooFewPoints { got: 0, needed: 1 });
    }
    let mut worst_z = 0.0_f64;
    let mut failure: Option<(f64, Disagreement)> = None;
    for (index, (estimate, &value)) in estimates.iter().zip(values).enumerate() {
        match distance(index, estimate, value, values.len()) {
            Ok(z) if z.abs() > worst_z.abs() => worst_z = z,
            Ok(_) => {}
            Err(disagreement) => {
                let limit = noise_limit(values.len(), estimate.dof());
                let excess = estimate.z(value).abs() / limit;
                // A NaN compares false and is kept only when nothing else failed.
                if failure.as_ref().is_none_or(|(worst, _)| excess > *worst) {
                    failure = Some((excess, disagreement));
                }
            }
        }
    }
    failure.map_or(Ok(worst_z), |(_, disagreement)| Err(disagreement))
}

/// The z of one comparison, if it is within the limit.
pub(super) fn distance(
    index: usize,
    estimate: &Estimate,
    value: f64,
    family: usize,
) -> Result<f64, Disagreement> {
    let (z, limit) = (estimate.z(value), noise_limit(family, estimate.dof()));
    if z.abs() <= limit {
        Ok(z)
    } else {
        let (mean, se) = (estimate.mean(), estimate.se());
        Err(Disagreement::Noise { index, mean, se, value, z, limit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(mean: f64, se: f64, count: usize) -> Estimate {
        Estimate::from_parts(mean, se, count).unwrap()
    }

    #[test]
    fn limits_tend_to_the_tabulated_ones() {
        let table = [(1, 4.9), (10, 5.3), (100, 5.7), (1000, 6.1), (10_000, 6.5)];
        for (family, expected) in table {
            for dof in [1e5, 1e9, f64::INFINITY] {
                let limit = noise_limit(family, dof);
                assert!((limit - expected).abs() < 0.05, "{family} {dof} {limit}");
            }
            assert!(noise_limit(family, 9.0) > 2.0 * expected);
        }
    }

    #[test]
    fn a_mean_at_the_right_value_agrees_and_one_beyond_the_limit_does_not() {
        let estimate = measured(1.0, 0.01, 100_000);
        assert!(agrees(&estimate, 1.0, 1).is_ok());
        assert!(agrees(&estimate, 1.048, 1).is_ok());
        assert!(agrees(&estimate, 1.050, 1).is_err());
        assert!(agrees(&estimate, 1.050, 10).is_ok());
        assert!(agrees(&estimate, f64::NAN, 1).is_err());
        let message = agrees(&estimate, 2.0, 1).unwrap_err().to_string();
        assert!(message.contains("z = -100.00") && message.contains("limit 4.89"), "{message}");
    }

    #[test]
    fn few_samples_widen_the_limit() {
        // z = 8: impossible from a million samples, not from ten.
        assert!(agrees(&measured(8.0, 1.0, 10), 0.0, 1).is_ok());
        assert!(agrees(&measured(8.0, 1.0, 1_000_000), 0.0, 1).is_err());
    }

    #[test]
    fn numbers_without_spread_agree_only_when_equal() {
        let exact = Estimate::from_samples(&[2.0, 2.0]).unwrap();
        assert!(agrees(&exact, 2.0, 1).is_ok());
        assert!(agrees(&exact, 2.0 + 1e-15, 1).is_err());
    }

    #[test]
    fn a_family_passes_with_its_worst_z_and_fails_with_its_worst_member() {
        let estimates =
            [measured(1.0, 0.1, 9999), measured(2.0, 0.1, 9999), measured(3.0, 0.1, 9999)];
        let worst = all_agree(&estimates, &[1.1, 1.8, 3.0]).unwrap();
        assert!((worst - 2.0).abs() < 1e-12);
        let error = all_agree(&estimates, &[1.6, 3.0, 3.0]).unwrap_err();
        assert!(matches!(error, Disagreement::Noise { index: 1, .. }), "{error}");
        assert!(all_agree(&estimates, &[1.0, f64::NAN, 3.0]).is_err());
        assert!(all_agree(&estimates, &[1.0]).is_err());
        assert!(all_agree(&[], &[]).is_err());
    }

    #[test]
    fn two_noisy_means_are_compared_with_both_their_errors() {
        let a = measured(1.0, 0.03, 100_000);
        assert!(estimates_agree(&a, &measured(1.2, 0.04, 100_000), 1).is_ok());
        assert!(estimates_agree(&a, &measured(1.26, 0.04, 100_000), 1).is_err());
    }
}
