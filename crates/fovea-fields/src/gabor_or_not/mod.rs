//! Are learned fields Gabor functions?
//!
//! Note 003 sees fields that "really look like" Gabors with many units and high gain, and wants to test that all fields, on Gaussian
//! and other data, are Gabors that differ in decay and frequency alone (L003.25, L003.62). Every learned field is fitted with a bump, a
//! wave, a difference of Gaussians and a Gabor (probe `field-shape`); the form with the least Bayesian criterion wins, and a field
//! of which it leaves too much has none. Falsified where another form wins, or none fits.

mod arms;
mod claims;
mod figure;
pub mod group;

use fovea_core::params::{above, any, between, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::{ParamError, Params, Value, params};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::experiment::{Experiment, Full, Row};
use fovea_desk::fleet::{self, train_all};
use fovea_desk::two_class::{TwoClass, check_gains, check_labels};
use fovea_page::report::Block;
use fovea_record::outcome::{Outcome, Status};
use fovea_record::present::{Words, report_with};
use fovea_sim::probe::shapes::FORMS;
use fovea_sim::train::Precision;
use fovea_sim::{Labels, Plan, Times, loss, probe};
use group::{CLASSES, GABOR, Group};

params! {
    /// Settings of `gabor-or-not`.
    pub struct GaborOrNot {
        /// Ring size: inputs of the network.
        n: usize = 40, between(8.0, 1024.0), "sites";
        /// Correlation length of class `pos` (label 1).
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class `neg` (label 0).
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Gains of the nonlinear Gaussian process.
        gain: Vec<f64> = vec![0.01, 0.3, 1.0, 3.0, 100.0], above(0.0), "";
        /// Ising coupling of class `pos`.
        coupling_pos: f64 = 0.7, between(-5.0, 5.0), "";
        /// Ising coupling of class `neg`.
        coupling_neg: f64 = 0.3, between(-5.0, 5.0), "";
        /// Exponents of power tails: excess kurtosis is positive below 5.89 and negative above.
        kur: Vec<f64> = vec![5.0, 10.0], finite_above(4.0), "";
        /// Gains, of those above, at which large networks are trained.
        many_gain: Vec<f64> = vec![0.01, 3.0, 100.0], above(0.0), "";
        /// Units of a small network.
        few: usize = 12, between(2.0, 1000.0), "units";
        /// Units of a large network.
        many: usize = 40, between(3.0, 1000.0), "units";
        /// Networks of every kind.
        seeds: usize = 8, between(2.0, 1e4), "seeds";
        /// Training steps; the reference takes 10 000.
        steps: usize = 2000, between(1.0, 1e9), "steps";
        /// Fresh samples of a step, half of each class; the reference takes 1000.
        batch: usize = 500, between(2.0, 1e8), "samples";
        /// Learning rate of ReLU networks, a unit.
        lr_relu: f64 = 0.2, finite_above(0.0), "";
        /// Learning rate of sigmoid networks, a unit.
        lr_sigmoid: f64 = 2.0, finite_above(0.0), "";
        /// Scale of the variance of the initial weights.
        init_scale: f64 = 1.0, finite_above(0.0), "";
        /// Largest share of the squared field that the best form may leave; beyond it a field has no form.
        good: f64 = 0.1, between(0.0, 1.0), "";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Params for GaborOrNot {
    fn check(&self) -> Result<(), ParamError> {
        let Self { n, xi_pos, xi_neg, .. } = *self;
        TwoClass { n, xi_pos, xi_neg, kernel: Kernel::Ring }.kernels()?;
        check_gains(&self.gain)?;
        check_gains(&self.many_gain)?;
        if let Some(gain) = self.many_gain.iter().find(|gain| !arms::listed(&self.gain, **gain)) {
            return Err(ParamError::Inconsistent {
                what: format!("`many_gain` has {}, which `gain` has not", Value::Real(*gain)),
                hint: "choose `many_gain` among `gain`".to_owned(),
            });
        }
        check_labels(Labels::Balanced, self.batch)?;
        if self.few >= self.many {
            return Err(ParamError::Inconsistent {
                what: format!("`few` is {} and `many` is {}", self.few, self.many),
                hint: "give the smaller network first".to_owned(),
            });
        }
        Ok(())
    }
}

const WORDS: Words<'static> = Words {
    title: "Are learned fields Gabor functions?",
    lead: "Every learned field is fitted with four forms that close on the ring. The form with the least Bayesian information criterion names \
           the field, if it leaves little of it. The notes expect Gabors everywhere, most of all with many units and high gain.",
    caption: figure::CAPTION,
    formulas: &[
        r"A e^{-d^2/2s^2},\quad A\cos(2\pi kx/n+\varphi),\quad A_1e^{-d^2/2s_1^2}-A_2e^{-d^2/2s_2^2},\quad A e^{-d^2/2s^2}\cos(2\pi fd+\varphi)",
        r"\mathrm{BIC}=n\ln\frac{\mathrm{rss}}{n}+p\ln n,\qquad p=3,\,3,\,5,\,5",
    ],
};

impl Experiment for GaborOrNot {
    const FULL: Option<Full<Self>> = Some(Full {
        settings: || Self { steps: 10_000, batch: 1000, ..Self::default() },
        takes: "two to three minutes",
    });

    fn quick() -> Self {
        Self {
            gain: vec![0.01, 3.0],
            many_gain: vec![3.0],
            kur: vec![10.0],
            few: 3,
            many: 6,
            seeds: 3,
            steps: 250,
            batch: 400,
            ..Self::default()
        }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let plan = || Plan {
            steps: self.steps as u64,
            record: Times::Every(self.steps as u64),
            checkpoint_every: 0,
            eval_samples: 0,
            probes: &[&probe::field_shape::ENTRY, &probe::ipr::ENTRY],
            loss: &loss::mse::ENTRY,
            precision: self.precision,
        };
        let pairs = self.pairs();
        let arms =
            pairs.iter().map(|pair| self.arm(*pair, plan())).collect::<Result<Vec<_>, _>>()?;
        let fleet = train_all(bench, arms, self.seeds)?;
        let status = fleet::status(&fleet);
        let (series, arrays) = (fleet::series(&fleet), fleet::weights(&fleet));
        let (mut claims, mut figures) = (Vec::new(), Vec::new());
        let (mut summary, mut blocks) = (Vec::new(), Vec::new());
        if status == Status::Completed {
            let groups = self.groups(bench, &fleet, &pairs);
            claims = claims::claims(self, &groups)?;
            figures = vec![("gabor-or-not", figure::figure(self, &groups)?)];
            (summary, blocks) = self.table(&groups)?;
            let verdict = claims::verdict(self, &groups)?;
            blocks.insert(0, Block::Code(verdict.join("\n")));
            summary.extend(verdict);
        }
        let report = report_with(&WORDS, self, &figures, &claims, blocks);
        let dtype = self.precision.word();
        Ok(Outcome { status, dtype, series, arrays, claims, figures, report, summary })
    }
}

impl GaborOrNot {
    /// The fields of every arm, with the forms of their scrambled copies.
    fn groups(
        &self,
        bench: &Bench<'_>,
        fleet: &[fleet::Trained<'_>],
        pairs: &[(arms::Source, usize)],
    ) -> Vec<Group> {
        let jobs: Vec<(usize, u64)> = (0..fleet.len())
            .flat_map(|arm| (0..self.seeds as u64).map(move |seed| (arm, seed)))
            .collect();
        let scrambled = bench.fleet(&jobs, |(arm, seed)| {
            let streams =
                bench.streams().part("scrambled").part(&fleet[*arm].arm.name).replica(*seed);
            group::scramble(&group::fields(&fleet[*arm], *seed as usize), &streams)
        });
        let mut scrambled = scrambled.into_iter();
        let group = |(trained, pair): (&fleet::Trained<'_>, &(arms::Source, usize))| {
            Group::new(trained, *pair, scrambled.by_ref().take(self.seeds).collect())
        };
        fleet.iter().zip(pairs).map(group).collect()
    }

    /// A line an arm: shares of the forms, the best and the second-best, width and frequency; for the terminal and the report.
    fn table(&self, groups: &[Group]) -> Result<(Vec<String>, Vec<Block>), LabError> {
        let header = [
            "network",
            "data",
            "bump",
            "wave",
            "DoG",
            "Gabor",
            "none",
            "left",
            "second",
            "left",
            "width",
            "freq.",
            "scrambled",
        ];
        let mut rows: Vec<Vec<String>> = Vec::new();
        for group in groups {
            let mut row = vec![self.nets()[group.net].label(), group.source.label()];
            for class in 0..CLASSES {
                let share = group.learned_share(class, self)?;
                row.push(if class == GABOR {
                    format!("{:.2} +- {:.2}", share.mean(), share.se())
                } else {
                    format!("{:.2}", share.mean())
                });
            }
            let second = group.second();
            row.push(format!("{:.4}", group.median(group::Unit::share)?));
            row.push(FORMS[second].to_owned());
            row.push(format!("{:.4}", group.median(|unit| unit.share_of(second))?));
            row.push(format!("{:.2}", group.median(group::Unit::width)?));
            row.push(format!("{:.3}", group.median(group::Unit::frequency)?));
            let scrambled = Group::shares(&group.scrambled, GABOR, self.good);
            row.push(format!("{:.2}", scrambled.iter().sum::<f64>() / scrambled.len() as f64));
            rows.push(row);
        }
        let caption = format!(
            "Mean over {} networks of the share of units in each form (the Gabors with the standard error over networks); median of what the best form leaves of \
             the squared field; the form most often second, and the median it leaves; median width (sites) and frequency (cycles a site) of the \
             best form; share of Gabors among fields of the same spectrum with scrambled phases.",
            self.seeds
        );
        let header = header.map(str::to_owned);
        let width = |column: usize| {
            let cells = rows.iter().map(|row| row[column].chars().count());
            cells.chain([header[column].chars().count()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..header.len()).map(width).collect();
        let line = |row: &[String]| {
            let cell = |(i, cell): (usize, &String)| match i {
                0 => format!("{cell:<w$}", w = widths[i]),
                _ => format!("{cell:>w$}", w = widths[i]),
            };
            row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ")
        };
        let lines = [line(&header)].into_iter().chain(rows.iter().map(|row| line(row))).collect();
        Ok((lines, vec![Block::table(header.to_vec(), rows, caption)]))
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<GaborOrNot>(
    "gabor-or-not",
    "which of four forms learned fields have, by data, gain and network: bump, wave, difference of Gaussians or Gabor",
    "Are learned fields Gabor functions that differ in decay and frequency alone (L003.25), most of all with many units and high gain (L003.62)? Fits of \
     four forms name every field; another form that wins, or none that fits, falsifies it. Scrambled phases are the control.",
);
