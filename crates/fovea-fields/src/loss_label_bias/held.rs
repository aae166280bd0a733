//! Fields that start in a dictator state: they stay in its cell exactly where one exists, and where it is the state of
//! their own arm they end in it.
//!
//! Each start meets samples of its own; the spread over them is the standard error. Where `w*` is stationary the flow around it
//! is linear, so that the mean over time is the state without bias, whatever the noise of SGD. A single field is noisy, and
//! its IPR and loss are not those of the state: the mean field's are, after the jackknife.

use super::arm::Arm;
use super::jobs::Job;
use super::theory::{Prediction, Theory};
use fovea_core::stats::Estimate;
use fovea_core::streams::Streams;
use fovea_desk::cell::{mirrored, vote};
use fovea_desk::error::LabError;
use fovea_desk::replicas::{jackknife, mean, plain};
use fovea_record::bound::one_sided;
use fovea_record::claim::Claim;
use fovea_sim::probe::ipr::ipr;
use fovea_sim::train::{Record, held_out_loss};
use fovea_sim::{Network, Run, Task};

/// Distances from the centre that are compared.
const REACH: usize = 3;
/// Where the streams of evaluations begin, beyond those of any network.
const EVALUATION: u64 = 1 << 34;
/// Samples of each set on which the loss of the mean field is measured.
const EVAL_SAMPLES: usize = 32_768;

/// Runs of one arm and width from a dictator state.
pub(super) struct Held {
    pub(super) arm: Arm,
    pub(super) width: usize,
    pub(super) runs: Vec<Run>,
    pub(super) prediction: Prediction,
}

/// Weights and output bias of the start: the state of labels 1 and 0 under the squared error, in the units of the arm;
/// where that does not exist either, its centre alone.
pub(super) fn start(theory: &Theory, arm: Arm, width: usize) -> (Vec<f64>, f64) {
    let y = arm.negative_label();
    let scale = (1.0 - y) * width as f64;
    let state = &theory.dictator.w;
    let inside = |i: usize| if theory.dictator.exists || i == 0 { scale * state[i] } else { 0.0 };
    let row: Vec<f64> = (0..state.len()).map(inside).collect();
    let sign = |unit: usize| if unit.is_multiple_of(2) { 1.0 } else { -1.0 };
    let weights = (0..width).flat_map(|unit| row.iter().map(move |w| sign(unit) * w)).collect();
    (weights, if arm.biased() { y } else { 0.0 })
}

impl Held {
    /// The group of the first of its jobs.
    pub(super) fn new(theory: &Theory, job: &Job, run: Run) -> Self {
        let (arm, width) = (job.arm, job.width);
        Self { arm, width, runs: vec![run], prediction: theory.predict(arm, width) }
    }

    /// Whether the fields stay, and where they do whether they are the closed form.
    pub(super) fn claims(
        &self,
        theory: &Theory,
        task: &Task,
        streams: &Streams,
    ) -> Result<Vec<Claim>, LabError> {
        let (_, b) = start(theory, self.arm, self.width);
        let Some(stays) = self.prediction.stays(b) else { return Ok(Vec::new()) };
        let name = format!("{}, K = {}", self.arm.word(), self.width);
        let statement = format!(
            "{name}: a dictator state exists: {}; fields started in one {}: 2 |w_0| / |w|_1 of their mean is {} 1",
            if stays { "yes" } else { "no" },
            if stays { "stay in its cell" } else { "leave its cell" },
            if stays { "above" } else { "below" },
        );
        let units: Vec<Vec<f64>> = self.runs.iter().map(unit_field).collect();
        let mut claims =
            vec![one_sided(self.arm.id(), statement, plain(&units, |w| vote(w, 0))?, 1.0, stays)];
        // The state of this arm is the start's where it exists there at all: labels 1 and 0 under the squared error.
        if stays && theory.dictator.exists && self.arm.negative_label() >= 0.0 {
            claims.push(self.is_the_closed_form(&name, theory, task, streams)?);
        }
        Ok(claims)
    }

    fn is_the_closed_form(
        &self,
        name: &str,
        theory: &Theory,
        task: &Task,
        streams: &Streams,
    ) -> Result<Claim, LabError> {
        let fields: Vec<Vec<f64>> = self.runs.iter().map(effective_field).collect();
        let (mut measured, mut predictions) = (Vec::new(), [Vec::new(), Vec::new()]);
        for distance in 0..=REACH.min(fields[0].len() / 2) {
            let samples: Vec<f64> =
                fields.iter().map(|field| mirrored(field, 0, distance)).collect();
            measured.push(Estimate::from_samples(&samples)?);
            for (list, point) in predictions.iter_mut().zip([&theory.dictator, &theory.latent]) {
                list.push(point.w[distance]);
            }
        }
        measured.push(jackknife(&fields, ipr)?);
        measured.push(self.loss_of_the_mean(task, streams)?);
        for (list, point) in predictions.iter_mut().zip([&theory.dictator, &theory.latent]) {
            // A pair answers on both halves of the inputs, one unit on one: L = (1 - R)/4 against (1 - R/2)/4.
            let both = 2.0 * point.loss - 0.25;
            list.extend([point.ipr, if self.width == 2 { both } else { point.loss }]);
        }
        let pairs = |values: &[f64]| -> Vec<(Estimate, f64)> {
            measured.iter().copied().zip(values.iter().copied()).collect()
        };
        let statement = format!(
            "{name}: the mean of the fields held in a dictator's cell (0 to {REACH} sites from its centre{}), its IPR \
             and its loss are the closed form's",
            if self.arm.biased() { ", b2 added to the centre" } else { "" },
        );
        let claim = Claim::family(self.arm.id(), statement, &pairs(&predictions[0]));
        Ok(claim.rejecting("the latent covariance in place of the signs'", &pairs(&predictions[1])))
    }

    /// The loss of the mean network on fresh sets, one for each run.
    fn loss_of_the_mean(&self, task: &Task, streams: &Streams) -> Result<Estimate, LabError> {
        let late: Vec<Vec<f64>> = self.runs.iter().map(late_theta).collect();
        let network = &self.runs[0].network;
        let (late, weights) = (mean(&late, None), network.range(0));
        let mut theta = network.theta().to_vec();
        theta[weights.clone()].copy_from_slice(&late[weights.clone()]);
        theta[network.range(3)].copy_from_slice(&late[weights.end..]);
        let network: Network = network.clone().with_theta(theta)?;
        let loss = |set: usize| {
            let streams = streams.replica(EVALUATION + set as u64);
            held_out_loss::<f64>(task, &network, self.arm.loss(), &streams, EVAL_SAMPLES)
        };
        let losses: Vec<f64> = (0..self.runs.len()).map(loss).collect();
        Ok(Estimate::from_samples(&losses)?)
    }
}

/// Weights and output bias, averaged over the later half of the records.
fn late_theta(run: &Run) -> Vec<f64> {
    let row = |record: &Record| -> Vec<f64> {
        record.readings.iter().flat_map(|units| units.concat()).collect()
    };
    let late = &run.records[run.records.len() / 2..];
    mean(&late.iter().map(row).collect::<Vec<_>>(), None)
}

/// The field of one unit, or of a pair of opposites.
fn unit_field(run: &Run) -> Vec<f64> {
    let (n, theta) = (run.network.inputs(), late_theta(run));
    let pair = run.network.width() == 2;
    (0..n).map(|i| if pair { 0.5 * (theta[i] - theta[n + i]) } else { theta[i] }).collect()
}

/// What the network adds up to where `x_0 > 0`: the field over the number of units; `|x_0| = 1` makes the output bias
/// part of its centre.
fn effective_field(run: &Run) -> Vec<f64> {
    let (n, width) = (run.network.inputs(), run.network.width());
    let mut field: Vec<f64> = unit_field(run).iter().map(|w| w / width as f64).collect();
    field[0] += late_theta(run)[n * width];
    field
}
