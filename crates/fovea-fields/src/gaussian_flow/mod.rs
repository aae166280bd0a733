//! Does the closed flow describe what SGD does on Gaussian data?
//!
//! Figure 1 of the fourth note (L003.57-59): one ReLU unit at gain 0.01, trained from one start with many seeds. The
//! mean field over the seeds must follow, record by record and site by site, the Euler map of
//! `w_dot = 1/2 f(w) - 1/4 (C_neg + C_pos) w` at the same learning rate (L003.8), and must reject the first note's
//! `1/2 (C_neg + C_pos) w` (L000.3). The note's own program had a loss without 1/2, so its clock ran twice as fast as
//! its flow's; both clocks are drawn.

mod compare;
mod figure;

use compare::{Comparison, fields};
use fovea_core::params::{above, any, between, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::{ParamError, Params, activation, params};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::experiment::{Experiment, Row};
use fovea_desk::memory::check_records;
use fovea_desk::runs::{AddRun, status_of};
use fovea_desk::two_class::{TwoClass, check_labels};
use fovea_record::outcome::{Array, Outcome, Series, Status};
use fovea_record::present::{Words, report};
use fovea_sim::init::Initializer;
use fovea_sim::init::glorot::Glorot;
use fovea_sim::probe;
use fovea_sim::train::{Precision, train};
use fovea_sim::{Bias, Labels, Network, Plan, Sgd, Times, loss};

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

const WORDS: Words<'static> = Words {
    title: "One neuron on Gaussian data follows its flow",
    lead: "A ReLU unit trained by SGD from one start with many seeds, beside the closed population flow at the same \
           learning rate.",
    caption: figure::CAPTION,
    formulas: &[
        r"\dot w = \tfrac12\,\frac{C_{+}w}{\sqrt{2\pi\,w^\top C_{+}w}} - \tfrac14(C_{-}+C_{+})\,w, \qquad t = \text{step}\cdot\text{lr}",
    ],
};

impl Experiment for GaussianFlowRun {
    fn quick() -> Self {
        Self { batch: 1000, steps: 1000, seeds: 16, record_every: 20, ..Self::default() }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let (plan, streams) = (self.plan(), bench.streams());
        let start = Glorot { init_scale: self.init_scale }.start(&[self.n], 1, &streams)?.weights;
        let network = Network::committee(self.n, 1, &activation::relu::ENTRY, Bias::None)
            .with(&start, &[0.0])?;
        let task = self.two_class().task(self.gain, self.labels)?;
        // The last job is the note's program: its gradient, of the loss without 1/2, is twice ours.
        let jobs: Vec<(u64, f64)> = (0..self.seeds as u64)
            .map(|seed| (seed, self.lr))
            .chain([(self.seeds as u64, 2.0 * self.lr)])
            .collect();
        bench.progress.expect((jobs.len() * self.steps) as u64);
        let runs = bench.fleet(&jobs, |(seed, lr)| {
            let sgd = Sgd::online(*lr, self.batch);
            train(&task, network.clone(), &sgd, &streams.replica(*seed), &plan, bench)
        });

        let name = |seed: u64| {
            if seed < self.seeds as u64 { format!("seed={seed}") } else { "no-half".to_owned() }
        };
        let mut series = Series::default();
        for ((seed, lr), run) in jobs.iter().zip(&runs) {
            series.add(&name(*seed), *lr, &plan, run);
        }
        let status = status_of(jobs.iter().zip(&runs).map(|((seed, _), run)| (name(*seed), run)));
        let mut arrays = vec![Array::of_entries("start", &start)];
        let (mut claims, mut figures, mut summary) = (Vec::new(), Vec::new(), task.notes());
        if status == Status::Completed {
            let comparison = Comparison::new(self, &start, &runs)?;
            arrays.extend(comparison.arrays());
            claims = vec![comparison.claim(self)];
            figures = vec![("gaussian-flow", figure::figure(self, &comparison))];
            summary.extend(comparison.summary());
        } else {
            arrays.extend(
                runs.iter()
                    .enumerate()
                    .map(|(i, run)| Array::of_rows(format!("weights_{i}"), &fields(run))),
            );
        }
        let report = report(&WORDS, self, &figures, &claims, &summary);
        Ok(Outcome {
            status,
            dtype: self.precision.word(),
            series,
            arrays,
            claims,
            figures,
            report,
            summary,
        })
    }
}

impl GaussianFlowRun {
    fn two_class(&self) -> TwoClass {
        TwoClass { n: self.n, xi_pos: self.xi_pos, xi_neg: self.xi_neg, kernel: self.kernel }
    }

    fn plan(&self) -> Plan<'static> {
        Plan {
            steps: self.steps as u64,
            record: Times::Every(self.record_every as u64),
            checkpoint_every: 0,
            eval_samples: 0,
            probes: &[&probe::weights::ENTRY, &probe::ipr::ENTRY, &probe::norm::ENTRY],
            loss: &loss::mse::ENTRY,
            precision: self.precision,
        }
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<GaussianFlowRun>(
    "gaussian-flow",
    "SGD on Gaussian data beside its closed flow: figure 1 of the fourth note, and both clocks",
    "Does the closed flow describe what SGD does on Gaussian data? The mean field over seeds must follow the Euler map of \
     w_dot = 1/2 f(w) - 1/4 (C_neg + C_pos) w at every record and site (L003.8) and reject the first note's factor (L000.3).",
);
