//! How localized does a unit end as its data go from Gaussian to binary, and are the published numbers ours?
//!
//! The sweep behind the figure of lufkin2024 that puts Claim 3.2 to the test: one bias-free ReLU unit on nonlinear Gaussian
//! processes of ten gains, thirty seeds each, and the IPR of the final field. Its loss has no 1/2, so its rate 0.1 is 0.2 here;
//! its pair of lengths (0.3, 0.7) is `xi_neg`, `xi_pos`. Every mean and median must lie inside the published spread, and the means must be told apart
//! from those of the neighbouring gain. At infinite gain the mean field must be the dictator state (L000.39); the
//! amplifier's flow from the same starts must end broader wherever the kurtosis is clearly negative, since it is a theory of early times.

mod claims;
mod figure;

use fovea_core::params::Schema;
use fovea_desk::ipr_table::{self, Line, Source};
use fovea_desk::prelude::*;
use fovea_desk::published;
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

/// The name of a gain's runs.
fn name(gain: f64) -> String {
    format!("gain={}", Value::Real(gain))
}

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

    fn arm(&self, gain: f64) -> Arm {
        let probes = &[&probe::ipr::ENTRY, &probe::weights::ENTRY];
        let plan = Plan::new(self.steps, Times::Every(self.steps as u64), probes);
        Arm {
            name: name(gain),
            task: self.two_class().spec(gain, Labels::Iid),
            network: committee(1, &activation::relu::ENTRY, Bias::None, self.init_scale),
            pace: Pace::online(self.lr, self.batch),
            plan: Plan { precision: self.precision, ..plan },
        }
    }
}

impl Experiment for IprVsGain {
    type Found<'r> = Vec<Line>;

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

    fn quick() -> Self {
        Self { gain: vec![0.01, 1.668, f64::INFINITY], seeds: 4, ..Self::default() }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let of = |gain: &f64| self.arm(*gain).jobs(streams.part(&name(*gain)), self.seeds);
        Ok(self.gain.iter().flat_map(of).collect())
    }

    fn parts(&self) -> u64 {
        (self.gain.len() * self.seeds) as u64
    }

    fn measure(&self, runs: &Runs, desk: &Desk<'_>) -> Result<Vec<Line>, LabError> {
        let line = |gain: &f64| {
            let words = format!("gain {}", Value::Real(*gain));
            let law = (words, Site::Nlgp { gain: *gain }, self.source(*gain));
            let trained = (&runs.group(&name(*gain)), self.lr, self.steps);
            Line::new(desk, law, &self.two_class(), trained)
        };
        self.gain.iter().map(line).collect()
    }

    fn show(&self, runs: &Runs, lines: &Vec<Line>) -> Result<Shown, LabError> {
        let mut rows = Vec::new();
        for line in lines {
            rows.extend(line.published()?);
        }
        let mut claims: Vec<Claim> = rows.iter().map(|row| row.claim("published")).collect();
        claims.extend(ipr_table::claims(lines)?);
        let mut summary = Vec::new();
        let binary = self.gain.iter().find(|gain| gain.is_infinite());
        if let (Some(gain), true) = (binary, self.two_class().dictator()?.exists) {
            let binary = runs.group(&name(*gain));
            claims.push(claims::claim(self, &binary)?);
            summary.push(claims::in_words(self, &binary)?);
        }
        let table = ipr_table::table(lines);
        let blocks = vec![published::table(&rows)?, Block::Code(table.join("\n"))];
        summary.extend(published::lines(&rows)?.into_iter().chain(table));
        let mut arrays = runs.weights();
        arrays.extend(self.gain.iter().zip(lines).map(|(gain, line)| line.array(&name(*gain))));
        let figures = vec![("ipr-vs-gain", figure::figure(self, lines)?)];
        Ok(Shown { arrays, claims, figures, summary, blocks: Some(blocks), ..Shown::default() })
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
