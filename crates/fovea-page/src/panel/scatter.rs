//! Two quantities of the same things, one against the other: a small ring per unit or per run.

use super::{Entry, Named, Xy, example, holding};
use crate::figure::{Axis, Panel, Style};

/// Small hollow points, which stay readable where many lie on one another.
pub fn scatter(
    title: impl Into<String>,
    x: impl Into<Axis>,
    y: impl Into<Axis>,
    groups: impl IntoIterator<Item = Named<Xy>>,
) -> Panel {
    let points = groups.into_iter().map(|Named { label, style, data }| {
        data.points(label, Style { size: 0.85 * style.size, hollow: !style.hollow, ..style })
    });
    holding(title, [x.into(), y.into()], points)
}

/// The registry entry.
pub(super) const ENTRY: Entry = Entry {
    name: "scatter",
    summary: "two quantities of the same units or runs, one against the other",
    examples: || example::of_series(scatter),
};
