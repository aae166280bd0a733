//! Stored quartiles and shares compared with ours, seed by seed, under every convention.

use super::stored::NUMBERS;
use super::{Column, Convention};
use fovea_desk::prelude::*;

pub(super) const CAPTION: &str = "Quartiles of the IPR and share of units with an IPR above 0.1: stored networks (black crosses) and ours, one point per seed, under the \
    conventions trained: a ring or an open chain, of unit variance or erf(gz) as it is. log.: logistic units; *: no biases; early: the first of two stored steps.";

/// The figure.
pub(super) fn figure(columns: &[Column<'_>], conventions: &[Convention]) -> Figure {
    let figure =
        Figure::new("Stored networks of a hundred units, compared with ours by their data");
    let panels = (0..4).map(|which| panel(columns, conventions, which));
    grid(figure.description(CAPTION), (2, 980.0, 0.5), panels)
}

/// One of the numbers of every stored network.
fn panel(columns: &[Column<'_>], conventions: &[Convention], which: usize) -> Panel {
    let names = columns.iter().map(|(step, _, cases)| {
        let recipe = &cases[0].recipe;
        let short = recipe.name.replace("logistic", "log.").replace("_no_bias", "*");
        let short = short.replace('_', " ");
        if recipe.steps.last() == Some(step) { short } else { format!("{short} early") }
    });
    let cross = Style { marker: Marker::Cross, size: 3.6, ..Style::theory() };
    let stored = columns.iter().map(|(_, stored, _)| vec![stored[which]]).collect();
    let ours = conventions.iter().enumerate().map(|(c, convention)| {
        let seeds = |(step, _, cases): &Column<'_>| {
            let here = cases.iter().filter(|case| case.convention.word == convention.word);
            here.flat_map(|case| case.at[step][which].clone()).collect()
        };
        named(convention.in_words, Style::series(c), columns.iter().map(seeds).collect())
    });
    let (title, _) = NUMBERS[which];
    let (x, y) = (categories("stored network", names), Axis::new(title).from(0.0));
    runs_by_category(title, x, y, [named("stored", cross, stored)].into_iter().chain(ours))
}
