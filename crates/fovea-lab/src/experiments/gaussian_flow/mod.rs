//! Does the closed flow describe what SGD does on Gaussian data?
//!
//! Figure 1 of the fourth note (L003.57-59): one ReLU unit at gain 0.01, trained from one start with many seeds. The
//! mean field over the seeds must follow, record by record and site by site, the Euler map of
//! `w_dot = 1/2 f(w) - 1/4 (C_neg + C_pos) w` at the same learning rate (L003.8), and must reject the first note's
//! `1/2 (C_neg + C_pos) w` (L000.3). The note's own program had a loss without 1/2, so its clock ran twice as fast as
//! its flow's; both clocks are drawn.

mod figure;

use super::{Experiment, Row};
use crate::bench::Bench;
use crate::claim::Claim;
use crate::error::LabError;
use crate::outcome::{Array, Outcome, Series, Status};
use crate::present::{Words, report};
use crate::two_class::{TwoClass, at_records, check_records};
use fovea_core::fourier::{frequency_of, from_fourier, power_by_frequency, to_fourier};
use fovea_core::ode::euler;
use fovea_core::params::{above, any, between, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::stats::{Estimate, VectorAccumulator};
use fovea_core::{ParamError, Params, activation, params};
use fovea_sim::init::Initializer;
use fovea_sim::init::glorot::Glorot;
use fovea_sim::probe;
use fovea_sim::train::{Precision, train};
use fovea_sim::{Bias, Committee, Labels, Plan, Run, Sgd};
use fovea_theory::GaussianFlow;

params! {
    /// Settings of `gaussian-flow`.
    pub struct GaussianFlowRun {
        /// Ring size: inputs of the network.
        n: usize = 40, between(2.0, 16384.0), "sites";
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
        init_scale: f64 = 1.0, finite_above(0.0), "";
        /// How labels are drawn.
        labels: Labels = Labels::Iid, any(), "";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for GaussianFlowRun {
    fn check(&self) -> Result<(), ParamError> {
        self.two_class().kernels()?;
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

/// Fields at every record.
type Fields = Vec<Vec<f64>>;

/// What the figure, the claims and the report are made of.
struct Comparison {
    steps: Vec<f64>,
    /// The field of the first seed.
    single: Fields,
    /// Mean over the seeds with its standard error, site by site.
    mean: Vec<Vec<Estimate>>,
    /// Mean power by frequency at the end.
    spectrum: Vec<Estimate>,
    /// The Euler map of the closed form at the same learning rate.
    euler: Fields,
    /// The same of the first note's flow, which has a factor 2 too much (L000.3).
    source: Fields,
    /// A run of the note's program: loss without 1/2, so the learning rate is doubled.
    note: Fields,
    /// The Euler map at the doubled rate.
    doubled: Fields,
}

impl Experiment for GaussianFlowRun {
    fn quick() -> Self {
        Self { batch: 1000, steps: 1000, seeds: 16, record_every: 20, ..Self::default() }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let (plan, streams) = (self.plan(), bench.streams());
        let start = Glorot { init_scale: self.init_scale }.weights(self.n, 1, &streams)?;
        let network = Committee::new(self.n, 1, &activation::relu::ENTRY, Bias::None)
            .with(start.clone(), vec![0.0])?;
        let task = self.two_class().task(self.gain, self.labels)?;
        // The last job is the note's program: its gradient, of the loss without 1/2, is twice ours.
        let jobs: Vec<(u64, f64)> = (0..self.seeds as u64)
            .map(|seed| (seed, self.lr))
            .chain([(self.seeds as u64, 2.0 * self.lr)])
            .collect();
        bench.progress.expect((jobs.len() * self.steps) as u64);
        let runs = bench.fleet(&jobs, |(seed, lr)| {
            let sgd = Sgd { lr: *lr, batch: self.batch };
            train(&task, network.clone(), &sgd, &streams.replica(*seed), &plan, bench)
        });

        let mut series = Series::default();
        for ((seed, lr), run) in jobs.iter().zip(&runs) {
            let curve = if *seed < self.seeds as u64 {
                format!("seed={seed}")
            } else {
                "no-half".to_owned()
            };
            series.add(&curve, *lr, &plan, run);
        }
        let status = Status::of(
            jobs.iter().zip(&runs).map(|((seed, _), run)| (format!("seed={seed}"), run)),
        );
        let mut arrays = vec![Array::of_entries("start", &start)];
        let (mut claims, mut figures, mut summary) = (Vec::new(), Vec::new(), task.notes());
        if status == Status::Completed {
            let comparison = self.compare(&start, &runs)?;
            arrays.extend(comparison.arrays());
            claims = comparison.claims();
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
            record_every: self.record_every as u64,
            eval_samples: 0,
            probes: &[&probe::weights::ENTRY, &probe::ipr::ENTRY, &probe::norm::ENTRY],
            precision: self.precision,
        }
    }

    fn compare(&self, start: &[f64], runs: &[Run]) -> Result<Comparison, LabError> {
        let flow = self.two_class().matched_gaussian_flow(self.gain)?;
        let (seeds, note) = runs.split_at(self.seeds);
        let all: Vec<Fields> = seeds.iter().map(fields).collect();
        let mean = (0..all[0].len())
            .map(|record| {
                let mut sites = VectorAccumulator::new(self.n);
                all.iter().try_for_each(|fields| sites.push(&fields[record]))?;
                sites.estimates()
            })
            .collect::<Result<_, _>>()?;
        let mut spectrum = VectorAccumulator::new(self.n / 2 + 1);
        for fields in &all {
            spectrum.push(&power_by_frequency(fields.last().map_or(start, |w| w)))?;
        }
        Ok(Comparison {
            steps: seeds[0].records.iter().map(|r| r.step as f64).collect(),
            single: all[0].clone(),
            mean,
            spectrum: spectrum.estimates()?,
            euler: at_records(&flow, start, (self.lr, self.steps, self.record_every)),
            source: self.source_at_records(&flow, start),
            note: fields(&note[0]),
            doubled: at_records(&flow, start, (2.0 * self.lr, self.steps, self.record_every)),
        })
    }

    /// Euler steps of the first note's flow (L000.3), seen at the records.
    fn source_at_records(&self, flow: &GaussianFlow, start: &[f64]) -> Fields {
        let (mut fields, mut step) = (Vec::new(), 0);
        let velocity = |_: f64, u: &[f64], out: &mut [f64]| source_velocity(flow, u, out);
        euler(velocity, 0.0, &to_fourier(start), self.lr, self.steps, |_, u| {
            if step % self.record_every == 0 || step == self.steps {
                fields.push(from_fourier(u));
            }
            step += 1;
        });
        fields
    }
}

/// The first note's flow (L000.3): its second term is twice too large.
fn source_velocity(flow: &GaussianFlow, u: &[f64], out: &mut [f64]) {
    flow.fourier_velocity(0.0, u, out);
    for (j, (out, u)) in out.iter_mut().zip(u).enumerate() {
        let k = frequency_of(j, flow.n());
        *out -= 0.25 * (flow.eigs_pos[k] + flow.eigs_neg[k]) * u;
    }
}

/// The field at every record of a run.
fn fields(run: &Run) -> Fields {
    run.records.iter().map(|record| record.readings[0][0].clone()).collect()
}

impl Comparison {
    fn arrays(&self) -> Vec<Array> {
        let part = |f: fn(&Estimate) -> f64| -> Fields {
            self.mean.iter().map(|sites| sites.iter().map(f).collect()).collect()
        };
        vec![
            Array::of_entries("steps", &self.steps),
            Array::of_rows("mean", &part(Estimate::mean)),
            Array::of_rows("standard_error", &part(Estimate::se)),
            Array::of_rows("single", &self.single),
            Array::of_rows("euler", &self.euler),
            Array::of_rows("source", &self.source),
            Array::of_rows("note_program", &self.note),
        ]
    }

    fn claims(&self) -> Vec<Claim> {
        // The first record is the common start, exact on both sides.
        let pairs = |theory: &Fields| -> Vec<(Estimate, f64)> {
            let sites = self.mean.iter().skip(1).flatten().copied();
            sites.zip(theory.iter().skip(1).flatten().copied()).collect()
        };
        let statement = "the mean field over the seeds is the Euler map of the closed flow at every record and site";
        let claim = Claim::family("L003.8", statement, &pairs(&self.euler));
        vec![
            claim
                .rejecting("the first note's 1/2 (C_neg + C_pos) w (L000.3)", &pairs(&self.source)),
        ]
    }

    /// `|w - theory| / |theory|` at every record.
    fn gaps(fields: &Fields, theory: &Fields) -> Vec<f64> {
        let norm = |w: &mut dyn Iterator<Item = f64>| w.map(|w| w * w).sum::<f64>().sqrt();
        let gap = |(w, v): (&Vec<f64>, &Vec<f64>)| {
            norm(&mut w.iter().zip(v).map(|(w, v)| w - v)) / norm(&mut v.iter().copied())
        };
        fields.iter().zip(theory).map(gap).collect()
    }

    fn summary(&self) -> Vec<String> {
        let mean: Fields =
            self.mean.iter().map(|sites| sites.iter().map(Estimate::mean).collect()).collect();
        let last = |fields: &Fields, theory: &Fields| {
            Self::gaps(fields, theory).last().map_or(0.0, |gap| 100.0 * gap)
        };
        vec![
            format!(
                "distance to the flow at the end: one seed {:.2} %, mean of seeds {:.2} %",
                last(&self.single, &self.euler),
                last(&mean, &self.euler)
            ),
            format!(
                "the note's program (loss without 1/2): {:.1} % from the flow at t = step * lr, {:.2} % at t = 2 step * lr",
                last(&self.note, &self.euler),
                last(&self.note, &self.doubled)
            ),
        ]
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<GaussianFlowRun>(
    "gaussian-flow",
    "SGD on Gaussian data beside its closed flow: figure 1 of the fourth note, and both clocks",
    "Does the closed flow describe what SGD does on Gaussian data? The mean field over seeds must follow the Euler map of \
     w_dot = 1/2 f(w) - 1/4 (C_neg + C_pos) w at every record and site (L003.8) and reject the first note's factor (L000.3).",
);
