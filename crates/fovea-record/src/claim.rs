//! A claim that was tested: what theory predicts, what was measured, and how far apart they are.

use fovea_core::agree::{FAMILY_ALPHA, digits, noise_limit};
use fovea_core::stats::Estimate;
use fovea_page::figure::store;
use serde::{Deserialize, Serialize};

mod evidence;
mod furthest;
mod present;
mod tails;
mod together;

pub use evidence::Evidence;
use furthest::{furthest, furthest_by, largest};
pub use present::whole;

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The prediction holds and the wrong form does not.
    Pass,
    /// The prediction does not hold.
    Fail,
    /// The run cannot tell: the claim is not about such a run, or the wrong form could not be rejected.
    Unchecked,
}

/// The documented wrong form, and how far the measurement lies from it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Control {
    /// What the wrong form is.
    pub form: String,
    /// What it predicts where it is furthest off.
    #[serde(with = "store")]
    pub predicted: f64,
    /// What was measured there.
    #[serde(with = "store")]
    pub measured: f64,
    /// Distance in standard errors, or in tolerances where nothing is sampled.
    #[serde(with = "store")]
    pub z: f64,
    /// By how much further it must lie than the claim's limit, because of heavy tails.
    #[serde(with = "store")]
    pub slack: f64,
}

/// Cases that must all satisfy a condition: one that does not is enough to fail.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cases {
    /// How many obey.
    pub hits: usize,
    /// How many there are.
    pub trials: usize,
    /// The probability that a case obeys by chance.
    pub by_chance: f64,
}

/// One comparison of theory and simulation. Serialized, it reads back as it was, except for its id; a record keeps it in another
/// form ([`Claim::to_json`]).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Claim {
    /// The clause of the catalogue that it decides, or the name of the experiment that makes it.
    #[serde(skip)]
    pub id: &'static str,
    /// What is claimed, in words.
    pub statement: String,
    /// The closed form's number.
    #[serde(with = "store")]
    pub predicted: f64,
    /// The number it was compared with: simulated, or computed another way.
    #[serde(with = "store")]
    pub measured: f64,
    /// The standard error of what was measured; where nothing is sampled, the error allowed.
    #[serde(with = "store")]
    pub se: f64,
    /// Distance in units of `se`.
    #[serde(with = "store")]
    pub z: f64,
    /// Largest distance allowed: from the family-wise error rate, or 1 where nothing is sampled.
    #[serde(with = "store")]
    pub limit: f64,
    /// Digits shared by the two sides, where nothing is sampled.
    #[serde(with = "store")]
    pub digits: Option<f64>,
    /// The relative error in the prediction that this check would notice.
    #[serde(with = "store")]
    pub resolution: f64,
    /// The wrong form that must be rejected.
    pub control: Option<Control>,
    /// Why the run cannot tell, where it is known beforehand.
    pub why_unchecked: Option<String>,
    /// Whether it speaks of the settings at which it was stated and shown, and of no others: a phenomenon, or a limit.
    pub as_stated: bool,
    /// What it rests on.
    pub evidence: Evidence,
    /// Where cases are counted: all of them must obey.
    pub cases: Option<Cases>,
}

impl Claim {
    /// Compares a family of estimates with their predictions; the claim shows the pair that is furthest apart.
    pub fn family(
        id: &'static str,
        statement: impl Into<String>,
        pairs: &[(Estimate, f64)],
    ) -> Self {
        let limit = |estimate: &Estimate| noise_limit(pairs.len(), estimate.dof());
        let normal = noise_limit(pairs.len(), f64::INFINITY);
        let heavy = |estimate: &Estimate| tails::slack(estimate, normal) > 0.0;
        let light: Vec<_> =
            pairs.iter().copied().filter(|(estimate, _)| !heavy(estimate)).collect();
        // A NaN lies beyond every limit.
        let within =
            |(estimate, value): &(Estimate, f64)| estimate.z(*value).abs() <= limit(estimate);
        // A pair with heavy tails cannot decide; any other pair beyond its limit does.
        let beyond: Vec<_> = light.iter().copied().filter(|pair| !within(pair)).collect();
        // Limits differ with the degrees of freedom: what counts is the share of its own.
        let nearest_its_limit = |estimate: &Estimate, z: f64| z.abs() / limit(estimate);
        let (worst, predicted, z) =
            furthest_by(if beyond.is_empty() { pairs } else { &beyond }, nearest_its_limit);
        let open = heavy(&worst) && !within(&(worst, predicted));
        // Scaled by (1 + resolution), the prediction of one pair at least lies beyond its limit, whichever way it lay.
        let told = if light.is_empty() { pairs } else { &light };
        let noticed = told.iter().map(|(estimate, value)| {
            (limit(estimate) * estimate.se() + (estimate.mean() - value).abs()) / value.abs()
        });
        Self {
            id,
            statement: statement.into(),
            predicted,
            measured: worst.mean(),
            se: worst.se(),
            z,
            limit: limit(&worst),
            digits: None,
            resolution: noticed.fold(f64::INFINITY, f64::min),
            control: None,
            why_unchecked: open.then(|| tails::why(&worst)),
            as_stated: false,
            evidence: Evidence::Simulated,
            cases: None,
        }
    }

    /// Compares numbers without noise: each may be off by `tolerance` times the largest of those measured.
    ///
    /// The claim shows the pair that is furthest apart. Digits are counted against that largest number too: an entry that
    /// should vanish has none of its own.
    pub fn exact(
        id: &'static str,
        statement: impl Into<String>,
        predicted: &[f64],
        measured: &[f64],
        tolerance: f64,
    ) -> Self {
        let allowed = tolerance * largest(measured);
        let (i, gap) = furthest(predicted, measured);
        let noticed =
            predicted.iter().zip(measured).map(|(p, m)| (allowed + (p - m).abs()) / p.abs());
        Self {
            id,
            statement: statement.into(),
            predicted: predicted[i],
            measured: measured[i],
            se: allowed,
            // Where all that is measured is 0 nothing is allowed: equal numbers agree all the same.
            z: if gap > 0.0 || gap.is_nan() { (measured[i] - predicted[i]) / allowed } else { 0.0 },
            limit: 1.0,
            digits: Some(digits(largest(measured) + gap, largest(measured))),
            resolution: noticed.fold(f64::INFINITY, f64::min),
            control: None,
            why_unchecked: None,
            as_stated: false,
            evidence: Evidence::Form,
            cases: None,
        }
    }

    /// Counts cases that must all obey; the probability that as many obey by chance must be less than one in a million.
    pub fn all(id: &'static str, statement: impl Into<String>, cases: Cases) -> Self {
        let Cases { hits, trials, by_chance } = cases;
        let share = 1.0 / trials.max(1) as f64;
        let likely = libm::pow(by_chance, trials as f64) > FAMILY_ALPHA || trials == 0;
        let why =
            || format!("{trials} cases are too few: each obeys by chance with {by_chance:.3}");
        Self {
            id,
            statement: statement.into(),
            predicted: 1.0,
            measured: hits as f64 * share,
            se: share,
            z: hits as f64 - trials as f64,
            limit: 0.5,
            digits: None,
            resolution: share,
            control: None,
            why_unchecked: likely.then(why),
            as_stated: false,
            evidence: Evidence::Simulated,
            cases: Some(cases),
        }
    }

    /// A claim for which this run has no measurement, for this reason.
    pub fn undecided(
        id: &'static str,
        statement: impl Into<String>,
        predicted: f64,
        why: impl Into<String>,
    ) -> Self {
        // NaN stands for what was not measured and is written as null.
        let missing = f64::NAN;
        Self {
            id,
            statement: statement.into(),
            predicted,
            measured: missing,
            se: missing,
            z: missing,
            limit: missing,
            digits: None,
            resolution: missing,
            control: None,
            why_unchecked: Some(why.into()),
            as_stated: false,
            evidence: Evidence::Shown,
            cases: None,
        }
    }

    /// Adds the wrong form: the same estimates with its predictions, of which one at least must be rejected.
    #[must_use]
    pub fn rejecting(mut self, form: impl Into<String>, pairs: &[(Estimate, f64)]) -> Self {
        let normal = noise_limit(pairs.len(), f64::INFINITY);
        let slack = |estimate: &Estimate| tails::slack(estimate, normal);
        let (estimate, predicted, z) = furthest_by(pairs, |estimate, z| {
            let slack = slack(estimate);
            if slack.is_finite() { z.abs() - slack } else { f64::NEG_INFINITY }
        });
        let (form, measured, slack) = (form.into(), estimate.mean(), slack(&estimate));
        self.control = Some(Control { form, predicted, measured, z, slack });
        self
    }

    /// Adds the wrong form of a claim without noise: its own predictions, of which one at least must be rejected.
    #[must_use]
    pub fn rejecting_exact(
        mut self,
        form: impl Into<String>,
        wrong: &[f64],
        measured: &[f64],
    ) -> Self {
        let (i, gap) = furthest(wrong, measured);
        let (predicted, measured) = (wrong[i], measured[i]);
        let z = gap / self.se;
        self.control = Some(Control { form: form.into(), predicted, measured, z, slack: 0.0 });
        self
    }

    /// Adds cases that must not count: one of them at least must not obey.
    #[must_use]
    pub fn rejecting_cases(mut self, form: impl Into<String>, hits: usize, trials: usize) -> Self {
        let measured = hits as f64 / trials.max(1) as f64;
        let z = hits as f64 - trials as f64;
        self.control = Some(Control { form: form.into(), predicted: 1.0, measured, z, slack: 0.0 });
        self
    }

    /// Marks a claim that is about the settings at which it was stated and shown: elsewhere the driver of the experiment leaves it
    /// unchecked, and says which setting differs. Numbers of trained networks without an error bar are shown, not a closed
    /// form.
    #[must_use]
    pub fn only_as_stated(self) -> Self {
        let evidence = match self.evidence {
            Evidence::Form | Evidence::Shown => Evidence::Shown,
            Evidence::Simulated => Evidence::Simulated,
        };
        Self { as_stated: true, evidence, ..self }
    }

    /// Marks the claim as one that this run cannot decide, for this reason.
    #[must_use]
    pub fn unchecked(self, why: impl Into<String>) -> Self {
        Self { why_unchecked: Some(why.into()), ..self }
    }

    /// Its result.
    pub fn decision(&self) -> Decision {
        match self.why() {
            Some(_) => Decision::Unchecked,
            None if self.z.abs() <= self.limit => Decision::Pass,
            None => Decision::Fail,
        }
    }

    /// Why the run cannot tell, if it cannot.
    pub fn why(&self) -> Option<String> {
        let near = |control: &&Control| control.z.abs() <= self.limit + control.slack;
        let powerless = self.control.as_ref().filter(near);
        self.why_unchecked.clone().or_else(|| {
            powerless.map(|control| match self.digits {
                None => format!("too few samples to reject {}", control.form),
                Some(_) => format!("{} is not told apart", control.form),
            })
        })
    }

    /// `pass`, `fail` or `unchecked`.
    pub fn status(&self) -> &'static str {
        match self.decision() {
            Decision::Pass => "pass",
            Decision::Fail => "fail",
            Decision::Unchecked => "unchecked",
        }
    }
}

#[cfg(test)]
mod tests;
