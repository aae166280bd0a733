//! What is trained: the published table on fixed sets, every arm on fresh samples, and starts in a dictator state.

use super::LossLabelBias;
use super::arm::{Arm, PUBLISHED};
use super::held;
use super::mirror::Mirrored;
use super::theory::Theory;
use fovea_core::{Item, ParamError, Value, activation};
use fovea_desk::bench::Bench;
use fovea_sim::dynamics::{Pace, Samples};
use fovea_sim::init::Initializer;
use fovea_sim::init::glorot::Glorot;
use fovea_sim::probe;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_sim::train::train;
use fovea_sim::{Bias, Labels, Network, Plan, Run, Sgd, Task, Times};

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

impl Purpose {
    /// Where the streams of its networks begin.
    pub fn first_stream(self) -> u64 {
        match self {
            Self::Published => 0,
            Self::Compare => 1 << 32,
            Self::Hold => 1 << 33,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Compare => "init",
            Self::Hold => "held",
        }
    }
}

/// One network to be trained.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// What it is trained for.
    pub purpose: Purpose,
    /// Loss, labels and bias.
    pub arm: Arm,
    /// Hidden units.
    pub width: usize,
    /// Gain of the data.
    pub gain: f64,
    /// Number of the start.
    pub start: usize,
    /// Steps to take.
    pub steps: usize,
}

impl Job {
    /// The name in records.
    pub(super) fn name(&self) -> String {
        let (arm, gain) = (self.arm.word(), Value::Real(self.gain));
        format!("arm={arm},K={},gain={gain},{}={}", self.width, self.purpose.word(), self.start)
    }

    /// Whether two jobs differ in their start alone.
    pub(super) fn beside(&self, other: &Self) -> bool {
        let same = self.purpose == other.purpose && self.arm == other.arm;
        same && self.width == other.width && self.gain.total_cmp(&other.gain).is_eq()
    }
}

/// Every job, those that differ in their start alone next to each other.
pub fn jobs(settings: &LossLabelBias, theory: &Theory) -> Vec<Job> {
    let mut jobs = Vec::new();
    let mut add =
        |job: Job, starts: usize| jobs.extend((0..starts).map(|start| Job { start, ..job }));
    let infinite = settings.gain.iter().any(|gain| gain.is_infinite());
    for &width in &settings.width {
        let steps = if width == 1 { settings.steps } else { settings.wide_steps };
        for &arm in &settings.arms.0 {
            let gain = f64::INFINITY;
            let at = Job { purpose: Purpose::Compare, arm, width, gain, start: 0, steps };
            let published = PUBLISHED.iter().any(|row| row.arm == arm && row.width == width);
            if infinite && published && settings.is_published() {
                add(Job { purpose: Purpose::Published, ..at }, (settings.inits / width).max(2));
            }
            for &gain in &settings.gain {
                let finite = gain.is_finite();
                let starts = if finite { settings.sweep_networks } else { settings.networks };
                add(Job { gain, ..at }, starts);
            }
            // A trained readout can trade its size for the field's, so that no state of either stands alone.
            let isolated = !arm.trains_readout();
            if infinite && isolated && theory.predict(arm, width).stays(0.0).is_some() {
                // The curvature of K units that share the inputs is that of one over K^2.
                let times = HOLDING * theory.dictator.relaxation * (width * width) as f64;
                let steps = (times / settings.lr).ceil().clamp(1.0, 1e7) as usize;
                add(Job { purpose: Purpose::Hold, steps, ..at }, settings.held);
            }
        }
    }
    jobs
}

/// The task of an arm, every sample beside its mirror image.
///
/// # Errors
/// A latent covariance is none.
pub fn task(settings: &LossLabelBias, gain: f64, arm: Arm) -> Result<Task, ParamError> {
    let class = |xi| {
        let sampler = Nlgp::on_ring(settings.n, xi, gain, settings.kernel).sampler()?;
        Ok::<_, ParamError>(Box::new(Mirrored(sampler)))
    };
    let (pos, neg) = (class(settings.xi_pos)?, class(settings.xi_neg)?);
    Task::pair(pos, neg, arm.negative_label(), Labels::Balanced)
}

/// What is recorded.
pub fn plan(settings: &LossLabelBias, job: &Job) -> Plan<'static> {
    let steps = job.steps as u64;
    let plan = Plan {
        steps,
        record: Times::At(Vec::new()),
        checkpoint_every: 0,
        eval_samples: 8192,
        probes: &[
            &probe::ipr::ENTRY,
            &probe::norm::ENTRY,
            &probe::output_bias::ENTRY,
            &probe::loss::ENTRY,
        ],
        loss: job.arm.loss(),
        precision: settings.precision,
    };
    if job.purpose != Purpose::Hold {
        return plan;
    }
    let record = Times::Every((steps / HELD_RECORDS).max(1));
    let probes = &[&probe::weights::ENTRY, &probe::output_bias::ENTRY];
    Plan { record, eval_samples: 0, probes, ..plan }
}

/// Learning rate and samples: fresh ones at a rate that falls to zero, so that the noise of SGD dies out, or at a constant
/// one where the mean over time takes it away.
pub fn pace(settings: &LossLabelBias, job: &Job) -> Pace {
    let pace = Pace { lr: settings.lr, batch: settings.fresh_batch, ..Pace::default() };
    match job.purpose {
        Purpose::Published => Pace { batch: settings.batch, samples: Samples::Fixed, ..pace },
        Purpose::Compare => Pace { schedule: Item::named("linear"), ..pace },
        Purpose::Hold => pace,
    }
}

/// The mean learning rate of a run, which makes `step * rate` its time at the end.
pub(super) fn mean_rate(settings: &LossLabelBias, job: &Job) -> f64 {
    let (rate, steps) = (pace(settings, job).rate(), job.steps as u64);
    (0..steps).map(|step| rate.at(step, steps)).sum::<f64>() / job.steps as f64
}

/// Trains one network.
///
/// # Errors
/// A latent covariance is none.
pub fn run(
    settings: &LossLabelBias,
    job: &Job,
    theory: &Theory,
    bench: &Bench<'_>,
) -> Result<Run, ParamError> {
    let streams = bench.streams().replica(job.purpose.first_stream() + job.start as u64);
    let (weights, b) = if job.purpose == Purpose::Hold {
        held::start(theory, job.arm, job.width)
    } else {
        let glorot = Glorot { init_scale: settings.init_scale };
        (glorot.start(&[settings.n], job.width, &streams)?.weights, 0.0)
    };
    let bias = if job.arm.biased() { Bias::Trainable } else { Bias::None };
    let network = Network::committee(settings.n, job.width, &activation::relu::ENTRY, Bias::None)
        .with(&weights, &vec![0.0; job.width])?
        .with_readout(vec![1.0; job.width], job.arm.trains_readout(), vec![b], bias);
    let task = task(settings, job.gain, job.arm)?;
    let sgd = Sgd { pace: pace(settings, job) };
    Ok(train(&task, network, &sgd, &streams, &plan(settings, job), bench))
}
