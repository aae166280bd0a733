//! The results of our networks at the steps of the stored ones, and how far the stored numbers lie from them.

use super::stored::{NUMBERS, PULSES, Recipe};
use super::{Convention, LOCALIZED, OTHERS};
use fovea_core::special::student_t_quantile_two_sided;
use fovea_core::stats::quantile;
use fovea_desk::prelude::*;
use fovea_desk::published::{ONE_MORE, Published};
use std::collections::BTreeMap;

/// The networks of one recipe under one convention.
pub struct Case {
    pub(super) recipe: Recipe,
    pub(super) convention: Convention,
    /// By step, each of the [`NUMBERS`] seed by seed.
    pub(super) at: BTreeMap<u64, [Vec<f64>; 5]>,
    /// At the end, the share of units above [`LOCALIZED`] and above the [`OTHERS`], seed by seed.
    pub(super) localized: [Vec<f64>; 3],
}

/// Samples of the test sets of the stored networks.
const TEST_SAMPLES: usize = 1000;

impl Case {
    pub(super) fn new(
        (recipe, convention): (Recipe, Convention),
        seeds: &Group<'_>,
    ) -> Result<Self, LabError> {
        let mut at = BTreeMap::new();
        for step in recipe.steps {
            let numbers: &mut [Vec<f64>; 5] = at.entry(*step).or_default();
            for run in &seeds.runs {
                let units = run.reading(&probe::ipr::ENTRY, *step);
                let iprs: Vec<f64> = units.iter().map(|row| row[0]).collect();
                for (list, level) in numbers.iter_mut().zip([0.25, 0.5, 0.75]) {
                    list.push(quantile(&iprs, level)?);
                }
                let localized = iprs.iter().filter(|ipr| **ipr > LOCALIZED).count();
                numbers[3].push(localized as f64 / iprs.len() as f64);
                numbers[4].push(run.reading(&probe::accuracy::ENTRY, *step)[0][0]);
            }
        }
        let localized = [LOCALIZED, OTHERS[0], OTHERS[1]].map(|line| {
            let share = |run: &&Trained| {
                let units = run.last(&probe::ipr::ENTRY);
                units.iter().filter(|row| row[0] > line).count() as f64 / units.len() as f64
            };
            seeds.runs.iter().map(share).collect()
        });
        Ok(Self { recipe, convention, at, localized })
    }

    /// The stored network of this step compared with ours, under the best of this many conventions.
    pub(super) fn rows(
        &self,
        (step, stored): (u64, &[f64]),
        conventions: usize,
    ) -> Result<Vec<Published>, LabError> {
        let row = |(((name, unit), theirs), ours): (((&str, f64), &f64), &Vec<f64>)| {
            let (network, convention) = (self.recipe.name, self.convention.word);
            let what =
                format!("{network} {step}, {convention} (of {conventions} the best): {name}");
            let row = Published::one_run(what, *theirs, ours)?;
            let row = if name == "accuracy" { row.counted_on(TEST_SAMPLES) } else { row };
            Ok(row.rounded_to(unit))
        };
        NUMBERS.into_iter().zip(stored).zip(&self.at[&step]).map(row).collect()
    }

    /// The published ranges of all networks trained on pulses compared with ours, at both ends of their training times.
    pub(super) fn pulse_rows(&self) -> Result<Vec<Published>, LabError> {
        let mut rows = Vec::new();
        for (step, ours) in &self.at {
            for (which, range) in PULSES {
                let (name, unit) = NUMBERS[which];
                let what = format!("{} {step}: {name}", self.recipe.name);
                rows.push(Published::range_of_runs(what, range, &ours[which])?.rounded_to(unit));
            }
        }
        Ok(rows)
    }
}

/// Logarithm of how probable the stored numbers are as one more seed of ours: Student's predictive density of each, added up as if
/// the quartiles of one network were independent, and divided by their number because they are far from independent.
pub(super) fn log_likelihood(rows: &[Published]) -> f64 {
    let of = |row: &Published| {
        let dof = row.ours.dof();
        let scale = row.spread / student_t_quantile_two_sided(1.0 - ONE_MORE, dof);
        let t = (row.ours.mean() - row.theirs) / scale;
        let half = 0.5 * (dof + 1.0);
        libm::lgamma(half)
            - libm::lgamma(0.5 * dof)
            - 0.5 * libm::log(std::f64::consts::PI * dof)
            - libm::log(scale)
            - half * libm::log1p(t * t / dof)
    };
    rows.iter().map(of).sum::<f64>() / rows.len() as f64
}

/// How far the worst of some stored numbers lies from ours, in spreads: at most 1 where all lie inside.
pub(super) fn worst(rows: &[Published]) -> f64 {
    rows.iter().map(|row| (row.ours.mean() - row.theirs).abs() / row.spread).fold(0.0, f64::max)
}
