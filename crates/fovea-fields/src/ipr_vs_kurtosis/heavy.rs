//! Laws without a kurtosis, or without a variance: localized by their spikes, and for how long.

use super::IprVsKurtosis;
use super::source::Heavy;
use fovea_core::stats::Estimate;
use fovea_desk::error::LabError;
use fovea_desk::fleet::{Spread, Trained};
use fovea_desk::ipr_table::{field_at, fields_at};
use fovea_desk::published::Published;
use fovea_record::bound::one_sided;
use fovea_record::claim::Claim;
use fovea_sim::Run;
use fovea_sim::probe::ipr::ipr;
use fovea_sim::train::Ended;

/// A localized field of these data that stayed where it was would have more than this overlap with itself half way.
const KEPT: f64 = 0.5;

/// One exponent.
pub(super) struct Tails {
    pub(super) k: f64,
    /// Samples of a step.
    pub(super) batch: usize,
    pub(super) source: Option<&'static Heavy>,
    pub(super) iprs: Vec<f64>,
    /// Cosine between the fields half way and at the end, run by run.
    pub(super) kept: Vec<f64>,
    /// Runs that left the finite numbers.
    pub(super) diverged: usize,
}

/// The size of the cosine between two fields.
fn overlap(a: &[f64], b: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    (dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()).abs()
}

impl Tails {
    pub(super) fn new(
        settings: &IprVsKurtosis,
        (k, source): (f64, Option<&'static Heavy>),
        trained: &Trained<'_>,
    ) -> Self {
        // A run that diverged has fewer records: its last field is missing, and so is its partner here.
        let diverged = |run: &Run| matches!(run.ended, Ended::Diverged(_));
        let end = fields_at(trained, settings.steps);
        let half = trained.runs.iter().filter(|run| !diverged(run));
        let half = half.filter_map(|run| field_at(trained, run, settings.steps / 2));
        Self {
            k,
            batch: trained.arm.sgd.pace.batch,
            source: source.filter(|_| settings.comparable()),
            kept: half.zip(&end).map(|(a, b)| overlap(&a, b)).collect(),
            iprs: end.iter().map(|w| ipr(w)).collect(),
            diverged: trained.runs.iter().filter(|run| diverged(run)).count(),
        }
    }

    fn name(&self) -> String {
        format!("k = {}, batch {}", self.k, self.batch)
    }

    /// The published mean beside ours; `wide` are runs with the published batch, which say whether it makes the difference.
    pub(super) fn published(&self, wide: Option<&Self>) -> Result<Option<Published>, LabError> {
        let Some(source) = self.source.filter(|_| self.iprs.len() > 1) else { return Ok(None) };
        let what = format!("mean IPR, {}", self.name());
        let ours = Spread::of(&self.iprs)?;
        let row = Published::mean(what, (source.mean, source.sd, source.runs), ours.mean);
        let Some(wide) = wide.map(|wide| wide.published(None)).transpose()?.flatten() else {
            return Ok(Some(row));
        };
        let why = format!(
            "spikes: the median is {:.4} and the largest {:.4}; with the published batch the mean is {:.4} +- {:.4}",
            ours.median(),
            ours.quantiles[6],
            wide.ours.mean(),
            wide.ours.se()
        );
        Ok(Some(if wide.inside() { row.because(why) } else { row }))
    }

    /// Localized fields of data without a variance do not stay: they are where the last spike was.
    pub(super) fn claim(&self) -> Result<Option<Claim>, LabError> {
        if self.k > 2.0 || self.kept.len() < 2 {
            return Ok(None);
        }
        let statement = format!(
            "k = {}: the field half way is not the field at the end, |cosine| below {KEPT} on average",
            self.k
        );
        let mean = Estimate::from_samples(&self.kept)?;
        Ok(Some(one_sided("published", statement, mean, KEPT, false)))
    }

    pub(super) fn in_words(&self) -> Result<String, LabError> {
        if self.iprs.len() < 2 {
            return Ok(format!("{}: {} runs diverged", self.name(), self.diverged));
        }
        let (q, kept) = (Spread::of(&self.iprs)?, Spread::of(&self.kept)?);
        let quantiles = [0, 2, 3, 4, 6].map(|i: usize| format!("{:.3}", q.quantiles[i]));
        Ok(format!(
            "{}: IPR {} (mean {:.3}, sd {:.3}); |cosine| with the field half way, median {:.3}; {} diverged",
            self.name(),
            quantiles.join(" / "),
            q.mean.mean(),
            q.sd,
            kept.median(),
            self.diverged
        ))
    }
}
