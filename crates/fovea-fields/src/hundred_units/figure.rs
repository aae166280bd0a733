//! Stored quartiles and shares beside ours, seed by seed, under every convention.

use super::Convention;
use super::measure::Case;
use super::stored::Stored;
use fovea_desk::prelude::*;

pub(super) const CAPTION: &str = "Quartiles of the IPR and share of units above 0.1 of the stored networks (crosses) and of ours, a point a seed, under the \
    conventions trained: a ring or an open chain, of unit variance or erf(gz) as it is. Numbers below are the stored networks, in the order of the table.";

/// One stored network and all that were trained like it.
pub(super) type Column<'a> = (u64, Stored, Vec<&'a Case>);

/// The figure.
pub(super) fn figure(columns: &[Column<'_>], conventions: &[Convention]) -> Figure {
    let mut figure = Figure::new("Which covariance the stored networks of a hundred units saw")
        .columns(2)
        .width(980.0)
        .aspect(0.5)
        .description(CAPTION);
    for (q, title) in
        ["IPR, 25 %", "IPR, median", "IPR, 75 %", "share above 0.1"].iter().enumerate()
    {
        let ticks = columns.iter().enumerate().map(|(i, (step, _, cases))| {
            let name = cases.first().map_or("", |case| case.recipe.name);
            let last = cases.first().is_none_or(|case| case.recipe.steps.last() == Some(step));
            let short = name.replace("logistic", "log.").replace("_no_bias", "*").replace('_', " ");
            (i as f64, if last { short } else { format!("{short} early") })
        });
        let x = Axis::new("stored network").ticks_at(ticks).range(-0.6, columns.len() as f64 - 0.4);
        let mut panel = Panel::new(*title, x, Axis::new(*title).from(0.0));
        for (c, convention) in conventions.iter().enumerate() {
            let (mut x, mut y) = (Vec::new(), Vec::new());
            let offset = 0.16 * (c as f64 + 1.0);
            for (i, (step, _, cases)) in columns.iter().enumerate() {
                for case in cases.iter().filter(|case| case.convention == *convention) {
                    let measured = &case.at[step];
                    let numbers = if q < 3 { &measured.quartiles[q] } else { &measured.share };
                    x.extend(numbers.iter().map(|_| i as f64 - 0.1 + offset));
                    y.extend(numbers);
                }
            }
            let label = if q == 0 { convention.in_words() } else { "" };
            panel = panel.with(Mark::points(&x, &y, label, Style::series(c)));
        }
        let x: Vec<f64> = (0..columns.len()).map(|i| i as f64 - 0.16).collect();
        let y: Vec<f64> = columns
            .iter()
            .map(|(_, stored, _)| if q < 3 { stored.quartiles[q] } else { stored.share })
            .collect();
        let style = Style { size: 3.6, ..Style::series(4) };
        panel = panel.with(Mark::points(&x, &y, if q == 0 { "stored" } else { "" }, style));
        figure = figure.panel(panel);
    }
    figure
}
