//! The tables of `gabor-or-not`: the forms of every case, what the best of them leave, and how many are Gabors.

use super::GaborOrNot;
use super::claims::{BUMPS, gabors_of_one, of_gain, pooled};
use super::measure::{CLASSES, Case, GABOR, Unit};
use fovea_desk::prelude::*;
use fovea_sim::probe::shapes::FORMS;

/// Columns of the shares of the classes.
const SHARES: [&str; CLASSES] = ["bump", "wave", "difference_of_gaussians", "gabor", "none"];

pub(super) fn tables(settings: &GaborOrNot, cases: &[Case]) -> Result<Vec<Table>, LabError> {
    let [forms, best] = of_forms(settings.seeds, cases)?;
    let mut gabors = Vec::new();
    for (fields, shares) in ["learned", "scrambled", "before training"].iter().zip(pooled(cases)) {
        gabors.push((*fields, estimate(shares)?));
    }
    let gabors = Table::of("gabors", &gabors)
        .words("fields", |row| row.0)
        .estimate("share", 3, |row| row.1)
        .caption(
            "Share of Gabors, mean over networks and data: among learned fields, the same with scrambled phases, and fields \
             before training.",
        );
    let single = Table::of("single_units", &[gabors_of_one(cases, BUMPS, settings.good)])
        .given("gains_from", |_| BUMPS)
        .whole("gabors", |row| row.0)
        .whole("fields", |row| row.1)
        .caption("How many of the fields of one ReLU unit are Gabors, from a gain on.");
    Ok(vec![forms, best, gabors, single, of_many(cases)?])
}

/// Which forms learned fields have, and what these leave.
fn of_forms(seeds: usize, cases: &[Case]) -> Result<[Table; 2], LabError> {
    let (mut shares, mut best) = (Vec::new(), Vec::new());
    for case in cases {
        let classes = (0..CLASSES).map(|class| case.learned_share(class));
        shares.push((case, classes.collect::<Result<Vec<_>, _>>()?));
        let left = [case.median(Unit::share)?, case.median(|unit| unit.share_of(case.second()))?];
        best.push((case, left, case.median(Unit::width)?, case.median(Unit::frequency)?));
    }
    let mut forms = Table::of("forms", &shares)
        .words("network", |row| &*row.0.label)
        .words("data", |row| row.0.source.label());
    for (class, name) in SHARES.into_iter().enumerate() {
        forms = forms.estimate(name, 2, |row| row.1[class]);
    }
    let forms = forms
        .real("scrambled_gabor", 2, |row| mean(&row.0.shares(&row.0.scrambled, GABOR)))
        .caption(format!(
            "Mean over {seeds} networks of the share of units in each form, and the share of Gabors among fields of the same \
             spectrum with scrambled phases."
        ));
    let best = Table::of("best_forms", &best)
        .words("network", |row| &*row.0.label)
        .words("data", |row| row.0.source.label())
        .real("left", 4, |row| row.1[0])
        .words("second", |row| FORMS[row.0.second()])
        .real("left_by_second", 4, |row| row.1[1])
        .real("width", 2, |row| row.2)
        .unit("sites")
        .real("frequency", 3, |row| row.3)
        .unit("cycles per site")
        .caption(
            "Medians over learned fields: what the best form leaves of the squared field, what the form most often second \
             leaves, and width and frequency of the best form.",
        );
    Ok([forms, best])
}

/// Many ReLU units: how many are Gabors, and how these compare with a difference of Gaussians.
fn of_many(cases: &[Case]) -> Result<Table, LabError> {
    let mut rows = Vec::new();
    for (gain, case) in of_gain(cases, 2) {
        let gabors = case.learned.iter().flatten().filter(|unit| unit.best() == GABOR);
        let gabors: Vec<&Unit> = gabors.collect();
        let median = |of: fn(&Unit) -> f64| {
            let all: Vec<f64> = gabors.iter().map(|unit| of(unit)).collect();
            quantile(&all, 0.5).unwrap_or(f64::NAN)
        };
        let left = [median(Unit::share), median(|unit| unit.share_of(2))];
        let cycles = median(|unit| unit.frequency() * unit.width());
        rows.push((gain, case, case.learned_share(GABOR)?, left, cycles));
    }
    Ok(Table::of("many_units", &rows)
        .words("network", |row| &*row.1.label)
        .given("gain", |row| row.0)
        .estimate("gabors", 3, |row| row.2)
        .real("left_by_gabor", 4, |row| row.3[0])
        .real("left_by_difference", 4, |row| row.3[1])
        .real("cycles_per_width", 2, |row| row.4)
        .caption(
            "Share of the units that are Gabors; where a Gabor is best, medians of what it and what a difference of Gaussians \
             leave of the squared field, and of its cycles per width.",
        ))
}
