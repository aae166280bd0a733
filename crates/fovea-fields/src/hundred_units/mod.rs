//! What do the stored networks of a hundred units show, and on which data were they trained?
//!
//! The public code that goes with the notes once carried the weights of networks of a hundred units (n = 40, lengths 1 and 2, gain 3). Their IPR quartiles pin
//! three statements: logistic networks split in half, bias is essential for them, and ReLU units localize only where label 1 has the longer scale. Each
//! file is one network, so that its numbers are held against our distribution over seeds. The history of that code has the data of those files on an open
//! chain `|i - j|`, not a ring, and at different times leaves `erf(gz)` as it is, divides by the wrong deviation or brings it to unit variance. The report
//! says which of them reproduce each file and how probable each file is under each; its numbers are then held against the most probable one. Stored numbers far outside our seeds under all would falsify the reading.

mod convention;
mod figure;
mod measure;
mod stored;
mod verdict;

use convention::{Compared, Convention, chain_covariance};
use fovea_core::params::{any, between};
use fovea_core::{Params, params};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::experiment::{Experiment, Full, Row};
use fovea_desk::fleet::{self, Arm};
use fovea_desk::published::{self, Published};
use fovea_record::outcome::{Outcome, Status};
use fovea_record::present::{Words, report_with};
use fovea_sim::train::Precision;
use fovea_sim::{Plan, Sgd, Times, loss, probe};
use measure::{Group, log_likelihood};
use stored::{RECIPES, Recipe};

params! {
    /// Settings of `hundred-units`; the rest is that of the stored networks.
    pub struct HundredUnits {
        /// Data to train on.
        data: Compared = Compared::Three, any(), "";
        /// Seeds of every recipe and convention.
        seeds: usize = 6, between(2.0, 1e4), "seeds";
        /// Longest training: recipes with more steps are left out.
        longest: usize = 10_000, between(1000.0, 1e9), "steps";
        /// Hidden units; the stored networks have 100 and are compared with those alone.
        width: usize = WIDTH, between(2.0, 1e4), "units";
        /// Held-out samples of every seed.
        eval: usize = 20_000, between(1000.0, 1e9), "samples";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

const N: usize = 40;
const WIDTH: usize = 100;
const XI_LONG: f64 = 2.0;
const XI_SHORT: f64 = 1.0;
const GAIN: f64 = 3.0;
const BATCH: usize = 1000;
const INIT_SCALE: f64 = 1.0;
/// A unit counts as localized above this IPR.
const LOCALIZED: f64 = 0.1;

const PROBES: [&probe::Probe; 3] =
    [&probe::ipr::ENTRY, &probe::loss::ENTRY, &probe::accuracy::ENTRY];

impl Params for HundredUnits {}

impl HundredUnits {
    fn arm(&self, recipe: &Recipe, convention: Convention) -> Result<Arm<'static>, LabError> {
        let steps = recipe.steps[recipe.steps.len() - 1];
        let plan = Plan {
            steps,
            record: Times::At(recipe.steps.to_vec()),
            checkpoint_every: 0,
            eval_samples: self.eval,
            probes: &PROBES,
            loss: &loss::mse::ENTRY,
            precision: self.precision,
        };
        let name = if recipe.data.pulses() {
            recipe.name.to_owned()
        } else {
            format!("{}_{}", recipe.name, convention.word())
        };
        Ok(Arm {
            name,
            // Labels 1 and 0, but 1 and -1 for tanh, which reaches both.
            task: convention.task(recipe.data, recipe.activation.negative_label)?,
            network: fleet::committee(self.width, recipe.activation, recipe.bias, INIT_SCALE),
            // The stored networks' loss has no 1/2, so that their steps are twice as long; the mean over the units divides gradients by their number.
            sgd: Sgd::online(2.0 * recipe.lr * self.width as f64 / WIDTH as f64, BATCH),
            plan,
        })
    }

    /// Every recipe under every convention; pulses have one alone.
    fn jobs(&self) -> Vec<(Recipe, Convention)> {
        let long_enough =
            |recipe: &&Recipe| recipe.steps.iter().all(|steps| *steps <= self.longest as u64);
        let conventions = self.data.conventions();
        let of = |recipe: &Recipe| {
            let kinds = if recipe.data.pulses() { 1 } else { conventions.len() };
            let recipe = *recipe;
            conventions
                .iter()
                .take(kinds)
                .map(move |convention| (recipe, *convention))
                .collect::<Vec<_>>()
        };
        RECIPES.iter().filter(long_enough).flat_map(of).collect()
    }
}

const WORDS: Words<'static> = Words {
    title: "Stored networks of a hundred units",
    lead: "Quartiles of the IPR of stored networks, each one network, beside our distribution over seeds, on the data they may have seen: a ring or an open chain, \
           of unit variance or as the error function leaves them.",
    caption: figure::CAPTION,
    formulas: &[
        r"C_{ij}=e^{-d_{ij}^2/\xi^2},\qquad d_{ij}=\min(|i-j|,\,n-|i-j|)\ \text{(ring)}\quad\text{or}\quad d_{ij}=|i-j|\ \text{(chain)}",
        r"x=\mathrm{erf}(gz)/\sqrt Z\quad\text{or}\quad x=\mathrm{erf}(gz),\qquad Z=\tfrac2\pi\arcsin\tfrac{2g^2}{1+2g^2}",
    ],
};

impl Experiment for HundredUnits {
    const FULL: Option<Full<Self>> = Some(Full {
        settings: || Self { data: Compared::All, seeds: 16, ..Self::default() },
        takes: "eleven minutes",
    });

    fn quick() -> Self {
        Self { width: 12, longest: 1000, seeds: 2, eval: 2000, ..Self::default() }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let jobs = self.jobs();
        let arms = jobs
            .iter()
            .map(|(recipe, convention)| self.arm(recipe, *convention))
            .collect::<Result<Vec<_>, _>>()?;
        let fleet = fleet::train_all(bench, arms, self.seeds)?;
        let status = fleet::status(&fleet);
        let (series, arrays) = (fleet::series(&fleet), fleet::weights(&fleet));
        let mut claims = vec![chain_covariance(XI_LONG)?, chain_covariance(XI_SHORT)?];
        let (mut figures, mut blocks, mut summary) = (Vec::new(), Vec::new(), Vec::new());
        if status == Status::Completed {
            let groups: Vec<Group<'_>> = jobs
                .into_iter()
                .zip(fleet)
                .map(|((recipe, convention), trained)| Group { recipe, convention, trained })
                .collect();
            let columns = columns(&groups);
            if self.width == WIDTH {
                let rows = published_rows(&groups, &columns)?;
                claims.extend(rows.iter().map(|row| row.claim("published")));
                summary.extend(published::lines(&rows)?);
                let settled = verdict::rows(&columns)?;
                summary.extend(settled.iter().map(|cells| cells.join("  ")));
                blocks.push(published::table(&rows)?);
                blocks.push(verdict::table(settled));
            }
            figures.push(("hundred-units", figure::figure(&columns, &self.data.conventions())?));
        }
        let report = report_with(&WORDS, self, &figures, &claims, blocks);
        let dtype = self.precision.word();
        Ok(Outcome { status, dtype, series, arrays, claims, figures, report, summary })
    }
}

/// Every stored network with the groups that were trained like it.
fn columns<'a>(groups: &'a [Group<'a>]) -> Vec<figure::Column<'a>> {
    let mut columns: Vec<figure::Column<'a>> = Vec::new();
    for recipe in
        RECIPES.iter().filter(|recipe| groups.iter().any(|g| g.recipe.name == recipe.name))
    {
        for (step, stored) in recipe.steps.iter().zip(recipe.stored) {
            let like: Vec<_> = groups.iter().filter(|g| g.recipe.name == recipe.name).collect();
            columns.push((*step, *stored, like));
        }
    }
    columns
}

/// The stored numbers beside ours under the convention that fits their network best, and the ranges of the pulses.
fn published_rows(
    groups: &[Group<'_>],
    columns: &[figure::Column<'_>],
) -> Result<Vec<Published>, LabError> {
    let mut rows = Vec::new();
    for group in groups.iter().filter(|group| group.recipe.data.pulses()) {
        rows.extend(group.pulse_rows()?);
    }
    for (step, stored, like) in columns {
        let mut best: Option<(f64, Vec<Published>)> = None;
        for group in like {
            let found = group.rows(*step, stored)?;
            let likelihood = log_likelihood(&found);
            if best.as_ref().is_none_or(|(most, _)| likelihood > *most) {
                best = Some((likelihood, found));
            }
        }
        rows.extend(best.map(|(_, found)| found).unwrap_or_default());
    }
    Ok(rows)
}

/// The registry row.
pub const ENTRY: Row = Row::of::<HundredUnits>(
    "hundred-units",
    "stored networks of a hundred units: their IPR quartiles beside our seeds, on a ring and on an open chain",
    "What do the stored networks of a hundred units show, and on which data were they trained? Logistic networks should split in half and need their biases, ReLU units \
     localize only where label 1 has the longer scale; each file's quartiles and share should lie in our distribution over seeds under one of the conventions. \
     Numbers far outside under all of them would falsify the reading.",
);
