//! A quantity over two parameters, or the entries of a matrix, as coloured cells.

use super::{Entry, holding};
use crate::figure::{Axis, ColorMap, Heat, Mark, Panel};

/// Cells of a heat map, row after row, the first at the bottom unless the axis is reversed.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    /// Values; one that is not finite is a grey cell.
    pub values: Vec<f64>,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub cols: usize,
    /// Middle of the first and of the last column.
    pub x: [f64; 2],
    /// Middle of the first and of the last row.
    pub y: [f64; 2],
    /// Values at the ends of the colours; the data's own where absent.
    pub limits: Option<(f64, f64)>,
    /// What the colours mean, for the bar next to the panel; no bar where empty.
    pub bar: String,
}

/// Edges of the first and the last of `count` cells with these middles.
fn edges([first, last]: [f64; 2], count: usize) -> (f64, f64) {
    let half = if count > 1 { 0.5 * (last - first) / (count - 1) as f64 } else { 0.5 };
    (first - half, last + half)
}

/// Cells over two axes. Colours run from blue through white at zero to red where the low end is negative, and else from dark to light.
pub fn heat_map(
    title: impl Into<String>,
    x: impl Into<Axis>,
    y: impl Into<Axis>,
    cells: Cells,
) -> Panel {
    let Cells { values, rows, cols, limits, bar, .. } = cells;
    let finite = values.iter().copied().filter(|v| v.is_finite());
    let low = limits.map_or(finite.fold(0.0, f64::min), |limits| limits.0);
    let map = if low < 0.0 { ColorMap::Diverging } else { ColorMap::Sequential };
    let (x_range, y_range) = (edges(cells.x, cols), edges(cells.y, rows));
    let bar = (!bar.is_empty()).then_some(bar);
    let heat = Heat { values, rows, cols, x_range, y_range, map, limits, bar };
    holding(title, [x.into(), y.into()], [Mark::Heat(heat)])
}

/// The registry entry.
pub(super) const ENTRY: Entry = Entry {
    name: "heat_map",
    summary: "a quantity over two parameters, or a matrix, as coloured cells",
    examples: || {
        let cells = |values: Vec<f64>, rows: usize, bar: &str| {
            let (cols, bar, limits) = (values.len() / rows, bar.to_owned(), None);
            let ([x, y], axis) = ([[0.0, 2.0], [1.0, 3.0]], Axis::new("parameter").range(0.0, 1.0));
            heat_map("cells", axis.clone(), axis, Cells { values, rows, cols, x, y, limits, bar })
        };
        let wave: Vec<f64> = (0..48).map(|i| libm::sin(0.4 * f64::from(i))).collect();
        let gaps = [f64::NAN, 1.0, f64::INFINITY, 2.0].to_vec();
        vec![
            ("signs", cells(wave.clone(), 6, "value")),
            ("positive", cells(wave.iter().map(|v| v.abs()).collect(), 4, "")),
            ("gaps", cells(gaps, 2, "value")),
            ("one cell", cells(vec![3.0], 1, "value")),
            ("equal", cells(vec![0.0; 9], 3, "a bar with quite a long label that says much")),
        ]
    },
};
