//! What do the stored networks of a hundred units show, and on which data were they trained?
//!
//! The public code that goes with the notes once contained the weights of networks of a hundred units (n = 40, lengths 1 and 2, gain 3). Their IPR quartiles support
//! three statements: half of the units of logistic networks localize, bias is essential for that, and ReLU units localize only where label 1 has the longer scale. Each
//! file is one network, so that its numbers are compared with our distribution over seeds. By the history of that code the data of those files lie on an open
//! chain `|i - j|`, not on a ring; at different times it leaves `erf(gz)` as it is, divides it by the wrong deviation or by its own. The report
//! says which of these conventions reproduce each file and how probable each file is under each. The numbers of a file are then compared with ours under the most probable one. That is a choice after the fact: these comparisons are no claims, and numbers outside
//! the range of our seeds are left open by name. What the networks show is claimed for ours, on the chain of unit variance alone.

mod claims;
mod convention;
mod figure;
mod measure;
mod stored;

use convention::{Compared, Convention};
use fovea_desk::prelude::*;
use fovea_desk::published;
use measure::Case;
use stored::{RECIPES, Recipe};

params! {
    /// Settings of `hundred-units`; all others are those of the stored networks.
    pub struct HundredUnits {
        /// Data to train on.
        data: Compared = Compared::Three, any(), "";
        /// Seeds per recipe and convention.
        seeds: usize = 6, between(2.0, 1e4), "seeds";
        /// Longest training: recipes with more steps are left out.
        longest: usize = 10_000, between(1000.0, 1e9), "steps";
        /// Hidden units; stored networks have 100, and other widths are not compared with them.
        width: usize = WIDTH, between(2.0, 1e4), "units";
        /// Held-out samples per seed.
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
/// Other thresholds, to see whether the choice matters.
const OTHERS: [f64; 2] = [0.08, 0.12];

const PROBES: [&Probe; 3] = [&probe::ipr::ENTRY, &probe::loss::ENTRY, &probe::accuracy::ENTRY];

impl Params for HundredUnits {}

/// The name of a recipe's runs under a convention.
fn name(recipe: &Recipe, convention: Convention) -> String {
    if recipe.data.pulses() {
        return recipe.name.to_owned();
    }
    format!("{}_{}", recipe.name, convention.word)
}

impl HundredUnits {
    fn arm(&self, (recipe, convention): (Recipe, Convention)) -> Arm {
        let steps = recipe.steps[recipe.steps.len() - 1] as usize;
        let plan = Plan::new(steps, Times::At(recipe.steps.to_vec()), &PROBES);
        Arm {
            name: name(&recipe, convention),
            // Labels 1 and 0, but 1 and -1 for tanh, which reaches both.
            task: convention.task(recipe.data, recipe.activation.negative_label),
            network: committee(self.width, recipe.activation, recipe.bias, INIT_SCALE),
            // The stored networks' loss has no 1/2, so that their steps are twice as long; the mean over the units divides gradients by their number.
            pace: Pace::online(2.0 * recipe.lr * self.width as f64 / WIDTH as f64, BATCH),
            plan: Plan { eval_samples: self.eval, precision: self.precision, ..plan },
        }
    }

    /// Every recipe under every convention; pulses have only one.
    fn kinds(&self) -> Vec<(Recipe, Convention)> {
        let long_enough =
            |recipe: &&Recipe| recipe.steps.iter().all(|steps| *steps <= self.longest as u64);
        let of = |recipe: &Recipe| {
            let (recipe, conventions) = (*recipe, self.data.conventions());
            let kinds = if recipe.data.pulses() { 1 } else { conventions.len() };
            conventions.into_iter().take(kinds).map(move |convention| (recipe, convention))
        };
        RECIPES.iter().filter(long_enough).flat_map(of).collect()
    }
}

impl Experiment for HundredUnits {
    type Found<'r> = Vec<Case>;

    const WORDS: Words<'static> = Words {
        title: "Stored networks of a hundred units",
        lead: "Quartiles of the IPR of single stored networks, compared with our distribution over seeds, on the data they may have been trained on: a ring or an open chain, \
               of unit variance or with the variance of erf(gz).",
        caption: figure::CAPTION,
        formulas: &[
            r"C_{ij}=e^{-d_{ij}^2/\xi^2},\qquad d_{ij}=\min(|i-j|,\,n-|i-j|)\ \text{(ring)}\quad\text{or}\quad d_{ij}=|i-j|\ \text{(chain)}",
            r"x=\mathrm{erf}(gz)/\sqrt Z\quad\text{or}\quad x=\mathrm{erf}(gz),\qquad Z=\tfrac2\pi\arcsin\tfrac{2g^2}{1+2g^2}",
        ],
    };

    const FULL: Option<Full<Self>> = Some(Full {
        settings: || Self { data: Compared::All, seeds: 16, ..Self::default() },
        takes: "eleven minutes",
    });

    fn quick() -> Self {
        Self { width: 12, longest: 1000, seeds: 2, eval: 2000, ..Self::default() }
    }

    fn jobs(&self, streams: &Streams) -> Result<Vec<Job>, LabError> {
        let arms = self.kinds().into_iter().map(|kind| self.arm(kind));
        Ok(arms.flat_map(|arm| arm.jobs(streams.part(&arm.name), self.seeds)).collect())
    }

    fn measure(&self, runs: &Runs, _: &Desk<'_>) -> Result<Vec<Case>, LabError> {
        let case =
            |kind: (Recipe, Convention)| Case::new(kind, &runs.group(&name(&kind.0, kind.1)));
        self.kinds().into_iter().map(case).collect()
    }

    fn show(&self, runs: &Runs, cases: &Vec<Case>) -> Result<Shown, LabError> {
        let mut claims =
            vec![claims::chain_covariance(XI_LONG)?, claims::chain_covariance(XI_SHORT)?];
        let mut tables = Vec::new();
        let (columns, conventions) = (columns(cases), self.data.conventions());
        if self.width == WIDTH {
            let (shown, shares) = claims::phenomena(cases)?;
            claims.extend(shown);
            tables.push(shares);
            let rows = claims::published_rows(cases, &columns)?;
            claims.extend(rows.iter().filter_map(|row| row.open(claims::ID)));
            tables.push(published::table(&rows));
            tables.extend(claims::settled(&columns, &conventions)?);
        }
        let figures = vec![("hundred-units", figure::figure(&columns, &conventions))];
        Ok(Shown { arrays: runs.weights(), claims, figures, tables, ..Shown::default() })
    }
}

/// Steps and numbers of one stored network, and all cases that were trained like it.
type Column<'a> = (u64, &'static [f64], Vec<&'a Case>);

/// Every stored network of which there are cases.
fn columns(cases: &[Case]) -> Vec<Column<'_>> {
    let mut columns = Vec::new();
    for recipe in &RECIPES {
        let like: Vec<&Case> =
            cases.iter().filter(|case| case.recipe.name == recipe.name).collect();
        let stored = recipe.steps.iter().zip(recipe.stored).filter(|_| !like.is_empty());
        columns.extend(stored.map(|(step, stored)| (*step, *stored, like.clone())));
    }
    columns
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<HundredUnits>(
    "hundred-units",
    "networks of a hundred units stored with the notes' code: their IPR quartiles compared with our seeds, on a ring and on an open chain",
    include_str!("mod.rs"),
);
