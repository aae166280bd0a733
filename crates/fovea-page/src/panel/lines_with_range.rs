//! Means or medians over time with the range about them shaded.

use super::{Entry, Named, Xy, example, holding};
use crate::figure::{Axis, Mark, Panel};

/// A curve with a range about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// Places.
    pub x: Vec<f64>,
    /// Lower end of the range.
    pub low: Vec<f64>,
    /// What the line goes through.
    pub middle: Vec<f64>,
    /// Upper end of the range.
    pub high: Vec<f64>,
}

impl From<Xy> for Range {
    /// The range that error bars would show.
    fn from(Xy { x, y: middle, error }: Xy) -> Self {
        let end = |sign: f64| middle.iter().zip(&error).map(|(y, e)| y + sign * e).collect();
        Self { low: end(-1.0), high: end(1.0), x, middle }
    }
}

/// A line per series on a band from the low to the high end of its range.
pub fn lines_with_range<R: Into<Range>>(
    title: impl Into<String>,
    x: impl Into<Axis>,
    y: impl Into<Axis>,
    all: impl IntoIterator<Item = Named<R>>,
) -> Panel {
    let (mut bands, mut middles) = (Vec::new(), Vec::new());
    for Named { label, style, data } in all {
        let Range { x, low, middle, high } = data.into();
        bands.push(Mark::band(&x, &low, &high, "", style));
        middles.push(Mark::line(&x, &middle, label, style));
    }
    holding(title, [x.into(), y.into()], bands.into_iter().chain(middles))
}

/// The registry entry.
pub(super) const ENTRY: Entry = Entry {
    name: "lines_with_range",
    summary: "means or medians as lines, the range about each of them shaded",
    examples: || example::of_series(lines_with_range),
};
