//! Means by category: predictors, conventions, kinds of data.

use super::{Entry, Named, Xy, apart, example, holding};
use crate::figure::{Axis, Panel};

/// An axis of categories at 0, 1, 2, ..., each with its name as a tick.
pub fn categories<L: Into<String>>(
    label: impl Into<String>,
    names: impl IntoIterator<Item = L>,
) -> Axis {
    let names = names.into_iter().enumerate();
    let ticks: Vec<(f64, String)> = names.map(|(i, name)| (i as f64, name.into())).collect();
    Axis::new(label).range(-0.5, ticks.len() as f64 - 0.5).ticks_at(ticks)
}

/// Points with error bars over an axis of [`categories`]; the series of a category stand side by side.
pub fn means_by_category(
    title: impl Into<String>,
    x: impl Into<Axis>,
    y: impl Into<Axis>,
    all: impl IntoIterator<Item = Named<Xy>>,
) -> Panel {
    let x: Axis = x.into();
    let mut all: Vec<Named<Xy>> = all.into_iter().collect();
    apart(x.spacing, &mut all);
    let points = all.into_iter().map(|Named { label, style, data }| data.points(label, style));
    holding(title, [x, y.into()], points)
}

/// The registry entry.
pub(super) const ENTRY: Entry = Entry {
    name: "means_by_category",
    summary: "means by category: points with error bars, the series of a category side by side",
    examples: || example::of_categories(means_by_category),
};
