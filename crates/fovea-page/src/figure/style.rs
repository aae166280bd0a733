//! How marks are drawn: colour, stroke pattern and point shape, which change together so that colour never stands alone.

use super::color::{Color, INK, SERIES, SOFT};
use serde::{Deserialize, Serialize};

/// A stroke pattern. Series differ in pattern as well as colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Dash {
    /// Unbroken.
    Solid,
    /// Long dashes.
    Dashed,
    /// Dots.
    Dotted,
    /// A dash and a dot.
    DashDot,
    /// Very long dashes.
    Long,
}

impl Dash {
    pub(super) fn pattern(self) -> Option<&'static str> {
        match self {
            Dash::Solid => None,
            Dash::Dashed => Some("5 2.5"),
            Dash::Dotted => Some("1.3 2"),
            Dash::DashDot => Some("6 2 1.3 2"),
            Dash::Long => Some("10 3"),
        }
    }
}

/// The shape of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the shapes")]
pub enum Marker {
    Circle,
    Square,
    Triangle,
    Diamond,
    Cross,
    Plus,
}

const MARKERS: [Marker; 6] = [
    Marker::Circle,
    Marker::Square,
    Marker::Triangle,
    Marker::Diamond,
    Marker::Cross,
    Marker::Plus,
];
const DASHES: [Dash; 5] = [Dash::Solid, Dash::Dashed, Dash::DashDot, Dash::Dotted, Dash::Long];

/// How a mark is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Style {
    /// Colour of stroke and fill.
    pub color: Color,
    /// Pattern of lines.
    pub dash: Dash,
    /// Shape of points.
    pub marker: Marker,
    /// Width of lines in pixels.
    #[serde(with = "super::store")]
    pub width: f64,
    /// Half the extent of a point in pixels.
    #[serde(with = "super::store")]
    pub size: f64,
    /// Whether points are hollow.
    pub hollow: bool,
}

impl Style {
    /// Series `i` of an unordered set: colour, pattern and shape all change with `i`. Where all patterns were used lines become thicker, and
    /// where all shapes were, points hollow, so that series differ in grey as well.
    pub fn series(i: usize) -> Self {
        Style {
            color: SERIES[i % SERIES.len()],
            dash: DASHES[i % DASHES.len()],
            marker: MARKERS[i % MARKERS.len()],
            width: if (i / DASHES.len()).is_multiple_of(2) { 1.6 } else { 2.2 },
            size: 2.6,
            hollow: i / MARKERS.len() % 2 == 1,
        }
    }

    /// Series `i` of `n` ordered by a parameter: a ramp of lightness, with changing pattern and shape.
    pub fn ordered(i: usize, n: usize) -> Self {
        Style { color: Color::ramp(i, n), ..Style::series(i) }
    }

    /// A prediction drawn over measurements: thin, dark and dashed.
    pub fn theory() -> Self {
        Style { color: INK, dash: Dash::Dashed, width: 1.2, ..Style::series(0) }
    }

    /// A reference value: thin, grey and dotted.
    pub fn guide() -> Self {
        Style { color: SOFT, dash: Dash::Dotted, width: 1.0, ..Style::series(0) }
    }

    /// Unbroken lines, where labels at the line ends or markers tell the series apart.
    #[must_use]
    pub fn solid(self) -> Self {
        Style { dash: Dash::Solid, ..self }
    }

    /// Another stroke pattern.
    #[must_use]
    pub fn dash(self, dash: Dash) -> Self {
        Style { dash, ..self }
    }

    /// Hollow points.
    #[must_use]
    pub fn hollow(self) -> Self {
        Style { hollow: true, ..self }
    }
}
