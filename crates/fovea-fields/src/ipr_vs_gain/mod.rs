//! How localized does a unit end as its data go from Gaussian to binary, and are the published numbers ours?
//!
//! The sweep behind the figure of lufkin2024 that puts Claim 3.2 to the test: one bias-free ReLU unit on nonlinear Gaussian
//! processes of ten gains, thirty seeds each, and the IPR of the final field. Its loss has no 1/2, so its rate 0.1 is 0.2 here;
//! its pair of lengths (0.3, 0.7) is `xi_neg`, `xi_pos`. Every mean and median must lie inside the published spread, and the means must be told apart
//! from those of the neighbouring gain. At infinite gain the mean field must be the dictator state (L000.39); the
//! amplifier's flow from the same starts must end broader wherever the kurtosis is clearly negative, since it is a theory of early times.

mod binary;
mod figure;

use fovea_core::params::{Schema, above, any, between, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::{ParamError, Params, Value, activation, params};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::experiment::{Experiment, Row};
use fovea_desk::fleet::{Arm, Trained, committee, series, status, train_all, weights};
use fovea_desk::ipr_table::{self, Line, Source};
use fovea_desk::published;
use fovea_desk::two_class::{TwoClass, check_gains};
use fovea_page::report::Block;
use fovea_record::outcome::{Outcome, Status};
use fovea_record::present::{Words, report_with};
use fovea_sim::train::Precision;
use fovea_sim::{Bias, Labels, Plan, Sgd, Times, loss, probe};
use fovea_theory::site::Site;

params! {
    /// Settings of `ipr-vs-gain`.
    pub struct IprVsGain {
        /// Ring size: inputs of the network.
        n: usize = 40, between(4.0, 1024.0), "sites";
        /// Correlation length of class `pos`, label 1.
        xi_pos: f64 = 0.7, finite_above(0.0), "sites";
        /// Correlation length of class `neg`, label 0.
        xi_neg: f64 = 0.3, finite_above(0.0), "sites";
        /// Gains: the ten published ones, and binary data as their limit.
        gain: Vec<f64> = SOURCE.iter().map(|row| row.0).chain([f64::INFINITY]).collect(), above(0.0), "";
        /// Seeds a gain.
        seeds: usize = 30, between(2.0, 1e4), "seeds";
        /// Learning rate of the loss with its factor 1/2.
        lr: f64 = 0.2, finite_above(0.0), "";
        /// Fresh samples of a step.
        batch: usize = 5000, between(1.0, 1e8), "samples";
        /// Training steps.
        steps: usize = 1000, between(1.0, 1e9), "steps";
        /// Factor on the Glorot variance 2/(n + 1) of the starts.
        init_scale: f64 = 0.001, between(1e-30, 1e30), "";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

/// The published table: gain; mean, deviation and median of the final IPR over thirty runs; the flow of another program.
const SOURCE: [(f64, f64, f64, f64, f64); 10] = [
    (0.01, 0.0598, 0.0168, 0.058, 0.0548),
    (0.0278, 0.0609, 0.0168, 0.059, 0.0551),
    (0.0774, 0.0633, 0.0199, 0.062, 0.0570),
    (0.2154, 0.0899, 0.0351, 0.086, 0.0761),
    (0.5995, 0.7922, 0.1293, 0.823, 0.333),
    (1.668, 0.9736, 0.0031, 0.974, 0.8054),
    (4.642, 0.9871, 0.0018, 0.987, 0.9107),
    (12.92, 0.9898, 0.0014, 0.990, 0.9363),
    (35.94, 0.9907, 0.0011, 0.991, 0.9440),
    (100.0, 0.9910, 0.0010, 0.991, 0.9465),
];
const RUNS: usize = 30;

/// Below this excess kurtosis the amplifier must end broader than training.
const CLEAR: f64 = -1.0;

impl Params for IprVsGain {
    fn check(&self) -> Result<(), ParamError> {
        self.two_class().kernels()?;
        check_gains(&self.gain)
    }
}

impl IprVsGain {
    fn two_class(&self) -> TwoClass {
        TwoClass { n: self.n, xi_pos: self.xi_pos, xi_neg: self.xi_neg, kernel: Kernel::Ring }
    }

    /// The published numbers at a gain, where training is as the publication's.
    fn source(&self, gain: f64) -> Option<Source> {
        let theirs = Self {
            gain: self.gain.clone(),
            seeds: self.seeds,
            precision: self.precision,
            ..Self::default()
        };
        let row = SOURCE.iter().find(|row| (row.0 / gain - 1.0).abs() < 1e-9)?;
        let (_, mean, sd, median, flow) = *row;
        let source = Source { mean, sd, median, runs: RUNS, flow: Some(flow) };
        (theirs.values() == self.values()).then_some(source)
    }

    fn arm(&self, gain: f64) -> Result<Arm<'static>, ParamError> {
        let plan = Plan {
            steps: self.steps as u64,
            record: Times::Every(self.steps as u64),
            checkpoint_every: 0,
            eval_samples: 0,
            probes: &[&probe::ipr::ENTRY, &probe::weights::ENTRY],
            loss: &loss::mse::ENTRY,
            precision: self.precision,
        };
        Ok(Arm {
            name: format!("gain={}", Value::Real(gain)),
            task: self.two_class().task(gain, Labels::Iid)?,
            network: committee(1, &activation::relu::ENTRY, Bias::None, self.init_scale),
            sgd: Sgd::online(self.lr, self.batch),
            plan,
        })
    }

    fn line(&self, bench: &Bench<'_>, gain: f64, trained: &Trained<'_>) -> Result<Line, LabError> {
        let [pos, neg] = self.two_class().kernels()?;
        let name = format!("gain {}", Value::Real(gain));
        let law = (name, Site::Nlgp { gain }, self.source(gain));
        Line::new(bench, law, [&pos.first_row, &neg.first_row], (trained, self.steps))
    }
}

const WORDS: Words<'static> = Words {
    title: "Final IPR against gain, beside the published sweep",
    lead: "One ReLU unit on nonlinear Gaussian processes from Gaussian to binary data: the final fields are extended up to gain 0.2, localized \
           from 1.7 on, and end in the dictator state at infinite gain. The amplifier's flow from the same starts puts the change at the same gain and \
           ends broader.",
    caption: figure::CAPTION,
    formulas: &[
        r"\mathrm{IPR}=\frac{\sum_iw_i^4}{(\sum_iw_i^2)^2},\qquad x=\frac{\mathrm{erf}(gz)}{\sqrt{Z(g)}},\quad Z=\tfrac2\pi\arcsin\frac{2g^2}{1+2g^2}",
        r"\dot w=\tfrac14\big[\varphi(a)-(C_{+}+C_{-})w\big],\quad\varphi(a)=\mathbb E\Big[X\,\mathrm{erf}\frac{aX}{\sqrt{2(1-a^2)}}\Big],\quad a=\frac{C_{+}w}{\sqrt{w^\top C_{+}w}}",
        r"g=\infty:\qquad w^{*}=(C_{-}+C_{+})^{-1}C_{+}e_i",
    ],
};

impl Experiment for IprVsGain {
    fn quick() -> Self {
        Self { gain: vec![0.01, 1.668, f64::INFINITY], seeds: 4, ..Self::default() }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let arms = self.gain.iter().map(|gain| self.arm(*gain)).collect::<Result<Vec<_>, _>>()?;
        let fleet = train_all(bench, arms, self.seeds)?;
        let (status, series, mut arrays) = (status(&fleet), series(&fleet), weights(&fleet));
        let (mut claims, mut figures) = (Vec::new(), Vec::new());
        let (mut summary, mut blocks) = (Vec::new(), Vec::new());
        if status == Status::Completed {
            let lines = self
                .gain
                .iter()
                .zip(&fleet)
                .map(|(gain, trained)| self.line(bench, *gain, trained))
                .collect::<Result<Vec<Line>, LabError>>()?;
            let mut rows = Vec::new();
            for line in &lines {
                rows.extend(line.published()?);
            }
            claims.extend(rows.iter().map(|row| row.claim("published")));
            claims.extend(ipr_table::means_agree(&lines)?);
            claims.extend(ipr_table::flows_agree(&lines)?);
            for line in lines.iter().filter(|line| line.kurtosis < CLEAR) {
                claims.push(line.outdoes_the_flow()?);
            }
            let dictator = self.two_class().dictator()?;
            let binary = self.gain.iter().position(|gain| gain.is_infinite());
            if let Some(at) = binary.filter(|_| dictator.exists) {
                claims.push(binary::claim(self, &fleet[at])?);
                summary.push(binary::in_words(self, &fleet[at])?);
            }
            summary.extend(published::lines(&rows)?);
            blocks.push(published::table(&rows)?);
            let table = ipr_table::table(&lines);
            blocks.push(Block::Code(table.join("\n")));
            summary.extend(table);
            arrays.extend(fleet.iter().zip(&lines).map(|(t, line)| line.array(&t.arm.name)));
            figures.push(("ipr-vs-gain", figure::figure(self, &lines)?));
        }
        let report = report_with(&WORDS, self, &figures, &claims, blocks);
        let dtype = self.precision.word();
        Ok(Outcome { status, dtype, series, arrays, claims, figures, report, summary })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<IprVsGain>(
    "ipr-vs-gain",
    "the published sweep of the final IPR over ten gains and thirty seeds, the amplifier's flow and the dictator state beside it",
    "Are the published IPRs of one ReLU unit over gains ours? Every mean and median must lie inside the published spread and the means be \
     told apart from those of the neighbouring gain; at infinite gain the mean field must be the dictator state (L000.39); the amplifier's flow from the same \
     starts must agree with another program's and end broader than training where the excess kurtosis is below -1 (L000.38).",
);
