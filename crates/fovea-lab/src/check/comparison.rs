//! The two sides of a claim, and what the source has in their place.

use crate::claim::Claim;
use fovea_core::stats::Estimate;

/// Numbers without noise agree to this fraction of the largest, unless a check says otherwise and why.
const TOLERANCE: f64 = 1e-9;

/// What a check may resolve at worst without a reason: deterministic, and simulated.
const FINEST: f64 = 1e-8;
const FINE: f64 = 0.02;

/// A comparison that would not even notice this much decides nothing.
const POWERLESS: f64 = 0.5;

/// Both sides of one claim, or of several that say the same, computed apart.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The claims.
    pub ids: &'static [&'static str],
    /// What is compared, how each side came about, and at which setting.
    pub what: String,
    sides: Sides,
    source: Source,
    why_coarse: Option<&'static str>,
}

#[derive(Clone, Debug)]
enum Sides {
    Digits { predicted: Vec<f64>, measured: Vec<f64>, tolerance: f64 },
    Noise(Vec<(Estimate, f64)>),
}

/// The form as the source prints it.
#[derive(Clone, Debug)]
enum Source {
    /// The source is right, or says nothing.
    Silent,
    /// The numbers of its form, one for each prediction.
    Values(Vec<f64>),
    /// It has a form that gives no number, for this reason.
    NoNumber(&'static str),
}

impl Comparison {
    /// A prediction and the same numbers computed another way, both without noise.
    pub fn digits(
        ids: &'static [&'static str],
        what: impl Into<String>,
        predicted: &[f64],
        measured: &[f64],
    ) -> Self {
        let (predicted, measured) = (predicted.to_vec(), measured.to_vec());
        Self::new(ids, what, Sides::Digits { predicted, measured, tolerance: TOLERANCE })
    }

    /// Measured means and what theory predicts for each.
    pub fn noise(
        ids: &'static [&'static str],
        what: impl Into<String>,
        pairs: &[(Estimate, f64)],
    ) -> Self {
        Self::new(ids, what, Sides::Noise(pairs.to_vec()))
    }

    fn new(ids: &'static [&'static str], what: impl Into<String>, sides: Sides) -> Self {
        Self { ids, what: what.into(), sides, source: Source::Silent, why_coarse: None }
    }

    /// Another tolerance for numbers without noise, and why it is no tighter.
    #[must_use]
    pub fn within(mut self, wider: f64, why: &'static str) -> Self {
        if let Sides::Digits { tolerance, .. } = &mut self.sides {
            *tolerance = wider;
        }
        self.coarse(why)
    }

    /// Why this comparison resolves less than the house asks for.
    #[must_use]
    pub fn coarse(self, why: &'static str) -> Self {
        Self { why_coarse: Some(why), ..self }
    }

    /// What the source's own form gives in place of the predictions.
    #[must_use]
    pub fn source(self, values: &[f64]) -> Self {
        Self { source: Source::Values(values.to_vec()), ..self }
    }

    /// The source has a form, but it gives no number, for this reason.
    #[must_use]
    pub fn no_source(self, why: &'static str) -> Self {
        Self { source: Source::NoNumber(why), ..self }
    }

    /// The comparison judged, as a claim under `id`; the source's form must be rejected.
    pub fn claim(&self, id: &'static str) -> Claim {
        let claim = self.judged(id);
        let claim = if claim.resolution > POWERLESS {
            let noticed = 100.0 * claim.resolution;
            claim.unchecked(format!(
                "too few samples: no error below {noticed:.0} % would be noticed"
            ))
        } else {
            claim
        };
        let Source::Values(values) = &self.source else { return claim };
        let form = "the source's form";
        match &self.sides {
            Sides::Digits { measured, .. } => claim.rejecting_exact(form, values, measured),
            Sides::Noise(pairs) => {
                assert_eq!(pairs.len(), values.len(), "{id}: every prediction has its source");
                let wrong: Vec<(Estimate, f64)> =
                    pairs.iter().zip(values).map(|((e, _), value)| (*e, *value)).collect();
                claim.rejecting(form, &wrong)
            }
        }
    }

    fn judged(&self, id: &'static str) -> Claim {
        match &self.sides {
            Sides::Digits { predicted, measured, tolerance } => {
                Claim::exact(id, &self.what, predicted, measured, *tolerance)
            }
            Sides::Noise(pairs) => Claim::family(id, &self.what, pairs),
        }
    }

    /// The same comparison with every prediction times `factor`.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let mut scaled = self.clone();
        match &mut scaled.sides {
            Sides::Digits { predicted, .. } => predicted.iter_mut().for_each(|p| *p *= factor),
            Sides::Noise(pairs) => pairs.iter_mut().for_each(|(_, p)| *p *= factor),
        }
        Self { source: Source::Silent, ..scaled }
    }

    /// What the comparison lacks to be a fair test of a claim with this verdict; `None` where it is one.
    pub fn fault(&self, corrected: bool) -> Option<String> {
        let claim = self.judged(self.ids[0]);
        let limit = if claim.digits.is_some() { FINEST } else { FINE };
        let (up, down) = (1.0 + 1.001 * claim.resolution, 1.0 - 1.001 * claim.resolution);
        let noticed = |factor: f64| {
            !claim.resolution.is_finite()
                || self.scaled(factor).judged(self.ids[0]).verdict() == crate::Verdict::Fail
        };
        if corrected && matches!(self.source, Source::Silent) {
            Some("the source is corrected, but its own form is not put to the test".to_owned())
        } else if !(claim.resolution.is_finite() && claim.resolution > 0.0) {
            Some("no error in the prediction would be noticed".to_owned())
        } else if claim.resolution > limit && self.why_coarse.is_none() {
            let resolution = claim.resolution;
            Some(format!("it resolves {resolution:.1e}, not {limit:.0e}, and does not say why"))
        } else if !(noticed(up) && noticed(down)) {
            Some("an error as large as its resolution passes".to_owned())
        } else {
            None
        }
    }

    /// What else a reader should know: why it is coarse, why the source's form gives no number.
    pub fn remark(&self) -> Option<String> {
        let no_number = match self.source {
            Source::NoNumber(why) => Some(format!("the source's form gives no number: {why}")),
            Source::Silent | Source::Values(_) => None,
        };
        let parts: Vec<String> =
            no_number.into_iter().chain(self.why_coarse.map(str::to_owned)).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDS: &[&str] = &["L000.3"];

    #[test]
    fn a_fair_comparison_has_no_fault_and_an_unfair_one_says_which() {
        let fair = Comparison::digits(IDS, "x", &[1.0, 0.0], &[1.0, 1e-12]);
        assert_eq!(fair.fault(false), None);
        assert!(fair.fault(true).unwrap().contains("own form"));
        assert_eq!(fair.clone().source(&[2.0, 0.0]).fault(true), None);
        assert_eq!(fair.clone().no_source("it is a vector plus a number").fault(true), None);
        assert!(Comparison::digits(IDS, "x", &[0.0], &[0.0]).fault(false).is_some());
        let loose = |why| Comparison::digits(IDS, "x", &[1.0], &[1.0]).within(1e-3, why);
        assert_eq!(loose("because").fault(false), None);
        let estimate = Estimate::from_parts(1.0, 0.1, 1000).unwrap();
        let coarse = Comparison::noise(IDS, "x", &[(estimate, 1.0)]);
        assert!(coarse.fault(false).unwrap().contains("does not say why"));
        assert_eq!(coarse.coarse("few samples").fault(false), None);
    }

    #[test]
    fn a_source_that_agrees_leaves_the_claim_unchecked() {
        let right = Comparison::digits(IDS, "x", &[1.0], &[1.0]).source(&[1.0]);
        assert_eq!(right.claim("L000.3").verdict(), crate::Verdict::Unchecked);
        let wrong = Comparison::digits(IDS, "x", &[1.0], &[1.0]).source(&[2.0]);
        assert_eq!(wrong.claim("L000.3").verdict(), crate::Verdict::Pass);
    }
}
