//! Stored quartiles and shares beside ours, seed by seed, under every convention.

use super::stored::NUMBERS;
use super::{Column, Convention};
use fovea_desk::prelude::*;

pub(super) const CAPTION: &str = "Quartiles of the IPR and share of units above 0.1 of the stored networks (crosses) and of ours, a point a seed, under the \
    conventions trained: a ring or an open chain, of unit variance or erf(gz) as it is. Numbers below are the stored networks, in the order of the table.";

/// The figure.
pub(super) fn figure(columns: &[Column<'_>], conventions: &[Convention]) -> Figure {
    let figure = Figure::new("Which covariance the stored networks of a hundred units saw");
    let panels = (0..4).map(|which| panel(columns, conventions, which));
    grid(figure.description(CAPTION), (2, 980.0, 0.5), panels)
}

/// One of the numbers of every stored network.
fn panel(columns: &[Column<'_>], conventions: &[Convention], which: usize) -> Panel {
    let ticks = columns.iter().enumerate().map(|(i, (step, _, cases))| {
        let recipe = &cases[0].recipe;
        let short = recipe.name.replace("logistic", "log.").replace("_no_bias", "*");
        let short = short.replace('_', " ");
        let last = recipe.steps.last() == Some(step);
        (i as f64, if last { short } else { format!("{short} early") })
    });
    let x = Axis::new("stored network").ticks_at(ticks).range(-0.6, columns.len() as f64 - 0.4);
    let (title, _) = NUMBERS[which];
    let mut panel = Panel::new(title, x, Axis::new(title).from(0.0));
    let label = |words: &'static str| if which == 0 { words } else { "" };
    for (c, convention) in conventions.iter().enumerate() {
        let (mut x, mut y) = (Vec::new(), Vec::new());
        let offset = 0.16 * (c as f64 + 1.0);
        for (i, (step, _, cases)) in columns.iter().enumerate() {
            for case in cases.iter().filter(|case| case.convention.word == convention.word) {
                let numbers = &case.at[step][which];
                x.extend(numbers.iter().map(|_| i as f64 - 0.1 + offset));
                y.extend(numbers);
            }
        }
        panel = panel.with(Mark::points(&x, &y, label(convention.in_words), Style::series(c)));
    }
    let x: Vec<f64> = (0..columns.len()).map(|i| i as f64 - 0.16).collect();
    let y: Vec<f64> = columns.iter().map(|(_, stored, _)| stored[which]).collect();
    let style = Style { size: 3.6, ..Style::series(4) };
    panel.with(Mark::points(&x, &y, label("stored"), style))
}
