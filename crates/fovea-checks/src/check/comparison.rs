//! The two sides of a claim, and what the source has in their place.

use fovea_core::stats::Estimate;
use fovea_record::claim::Claim;

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
    also: Vec<Comparison>,
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
    /// Those of another wrong form, where the source has none, and what it is.
    Other(&'static str, Vec<f64>),
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
        Self {
            ids,
            what: what.into(),
            sides,
            source: Source::Silent,
            why_coarse: None,
            also: Vec::new(),
        }
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

    /// What another wrong form gives in place of the predictions, where the source itself is right or has none.
    #[must_use]
    pub fn against(self, form: &'static str, values: &[f64]) -> Self {
        Self { source: Source::Other(form, values.to_vec()), ..self }
    }

    /// The source has a form, but it gives no number, for this reason.
    #[must_use]
    pub fn no_source(self, why: &'static str) -> Self {
        Self { source: Source::NoNumber(why), ..self }
    }

    /// More of the same claim, on a scale of its own or with noise where this has none: both must hold.
    ///
    /// # Panics
    /// It is about other claims.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        assert_eq!(self.ids, other.ids, "parts of one comparison decide the same claims");
        self.also.push(other);
        self
    }

    fn parts(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.also)
    }

    /// The comparison judged, as a claim under `id`; the source's form must be rejected.
    ///
    /// Of several parts it shows one that does not hold, else one that rejects the source, else the one closest to its limit.
    pub fn claim(&self, id: &'static str) -> Claim {
        let rank = |claim: &Claim| match claim.verdict() {
            fovea_record::claim::Verdict::Fail => 3,
            fovea_record::claim::Verdict::Unchecked => 2,
            fovea_record::claim::Verdict::Pass => u8::from(claim.control.is_some()),
        };
        let worse = |a: Claim, b: Claim| {
            let closer = || (b.z / b.limit).abs() > (a.z / a.limit).abs();
            let second = rank(&b) > rank(&a) || (rank(&b) == rank(&a) && closer());
            if second { b } else { a }
        };
        let shown = self.also.iter().map(|part| part.alone(id)).fold(self.alone(id), worse);
        let what: Vec<&str> = self.parts().map(|part| part.what.as_str()).collect();
        Claim { statement: what.join("; "), ..shown }
    }

    /// This part judged by itself.
    fn alone(&self, id: &'static str) -> Claim {
        let claim = self.judged(id);
        let claim = if claim.resolution > POWERLESS {
            let noticed = 100.0 * claim.resolution;
            claim.unchecked(format!(
                "too few samples: no error below {noticed:.0} % would be noticed"
            ))
        } else {
            claim
        };
        let (form, values) = match &self.source {
            Source::Values(values) => ("the source's form", values),
            Source::Other(form, values) => (*form, values),
            Source::Silent | Source::NoNumber(_) => return claim,
        };
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
        let also = self.also.iter().map(|part| part.scaled(factor)).collect();
        let mut scaled = Self { also, ..self.clone() };
        match &mut scaled.sides {
            Sides::Digits { predicted, .. } => predicted.iter_mut().for_each(|p| *p *= factor),
            Sides::Noise(pairs) => pairs.iter_mut().for_each(|(_, p)| *p *= factor),
        }
        Self { source: Source::Silent, ..scaled }
    }

    /// What the comparison lacks to be a fair test of a claim with this verdict; `None` where it is one.
    pub fn fault(&self, corrected: bool) -> Option<String> {
        let own = |part: &Self| matches!(part.source, Source::Values(_) | Source::NoNumber(_));
        if corrected && !self.parts().any(own) {
            return Some(
                "the source is corrected, but its own form is not put to the test".to_owned(),
            );
        }
        self.parts().find_map(Self::own_fault)
    }

    fn own_fault(&self) -> Option<String> {
        let claim = self.judged(self.ids[0]);
        let limit = if claim.digits.is_some() { FINEST } else { FINE };
        let (up, down) = (1.0 + 1.001 * claim.resolution, 1.0 - 1.001 * claim.resolution);
        let noticed = |factor: f64| {
            !claim.resolution.is_finite()
                || self.scaled(factor).judged(self.ids[0]).verdict()
                    == fovea_record::claim::Verdict::Fail
        };
        if !(claim.resolution.is_finite() && claim.resolution > 0.0) {
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
        let parts: Vec<String> = self.parts().flat_map(Self::own_remark).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    fn own_remark(&self) -> impl Iterator<Item = String> {
        let no_number = match self.source {
            Source::NoNumber(why) => Some(format!("the source's form gives no number: {why}")),
            Source::Silent | Source::Values(_) | Source::Other(..) => None,
        };
        no_number.into_iter().chain(self.why_coarse.map(str::to_owned))
    }
}
