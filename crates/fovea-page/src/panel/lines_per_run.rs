//! Every run of several groups as a thin line, with one entry in the legend per group.

use super::{Entry, Named, Xy, example, holding};
use crate::figure::{Axis, Panel, Style};

/// A thin line per run; the runs of a group look alike.
pub fn lines_per_run(
    title: impl Into<String>,
    x: impl Into<Axis>,
    y: impl Into<Axis>,
    groups: impl IntoIterator<Item = Named<Vec<Xy>>>,
) -> Panel {
    let lines = groups.into_iter().flat_map(|Named { label, style, data }| {
        let thin = Style { width: 0.6 * style.width, ..style };
        data.into_iter().map(move |run| run.line(label.clone(), thin))
    });
    holding(title, [x.into(), y.into()], lines)
}

/// The registry entry.
pub(super) const ENTRY: Entry = Entry {
    name: "lines_per_run",
    summary: "every run as a thin line, one entry in the legend per group",
    examples: || {
        example::of_series(|title, x, y, all| {
            let groups = all.into_iter().map(|Named { label, style, data }| {
                let runs = [0.9, 1.0, 1.1].map(|factor| Xy {
                    y: data.y.iter().map(|y| factor * y).collect(),
                    ..data.clone()
                });
                Named { label, style, data: runs.to_vec() }
            });
            lines_per_run(title, x, y, groups)
        })
    },
};
