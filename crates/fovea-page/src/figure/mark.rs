//! What a panel shows: lines, points, bands, bars, fields and rules.

use super::axis::{Axis, Spacing};
use super::color::ColorMap;
use super::style::Style;
use serde::{Deserialize, Serialize};

/// One thing a panel shows. Non-finite values are gaps. Where vectors differ in length the shortest counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields are named for what they hold; each variant says the rest")]
pub enum Mark {
    /// Points joined by a line, broken at gaps.
    Line {
        #[serde(with = "super::store")]
        x: Vec<f64>,
        #[serde(with = "super::store")]
        y: Vec<f64>,
        label: String,
        style: Style,
    },
    /// Points, with a bar of `error` to either side where given.
    Points {
        #[serde(with = "super::store")]
        x: Vec<f64>,
        #[serde(with = "super::store")]
        y: Vec<f64>,
        #[serde(with = "super::store")]
        error: Vec<f64>,
        label: String,
        style: Style,
    },
    /// The region between `low` and `high`.
    Band {
        #[serde(with = "super::store")]
        x: Vec<f64>,
        #[serde(with = "super::store")]
        low: Vec<f64>,
        #[serde(with = "super::store")]
        high: Vec<f64>,
        label: String,
        style: Style,
    },
    /// Bars of the given width, in units of x, from zero (from the axis on a log scale).
    Bars {
        #[serde(with = "super::store")]
        x: Vec<f64>,
        #[serde(with = "super::store")]
        height: Vec<f64>,
        #[serde(with = "super::store")]
        width: f64,
        label: String,
        style: Style,
    },
    /// A field of equal cells.
    Heat(Heat),
    /// A line at one value of y, across the panel.
    Horizontal {
        #[serde(with = "super::store")]
        at: f64,
        label: String,
        style: Style,
    },
    /// A line at one value of x, across the panel.
    Vertical {
        #[serde(with = "super::store")]
        at: f64,
        label: String,
        style: Style,
    },
}

/// A field of `rows` by `cols` values, row after row, filling the rectangle `x_range` by `y_range` with equal cells. Row 0 lies at
/// `y_range.0`. More than 400 cells a side are averaged in blocks down to that.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Heat {
    /// Row-major values; a non-finite one is drawn grey.
    #[serde(with = "super::store")]
    pub values: Vec<f64>,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub cols: usize,
    /// Left edge of the first column and right edge of the last.
    #[serde(with = "super::store")]
    pub x_range: (f64, f64),
    /// Edge of the first row and far edge of the last.
    #[serde(with = "super::store")]
    pub y_range: (f64, f64),
    /// Sequential or diverging.
    pub map: ColorMap,
    /// Values at the two ends of the map; the data's own where absent. A diverging map is made symmetric about zero.
    #[serde(with = "super::store")]
    pub limits: Option<(f64, f64)>,
    /// Label of the colour bar; no bar where absent.
    pub bar: Option<String>,
}

impl Heat {
    /// The limits given, or else the smallest and largest value.
    pub(super) fn reach(&self) -> Option<(f64, f64)> {
        let finite = || extent(self.values.iter().copied().filter(|v| v.is_finite()));
        self.limits.filter(|(a, b)| a.is_finite() && b.is_finite()).or_else(finite)
    }

    /// The values at the ends of the colour map.
    pub(super) fn ends(&self) -> (f64, f64) {
        let (low, high) = self.reach().unwrap_or((0.0, 1.0));
        match self.map {
            ColorMap::Diverging => {
                let reach = low.abs().max(high.abs());
                let reach = if reach > 0.0 { reach } else { 1.0 };
                (-reach, reach)
            }
            ColorMap::Sequential if high > low => (low, high),
            ColorMap::Sequential => Axis::default().ends(Some((low, low)), 0.0),
        }
    }
}

impl Mark {
    /// A line through the points.
    pub fn line(x: &[f64], y: &[f64], label: impl Into<String>, style: Style) -> Mark {
        Mark::Line { x: x.to_vec(), y: y.to_vec(), label: label.into(), style }
    }

    /// Points without error bars.
    pub fn points(x: &[f64], y: &[f64], label: impl Into<String>, style: Style) -> Mark {
        Mark::measured(x, y, &[], label, style)
    }

    /// Points with a bar of `error` to either side.
    pub fn measured(
        x: &[f64],
        y: &[f64],
        error: &[f64],
        label: impl Into<String>,
        style: Style,
    ) -> Mark {
        Mark::Points {
            x: x.to_vec(),
            y: y.to_vec(),
            error: error.to_vec(),
            label: label.into(),
            style,
        }
    }

    /// The region between two curves.
    pub fn band(
        x: &[f64],
        low: &[f64],
        high: &[f64],
        label: impl Into<String>,
        style: Style,
    ) -> Mark {
        Mark::Band {
            x: x.to_vec(),
            low: low.to_vec(),
            high: high.to_vec(),
            label: label.into(),
            style,
        }
    }

    /// The label, empty for none.
    pub fn label(&self) -> &str {
        match self {
            Mark::Line { label, .. }
            | Mark::Points { label, .. }
            | Mark::Band { label, .. }
            | Mark::Bars { label, .. }
            | Mark::Horizontal { label, .. }
            | Mark::Vertical { label, .. } => label,
            Mark::Heat(_) => "",
        }
    }

    /// The style; fields have none.
    pub fn style(&self) -> Option<&Style> {
        match self {
            Mark::Line { style, .. }
            | Mark::Points { style, .. }
            | Mark::Band { style, .. }
            | Mark::Bars { style, .. }
            | Mark::Horizontal { style, .. }
            | Mark::Vertical { style, .. } => Some(style),
            Mark::Heat(_) => None,
        }
    }

    /// Smallest and largest x with a place on an axis of this spacing.
    pub(super) fn x_extent(&self, spacing: Spacing) -> Option<(f64, f64)> {
        match self {
            Mark::Line { x, .. } | Mark::Points { x, .. } | Mark::Band { x, .. } => {
                placed(spacing, x)
            }
            Mark::Bars { x, width, .. } => {
                let (low, high) = placed(spacing, x)?;
                placed(spacing, &[low - width / 2.0, high + width / 2.0, low, high])
            }
            Mark::Heat(heat) => placed(spacing, &[heat.x_range.0, heat.x_range.1]),
            Mark::Vertical { at, .. } => placed(spacing, &[*at]),
            Mark::Horizontal { .. } => None,
        }
    }

    /// Smallest and largest y with a place on an axis of this spacing.
    pub(super) fn y_extent(&self, spacing: Spacing) -> Option<(f64, f64)> {
        match self {
            Mark::Line { y, .. } => placed(spacing, y),
            Mark::Points { y, error, .. } => {
                let ends = y.iter().zip(error).flat_map(|(y, e)| [y - e, y + e]);
                let all: Vec<f64> = y.iter().copied().chain(ends).collect();
                placed(spacing, &all)
            }
            Mark::Band { low, high, .. } => join(placed(spacing, low), placed(spacing, high)),
            Mark::Bars { height, .. } => join(placed(spacing, height), placed(spacing, &[0.0])),
            Mark::Heat(heat) => placed(spacing, &[heat.y_range.0, heat.y_range.1]),
            Mark::Horizontal { at, .. } => placed(spacing, &[*at]),
            Mark::Vertical { .. } => None,
        }
    }
}

fn placed(spacing: Spacing, values: &[f64]) -> Option<(f64, f64)> {
    let log = spacing == Spacing::Log10;
    extent(values.iter().copied().filter(|v| v.is_finite() && (!log || *v > 0.0)))
}

fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |ends, v| join(ends, Some((v, v))))
}

/// The smallest range that holds both.
pub(super) fn join(a: Option<(f64, f64)>, b: Option<(f64, f64)>) -> Option<(f64, f64)> {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (a, b) => a.or(b),
    }
}
