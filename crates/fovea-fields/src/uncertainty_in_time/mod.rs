//! Does the uncertainty of a receptive field fall while it is learned?
//!
//! Note 003 ("Uncertainty Principle") hopes to show that fields become Gabors because their uncertainty in place and frequency falls
//! to the least value, 1/2, and asks whether it falls monotonically. As posed this is wrong for real fields (L003.26): a real
//! Gabor lies above 1/2. What replaces it has a bound on the ring or the circle (L003.27, L003.63): the sum of the entropies of place and
//! frequency, Massar and Spindel's sum, and the product of the circular variances of the field and of its analytic signal.
//! Here each is followed through training, for one ReLU unit and for a committee of sigmoids. Every start is trained on
//! several independent streams of samples; the spread between them is the noise, and a field rises only where the mean over
//! its streams does so beyond that noise. Fields of which every measure falls monotonically would bear the hope out; a reading
//! below a bound would show that the bound, or the measure, is wrong.

mod bounds;
mod figure;
pub mod judge;
pub mod paths;

use fovea_core::params::{above, any, between, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::stats::Estimate;
use fovea_core::{ParamError, Params, Value, params};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::experiment::{Experiment, Row};
use fovea_desk::memory::check_records;
use fovea_desk::two_class::{TwoClass, check_gains, check_labels};
use fovea_record::bound::one_sided;
use fovea_record::claim::Claim;
use fovea_record::outcome::{Array, Outcome, Status};
use fovea_record::present::{Words, report};
use fovea_sim::Labels;
use fovea_sim::train::Precision;
use judge::Verdicts;
use paths::{Group, MEASURES, Net};

params! {
    /// Settings of `uncertainty-in-time`.
    pub struct UncertaintyInTime {
        /// Ring size: inputs of the networks.
        n: usize = 40, between(4.0, 1024.0), "sites";
        /// Correlation length of class `pos`, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class `neg`, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Covariance kernel of the latent fields.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Gains.
        gain: Vec<f64> = vec![0.01, 1.0, 3.0, 100.0], above(0.0), "";
        /// Starts of every network and gain.
        starts: usize = 6, between(2.0, 1e4), "networks";
        /// Independent streams of samples on which every start is trained.
        replicas: usize = 6, between(2.0, 1e3), "runs";
        /// Sigmoid units of the committee.
        width: usize = 12, between(2.0, 1e4), "units";
        /// Learning rate of the one ReLU unit.
        lr: f64 = 0.1, finite_above(0.0), "";
        /// Training steps of the one ReLU unit.
        steps: usize = 1200, between(1.0, 1e9), "steps";
        /// Learning rate of the committee, its mean readout's 1/K included.
        wide_lr: f64 = 24.0, finite_above(0.0), "";
        /// Training steps of the committee.
        wide_steps: usize = 1500, between(1.0, 1e9), "steps";
        /// Fresh samples of a step of the one ReLU unit, half of each class.
        batch: usize = 4000, between(2.0, 1e8), "samples";
        /// Fresh samples of a step of the committee, half of each class.
        wide_batch: usize = 1000, between(2.0, 1e8), "samples";
        /// Records of a run, evenly spaced in the logarithm of time.
        records: usize = 40, between(2.0, 1e4), "records";
        /// Factor on the Glorot variance 2/(n + K) of the start.
        init_scale: f64 = 1.0, between(1e-30, 1e30), "";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for UncertaintyInTime {
    fn check(&self) -> Result<(), ParamError> {
        self.two_class().kernels()?;
        check_labels(Labels::Balanced, self.batch)?;
        check_labels(Labels::Balanced, self.wide_batch)?;
        let numbers = self.gain.len() * self.starts * self.replicas * (self.width + 1);
        check_records(self.records, 1, numbers * 2 * MEASURES.len())?;
        check_gains(&self.gain)
    }
}

impl UncertaintyInTime {
    fn two_class(&self) -> TwoClass {
        TwoClass { n: self.n, xi_pos: self.xi_pos, xi_neg: self.xi_neg, kernel: self.kernel }
    }

    /// The bounds of the four measures.
    fn bounds(&self) -> [f64; 4] {
        bounds::of_ring(self.n)
    }
}

const WORDS: Words<'static> = Words {
    title: "Does the uncertainty of a receptive field fall while it is learned?",
    lead: "Four measures of the uncertainty of a field in place and frequency, followed through training beside their bounds: how \
        many fields fall monotonically, up to noise that replicas measure, and how far the others rise.",
    caption: figure::CAPTION,
    formulas: &[
        r"H(|w|^2)+H(|Fw|^2)\ge\ln n,\qquad (\cot^2\tfrac\pi n+2\cot\tfrac\pi n)\,\Delta U^2\Delta V^2+\Delta U^2+\Delta V^2\ge1,\qquad \mathrm{Var}(k)\,\frac{1-|\tau|^2}{|\tau|^2}\ge\tfrac14",
        r"\sigma_t\sigma_\omega=\tfrac12\sqrt{\Big(1-\frac{4\kappa\varepsilon}{1+\varepsilon}\Big)\Big(1+\frac{4\kappa}{1+\varepsilon}\Big)},\quad \varepsilon=e^{-2\kappa}\qquad\text{a real Gabor, not } \tfrac12",
    ],
};

impl Experiment for UncertaintyInTime {
    fn quick() -> Self {
        Self {
            gain: vec![0.01, 3.0],
            starts: 6,
            replicas: 3,
            steps: 250,
            lr: 0.3,
            wide_steps: 150,
            batch: 1000,
            wide_batch: 500,
            records: 24,
            ..Self::default()
        }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let (series, status, groups) = paths::train_all(self, bench)?;
        let (mut claims, mut figures, mut arrays, mut summary) =
            (bounds::gabor(), Vec::new(), Vec::new(), Vec::new());
        if status == Status::Completed {
            let verdicts = groups
                .iter()
                .map(|group| (0..MEASURES.len()).map(|m| Verdicts::of(group, m)).collect())
                .collect::<Result<Vec<Vec<_>>, LabError>>()?;
            claims.extend(bounds::never_broken(self, &groups));
            claims.extend(self.shares(&groups, &verdicts)?);
            arrays = groups.iter().flat_map(arrays_of).collect();
            summary = self.table(&groups, &verdicts)?;
            figures.push(("uncertainty-in-time", figure::figure(self, &groups, &verdicts)?));
        }
        let report = report(&WORDS, self, &figures, &claims, &summary);
        let dtype = self.precision.word();
        Ok(Outcome { status, dtype, series, arrays, claims, figures, report, summary })
    }
}

/// The mean path of every field, `MEASURE_GROUP[field][record]`.
fn arrays_of(group: &Group) -> Vec<Array> {
    let rows = |m: usize| -> Vec<Vec<f64>> {
        group.fields.iter().map(|field| field.mean_path(m)).collect()
    };
    (0..MEASURES.len())
        .map(|m| Array::of_rows(format!("{}_{}", MEASURES[m].name, group.name()), &rows(m)))
        .collect()
}

impl UncertaintyInTime {
    /// What is measured of the note's hope, for every network and measure over all gains: fields end lower, and not all of them monotonically.
    fn shares(&self, groups: &[Group], verdicts: &[Vec<Verdicts>]) -> Result<Vec<Claim>, LabError> {
        let mut claims = Vec::new();
        for net in self.nets() {
            for (m, measure) in MEASURES.iter().enumerate() {
                let mine = || {
                    let all = groups.iter().zip(verdicts);
                    all.filter(|(group, _)| group.net.name == net.name).map(|(_, v)| &v[m])
                };
                let what = |of: &str| format!("{}, all gains: {of} {}", net.what(), measure.words);
                let starts: Vec<f64> = mine().flat_map(|v| v.falling.clone()).collect();
                let statement = what("not every field falls monotonically, as the note hopes, in");
                claims.push(one_sided("L003.26", statement, judge::share(&starts)?, 1.0, false));
                let fell: Vec<f64> = mine().flat_map(|v| v.fell.clone()).collect();
                let statement = what(
                    "fields end lower than they start, e to the mean change (of the logarithm, for a product) below 1, in",
                );
                claims.push(one_sided(
                    "L003.26",
                    statement,
                    Estimate::from_samples(&fell)?,
                    1.0,
                    false,
                ));
            }
        }
        Ok(claims)
    }

    /// A line for every network, gain and measure.
    fn table(&self, groups: &[Group], verdicts: &[Vec<Verdicts>]) -> Result<Vec<String>, LabError> {
        let mut lines = vec![format!(
            "{:<10} {:>5} {:<15} {:>8} {:>15} {:>15} {:>8} {:>14} {:>8} {:>12} {:>12}",
            "network",
            "gain",
            "measure",
            "bound",
            "start",
            "end",
            "least",
            "monotone",
            "lower",
            "rise",
            "noticed",
        )];
        let pair = |e: &Estimate| format!("{:.3} +- {:.3}", e.mean(), e.se());
        for (group, verdicts) in groups.iter().zip(verdicts) {
            for ((measure, bound), v) in MEASURES.iter().zip(self.bounds()).zip(verdicts) {
                let share = judge::share(&v.falling)?;
                lines.push(format!(
                    "{:<10} {:>5} {:<15} {bound:>8.4} {:>15} {:>15} {:>8.3} {:>14} {:>7.0}% {:>12} {:>12}",
                    group.net.name,
                    Value::Real(group.gain).to_string(),
                    measure.name,
                    pair(&v.start),
                    pair(&v.end),
                    v.least,
                    format!("{:.0}% +- {:.0}%", 100.0 * share.mean(), 100.0 * share.se()),
                    100.0 * judge::share(&v.lower)?.mean(),
                    measure.rise(v.rise),
                    measure.rise(v.noticed),
                ));
            }
        }
        lines.push(format!(
            "start, end: mean over fields, +- its standard error over {} starts; least: lowest reading; monotone: fields whose mean over {} streams of samples never rises \
             beyond noise; lower: fields that end below their start beyond noise; rise: median over fields of the largest rise above an earlier record (x: a factor); noticed: the rise that would be beyond typical noise, median over pairs of records.",
            self.starts, self.replicas
        ));
        Ok(lines)
    }

    /// The networks that are trained.
    fn nets(&self) -> [Net; 2] {
        Net::both(self)
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<UncertaintyInTime>(
    "uncertainty-in-time",
    "four measures of a field's uncertainty in place and frequency through training, beside their bounds: it does not fall monotonically",
    "Does the uncertainty of a receptive field fall monotonically to its least value while it is learned (note 003; L003.26, L003.27)? A real field \
     is not bounded by 1/2; entropies, Massar and Spindel's sum and the circular products have bounds on the ring. A reading below a bound would \
     falsify the bounds; fields that all fall monotonically, up to the noise between replicas, would bear the note's hope out.",
);
