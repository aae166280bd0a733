//! Which losses and labels localize a ReLU network, and does an output bias matter?
//!
//! Networks of K bias-free ReLU units, read out by their mean, learn to tell two processes apart under the squared error, the
//! cross-entropy or the absolute error, with labels (1, 0) or (1, -1), with a trained output bias or without, and with a
//! trained readout (L001.62-66).
//! Theory says at infinite gain which of these have a dictator state at all (`theory.rs`): of one unit, the squared error
//! with labels (1, 0) and no output bias alone. Two things would falsify it: fields started in a dictator state that stay
//! in its cell under another arm or leave it under this one, and, at the published lengths, random starts that end on the
//! other side of IPR 1/2, which is the least a field in a dictator's cell can have.
//!
//! * **The published table** is repeated as it was made: n = 40, lengths (2, 1), infinite gain, full-batch descent with step 1
//!   on a fixed set of 8192 samples a class beside their mirror images, 500 steps for one unit and 1200 for two, Glorot starts.
//! * **Every arm, width and gain** is trained on fresh samples, mirrored as well, so that the minima of one set do not count,
//!   at a rate that falls to zero in a straight line, so that the noise of SGD does not either.
//! * **Starts in a dictator state** are held for 16 relaxation times; the mean over the later half is what is compared.
//!
//! The gradient is the true one, with the 1/K of the readout: the notes' convention, without it, is a rate of K for the
//! weights. The step is 1 for every K nevertheless. The curvature along the output bias is 1 whatever K, so that a rate of 2
//! diverges there; and the slowest mode of a pair relaxes in 21 steps, so that after 1200 the end does not depend on the rate.

pub mod arm;
mod figure;
pub mod group;
mod held;
pub mod jobs;
pub mod mirror;
pub mod tell;
pub mod theory;

use arm::{Arm, Arms};
use fovea_core::lanes::BLOCK;
use fovea_core::params::{above, any, between, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::{ParamError, Params, params};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::experiment::{Experiment, Row};
use fovea_desk::runs::{AddRun, status_of};
use fovea_desk::two_class::{TwoClass, check_gains};
use fovea_record::outcome::{Array, Outcome, Series, Status};
use fovea_record::present::{Words, report};
use fovea_sim::Run;
use fovea_sim::train::Precision;
use group::Group;
use held::Held;
use jobs::{Job, Purpose};
use theory::Theory;

params! {
    /// Settings of `loss-label-bias`.
    pub struct LossLabelBias {
        /// Loss, labels (`-pm` is 1 and -1, else 1 and 0), trained readout (`+w2`) and output bias (`+b2`).
        arms: Arms = Arms::distinct(), any(), "";
        /// Hidden units, the K of the notes.
        width: Vec<usize> = vec![1, 2], between(1.0, 64.0), "units";
        /// Gains; the published table and the claims are about `inf`.
        gain: Vec<f64> = vec![0.01, 0.5, 1.0, 3.0, f64::INFINITY], above(0.0), "";
        /// Ring size: inputs of the network.
        n: usize = 40, between(2.0, 1024.0), "sites";
        /// Correlation length of class `pos`, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class `neg`.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Covariance kernel of the latent fields.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Learning rate of the loss, the mean readout's 1/K included; outside the published table where it starts.
        lr: f64 = 1.0, finite_above(0.0), "";
        /// Steps of one unit.
        steps: usize = 500, between(1.0, 1e7), "steps";
        /// Steps of more than one.
        wide_steps: usize = 1200, between(1.0, 1e7), "steps";
        /// Units started for a row of the published table, a K-th as many networks.
        inits: usize = 12, between(2.0, 1e4), "units";
        /// Samples of the published table's fixed sets, mirror images included.
        batch: usize = 32768, between(64.0, 1e7), "samples";
        /// Networks of every arm and width at infinite gain.
        networks: usize = 12, between(2.0, 1e4), "networks";
        /// Networks of every arm and width at other gains.
        sweep_networks: usize = 2, between(2.0, 1e4), "networks";
        /// Fresh samples of a step outside the published table, mirror images included.
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
        self.two_class().kernels()?;
        check_gains(&self.gain)?;
        let (arms, widths) = (&self.arms.0, &self.width);
        if let Some(i) = (1..arms.len()).find(|i| arms[..*i].contains(&arms[*i])) {
            return Err(twice("arms", arms[i].word()));
        }
        if let Some(i) = (1..widths.len()).find(|i| widths[..*i].contains(&widths[*i])) {
            return Err(twice("width", &widths[i].to_string()));
        }
        for (key, batch) in [("batch", self.batch), ("fresh_batch", self.fresh_batch)] {
            if !batch.is_multiple_of(2 * BLOCK) {
                return Err(ParamError::Inconsistent {
                    what: format!(
                        "`{key}` is {batch}: two classes of mirrored samples come in {}s",
                        2 * BLOCK
                    ),
                    hint: format!("choose {}", batch.next_multiple_of(2 * BLOCK)),
                });
            }
        }
        Ok(())
    }
}

fn twice(key: &str, what: &str) -> ParamError {
    let (what, hint) = (format!("`{key}` names {what} twice"), "give each once".to_owned());
    ParamError::Inconsistent { what, hint }
}

impl LossLabelBias {
    /// The lengths and the kernel of both classes.
    pub fn two_class(&self) -> TwoClass {
        TwoClass { n: self.n, xi_pos: self.xi_pos, xi_neg: self.xi_neg, kernel: self.kernel }
    }

    /// Whether lengths, size and kernel are those of the published table.
    fn is_published(&self) -> bool {
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        let lengths = near(self.xi_pos, 2.0) && near(self.xi_neg, 1.0);
        self.n == 40 && lengths && self.kernel == Kernel::Ring
    }
}

/// Sorts the runs into groups: random starts, and starts in a dictator state.
fn sort(theory: &Theory, jobs: &[Job], runs: Vec<Run>) -> (Vec<Group>, Vec<Held>) {
    let (mut groups, mut held) = (Vec::<Group>::new(), Vec::<Held>::new());
    let mut before: Option<&Job> = None;
    for (job, run) in jobs.iter().zip(runs) {
        let joins = before.is_some_and(|before| before.beside(job));
        before = Some(job);
        if job.purpose == Purpose::Hold {
            match held.last_mut().filter(|_| joins) {
                Some(held) => held.runs.push(run),
                None => held.push(Held::new(theory, job, run)),
            }
        } else {
            match groups.last_mut().filter(|_| joins) {
                Some(group) => group.runs.push(run),
                None => groups.push(Group::new(theory, job, run)),
            }
        }
    }
    (groups, held)
}

impl Experiment for LossLabelBias {
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

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let theory = Theory::of(&self.two_class())?;
        let notes = jobs::task(self, self.gain[0], self.arms.0[0])?.notes();
        let jobs = jobs::jobs(self, &theory);
        bench.progress.expect(jobs.iter().map(|job| job.steps as u64).sum());
        let runs = bench.fleet(&jobs, |job| jobs::run(self, job, &theory, bench));
        let runs = runs.into_iter().collect::<Result<Vec<_>, _>>()?;

        let mut series = Series::default();
        for (job, run) in jobs.iter().zip(&runs) {
            series.add(&job.name(), jobs::mean_rate(self, job), &jobs::plan(self, job), run);
        }
        let status = status_of(jobs.iter().map(Job::name).zip(&runs));
        let (groups, held) = sort(&theory, &jobs, runs);
        let mut arrays: Vec<Array> = groups.iter().map(Group::array).collect();
        let (mut claims, mut figures) = (Vec::new(), Vec::new());
        let (mut summary, mut lead) = (notes, String::new());
        if status == Status::Completed {
            for held in &held {
                let task = jobs::task(self, f64::INFINITY, held.arm)?;
                claims.extend(held.claims(&theory, &task, &bench.streams())?);
            }
            for group in groups.iter().filter(|_| self.is_published()) {
                claims.extend(group.claim()?);
            }
            arrays.extend(tell::published(&groups));
            figures.push(("loss-label-bias", figure::figure(self, &groups, &theory)?));
            summary.extend(tell::summary(self, &groups)?);
            lead = tell::lead(&groups)?;
        }
        let words = Words { lead: &lead, ..tell::WORDS };
        let report = report(&words, self, &figures, &claims, &summary);
        let dtype = self.precision.word();
        Ok(Outcome { status, dtype, series, arrays, claims, figures, report, summary })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<LossLabelBias>(
    "loss-label-bias",
    "which losses, labels and output biases localize ReLU networks, beside where a dictator state exists",
    "Which of squared error, cross-entropy and absolute error, labels (1, 0) and (1, -1), output bias or none localize \
     (L001.62-66)? At infinite gain theory says where a dictator state exists: of one unit under the squared error with \
     labels (1, 0) and no output bias alone. Fields started in a dictator state that stay in its cell elsewhere, or random \
     starts that end on the other side of IPR 1/2, would falsify it.",
);
