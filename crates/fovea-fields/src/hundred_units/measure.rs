//! What our networks come to at the steps of the stored ones, and how far the stored numbers lie from that.

use super::stored::{PULSE_ACCURACY, PULSE_IPR, PULSE_SHARE, Recipe, Stored};
use super::{Convention, LOCALIZED};
use fovea_core::special::student_t_quantile_two_sided;
use fovea_core::stats::quantile;
use fovea_desk::prelude::*;
use fovea_desk::published::{ONE_MORE, Published};
use std::collections::BTreeMap;

/// The networks of one recipe under one convention.
pub struct Case {
    pub(super) recipe: Recipe,
    pub(super) convention: Convention,
    /// What the seeds come to after so many steps.
    pub(super) at: BTreeMap<u64, Measured>,
}

/// One number per seed of every statistic: the three quartiles of the IPR, the share above 0.1, the accuracy.
pub(super) struct Measured {
    pub(super) quartiles: [Vec<f64>; 3],
    pub(super) share: Vec<f64>,
    pub(super) accuracy: Vec<f64>,
}

impl Measured {
    fn new(seeds: &Group<'_>, step: u64) -> Result<Self, LabError> {
        let mut measured =
            Self { quartiles: Default::default(), share: Vec::new(), accuracy: Vec::new() };
        for run in &seeds.runs {
            let units = run.reading(&probe::ipr::ENTRY, step);
            let iprs: Vec<f64> = units.iter().map(|row| row[0]).collect();
            for (list, level) in measured.quartiles.iter_mut().zip([0.25, 0.5, 0.75]) {
                list.push(quantile(&iprs, level)?);
            }
            let localized = iprs.iter().filter(|ipr| **ipr > LOCALIZED).count();
            measured.share.push(localized as f64 / iprs.len() as f64);
            measured.accuracy.push(run.reading(&probe::accuracy::ENTRY, step)[0][0]);
        }
        Ok(measured)
    }
}

impl Case {
    pub(super) fn new(
        (recipe, convention): (Recipe, Convention),
        seeds: &Group<'_>,
    ) -> Result<Self, LabError> {
        let at = recipe.steps.iter().map(|step| Ok((*step, Measured::new(seeds, *step)?)));
        let at = at.collect::<Result<_, LabError>>()?;
        Ok(Self { recipe, convention, at })
    }

    /// The stored network of this step beside ours.
    pub(super) fn rows(&self, step: u64, stored: &Stored) -> Result<Vec<Published>, LabError> {
        let measured = &self.at[&step];
        let what =
            |what: &str| format!("{} {step}, {}: {what}", self.recipe.name, self.convention.word());
        let mut rows = Vec::new();
        let names = ["IPR, 25 %", "IPR, median", "IPR, 75 %"];
        for ((name, theirs), ours) in
            names.into_iter().zip(stored.quartiles).zip(&measured.quartiles)
        {
            rows.push(Published::one_run(what(name), theirs, ours)?.rounded_to(0.001));
        }
        rows.push(
            Published::one_run(what("share above 0.1"), stored.share, &measured.share)?
                .rounded_to(0.01),
        );
        if let Some(accuracy) = stored.accuracy {
            rows.push(
                Published::one_run(what("accuracy"), accuracy, &measured.accuracy)?
                    .counted_on(TEST_SAMPLES)
                    .rounded_to(0.01),
            );
        }
        Ok(rows)
    }

    /// The published ranges of all networks trained on pulses beside ours, at both ends of their training times.
    pub(super) fn pulse_rows(&self) -> Result<Vec<Published>, LabError> {
        let mut rows = Vec::new();
        for (step, Measured { quartiles, share, accuracy }) in &self.at {
            let what = |what: &str| format!("{} {step}: {what}", self.recipe.name);
            let range = Published::range_of_runs;
            rows.push(range(what("IPR, median"), PULSE_IPR, &quartiles[1])?.rounded_to(0.001));
            rows.push(range(what("share above 0.1"), PULSE_SHARE, share)?.rounded_to(0.01));
            rows.push(range(what("accuracy"), PULSE_ACCURACY, accuracy)?.rounded_to(0.01));
        }
        Ok(rows)
    }
}

/// Samples of the test sets of the stored networks.
const TEST_SAMPLES: usize = 1000;

/// Logarithm of how probable the stored numbers are as one more seed of ours: Student's predictive density of each, added up as if
/// the quartiles of one network were independent, and divided by their number because they are far from it.
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
