//! Shares or densities as bars, with what theory says of each bar.

use super::{Entry, Xy, example, holding};
use crate::figure::{Axis, Mark, Panel, Style};

/// Bars from zero at equally spaced places, and a ring at the height that theory gives each of them; no rings where `theory` is
/// empty.
pub fn histogram(
    title: impl Into<String>,
    x: impl Into<Axis>,
    y: impl Into<Axis>,
    bars: Xy,
    theory: Xy,
) -> Panel {
    let gaps = bars.x.windows(2).map(|pair| (pair[1] - pair[0]).abs());
    let gap = gaps.filter(|gap| *gap > 0.0).fold(f64::INFINITY, f64::min);
    let width = 0.8 * if gap.is_finite() { gap } else { 1.0 };
    let (label, style) = (String::new(), Style::series(0));
    let bars = Mark::Bars { x: bars.x, height: bars.y, width, label, style };
    let ring = Style { size: 3.4, ..Style::theory() }.hollow();
    let theory = (!theory.x.is_empty()).then(|| theory.points("theory", ring));
    holding(title, [x.into(), y.into()], [bars].into_iter().chain(theory))
}

/// The registry entry.
pub(super) const ENTRY: Entry = Entry {
    name: "histogram",
    summary: "shares or densities as bars, with a ring where theory has each of them",
    examples: || {
        example::of_series(|title, _, _, all| {
            let (bars, theory) = (all[0].data.clone(), all[all.len() - 1].data.clone());
            histogram(title, Axis::new("value"), Axis::new("share"), bars, theory)
        })
    },
};
