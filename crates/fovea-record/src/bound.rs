//! Claims that a mean lies on one side of a bound.

use crate::claim::Claim;
use fovea_core::stats::Estimate;

/// A mean on one side of a bound; the other side is the wrong form, so that a mean too near to tell is unchecked.
///
/// The resolution is that of a bound, not of a value: by how much it could move before the check noticed.
pub fn one_sided(
    id: &'static str,
    statement: String,
    mean: Estimate,
    bound: f64,
    above: bool,
) -> Claim {
    let nearest = |above: bool| if above { mean.mean().max(bound) } else { mean.mean().min(bound) };
    let claim = Claim::family(id, statement, &[(mean, nearest(above))]);
    // A mean beyond the bound has failed, however well it agrees with the wrong form.
    let claim = if claim.z.abs() > claim.limit {
        claim
    } else {
        let wrong = format!("a value {} {bound}", if above { "below" } else { "above" });
        claim.rejecting(wrong, &[(mean, nearest(!above))])
    };
    let resolution = (claim.limit * mean.se() + (mean.mean() - bound).abs()) / bound.abs();
    // How a trained mean lies to a bound is a phenomenon, not an identity.
    Claim { predicted: bound, resolution, ..claim }.only_as_stated()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Verdict;

    #[test]
    fn a_mean_beyond_its_bound_fails_and_one_too_near_is_unchecked() {
        let at = |mean: f64| Estimate::from_parts(mean, 0.01, 1000).unwrap();
        let verdict =
            |mean, above| one_sided("L001.63", String::new(), at(mean), 0.5, above).verdict();
        assert_eq!(verdict(0.2, false), Verdict::Pass);
        assert_eq!(verdict(0.2, true), Verdict::Fail);
        assert_eq!(verdict(0.8, true), Verdict::Pass);
        assert_eq!(verdict(0.8, false), Verdict::Fail);
        assert_eq!(verdict(0.49, false), Verdict::Unchecked);
        assert_eq!(verdict(0.49, true), Verdict::Unchecked);
    }
}
