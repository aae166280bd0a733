//! One quantity found in two ways, such as predicted and measured: points about the diagonal.

use super::{Entry, Named, Xy, example, holding};
use crate::figure::{Axis, Mark, Panel, Spacing, Style};

/// Points on two axes of one range, with the line on which both are equal. Both axes have the spacing of `x`.
pub fn diagonal(
    title: impl Into<String>,
    x: impl Into<Axis>,
    y: impl Into<Axis>,
    groups: impl IntoIterator<Item = Named<Xy>>,
) -> Panel {
    let (x, y): (Axis, Axis) = (x.into(), y.into());
    let points: Vec<Mark> = groups.into_iter().map(|n| n.data.points(n.label, n.style)).collect();
    let y = Axis { spacing: x.spacing, ..y };
    let mut panel = holding(title, [x, y], points);
    if let Some((low, high)) = panel.extent() {
        let ends = match panel.x.spacing {
            Spacing::Log10 => {
                let margin = libm::pow(high / low, 0.05).max(1.05);
                [low / margin, high * margin]
            }
            Spacing::Linear => {
                let margin = if high > low { 0.05 * (high - low) } else { 0.5 };
                [low - margin, high + margin]
            }
        };
        let equal = Mark::line(&ends, &ends, "equal", Style::guide());
        panel.marks.insert(0, equal);
        panel.x = panel.x.range(ends[0], ends[1]);
        panel.y = panel.y.range(ends[0], ends[1]);
    }
    panel
}

/// The registry entry.
pub(super) const ENTRY: Entry = Entry {
    name: "diagonal",
    summary: "one quantity found in two ways: points about the line on which both are equal",
    examples: || example::of_series(diagonal),
};
