//! Fields that start in a dictator state: they stay in its cell exactly where one exists, and where it is the state of
//! their own arm they end in it.
//!
//! Each start meets samples of its own; the spread over them is the standard error. Where `w*` is stationary the flow around it
//! is linear, so that the mean over time is the state without bias, whatever the noise of SGD. A single field is noisy, and
//! its IPR and loss are not those of the state: the mean field's are, after the jackknife.

use super::arm::Arm;
use super::group::one_sided;
use super::jobs::Job;
use super::theory::{Prediction, Theory};
use crate::claim::Claim;
use crate::error::LabError;
use fovea_core::stats::Estimate;
use fovea_core::streams::Streams;
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
            vec![one_sided(self.arm.id(), statement, plain(&units, vote)?, 1.0, stays)];
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
            let samples: Vec<f64> = fields.iter().map(|field| mirrored(field, distance)).collect();
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

/// `2 |w_0| / |w|_1`: above one, site 0 outvotes all others and the field lies in its cell.
fn vote(w: &[f64]) -> f64 {
    let total: f64 = w.iter().map(|w| w.abs()).sum();
    if total > 0.0 { 2.0 * w[0].abs() / total } else { 0.0 }
}

/// The mean over the two sites at this distance from site 0.
fn mirrored(field: &[f64], distance: usize) -> f64 {
    let n = field.len();
    0.5 * (field[distance] + field[(n - distance) % n])
}

/// The mean of rows, one of them left out where named.
fn mean(rows: &[Vec<f64>], without: Option<usize>) -> Vec<f64> {
    let kept = || rows.iter().enumerate().filter(|(i, _)| Some(*i) != without).map(|(_, row)| row);
    let count = kept().count() as f64;
    (0..rows[0].len()).map(|j| kept().map(|row| row[j]).sum::<f64>() / count).collect()
}

/// A function of the mean row, with the bias of order one over the count removed and its standard error.
fn jackknife(rows: &[Vec<f64>], of: impl Fn(&[f64]) -> f64) -> Result<Estimate, LabError> {
    let count = rows.len() as f64;
    let whole = of(&mean(rows, None));
    let pseudo: Vec<f64> =
        (0..rows.len()).map(|i| count * whole - (count - 1.0) * of(&mean(rows, Some(i)))).collect();
    Ok(Estimate::from_samples(&pseudo)?)
}

/// A function of the mean row as it is, for one too bent for its bias to be removed, with the jackknife's standard error.
fn plain(rows: &[Vec<f64>], of: impl Fn(&[f64]) -> f64) -> Result<Estimate, LabError> {
    let se = jackknife(rows, &of)?.se();
    Ok(Estimate::from_parts(of(&mean(rows, None)), se, rows.len())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_jackknife_of_a_mean_is_the_mean_and_of_a_square_is_unbiased() {
        let rows: Vec<Vec<f64>> = [1.0, 2.0, 4.0, 9.0].iter().map(|x| vec![*x]).collect();
        let plain = Estimate::from_samples(&[1.0, 2.0, 4.0, 9.0]).unwrap();
        let same = jackknife(&rows, |mean| mean[0]).unwrap();
        assert!((same.mean() - 4.0).abs() < 1e-12 && (same.se() - plain.se()).abs() < 1e-12);
        // E mean^2 exceeds the square of the expectation by se^2, which the jackknife takes away.
        let square = jackknife(&rows, |mean| mean[0] * mean[0]).unwrap();
        assert!((square.mean() - (16.0 - plain.se() * plain.se())).abs() < 1e-12);
    }

    #[test]
    fn a_site_outvotes_the_others_where_it_is_larger_than_their_sum() {
        assert!(vote(&[0.5, -0.2, 0.2]) > 1.0 && vote(&[0.5, -0.3, 0.3]) < 1.0);
        assert!(vote(&[0.1, -0.9, 0.0]) < 1.0, "another site's cell is not this one");
        assert!(vote(&[0.0, 0.0]).abs() < 1e-15);
    }

    #[test]
    fn sites_at_one_distance_lie_on_both_sides() {
        let field = [5.0, 1.0, 2.0, 3.0];
        assert!((mirrored(&field, 0) - 5.0).abs() < 1e-15);
        assert!((mirrored(&field, 1) - 2.0).abs() < 1e-15);
        assert!((mirrored(&field, 2) - 2.0).abs() < 1e-15);
    }
}
