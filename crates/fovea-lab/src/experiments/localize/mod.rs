//! Does one neuron grow a localized field, and when?
//!
//! One bias-free ReLU unit learns to tell two stationary processes on a ring apart, from one start and with the same
//! latent samples at every gain. On Gaussian data (low gain) its field follows a closed flow that ends flat or in a
//! wave, never localized (L003.9, L003.16). On binary data (infinite gain) the field ends at the dictator state
//! `w* = (C_neg + C_pos)^-1 C_pos e_i` wherever its margin is positive (L000.39). A field at infinite gain whose time
//! average differs from `w*` would falsify the theorem.

mod figure;

use super::{Experiment, Row};
use crate::bench::Bench;
use crate::claim::Claim;
use crate::error::LabError;
use crate::outcome::{Array, Outcome, Series, Status};
use crate::present::{Words, report};
use crate::two_class::{TwoClass, at_records, check_records};
use fovea_core::params::{above, any, between, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::stats::Estimate;
use fovea_core::{ParamError, Params, Value, activation, params};
use fovea_sim::init::Initializer;
use fovea_sim::init::glorot::Glorot;
use fovea_sim::probe::{self, ipr::ipr};
use fovea_sim::train::{Precision, train};
use fovea_sim::{Bias, Committee, Labels, Plan, Run, Sgd};
use fovea_theory::dictator::fixed_point::FixedPoint;

params! {
    /// Settings of `localize`.
    pub struct Localize {
        /// Ring size: inputs of the network.
        n: usize = 40, between(2.0, 16384.0), "sites";
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
        steps: usize = 6000, between(1.0, 1e9), "steps";
        /// Steps between records.
        record_every: usize = 20, between(1.0, 1e9), "steps";
        /// Factor on the Glorot variance 2/(n + 1) of the start.
        init_scale: f64 = 1.0, finite_above(0.0), "";
        /// How labels are drawn.
        labels: Labels = Labels::Iid, any(), "";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for Localize {
    fn check(&self) -> Result<(), ParamError> {
        self.two_class().kernels()?;
        check_records(self.steps, self.record_every, 2 * self.n * self.gain.len())
    }
}

impl Localize {
    fn two_class(&self) -> TwoClass {
        TwoClass { n: self.n, xi_pos: self.xi_pos, xi_neg: self.xi_neg, kernel: self.kernel }
    }

    fn plan(&self) -> Plan<'static> {
        Plan {
            steps: self.steps as u64,
            record_every: self.record_every as u64,
            eval_samples: 8192,
            probes: &[
                &probe::loss::ENTRY,
                &probe::norm::ENTRY,
                &probe::ipr::ENTRY,
                &probe::spectrum::ENTRY,
                &probe::weights::ENTRY,
            ],
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

/// The field at one gain: how it was trained, and the closed form that should describe it.
struct Curve {
    gain: f64,
    run: Run,
    /// The field at every record.
    fields: Vec<Vec<f64>>,
    /// Its power by frequency at the end.
    spectrum: Vec<f64>,
    /// IPR at every record.
    ipr: Vec<f64>,
    theory: Theory,
}

/// Which closed form applies at a gain.
enum Theory {
    /// The flow on Gaussian data with the same covariances, at every record.
    GaussianFlow(Vec<Vec<f64>>),
    /// The dictator state, centred where the trained field peaks.
    Dictator(Vec<f64>),
    /// None is known.
    Open,
}

/// Below this gain the excess kurtosis of an entry is smaller than 0.1 and the Gaussian flow is drawn.
const GAUSSIAN_GAIN: f64 = 0.1;
/// From this gain on gates agree with signs to 0.1 % and the dictator state is drawn.
const BINARY_GAIN: f64 = 100.0;

impl Experiment for Localize {
    fn quick() -> Self {
        let gain = vec![0.01, 3.0, f64::INFINITY];
        Self { gain, lr: 0.05, batch: 1000, steps: 2400, record_every: 10, ..Self::default() }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let (two, plan, streams) = (self.two_class(), self.plan(), bench.streams());
        let start = Glorot { init_scale: self.init_scale }.weights(self.n, 1, &streams)?;
        let network = Committee::new(self.n, 1, &activation::relu::ENTRY, Bias::None)
            .with(start.clone(), vec![0.0])?;
        let sgd = Sgd { lr: self.lr, batch: self.batch };
        let tasks = self
            .gain
            .iter()
            .map(|gain| two.task(*gain, self.labels))
            .collect::<Result<Vec<_>, _>>()?;
        let notes = tasks[0].notes();
        bench.progress.expect((self.gain.len() * self.steps) as u64);
        let runs =
            bench.fleet(&tasks, |task| train(task, network.clone(), &sgd, &streams, &plan, bench));

        let dictator = two.dictator()?;
        let mut curves = Vec::new();
        for (gain, run) in self.gain.iter().zip(runs) {
            curves.push(self.curve(*gain, run, &start, &dictator)?);
        }
        let mut series = Series::default();
        let mut arrays = vec![Array::of_entries("start", &start)];
        for curve in &curves {
            let name = format!("gain={}", Value::Real(curve.gain));
            series.add(&name, self.lr, &plan, &curve.run);
            arrays.push(Array::of_rows(format!("weights_{name}"), &curve.fields));
            match &curve.theory {
                Theory::GaussianFlow(fields) => {
                    arrays.push(Array::of_rows(format!("flow_{name}"), fields))
                }
                Theory::Dictator(field) => {
                    arrays.push(Array::of_entries(format!("dictator_{name}"), field))
                }
                Theory::Open => {}
            }
        }
        let status =
            Status::of(curves.iter().map(|c| (format!("gain={}", Value::Real(c.gain)), &c.run)));
        let complete = status == Status::Completed;
        let claims = if complete { self.claims(&curves, &dictator)? } else { Vec::new() };
        let figures = if complete {
            vec![("localize", figure::figure(self, &curves, &dictator))]
        } else {
            Vec::new()
        };
        let summary = self.summary(&curves, &dictator, &notes);
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

impl Localize {
    fn curve(
        &self,
        gain: f64,
        run: Run,
        start: &[f64],
        dictator: &FixedPoint,
    ) -> Result<Curve, LabError> {
        let readings = |probe: usize| run.records.iter().map(move |r| r.readings[probe][0].clone());
        let fields: Vec<Vec<f64>> = readings(4).collect();
        let ipr = readings(2).map(|row| row[0]).collect();
        let spectrum = readings(3).next_back().unwrap_or_default();
        let theory = if gain <= GAUSSIAN_GAIN {
            let flow = self.two_class().matched_gaussian_flow(gain)?;
            Theory::GaussianFlow(at_records(&flow, start, (self.lr, self.steps, self.record_every)))
        } else if gain >= BINARY_GAIN && dictator.exists {
            let peak = peak(run.network.weights());
            let sign = 1.0_f64.copysign(run.network.weights()[peak]);
            Theory::Dictator(
                (0..self.n).map(|i| sign * dictator.w[(i + self.n - peak) % self.n]).collect(),
            )
        } else {
            Theory::Open
        };
        Ok(Curve { gain, fields, spectrum, ipr, theory, run })
    }

    /// At infinite gain the field's time average over the second half is the dictator state (L000.39).
    ///
    /// Inside the dictator cell the flow is linear, so averaging over the noise of SGD leaves no bias; blocks of the
    /// average are longer than the slowest relaxation, and mirrored sites are averaged.
    fn claims(&self, curves: &[Curve], dictator: &FixedPoint) -> Result<Vec<Claim>, LabError> {
        const BLOCKS: usize = 10;
        let Some(curve) = curves.iter().find(|c| c.gain.is_infinite() && dictator.exists) else {
            return Ok(Vec::new());
        };
        let late = &curve.fields[curve.fields.len() / 2..];
        let peak = peak(curve.run.network.weights());
        let latent = self.two_class().latent_dictator()?;
        let (mut pairs, mut wrong) = (Vec::new(), Vec::new());
        for distance in 0..=3.min(self.n / 2) {
            let (left, right) = ((peak + self.n - distance) % self.n, (peak + distance) % self.n);
            let mirrored: Vec<f64> =
                late.iter().map(|w| 0.5 * (w[left] + w[right]) * w[peak].signum()).collect();
            let estimate = Estimate::from_block_means(&mirrored, BLOCKS)?;
            pairs.push((estimate, dictator.w[distance]));
            wrong.push((estimate, latent.w[distance]));
        }
        let statement = "at infinite gain the field's time average at distances 0 to 3 from its peak is the dictator state";
        Ok(vec![
            Claim::family("L000.39", statement, &pairs)
                .rejecting("the latent covariance in place of the signs'", &wrong),
        ])
    }

    fn summary(&self, curves: &[Curve], dictator: &FixedPoint, notes: &[String]) -> Vec<String> {
        let mut lines: Vec<String> = notes.to_vec();
        lines.push(format!("{:>8} {:>9} {:>9} {:>9}  theory", "gain", "ipr", "|w|", "loss"));
        for curve in curves {
            let last =
                |probe: usize| curve.run.records.last().map_or(0.0, |r| r.readings[probe][0][0]);
            let theory = match &curve.theory {
                Theory::GaussianFlow(fields) => fields.last().map_or_else(String::new, |field| {
                    let gap = distance(curve.run.network.weights(), field);
                    format!(
                        "Gaussian flow: ipr {:.4}, fields {:.1} % apart",
                        ipr(field),
                        100.0 * gap
                    )
                }),
                Theory::Dictator(field) => {
                    let gap = distance(curve.run.network.weights(), field);
                    format!(
                        "dictator state: ipr {:.4}, fields {:.1} % apart",
                        ipr(field),
                        100.0 * gap
                    )
                }
                Theory::Open => "no closed form".to_owned(),
            };
            let gain = Value::Real(curve.gain).to_string();
            lines.push(format!(
                "{gain:>8} {:>9.4} {:>9.4} {:>9.5}  {theory}",
                last(2),
                last(1),
                last(0)
            ));
        }
        lines.push(dictator_line(dictator));
        lines
    }
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

/// The site with the largest weight.
fn peak(w: &[f64]) -> usize {
    (0..w.len()).max_by(|a, b| w[*a].abs().total_cmp(&w[*b].abs())).unwrap_or(0)
}

/// `|a - b| / |b|`.
fn distance(a: &[f64], b: &[f64]) -> f64 {
    let gap: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
    let size: f64 = b.iter().map(|b| b * b).sum();
    (gap / size).sqrt()
}

/// The registry row.
pub const ENTRY: Row = Row::of::<Localize>(
    "localize",
    "one ReLU neuron from Gaussian to binary data: the field forms, localizes or stays extended",
    "Does one neuron grow a localized field, and when? Gaussian data give a flat field or a wave (L003.16); binary \
     data the dictator state w* = (C_neg + C_pos)^-1 C_pos e_i wherever its margin is positive (L000.39). A time-averaged \
     field at infinite gain that differs from w* would falsify the theorem.",
);
