//! Does the closed flow describe what SGD does on Gaussian data?
//!
//! Figure 1 of the fourth note (L003.57-59): one ReLU unit at gain 0.01, trained from one start with many seeds. The
//! mean field over the seeds must follow, record by record and site by site, the Euler map of
//! `w_dot = 1/2 f(w) - 1/4 (C_neg + C_pos) w` at the same learning rate (L003.8), and must reject the first note's
//! `1/2 (C_neg + C_pos) w` (L000.3). The note's own program had a loss without 1/2, so its clock ran twice as fast as
//! its flow's; both clocks are drawn.

mod figure;
mod measure;

use fovea_desk::prelude::*;
use measure::Comparison;

params! {
    /// Settings of `gaussian-flow`.
    pub struct GaussianFlowRun {
        /// Ring size: inputs of the network.
        n: usize = 40, between(2.0, 4096.0), "sites";
        /// Correlation length of class `pos`, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class `neg`, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Covariance kernel of the latent fields.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Gain; towards 0 the data are Gaussian.
        gain: f64 = 0.01, above(0.0), "";
        /// Learning rate of the loss with its factor 1/2.
        lr: f64 = 0.01, finite_above(0.0), "";
        /// Fresh samples of a step.
        batch: usize = 10_000, between(1.0, 1e8), "samples";
        /// Training steps.
        steps: usize = 2000, between(1.0, 1e9), "steps";
        /// Steps between records.
        record_every: usize = 20, between(1.0, 1e9), "steps";
        /// Seeds that share one start; the standard errors come from their spread.
        seeds: usize = 32, between(2.0, 1e5), "seeds";
        /// Factor on the Glorot variance 2/(n + 1) of the start.
        init_scale: f64 = 1.0, between(1e-30, 1e30), "";
        /// How labels are drawn.
        labels: Labels = Labels::Iid, any(), "";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for GaussianFlowRun {
    fn check(&self) -> Result<(), ParamError> {
        self.two_class().kernels()?;
        check_labels(self.labels, self.batch)?;
        check_records(self.steps, self.record_every, (self.seeds + 1) * self.n)
    }
}

/// The group of all seeds.
const SEEDS: &str = "seed";
/// The run of the note's program.
const NOTE: &str = "no-half";

/// The mean over the seeds beside the flow.
pub struct Found {
    start: Vec<f64>,
    comparison: Comparison,
}

impl Experiment for GaussianFlowRun {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "One neuron on Gaussian data follows its flow",
        lead: "A ReLU unit trained by SGD from one start with many seeds, beside the closed population flow at the same \
               learning rate.",
        caption: figure::CAPTION,
        formulas: &[
            r"\dot w = \tfrac12\,\frac{C_{+}w}{\sqrt{2\pi\,w^\top C_{+}w}} - \tfrac14(C_{-}+C_{+})\,w, \qquad t = \text{step}\cdot\text{lr}",
        ],
    };

    fn quick() -> Self {
        Self { batch: 1000, steps: 1000, seeds: 16, record_every: 20, ..Self::default() }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let start = Start::Given(one_unit(&glorot(self.n, self.init_scale, streams)?)?);
        let task = self.two_class().spec(self.gain, self.labels);
        let job = |label: String, seed: u64, lr: f64| {
            let streams = streams.replica(seed);
            let stage = Stage::online(&task, (lr, self.batch), self.plan(), streams);
            Job::new(label, start.clone(), stage)
        };
        let seeds = self.seeds as u64;
        let mut jobs: Vec<Job> = (0..seeds)
            .map(|seed| job(format!("seed={seed}"), seed, self.lr).in_group(SEEDS))
            .collect();
        // The note's program: its gradient, of the loss without 1/2, is twice ours.
        jobs.push(job(NOTE.to_owned(), seeds, 2.0 * self.lr));
        Ok(jobs)
    }

    fn measure(&self, runs: &Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        let start = glorot(self.n, self.init_scale, &desk.streams())?;
        let comparison = Comparison::new(self, &start, &runs.group(SEEDS), runs.get(NOTE))?;
        Ok(Found { start, comparison })
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        let Found { start, comparison } = found;
        let mut arrays = vec![Array::of_entries("start", start)];
        arrays.extend(comparison.arrays());
        Ok(Shown {
            arrays,
            claims: vec![comparison.claim(self)],
            figures: vec![("gaussian-flow", figure::figure(self, comparison))],
            summary: comparison.summary(),
            ..Shown::default()
        })
    }
}

impl GaussianFlowRun {
    fn two_class(&self) -> TwoClass {
        TwoClass { n: self.n, xi_pos: self.xi_pos, xi_neg: self.xi_neg, kernel: self.kernel }
    }

    fn plan(&self) -> Plan<'static> {
        let probes = &[&probe::weights::ENTRY, &probe::ipr::ENTRY, &probe::norm::ENTRY];
        let plan = Plan::new(self.steps, Times::Every(self.record_every as u64), probes);
        Plan { precision: self.precision, ..plan }
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<GaussianFlowRun>(
    "gaussian-flow",
    "SGD on Gaussian data beside its closed flow: figure 1 of the fourth note, and both clocks",
    "Does the closed flow describe what SGD does on Gaussian data? The mean field over seeds must follow the Euler map of \
     w_dot = 1/2 f(w) - 1/4 (C_neg + C_pos) w at every record and site (L003.8) and reject the first note's factor (L000.3).",
);
