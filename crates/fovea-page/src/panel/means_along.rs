//! Means along an ordered parameter, such as a gain or a width, without a theory.

use super::{Entry, Named, Xy, apart, example, holding};
use crate::figure::{Axis, Panel};

/// Points with error bars joined by a line per series; series lie a little apart along x, so that their bars do not hide each other.
pub fn means_along(
    title: impl Into<String>,
    x: impl Into<Axis>,
    y: impl Into<Axis>,
    all: impl IntoIterator<Item = Named<Xy>>,
) -> Panel {
    let x: Axis = x.into();
    let mut all: Vec<Named<Xy>> = all.into_iter().collect();
    apart(x.spacing, &mut all);
    let marks = all.into_iter().flat_map(|Named { label, style, data }| {
        [data.clone().line(label.clone(), style), data.points(label, style)]
    });
    holding(title, [x, y.into()], marks)
}

/// The registry entry.
pub(super) const ENTRY: Entry = Entry {
    name: "means_along",
    summary: "means along an ordered parameter: points with error bars, joined by lines",
    examples: || example::of_series(means_along),
};
