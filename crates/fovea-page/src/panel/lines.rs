//! Curves by name: readings over time, over layers, over a parameter.

use super::{Entry, Named, Xy, example, holding};
use crate::figure::{Axis, Panel};

/// A line per series.
pub fn lines(
    title: impl Into<String>,
    x: impl Into<Axis>,
    y: impl Into<Axis>,
    all: impl IntoIterator<Item = Named<Xy>>,
) -> Panel {
    holding(
        title,
        [x.into(), y.into()],
        all.into_iter().map(|named| named.data.line(named.label, named.style)),
    )
}

/// The registry entry.
pub(super) const ENTRY: Entry = Entry {
    name: "lines",
    summary: "curves by name, a line per series",
    examples: || example::of_series(lines),
};
