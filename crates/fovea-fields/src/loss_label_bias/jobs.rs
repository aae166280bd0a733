//! What is trained: the published table on fixed sets, every arm on fresh samples, and starts in a dictator state.

use super::LossLabelBias;
use super::arm::{Arm, PUBLISHED};
use super::theory::Theory;
use fovea_desk::prelude::*;
use fovea_sim::dynamics::Samples;
use fovea_sim::init::Initializer;
use fovea_sim::init::glorot::Glorot;
use fovea_sim::stimulus::mirrored::Mirrored;
use fovea_sim::stimulus::nlgp::Nlgp;

/// Relaxation times for which fields are held in a dictator's cell.
const HOLDING: f64 = 16.0;
/// Records of a held field; the later half of them is averaged.
const HELD_RECORDS: u64 = 48;

/// Why a network is trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To repeat the published table: a fixed set.
    Published,
    /// To compare arms: fresh samples, so that no set's own minima count.
    Compare,
    /// To see whether it stays in a dictator's cell: fresh samples.
    Hold,
}

/// What is recorded of random starts, and of those in a dictator state.
const PROBES: [&Probe; 4] =
    [&probe::ipr::ENTRY, &probe::norm::ENTRY, &probe::output_bias::ENTRY, &probe::loss::ENTRY];
const HELD_PROBES: [&Probe; 2] = [&probe::weights::ENTRY, &probe::output_bias::ENTRY];

/// Networks that differ in their start and their samples alone.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// What they are trained for.
    pub purpose: Purpose,
    /// Loss, labels and bias.
    pub arm: Arm,
    /// Hidden units.
    pub width: usize,
    /// Gain of the data.
    pub gain: f64,
    /// Steps to take.
    pub steps: usize,
    /// How many networks.
    pub starts: usize,
}

/// Everything that is trained.
pub fn points(settings: &LossLabelBias, theory: &Theory) -> Vec<Point> {
    let mut points = Vec::new();
    let infinite = settings.gain.iter().any(|gain| gain.is_infinite());
    for &width in &settings.width {
        let steps = if width == 1 { settings.steps } else { settings.wide_steps };
        for &arm in &settings.arms.0 {
            let (purpose, gain, starts) = (Purpose::Compare, f64::INFINITY, settings.networks);
            let at = Point { purpose, arm, width, gain, steps, starts };
            let published = PUBLISHED.iter().any(|row| row.arm == arm && row.width == width);
            if infinite && published && settings.is_published() {
                let starts = (settings.inits / width).max(2);
                points.push(Point { purpose: Purpose::Published, starts, ..at });
            }
            points.extend(settings.gain.iter().map(|&gain| {
                let starts = if gain.is_finite() { settings.sweep_networks } else { starts };
                Point { gain, starts, ..at }
            }));
            // A trained readout can trade its size for the field's, so that no state of either stands alone.
            let isolated = !arm.trains_readout();
            if infinite && isolated && theory.predict(arm, width).stays(0.0).is_some() {
                // The curvature of K units that share the inputs is that of one over K^2.
                let times = HOLDING * theory.dictator.relaxation * (width * width) as f64;
                let steps = (times / settings.lr).ceil().clamp(1.0, 1e7) as usize;
                points.push(Point { purpose: Purpose::Hold, steps, starts: settings.held, ..at });
            }
        }
    }
    points
}

impl Point {
    /// The name of its group; its curves are called `NAME=0` and so on.
    pub(super) fn name(&self) -> String {
        let (arm, gain) = (self.arm.word(), Value::Real(self.gain));
        let purpose = ["published", "init", "held"][self.purpose as usize];
        format!("arm={arm},K={},gain={gain},{purpose}", self.width)
    }

    /// Arm and width in words.
    pub(super) fn title(&self) -> String {
        format!("{}, K = {}", self.arm.word(), self.width)
    }

    /// The task of an arm, every sample beside its mirror image.
    pub(super) fn task(&self, settings: &LossLabelBias) -> Arc<TaskSpec> {
        let class = |xi| {
            let nlgp = Nlgp::on_ring(settings.two.n, xi, self.gain, settings.two.kernel);
            Item::of("mirrored", &Mirrored { base: Item::of("nlgp", &nlgp) })
        };
        let (pos, neg) = (class(settings.two.xi_pos), class(settings.two.xi_neg));
        Arc::new(TaskSpec::pair(pos, neg, self.arm.negative_label(), Labels::Balanced))
    }

    /// One job per start.
    ///
    /// # Errors
    /// A weight of a start is not finite.
    pub fn jobs(
        &self,
        settings: &LossLabelBias,
        theory: &Theory,
        streams: &Streams,
    ) -> Result<Vec<Job>, LabError> {
        let (arm, width, n, name) = (self.arm, self.width, settings.two.n, self.name());
        let LossLabelBias { lr, batch, fresh_batch: fresh, precision, .. } = *settings;
        // Fresh samples at a rate that falls to zero, so that the noise of SGD dies out, or at a constant one where the mean over
        // time takes it away.
        let pace = match self.purpose {
            Purpose::Published => Pace { samples: Samples::Fixed, ..Pace::online(lr, batch) },
            Purpose::Compare => falling(lr, fresh),
            Purpose::Hold => Pace::online(lr, fresh),
        };
        let plan = if self.purpose == Purpose::Hold {
            let every = (self.steps as u64 / HELD_RECORDS).max(1);
            Plan::new(self.steps, Times::Every(every), &HELD_PROBES)
        } else {
            Plan { eval_samples: 8192, ..Plan::new(self.steps, Times::At(Vec::new()), &PROBES) }
        };
        let (task, plan) = (self.task(settings), Plan { loss: arm.loss(), precision, ..plan });
        let bias = if arm.biased() { Bias::Trainable } else { Bias::None };
        // The networks of each purpose have streams of their own.
        let first = [0, 1 << 32, 1 << 33][self.purpose as usize];
        let job = |start: usize| {
            let streams = streams.replica(first + start as u64);
            let (weights, b) = if self.purpose == Purpose::Hold {
                theory.held_start(arm, width)
            } else {
                let glorot = Glorot { init_scale: settings.init_scale };
                (glorot.start(&[n], width, &streams)?.weights, 0.0)
            };
            let network = Network::committee(n, width, &activation::relu::ENTRY, Bias::None)
                .with(&weights, &vec![0.0; width])?
                .with_readout(vec![1.0; width], arm.trains_readout(), vec![b], bias);
            let stage = stage(&task, pace.clone(), plan.clone(), streams);
            let job = Job::new(format!("{name}={start}"), Start::Given(network), stage);
            Ok(job.in_group(&*name))
        };
        (0..self.starts).map(job).collect()
    }
}
