//! The networks of one arm, width and gain, and what they came to.

use super::arm::{Arm, PUBLISHED, Published};
use super::jobs::{Job, Purpose};
use super::theory::{Exists, Prediction, Theory};
use fovea_core::Value;
use fovea_core::stats::Estimate;
use fovea_desk::cell::LEAST_IPR;
use fovea_desk::error::LabError;
use fovea_record::bound::one_sided;
use fovea_record::claim::Claim;
use fovea_record::outcome::Array;
use fovea_sim::Run;
use fovea_sim::probe::ipr::ipr;

/// Two units whose cosine lies below this are a pair of opposites.
const OPPOSITE: f64 = -0.95;

/// Networks that differ in their start and their samples alone.
pub(super) struct Group {
    pub(super) arm: Arm,
    pub(super) width: usize,
    pub(super) gain: f64,
    pub(super) runs: Vec<Run>,
    /// The row of the published table that they repeat; none for those that compare arms.
    pub(super) published: Option<&'static Published>,
    /// What theory says, where it does: at infinite gain.
    pub(super) prediction: Option<Prediction>,
}

impl Group {
    /// The group of the first of its jobs.
    pub(super) fn new(theory: &Theory, job: &Job, run: Run) -> Self {
        let (arm, width, gain) = (job.arm, job.width, job.gain);
        let here = |row: &&Published| row.arm == arm && row.width == width;
        let published = PUBLISHED.iter().find(here).filter(|_| job.purpose == Purpose::Published);
        let prediction = gain.is_infinite().then(|| theory.predict(arm, width));
        Self { arm, width, gain, runs: vec![run], published, prediction }
    }

    /// Whether it compares arms at infinite gain.
    pub(super) fn compares_at_infinity(&self) -> bool {
        self.gain.is_infinite() && self.published.is_none()
    }

    /// The final fields, for the record.
    pub(super) fn array(&self) -> Array {
        let kind = if self.published.is_some() { "published" } else { "fields" };
        let (arm, gain) = (self.arm.word(), Value::Real(self.gain));
        let rows: Vec<Vec<f64>> = self.fields().map(<[f64]>::to_vec).collect();
        Array::of_rows(format!("{kind}_arm={arm},K={},gain={gain}", self.width), &rows)
    }

    /// The final fields of all units.
    pub(super) fn fields(&self) -> impl Iterator<Item = &[f64]> {
        self.runs.iter().flat_map(|run| run.network.weights().chunks(run.network.inputs()))
    }

    /// IPR of every field.
    pub(super) fn iprs(&self) -> Vec<f64> {
        self.fields().map(ipr).collect()
    }

    /// How many fields are as localized as one in a dictator's cell.
    pub(super) fn localized(&self) -> usize {
        self.fields().filter(|field| ipr(field) > LEAST_IPR).count()
    }

    /// The networks of two that are a pair of opposites.
    pub(super) fn pairs(&self) -> Option<Vec<&Run>> {
        let opposite = |run: &&Run| {
            let (a, b) = run.network.weights().split_at(run.network.inputs());
            cosine(a, b) < OPPOSITE
        };
        (self.width == 2).then(|| self.runs.iter().filter(opposite).collect())
    }

    /// IPR of the fields that a published range is about: of two units, those of finished pairs alone.
    pub(super) fn comparable(&self) -> Vec<f64> {
        let runs = self.pairs().unwrap_or_else(|| self.runs.iter().collect());
        runs.iter()
            .flat_map(|run| run.network.weights().chunks(run.network.inputs()).map(ipr))
            .collect()
    }

    /// Mean IPR; the units of a network share its samples and count once.
    pub(super) fn mean_ipr(&self) -> Result<Estimate, LabError> {
        let of = |run: &Run| {
            let n = run.network.inputs();
            run.network.weights().chunks(n).map(ipr).sum::<f64>() / self.width as f64
        };
        Ok(Estimate::from_samples(&self.runs.iter().map(of).collect::<Vec<_>>())?)
    }

    /// Mean output bias, where there is one.
    pub(super) fn mean_b2(&self) -> Result<Option<Estimate>, LabError> {
        if !self.arm.biased() {
            return Ok(None);
        }
        let of = |run: &Run| run.network.output_biases()[0];
        Ok(Some(Estimate::from_samples(&self.runs.iter().map(of).collect::<Vec<_>>())?))
    }

    /// Where random starts end at the published lengths: broader than any dictator where no dictator state exists, localized
    /// where one unit has one. A pair may take longer than a run to find its own, and at other lengths starts may miss a
    /// state (L001.4) or end just outside a cell, so that nothing is claimed there.
    pub(super) fn claim(&self) -> Result<Option<Claim>, LabError> {
        if self.published.is_some() {
            return Ok(None);
        }
        let above = match self.prediction.as_ref().map(|prediction| prediction.exists) {
            Some(Exists::Yes) if self.width == 1 => true,
            Some(Exists::No(_)) => false,
            _ => return Ok(None),
        };
        let (ends, side) = if above { ("localized", "above") } else { ("broader", "below") };
        let statement = format!(
            "{}, K = {}: {} dictator state, and random starts end {ends}: mean IPR {side} 1/2, the least in a dictator's cell",
            self.arm.word(),
            self.width,
            if above { "a" } else { "no" },
        );
        Ok(Some(one_sided(self.arm.id(), statement, self.mean_ipr()?, LEAST_IPR, above)))
    }
}

/// The cosine of two fields; 0 where one of them vanishes.
pub fn cosine(a: &[f64], b: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let size = (dot(a, a) * dot(b, b)).sqrt();
    if size > 0.0 { dot(a, b) / size } else { 0.0 }
}
