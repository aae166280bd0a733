//! One quantity as it was measured, and the curve that predicts it.

use super::{Entry, Xy, example, holding};
use crate::figure::{Axis, Panel, Style};

/// Points with error bars on a dark dashed line; the legend says "measured" and "theory".
pub fn measured_with_theory(
    title: impl Into<String>,
    x: impl Into<Axis>,
    y: impl Into<Axis>,
    measured: Xy,
    theory: Xy,
) -> Panel {
    let theory = theory.line("theory", Style::theory());
    holding(title, [x.into(), y.into()], [theory, measured.points("measured", Style::series(0))])
}

/// The registry entry.
pub(super) const ENTRY: Entry = Entry {
    name: "measured_with_theory",
    summary: "one quantity as points with error bars, and the curve that predicts it",
    examples: || {
        example::of_series(|title, x, y, all| {
            let (first, last) = (all[0].data.clone(), all[all.len() - 1].data.clone());
            measured_with_theory(title, x, y, first, last)
        })
    },
};
