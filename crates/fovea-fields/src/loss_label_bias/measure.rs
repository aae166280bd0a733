//! The networks of one arm, width and gain, and their final fields.

use super::arm::{Arm, PUBLISHED, Published};
use super::theory::{Prediction, Theory};
use super::{LossLabelBias, Point, Purpose};
use fovea_desk::cell::by_distance;
use fovea_desk::prelude::*;
use fovea_desk::replicas::{jackknife, mean};
use fovea_sim::network::Role;
use fovea_sim::train::held_out_loss;

/// Two units whose cosine lies below this are a pair of opposites.
const OPPOSITE: f64 = -0.95;
/// Where the streams of evaluations begin, beyond those of any network.
const EVALUATION: u64 = 1 << 34;
/// Samples of each set on which the loss of the mean field is measured.
const EVAL_SAMPLES: usize = 32_768;
/// Distances from the centre that are compared.
pub(super) const REACH: usize = 3;

/// The ends of random starts of one point.
pub(super) struct Ends<'r> {
    pub(super) point: Point,
    pub(super) runs: Vec<&'r Trained>,
    /// The entry of the published table that they repeat; none for those that compare arms.
    pub(super) published: Option<&'static Published>,
    /// The prediction of theory, at infinite gain alone.
    pub(super) prediction: Option<Prediction>,
}

/// The final fields of a network.
fn fields(run: &Trained) -> impl Iterator<Item = &[f64]> {
    run.network().weights().chunks(run.network().inputs())
}

impl<'r> Ends<'r> {
    pub(super) fn new(theory: &Theory, point: Point, runs: &'r Runs) -> Self {
        let here = |row: &&Published| row.arm == point.arm && row.width == point.width;
        let published = PUBLISHED.iter().find(here).filter(|_| point.purpose == Purpose::Published);
        let prediction = point.gain.is_infinite().then(|| theory.predict(point.arm, point.width));
        Self { point, runs: runs.group(&point.name()).runs, published, prediction }
    }

    /// Whether it compares this arm, at this width, with others.
    pub(super) fn compares(&self, arm: Arm, width: usize) -> bool {
        self.point.arm == arm && self.point.width == width && self.published.is_none()
    }

    /// The final fields, for the record.
    pub(super) fn array(&self) -> Array {
        let kind = if self.published.is_some() { "published" } else { "fields" };
        let (arm, gain) = (self.point.arm.word(), Value::Real(self.point.gain));
        let fields = self.runs.iter().flat_map(|run| fields(run));
        let rows: Vec<Vec<f64>> = fields.map(<[f64]>::to_vec).collect();
        Array::of_rows(format!("{kind}_arm={arm},K={},gain={gain}", self.point.width), &rows)
    }

    /// IPR of every field.
    pub(super) fn iprs(&self) -> Vec<f64> {
        self.runs.iter().flat_map(|run| fields(run)).map(ipr).collect()
    }

    /// The networks of two that are a pair of opposites.
    pub(super) fn pairs(&self) -> Option<Vec<&'r Trained>> {
        let opposite = |run: &&&Trained| {
            let (a, b) = run.network().weights().split_at(run.network().inputs());
            cosine(a, b) < OPPOSITE
        };
        (self.point.width == 2).then(|| self.runs.iter().filter(opposite).copied().collect())
    }

    /// IPR of the fields that a published range describes: of two units, those of finished pairs alone.
    pub(super) fn comparable(&self) -> Vec<f64> {
        let runs = self.pairs().unwrap_or_else(|| self.runs.clone());
        runs.into_iter().flat_map(fields).map(ipr).collect()
    }

    /// Mean IPR; the units of a network share its samples and count once.
    pub(super) fn mean_ipr(&self) -> Result<Estimate, LabError> {
        let of = |run: &&Trained| fields(run).map(ipr).sum::<f64>() / self.point.width as f64;
        estimate(self.runs.iter().map(of))
    }

    /// Mean output bias, where there is one.
    pub(super) fn mean_b2(&self) -> Result<Option<Estimate>, LabError> {
        let all = || estimate(self.runs.iter().map(|run| run.network().output_biases()[0]));
        self.point.arm.biased().then(all).transpose()
    }
}

/// Fields that start in a dictator state: they stay in its cell exactly where one exists, and where it is the state of
/// their own arm they end in it.
///
/// Each start has samples of its own; the spread over them is the standard error. Where `w*` is stationary the flow around it
/// is linear, so that the mean over time is the state without bias, whatever the noise of SGD. A single field is noisy, and
/// its IPR and loss are not those of the state: the mean field's are, after the jackknife.
pub(super) struct Held {
    pub(super) point: Point,
    /// Whether they should stay.
    pub(super) stays: bool,
    /// The late field of one unit, or of a pair of opposites, for every start.
    pub(super) units: Vec<Vec<f64>>,
    /// The sum of the units, near the centre, with the IPR and the loss of their mean, where they should end in the
    /// start's own state.
    pub(super) closed: Option<Vec<Estimate>>,
}

impl Held {
    pub(super) fn new(
        settings: &LossLabelBias,
        theory: &Theory,
        point: Point,
        runs: &Runs,
        streams: &Streams,
    ) -> Result<Self, LabError> {
        let (arm, runs) = (point.arm, runs.group(&point.name()).runs);
        let (_, b) = theory.held_start(arm, point.width);
        let stays = theory.predict(arm, point.width).stays(b) == Some(true);
        let units = runs.iter().map(|run| unit_field(run)).collect();
        let mut closed = None;
        // The state of this arm is the start's where it exists there at all: labels 1 and 0 under the squared error.
        if stays && theory.dictator.exists && arm.negative_label() >= 0.0 {
            let fields: Vec<Vec<f64>> = runs.iter().map(|run| effective_field(run)).collect();
            let loss = loss_of_the_mean(&point, settings, &runs, streams)?;
            let near = by_distance(&fields, REACH.min(fields[0].len() / 2))?;
            closed = Some([near, vec![jackknife(&fields, ipr)?, loss]].concat());
        }
        Ok(Self { point, stays, units, closed })
    }
}

/// The loss of the mean network on fresh sets, one for each run.
fn loss_of_the_mean(
    point: &Point,
    settings: &LossLabelBias,
    runs: &[&Trained],
    streams: &Streams,
) -> Result<Estimate, LabError> {
    let late: Vec<Vec<f64>> = runs.iter().map(|run| late_theta(run)).collect();
    let (task, network) = (point.task(settings).build()?, runs[0].network());
    let (late, weights) = (mean(&late, None), network.at(Role::Weights));
    let mut theta = network.theta().to_vec();
    theta[weights.clone()].copy_from_slice(&late[weights.clone()]);
    theta[network.at(Role::OutputBiases)].copy_from_slice(&late[weights.end..]);
    let network: Network = network.clone().with_theta(theta)?;
    let loss = |set: usize| {
        let streams = streams.replica(EVALUATION + set as u64);
        held_out_loss::<f64>(&task, &network, point.arm.loss(), &streams, EVAL_SAMPLES)
    };
    estimate((0..runs.len()).map(loss))
}

/// Weights and output bias, averaged over the later half of the records.
fn late_theta(run: &Trained) -> Vec<f64> {
    let (weights, biases) =
        (run.readings(&probe::weights::ENTRY), run.readings(&probe::output_bias::ENTRY));
    let row = |record: usize| [weights[record].concat(), biases[record].concat()].concat();
    mean(&(weights.len() / 2..weights.len()).map(row).collect::<Vec<_>>(), None)
}

/// The field of one unit, or of a pair of opposites.
fn unit_field(run: &Trained) -> Vec<f64> {
    let (n, theta) = (run.network().inputs(), late_theta(run));
    let pair = run.network().width() == 2;
    (0..n).map(|i| if pair { 0.5 * (theta[i] - theta[n + i]) } else { theta[i] }).collect()
}

/// The sum of the units where `x_0 > 0`: the field over the number of units; `|x_0| = 1` makes the output bias
/// part of its centre.
fn effective_field(run: &Trained) -> Vec<f64> {
    let (n, width) = (run.network().inputs(), run.network().width());
    let mut field: Vec<f64> = unit_field(run).iter().map(|w| w / width as f64).collect();
    field[0] += late_theta(run)[n * width];
    field
}
