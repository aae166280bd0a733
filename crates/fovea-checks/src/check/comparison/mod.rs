//! The two sides of a clause, and wrong forms in place of the prediction.

mod judge;
mod power;

use judge::Tried;

pub use power::Moved;

use fovea_core::stats::Estimate;
use fovea_record::claim::{Cases, Evidence};

/// Numbers without noise agree to this fraction of the largest, unless a check states another tolerance and why.
const TOLERANCE: f64 = 1e-9;

/// Both sides of one clause, or of several that say the same, computed independently.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The clauses, as `L000.9/ratio`, or `L000.3` for a claim that has one clause.
    pub ids: &'static [&'static str],
    /// What is compared, how each side is computed, and at which setting.
    pub what: String,
    sides: Sides,
    source: Source,
    evidence: Option<Evidence>,
    why_coarse: Option<&'static str>,
    size: Option<f64>,
    estimated: bool,
    tried: Vec<Tried>,
    also: Vec<Comparison>,
}

#[derive(Clone, Debug)]
enum Sides {
    /// Numbers without noise.
    Digits { predicted: Vec<f64>, measured: Vec<f64>, tolerance: f64 },
    /// Measured means and predictions, each true to within `accuracy` of its size.
    Noise { pairs: Vec<(Estimate, f64)>, accuracy: f64 },
    /// Cases that must all obey.
    Cases(Cases),
}

/// The form as the source prints it.
#[derive(Clone, Debug)]
enum Source {
    /// The source is right, or says nothing.
    Silent,
    /// The numbers of its form, one for each prediction.
    Values(Vec<f64>),
    /// The numbers of another wrong form, where the source has none, and what it is.
    Other(&'static str, Vec<f64>),
    /// Cases that must not all obey, and what they are.
    Cases(&'static str, Cases),
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
        Self::new(ids, what, Sides::Noise { pairs: pairs.to_vec(), accuracy: 0.0 })
    }

    /// Cases of which all must obey: `hits` of `trials` did, and one obeys by chance with probability `by_chance`.
    pub fn all(
        ids: &'static [&'static str],
        what: impl Into<String>,
        (hits, trials): (usize, usize),
        by_chance: f64,
    ) -> Self {
        Self::new(ids, what, Sides::Cases(Cases { hits, trials, by_chance }))
    }

    fn new(ids: &'static [&'static str], what: impl Into<String>, sides: Sides) -> Self {
        Self {
            ids,
            what: what.into(),
            sides,
            source: Source::Silent,
            evidence: None,
            why_coarse: None,
            size: None,
            estimated: false,
            tried: Vec::new(),
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

    /// The prediction is true only to this share of its size, and why: the measured means must be that close.
    #[must_use]
    pub fn approximate(mut self, share: f64, why: &'static str) -> Self {
        if let Sides::Noise { accuracy, .. } = &mut self.sides {
            *accuracy = share;
        }
        self.coarse(why)
    }

    /// Why this comparison resolves less than is asked for.
    #[must_use]
    pub fn coarse(self, why: &'static str) -> Self {
        Self { why_coarse: Some(why), ..self }
    }

    /// The size that an error is a share of, where predictions are 0 and have none of their own.
    #[must_use]
    pub fn of_size(self, size: f64) -> Self {
        Self { size: Some(size), ..self }
    }

    /// The prediction is an estimate that was made once, and its error is included in that of the measured mean: its distances at all seeds
    /// share that error, so they are not independent for the calibration.
    #[must_use]
    pub fn estimated(self) -> Self {
        Self { estimated: true, ..self }
    }

    /// The measured side was sampled or trained, though no standard error decides.
    #[must_use]
    pub fn simulated(self) -> Self {
        Self { evidence: Some(Evidence::Simulated), ..self }
    }

    /// The clause is a phenomenon, by the criterion that stands in its row.
    #[must_use]
    pub fn shown(self) -> Self {
        Self { evidence: Some(Evidence::Shown), ..self }
    }

    /// All cases were checked, without noise: an enumeration.
    #[must_use]
    pub fn enumerated(self) -> Self {
        Self { evidence: Some(Evidence::Form), ..self }
    }

    /// The values of the source's own form in place of the predictions.
    #[must_use]
    pub fn source(self, values: &[f64]) -> Self {
        Self { source: Source::Values(values.to_vec()), ..self }
    }

    /// The values of another wrong form in place of the predictions, where the source itself is right or has none.
    #[must_use]
    pub fn against(self, form: &'static str, values: &[f64]) -> Self {
        Self { source: Source::Other(form, values.to_vec()), ..self }
    }

    /// Cases that must not pass: by the same criterion `hits` of `trials` obey, and not all may.
    #[must_use]
    pub fn against_cases(self, form: &'static str, (hits, trials): (usize, usize)) -> Self {
        Self { source: Source::Cases(form, Cases { hits, trials, by_chance: 0.0 }), ..self }
    }

    /// The source has a form, but it gives no number, for this reason.
    #[must_use]
    pub fn no_source(self, why: &'static str) -> Self {
        Self { source: Source::NoNumber(why), ..self }
    }

    /// More of the same clause, on a different scale or with noise where this has none: both must hold.
    ///
    /// # Panics
    /// It is about other clauses.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        assert_eq!(self.ids, other.ids, "parts of one comparison decide the same clauses");
        self.also.push(other);
        self
    }

    fn parts(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.also)
    }

    /// What else a reader should know: why it is coarse, why the source's form gives no number.
    pub fn remark(&self) -> Option<String> {
        let mut parts: Vec<String> = self.parts().flat_map(Self::own_remark).collect();
        parts.dedup();
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    fn own_remark(&self) -> impl Iterator<Item = String> {
        let no_number = match self.source {
            Source::NoNumber(why) => Some(format!("the source's form gives no number: {why}")),
            _ => None,
        };
        let why = self.why_coarse.map(|why| match self.sides {
            Sides::Noise { accuracy, .. } if accuracy > 0.0 => {
                format!("the prediction is true to within {} %: {why}", 100.0 * accuracy)
            }
            _ => why.to_owned(),
        });
        no_number.into_iter().chain(why)
    }
}
