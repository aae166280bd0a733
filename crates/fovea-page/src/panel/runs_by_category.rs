//! Every run by category: one point per run, so that the spread is seen and not summarized.

use super::{Entry, Named, example, holding};
use crate::figure::{Axis, Mark, Panel};

/// A point per run over an axis of [`categories`](super::categories). A group has a list of values for each category, which may be
/// empty; groups stand side by side, and the runs of one next to each other in their order.
pub fn runs_by_category(
    title: impl Into<String>,
    x: impl Into<Axis>,
    y: impl Into<Axis>,
    groups: impl IntoIterator<Item = Named<Vec<Vec<f64>>>>,
) -> Panel {
    let groups: Vec<Named<Vec<Vec<f64>>>> = groups.into_iter().collect();
    let (count, lane) = (groups.len() as f64, 0.7 / groups.len() as f64);
    let points = |(g, Named { label, style, data }): (usize, Named<Vec<Vec<f64>>>)| {
        let centre = lane * (g as f64 - 0.5 * (count - 1.0));
        let at = |(category, values): (usize, &Vec<f64>)| {
            let runs = values.len() as f64;
            let across = move |k: usize| 0.8 * lane * ((k as f64 + 0.5) / runs - 0.5);
            let left = category as f64 + centre;
            values.iter().enumerate().map(move |(k, y)| (left + across(k), *y)).collect::<Vec<_>>()
        };
        let (x, y): (Vec<f64>, Vec<f64>) = data.iter().enumerate().flat_map(at).unzip();
        Mark::points(&x, &y, label, style)
    };
    holding(title, [x.into(), y.into()], groups.into_iter().enumerate().map(points))
}

/// The registry entry.
pub(super) const ENTRY: Entry = Entry {
    name: "runs_by_category",
    summary: "every run by category, one point per run",
    examples: || {
        example::of_categories(|title, x, y, all| {
            let groups = all.into_iter().map(|Named { label, style, data }| {
                let runs = |y: &f64| (0..7).map(|k| y * (1.0 + 0.02 * f64::from(k))).collect();
                Named { label, style, data: data.y.iter().map(runs).collect() }
            });
            runs_by_category(title, x, y, groups)
        })
    },
};
