//! The decision of a comparison, and the result of every slip that was tried in it.

use super::{Comparison, Sides, Source};
use crate::check::effort::Slip;
use crate::claims;
use fovea_core::agree::noise_limit;
use fovea_core::stats::Estimate;
use fovea_record::claim::Claim;

/// No comparison may leave a larger error of any one prediction unnoticed.
const WEAKEST: f64 = 0.2;

/// A slip in place of a closed form, and its result.
#[derive(Clone, Debug)]
pub(super) struct Tried {
    /// The slip.
    slip: Slip,
    /// Its values in place of the predictions, or of the cases that obey.
    with: Comparison,
    /// Whether the measured side moved with it, as it must not.
    shared: bool,
}

impl Comparison {
    /// The comparison decided, as a claim under `id`. There must be a wrong form, and every one must be rejected.
    ///
    /// Of several parts it shows one that does not hold, otherwise the one closest to its limit.
    pub fn claim(&self, id: &'static str) -> Claim {
        Claim::together(self.parts().map(|part| part.alone(id)).collect())
    }

    /// This part alone, decided.
    fn alone(&self, id: &'static str) -> Claim {
        let claim = self.controlled(self.judged(id));
        let claim = Claim { resolution: self.weakest(), ..claim };
        let claim = match self.evidence {
            Some(evidence) => Claim { evidence, ..claim },
            None => claim,
        };
        if claim.cases.is_none() && claim.resolution > WEAKEST && claim.why_unchecked.is_none() {
            let noticed = 100.0 * claim.resolution;
            return claim.unchecked(format!(
                "too few samples: in one prediction no error below {noticed:.0} % would be noticed"
            ));
        }
        claim
    }

    /// The claim with its wrong form: the source's own, otherwise the slip that is closest to being right.
    fn controlled(&self, claim: Claim) -> Claim {
        match &self.source {
            Source::Values(values) => {
                let row = claims::clause(claim.id).map(|(row, _)| row);
                let own = row.and_then(|row| row.source.as_ref());
                let form = own.map_or("the source's form".to_owned(), |own| {
                    format!("the source's form, {own}")
                });
                self.rejecting(claim, &form, values)
            }
            Source::Other(form, values) => self.rejecting(claim, form, values),
            Source::Cases(form, cases) => claim.rejecting_cases(*form, cases.hits, cases.trials),
            Source::Silent | Source::NoNumber(_) => {
                let against = |tried: &Tried| self.against_slip(claim.clone(), tried);
                let all = self.tried.iter().map(against);
                let size = |claim: &Claim| claim.control.as_ref().map_or(0.0, |c| c.z.abs());
                all.min_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(claim)
            }
        }
    }

    /// The claim with a slip as its wrong form.
    fn against_slip(&self, claim: Claim, tried: &Tried) -> Claim {
        let form = format!("{}: {}", tried.slip.form, tried.slip.what);
        match &tried.with.sides {
            Sides::Digits { predicted, .. } => self.rejecting(claim, &form, predicted),
            Sides::Noise { pairs, .. } => {
                let predicted: Vec<f64> = pairs.iter().map(|(_, predicted)| *predicted).collect();
                self.rejecting(claim, &form, &predicted)
            }
            Sides::Cases(cases) => claim.rejecting_cases(form, cases.hits, cases.trials),
        }
    }

    fn rejecting(&self, claim: Claim, form: &str, wrong: &[f64]) -> Claim {
        match &self.sides {
            Sides::Digits { measured, .. } => claim.rejecting_exact(form, wrong, measured),
            Sides::Noise { pairs, accuracy } => {
                assert_eq!(pairs.len(), wrong.len(), "every prediction has its wrong form");
                let wrong: Vec<(Estimate, f64)> =
                    pairs.iter().zip(wrong).map(|((e, _), value)| (*e, *value)).collect();
                let mut claim = claim.rejecting(form, &nearest(&wrong, *accuracy));
                if let Some(control) = &mut claim.control {
                    let of = |(estimate, _): &&(Estimate, f64)| {
                        estimate.mean().total_cmp(&control.measured).is_eq()
                    };
                    control.predicted =
                        wrong.iter().find(of).map_or(control.predicted, |pair| pair.1);
                }
                claim
            }
            Sides::Cases(_) => claim,
        }
    }

    /// The decision on both sides, without any wrong form.
    pub(super) fn judged(&self, id: &'static str) -> Claim {
        match &self.sides {
            Sides::Digits { predicted, measured, tolerance } => {
                Claim::exact(id, &self.what, predicted, measured, *tolerance)
            }
            Sides::Noise { pairs, accuracy } => {
                let claim = Claim::family(id, &self.what, &nearest(pairs, *accuracy));
                let of = |(estimate, _): &&(Estimate, f64)| {
                    estimate.mean().total_cmp(&claim.measured).is_eq()
                };
                let predicted = pairs.iter().find(of).map_or(claim.predicted, |pair| pair.1);
                Claim { predicted, ..claim }
            }
            Sides::Cases(cases) => Claim::all(id, &self.what, *cases),
        }
    }

    /// Adds the result of the same check with one form wrong.
    ///
    /// # Panics
    /// It has other clauses or other numbers of predictions: a check must not take another path where a form is wrong.
    pub fn try_slip(&mut self, slip: Slip, with: &Self) {
        assert_eq!(self.ids, with.ids, "{}: a slip changes what is compared", slip.form);
        assert_eq!(self.also.len(), with.also.len(), "{}: a slip changes the parts", slip.form);
        if self.predicts_otherwise(with) {
            let shared = self.measures_otherwise(with);
            let with = Self { also: Vec::new(), ..with.clone() };
            self.tried.push(Tried { slip, with, shared });
        }
        for (part, with) in self.also.iter_mut().zip(&with.also) {
            part.try_slip(slip, with);
        }
    }

    fn predicts_otherwise(&self, with: &Self) -> bool {
        match (&self.sides, &with.sides) {
            (Sides::Cases(a), Sides::Cases(b)) => a != b,
            _ => self.predicted() != with.predicted() || self.measures_otherwise(with),
        }
    }

    fn measures_otherwise(&self, with: &Self) -> bool {
        match (&self.sides, &with.sides) {
            (Sides::Digits { measured: a, .. }, Sides::Digits { measured: b, .. }) => a != b,
            (Sides::Noise { pairs: a, .. }, Sides::Noise { pairs: b, .. }) => {
                !a.iter().map(|(e, _)| e).eq(b.iter().map(|(e, _)| e))
            }
            (Sides::Cases(_), Sides::Cases(_)) => false,
            _ => true,
        }
    }

    /// Every prediction.
    pub(super) fn predicted(&self) -> Vec<f64> {
        match &self.sides {
            Sides::Digits { predicted, .. } => predicted.clone(),
            Sides::Noise { pairs, .. } => pairs.iter().map(|(_, predicted)| *predicted).collect(),
            Sides::Cases(_) => Vec::new(),
        }
    }

    /// The result of every slip that moved a prediction of this comparison, part by part: a claim of the slip alone, which must fail.
    pub fn slips(&self) -> Vec<(Slip, bool, Claim)> {
        let of = |part: &Self| -> Vec<(Slip, bool, Claim)> {
            let judged = |tried: &Tried| {
                let mut wrong = part.clone();
                match (&mut wrong.sides, &tried.with.sides) {
                    (Sides::Cases(own), Sides::Cases(with)) => *own = *with,
                    _ => wrong = wrong.predicting(&tried.with.predicted()),
                }
                (tried.slip, tried.shared, wrong.judged(part.ids[0]))
            };
            part.tried.iter().map(judged).collect()
        };
        self.parts().flat_map(of).collect()
    }

    /// The same comparison with other predictions.
    pub(super) fn predicting(mut self, values: &[f64]) -> Self {
        match &mut self.sides {
            Sides::Digits { predicted, .. } => predicted.copy_from_slice(values),
            Sides::Noise { pairs, .. } => {
                assert_eq!(pairs.len(), values.len(), "the number of predictions stays the same");
                pairs.iter_mut().zip(values).for_each(|((_, old), new)| *old = *new);
            }
            Sides::Cases(_) => {}
        }
        self
    }

    /// Measured means and predictions of every part with noise, for the calibration of distances. A prediction that is only approximate
    /// has distances whose mean is not 0, and one that is a fixed estimate has distances whose spread is not 1; both are left out.
    pub fn pairs(&self) -> Vec<(Estimate, f64)> {
        let of = |part: &Self| match &part.sides {
            Sides::Noise { pairs, accuracy } if *accuracy <= 0.0 && !part.estimated => {
                pairs.clone()
            }
            _ => Vec::new(),
        };
        self.parts().flat_map(of).collect()
    }
}

/// Predictions moved towards the measured values by as much as they are allowed to be off.
fn nearest(pairs: &[(Estimate, f64)], accuracy: f64) -> Vec<(Estimate, f64)> {
    let near = |(estimate, value): &(Estimate, f64)| {
        let reach = accuracy * value.abs();
        (*estimate, estimate.mean().clamp(value - reach, value + reach))
    };
    if accuracy > 0.0 { pairs.iter().map(near).collect() } else { pairs.to_vec() }
}

/// The largest distance at which a measured mean of a family still agrees with its prediction.
pub(super) fn reach(estimate: &Estimate, family: usize) -> f64 {
    noise_limit(family, estimate.dof()) * estimate.se()
}
