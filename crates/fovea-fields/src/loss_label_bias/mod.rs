//! Which losses and labels localize a ReLU network, and does an output bias matter?
//!
//! Networks of K bias-free ReLU units, read out by their mean, learn to tell two processes apart under the squared error, the
//! cross-entropy or the absolute error, with labels (1, 0) or (1, -1), with a trained output bias or without, and with a
//! trained readout (L001.62-66).
//! At infinite gain theory says which of these have a dictator state at all (`theory.rs`): for one unit, only the squared error
//! with labels (1, 0) and no output bias. Two things would falsify it: fields started in a dictator state that stay
//! in its cell under another arm or leave it under this one, and, at the published lengths, random starts that end on the
//! wrong side of IPR 1/2, which is the least a field in a dictator's cell can have.
//!
//! * **The published table** is repeated as it was made: n = 40, lengths (2, 1), infinite gain, full-batch descent with step 1
//!   on a fixed set of 8192 samples per class and their mirror images, 500 steps for one unit and 1200 for two, Glorot starts.
//! * **Every arm, width and gain** is trained on fresh samples, mirrored as well, so that the minima of a fixed set play no part,
//!   at a rate that falls linearly to zero, so that the noise of SGD plays none either.
//! * **Starts in a dictator state** are trained for 16 relaxation times; the mean over the later half is compared.
//!
//! The gradient is the true one, with the 1/K of the readout: the notes' convention, without it, is a rate of K for the
//! weights. The step is still 1 for every K. The curvature along the output bias is 1 whatever K, so that training at a rate of 2
//! diverges; and the slowest mode of a pair relaxes in 21 steps, so that the field after 1200 steps does not depend on the rate.

pub mod arm;
pub mod claims;
mod figure;
pub mod measure;
pub mod theory;

use arm::{Arm, Arms, PUBLISHED};
use fovea_core::lanes::BLOCK;
use fovea_desk::prelude::*;
use fovea_sim::dynamics::Samples;
use fovea_sim::init::Initializer;
use fovea_sim::init::glorot::Glorot;
use fovea_sim::stimulus::mirrored::Mirrored;
use fovea_sim::stimulus::nlgp::Nlgp;
use measure::{Ends, Held};
use theory::Theory;

params! {
    /// Settings of `loss-label-bias`.
    pub struct LossLabelBias {
        ..two: TwoClass { n = 40, between(2.0, 1024.0) };
        /// Loss, labels (`-pm` is 1 and -1, else 1 and 0), trained readout (`+w2`) and output bias (`+b2`).
        arms: Arms = Arms::distinct(), any(), "";
        /// Hidden units, K in the formulas.
        width: Vec<usize> = vec![1, 2], between(1.0, 64.0), "units";
        /// Gains; the published table and the claims are about `inf`.
        gain: Vec<f64> = vec![0.01, 0.5, 1.0, 3.0, f64::INFINITY], above(0.0), "";
        /// Learning rate of the loss, with the 1/K of the mean readout in the gradient; outside the published table its first value.
        lr: f64 = 1.0, finite_above(0.0), "";
        /// Steps of one unit.
        steps: usize = 500, between(1.0, 1e7), "steps";
        /// Steps of more than one.
        wide_steps: usize = 1200, between(1.0, 1e7), "steps";
        /// Units per entry of the published table; the number of networks is this over K.
        inits: usize = 12, between(2.0, 1e4), "units";
        /// Samples of the published table's fixed sets, mirror images included.
        batch: usize = 32768, between(64.0, 1e7), "samples";
        /// Networks per arm and width at infinite gain.
        networks: usize = 12, between(2.0, 1e4), "networks";
        /// Networks per arm and width at other gains.
        sweep_networks: usize = 2, between(2.0, 1e4), "networks";
        /// Fresh samples per step outside the published table, mirror images included.
        fresh_batch: usize = 4096, between(64.0, 1e7), "samples";
        /// Starts in a dictator state, each with samples of its own.
        held: usize = 12, between(2.0, 1e4), "networks";
        /// Factor on the Glorot variance 2/(n + K) of the start.
        init_scale: f64 = 1.0, between(1e-30, 1e30), "";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for LossLabelBias {
    fn check(&self) -> Result<(), ParamError> {
        self.two.kernels()?;
        check_gains(&self.gain)?;
        check_once("arms", &self.arms.0)?;
        check_once("width", &self.width)?;
        for (key, batch) in [("batch", self.batch), ("fresh_batch", self.fresh_batch)] {
            let whole = 2 * BLOCK;
            if !batch.is_multiple_of(whole) {
                let what =
                    format!("`{key}` is {batch}: two classes of mirrored samples come in {whole}s");
                return refuse(what, format!("choose {}", batch.next_multiple_of(whole)));
            }
        }
        Ok(())
    }
}

impl LossLabelBias {
    /// Whether lengths, size and kernel are those of the published table.
    fn is_published(&self) -> bool {
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        let TwoClass { n, xi_pos, xi_neg, kernel } = self.two;
        n == 40 && near(xi_pos, 2.0) && near(xi_neg, 1.0) && kernel == Kernel::Ring
    }

    /// Everything that is trained.
    pub fn points(&self, theory: &Theory) -> Vec<Point> {
        let mut points = Vec::new();
        let infinite = self.gain.iter().any(|gain| gain.is_infinite());
        for &width in &self.width {
            let steps = if width == 1 { self.steps } else { self.wide_steps };
            for &arm in &self.arms.0 {
                let (purpose, gain, starts) = (Purpose::Compare, f64::INFINITY, self.networks);
                let at = Point { purpose, arm, width, gain, steps, starts };
                let published = PUBLISHED.iter().any(|row| row.arm == arm && row.width == width);
                if infinite && published && self.is_published() {
                    let starts = (self.inits / width).max(2);
                    points.push(Point { purpose: Purpose::Published, starts, ..at });
                }
                points.extend(self.gain.iter().map(|&gain| {
                    let starts = if gain.is_finite() { self.sweep_networks } else { starts };
                    Point { gain, starts, ..at }
                }));
                // A trained readout can trade its size for the field's, so that no state of either stands alone.
                let isolated = !arm.trains_readout();
                if infinite && isolated && theory.predict(arm, width).stays(0.0).is_some() {
                    // The curvature of K units that share the inputs is that of one over K^2.
                    let times = HOLDING * theory.dictator.relaxation * (width * width) as f64;
                    let steps = (times / self.lr).ceil().clamp(1.0, 1e7) as usize;
                    points.push(Point { purpose: Purpose::Hold, steps, starts: self.held, ..at });
                }
            }
        }
        points
    }
}

/// Relaxation times for which fields are held in a dictator's cell.
const HOLDING: f64 = 16.0;
/// Records of a held field; the later half of them is averaged.
const HELD_RECORDS: u64 = 48;

/// Why a network is trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To repeat the published table: a fixed set.
    Published,
    /// To compare arms: fresh samples, so that the minima of a fixed set play no part.
    Compare,
    /// To see whether it stays in a dictator's cell: fresh samples.
    Hold,
}

/// Probes of random starts, and of those in a dictator state.
const PROBES: [&Probe; 4] =
    [&probe::ipr::ENTRY, &probe::norm::ENTRY, &probe::output_bias::ENTRY, &probe::loss::ENTRY];
const HELD_PROBES: [&Probe; 2] = [&probe::weights::ENTRY, &probe::output_bias::ENTRY];

/// Networks that differ only in their start and their samples.
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

impl Point {
    /// The name of its group; its runs are called `NAME=0` and so on.
    fn name(&self) -> String {
        let (arm, gain) = (self.arm.word(), Value::Real(self.gain));
        let purpose = ["published", "init", "held"][self.purpose as usize];
        format!("arm={arm},K={},gain={gain},{purpose}", self.width)
    }

    /// Arm and width in words.
    fn title(&self) -> String {
        format!("{}, K = {}", self.arm.word(), self.width)
    }

    /// The task of an arm, every sample with its mirror image.
    fn task(&self, settings: &LossLabelBias) -> Arc<TaskSpec> {
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
        // At a rate that falls to zero the noise of SGD dies out; at a constant one the mean over time averages it out.
        let pace = match self.purpose {
            Purpose::Published => Pace { samples: Samples::Fixed, ..Pace::online(lr, batch) },
            Purpose::Compare => falling(lr, fresh),
            Purpose::Hold => Pace::online(lr, fresh),
        };
        let every = Times::Every((self.steps as u64 / HELD_RECORDS).max(1));
        let plan = match self.purpose {
            Purpose::Hold => Plan::new(self.steps, every, &HELD_PROBES),
            _ => Plan { eval_samples: 8192, ..Plan::new(self.steps, Times::At(vec![]), &PROBES) },
        };
        let (task, plan) = (self.task(settings), Plan { loss: arm.loss(), precision, ..plan });
        let bias = if arm.biased() { Bias::Trainable } else { Bias::None };
        let glorot = Glorot { init_scale: settings.init_scale };
        // The networks of each purpose have streams of their own.
        let first = [0, 1 << 32, 1 << 33][self.purpose as usize];
        let job = |start: usize| {
            let streams = streams.replica(first + start as u64);
            let (weights, b) = match self.purpose {
                Purpose::Hold => theory.held_start(arm, width),
                _ => (glorot.start(&[n], width, &streams)?.weights, 0.0),
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

/// Where random starts and starts in a dictator state ended, and the theory of both.
pub struct Found<'r> {
    theory: Theory,
    groups: Vec<Ends<'r>>,
    held: Vec<Held>,
}

impl Experiment for LossLabelBias {
    type Found<'r> = Found<'r>;

    const WORDS: Words<'static> = Words {
        title: "Loss, labels and output bias",
        lead: "",
        caption: figure::CAPTION,
        formulas: &[
            r"w = u,\qquad u = (C_{+}+C_{-})^{-1}(C_{+}+y\,C_{-})\,e_0 \qquad\text{squared error, labels } (1, y)",
            r"b_2=\tfrac12(1+y),\quad w = \tfrac12(1-y)\,(C_{+}+C_{-})^{-1}(C_{+}-C_{-})\,e_0 \qquad\text{with an output bias}",
            r"2|w_0| > \|w\|_1,\ w_0 > 0 \quad\text{is needed for } w \text{ to agree with its gate, and implies}\quad \frac{\sum w^4}{(\sum w^2)^2} > \tfrac12",
            r"w = \pm 2\,(u - b_2 e_0), \quad b_2 < u_0 - \sum_{d\ne 0}|u_d| \qquad\text{a pair with an output bias}",
        ],
    };

    fn quick() -> Self {
        Self {
            arms: Arms(vec![Arm::Mse, Arm::MseBias, Arm::MsePm, Arm::CrossEntropy]),
            gain: vec![1.0, f64::INFINITY],
            steps: 200,
            wide_steps: 500,
            inits: 2,
            batch: 4096,
            networks: 8,
            fresh_batch: 1024,
            ..Self::default()
        }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let theory = Theory::of(&self.two)?;
        let points = self.points(&theory);
        let jobs = points.iter().map(|point| point.jobs(self, &theory, streams));
        Ok(jobs.collect::<Result<Vec<_>, _>>()?.concat())
    }

    fn measure<'r>(&self, runs: &'r Runs, desk: &Desk<'_>) -> Result<Found<'r>, LabError> {
        let theory = Theory::of(&self.two)?;
        let (hold, random): (Vec<Point>, Vec<Point>) =
            self.points(&theory).into_iter().partition(|point| point.purpose == Purpose::Hold);
        let held =
            desk.try_fleet(&hold, |point| Held::new(self, &theory, *point, runs, &desk.streams()))?;
        let groups = random.into_iter().map(|point| Ends::new(&theory, point, runs)).collect();
        Ok(Found { theory, groups, held })
    }

    fn show<'r>(&self, _: &'r Runs, found: &Found<'r>) -> Result<Shown, LabError> {
        let Found { theory, groups, held } = found;
        let mut arrays: Vec<Array> = groups.iter().map(Ends::array).collect();
        arrays.extend(claims::published(groups));
        let mut claims = Vec::new();
        for held in held {
            claims.extend(claims::of_held(held, theory)?);
        }
        for group in groups.iter().filter(|_| self.is_published()) {
            claims.extend(claims::of_ends(group)?);
        }
        Ok(Shown {
            arrays,
            claims,
            figures: vec![("loss-label-bias", self.figure(found)?)],
            tables: claims::tables(groups)?,
            lead: Some(self.lead(groups)?),
            ..Shown::default()
        })
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<LossLabelBias>(
    "loss-label-bias",
    "which losses, labels and output biases localize ReLU networks, and which have a dictator state in theory",
    include_str!("mod.rs"),
);
