//! Does one neuron grow a localized field, and when?
//!
//! One bias-free ReLU unit learns to tell two stationary processes on a ring apart, from one start and with the same
//! latent samples at every gain. On Gaussian data (low gain) its field follows a closed flow that ends flat or in a
//! wave, never localized (L003.9, L003.16). On binary data (infinite gain) the dictator state
//! `w* = (C_neg + C_pos)^-1 C_pos e_i` is a minimum wherever its margin is positive (L000.39). A field that has entered
//! the cell of a dictator and whose time average differs from `w*` would falsify the theorem. Not every field enters
//! one: with `xi_pos < xi_neg` a generic start ends in an oscillation beside it (L001.4).

pub mod curve;
mod figure;
mod theorem;

use curve::{Curve, Theory};
use fovea_core::params::{above, any, between, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::{ParamError, Params, activation, params};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::experiment::{Experiment, Row};
use fovea_desk::memory::check_records;
use fovea_desk::runs::{AddRun, status_of};
use fovea_desk::two_class::{TwoClass, check_gains, check_labels};
use fovea_record::outcome::{Array, Outcome, Series, Status};
use fovea_record::present::{Words, report};
use fovea_sim::init::Initializer;
use fovea_sim::init::glorot::Glorot;
use fovea_sim::probe;
use fovea_sim::train::{Precision, train};
use fovea_sim::{Bias, Labels, Network, Plan, Sgd, Times, loss};
use fovea_theory::dictator::fixed_point::FixedPoint;

params! {
    /// Settings of `localize`.
    pub struct Localize {
        /// Ring size: inputs of the network.
        n: usize = 40, between(2.0, 4096.0), "sites";
        /// Correlation length of class `pos`, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class `neg`, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Covariance kernel of the latent fields.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Gains to compare, from Gaussian (towards 0) to binary (`inf`).
        gain: Vec<f64> = vec![0.01, 0.5, 1.0, 3.0, f64::INFINITY], above(0.0), "";
        /// Learning rate of the loss with its factor 1/2.
        lr: f64 = 0.02, finite_above(0.0), "";
        /// Fresh samples of a step.
        batch: usize = 4000, between(1.0, 1e8), "samples";
        /// Training steps.
        steps: usize = 5000, between(1.0, 1e9), "steps";
        /// Steps between records.
        record_every: usize = 20, between(1.0, 1e9), "steps";
        /// Further runs at infinite gain, whose spread is the standard error of the claim.
        replicas: usize = 12, between(0.0, 1e4), "runs";
        /// Factor on the Glorot variance 2/(n + 1) of the start.
        init_scale: f64 = 1.0, between(1e-30, 1e30), "";
        /// How labels are drawn.
        labels: Labels = Labels::Iid, any(), "";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for Localize {
    fn check(&self) -> Result<(), ParamError> {
        self.two_class().kernels()?;
        check_labels(self.labels, self.batch)?;
        check_gains(&self.gain)?;
        let runs = 2 * self.gain.len() + self.replicas;
        check_records(self.steps, self.record_every, self.n * runs)
    }
}

impl Localize {
    fn two_class(&self) -> TwoClass {
        TwoClass { n: self.n, xi_pos: self.xi_pos, xi_neg: self.xi_neg, kernel: self.kernel }
    }

    /// What is recorded of a replica: its field and nothing else.
    fn replica_plan(&self) -> Plan<'static> {
        Plan { eval_samples: 0, probes: &[&probe::weights::ENTRY], ..self.plan() }
    }

    fn plan(&self) -> Plan<'static> {
        Plan {
            steps: self.steps as u64,
            record: Times::Every(self.record_every as u64),
            checkpoint_every: 0,
            eval_samples: 8192,
            probes: &[
                &probe::loss::ENTRY,
                &probe::norm::ENTRY,
                &probe::ipr::ENTRY,
                &probe::spectrum::ENTRY,
                &probe::weights::ENTRY,
            ],
            loss: &loss::mse::ENTRY,
            precision: self.precision,
        }
    }
}

const WORDS: Words<'static> = Words {
    title: "One neuron, from Gaussian to binary data",
    lead: "A ReLU unit learns to tell two processes with different correlation lengths apart. Its field stays extended \
           on Gaussian data and collapses to a few sites as the data become binary.",
    caption: figure::CAPTION,
    formulas: &[
        r"\tau\dot w = \tfrac12 f(w) - \tfrac14(C_{-}+C_{+})\,w, \qquad f(w)=\mathbb{E}_{+}[\mathbf{1}(\langle w,x\rangle\ge 0)\,x]",
        r"w^{*} = (C_{-}+C_{+})^{-1} C_{+} e_i \quad\text{at infinite gain, where}\quad 2|w^{*}_i| > \|w^{*}\|_1",
    ],
};

impl Experiment for Localize {
    fn quick() -> Self {
        let gain = vec![0.01, 3.0, f64::INFINITY];
        Self {
            gain,
            lr: 0.05,
            batch: 1000,
            steps: 2400,
            record_every: 10,
            replicas: 8,
            ..Self::default()
        }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let (two, plan, streams) = (self.two_class(), self.plan(), bench.streams());
        let start = Glorot { init_scale: self.init_scale }.start(&[self.n], 1, &streams)?.weights;
        let network = Network::committee(self.n, 1, &activation::relu::ENTRY, Bias::None)
            .with(&start, &[0.0])?;
        let sgd = Sgd::online(self.lr, self.batch);
        let tasks = self
            .gain
            .iter()
            .map(|gain| two.task(*gain, self.labels))
            .collect::<Result<Vec<_>, _>>()?;
        let notes = tasks[0].notes();
        let dictator = two.dictator()?;
        // Replicas of the run at infinite gain, where the theorem has something to say; the curves come first.
        let binary = self.gain.iter().position(|gain| gain.is_infinite() && dictator.exists);
        let replicas = binary.map_or(0, |_| self.replicas as u64);
        let curve_jobs = (0..tasks.len()).map(|task| (task, None));
        let jobs: Vec<(usize, Option<u64>)> = curve_jobs
            .chain((0..replicas).map(|replica| (binary.unwrap_or(0), Some(replica))))
            .collect();
        bench.progress.expect((jobs.len() * self.steps) as u64);
        let mut runs = bench.fleet(&jobs, |(task, replica)| {
            let (streams, plan) = match replica {
                Some(replica) => (streams.replica(*replica), self.replica_plan()),
                None => (streams, self.plan()),
            };
            train(&tasks[*task], network.clone(), &sgd, &streams, &plan, bench)
        });
        let replicas = runs.split_off(tasks.len());

        let mut curves = Vec::new();
        for (gain, run) in self.gain.iter().zip(runs) {
            curves.push(Curve::new(self, *gain, run, &start, &dictator)?);
        }
        let mut series = Series::default();
        let mut arrays = vec![Array::of_entries("start", &start)];
        for curve in &curves {
            let name = curve.name();
            series.add(&name, self.lr, &plan, &curve.run);
            arrays.push(Array::of_rows(format!("weights_{name}"), &curve.fields));
            arrays.extend(match &curve.theory {
                Theory::GaussianFlow(flow) => Some(Array::of_rows(format!("flow_{name}"), flow)),
                Theory::Dictator(w) => Some(Array::of_entries(format!("dictator_{name}"), w)),
                Theory::Open => None,
            });
        }
        let named = curves.iter().map(|curve| (curve.name(), &curve.run));
        let numbered = replicas.iter().enumerate().map(|(i, run)| (format!("replica={i}"), run));
        let status = status_of(named.chain(numbered));
        let complete = status == Status::Completed;
        let claims = if complete && binary.is_some() {
            vec![theorem::claim(self, &dictator, &replicas)?]
        } else {
            Vec::new()
        };
        let figures = if complete {
            vec![("localize", figure::figure(self, &curves, &dictator))]
        } else {
            Vec::new()
        };
        let summary = summary(&curves, &dictator, &notes);
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

/// What a person reads at the end: a line a gain, and what the theorem says at these lengths.
fn summary(curves: &[Curve], dictator: &FixedPoint, notes: &[String]) -> Vec<String> {
    let header = format!("{:>8} {:>9} {:>9} {:>7}  theory", "gain", "ipr", "|w|", "loss");
    let lines = notes.iter().cloned().chain([header]).chain(curves.iter().map(Curve::summary));
    lines.chain([dictator_line(dictator)]).collect()
}

/// What the dictator theorem says at these lengths.
fn dictator_line(point: &FixedPoint) -> String {
    if point.exists {
        format!(
            "dictator state (infinite gain): margin {:+.4}, ipr {:.4}, loss {:.6}",
            point.margin, point.ipr, point.loss
        )
    } else {
        format!(
            "no dictator state exists at these lengths (margin {:+.4} < 0), so none is drawn",
            point.margin
        )
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<Localize>(
    "localize",
    "one ReLU neuron from Gaussian to binary data: the field forms, localizes or stays extended",
    "Does one neuron grow a localized field, and when? Gaussian data give a flat field or a wave (L003.16); binary \
     data have the dictator state w* = (C_neg + C_pos)^-1 C_pos e_i as a minimum wherever its margin is positive (L000.39). A \
     field that has entered a dictator's cell and whose time average differs from w* would falsify the theorem.",
);
