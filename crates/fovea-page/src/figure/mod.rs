//! Figures: a small SVG chart writer whose output is the same bytes on every platform, and PNG made from that SVG.
//!
//! A [`Figure`] is panels on a grid; a [`Panel`] is two [`Axis`] and a list of [`Mark`]. Text is set in an embedded font, legends and
//! labels lie outside the plots, series differ in pattern and shape as well as colour, and a value that is not finite is a gap.
//!
//! ```
//! use fovea_page::figure::{Axis, Figure, Mark, Panel, Style};
//! let x: Vec<f64> = (0..50).map(f64::from).collect();
//! let y: Vec<f64> = x.iter().map(|x| x * x).collect();
//! let panel = Panel::new("growth", Axis::new("$t$"), Axis::new("loss").from(0.0))
//!     .with(Mark::line(&x, &y, "$t^2$", Style::series(0)));
//! let svg = Figure::new("A parabola").panel(panel).svg();
//! assert!(svg.starts_with("<svg"));
//! ```

mod axis;
mod color;
mod draw;
#[cfg(test)]
pub(crate) mod faults;
pub(crate) mod font;
mod frame;
mod heat;
mod labels;
mod layout;
mod legend;
mod limits;
mod mark;
mod markup;
mod plot;
mod raster;
mod scale;
pub mod store;
mod style;
mod svg;
mod text;
mod ticks;

pub use axis::{Axis, Spacing, TickChoice};
pub use color::{Color, ColorMap, SERIES};
pub use mark::{Heat, Mark};
pub use raster::{FigureError, png};
pub use style::{Dash, Marker, Style};
pub(crate) use svg::escape;

use serde::{Deserialize, Serialize};

/// Where the labels of a panel's series go. Neither place covers data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Labels {
    /// In the figure's legend, above the panels.
    #[default]
    Legend,
    /// At the right end of each series.
    Ends,
}

/// One plot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Panel {
    /// What the panel shows, in the markup of labels.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, first to last.
    pub marks: Vec<Mark>,
    /// Lines of small print under the panel.
    pub notes: Vec<String>,
    /// Where labels go.
    pub labels: Labels,
    /// How many columns of the grid the panel takes.
    pub span: usize,
    /// Height of the plot in pixels; by the figure's aspect where absent.
    #[serde(with = "store")]
    pub height: Option<f64>,
}

impl Panel {
    /// A panel with nothing drawn yet.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        let (marks, notes) = (Vec::new(), Vec::new());
        Panel {
            title: title.into(),
            x,
            y,
            marks,
            notes,
            labels: Labels::Legend,
            span: 1,
            height: None,
        }
    }

    /// Adds a mark on top of those already there.
    #[must_use]
    pub fn with(mut self, mark: Mark) -> Self {
        self.marks.push(mark);
        self
    }

    /// Adds several marks.
    #[must_use]
    pub fn with_all(mut self, marks: impl IntoIterator<Item = Mark>) -> Self {
        self.marks.extend(marks);
        self
    }

    /// Adds a line of small print under the panel.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Labels each series at its right end.
    #[must_use]
    pub fn label_ends(self) -> Self {
        Panel { labels: Labels::Ends, ..self }
    }

    /// Widens axes with a fixed range until they hold all data of the panel.
    #[must_use]
    pub fn holding_all(mut self) -> Self {
        for (axis, horizontal) in [(&mut self.x, true), (&mut self.y, false)] {
            let spacing = axis.spacing;
            let of = |mark: &Mark| {
                if horizontal { mark.x_extent(spacing) } else { mark.y_extent(spacing) }
            };
            if let Some((low, high)) = self.marks.iter().map(of).fold(None, mark::join) {
                axis.min = axis.min.map(|min| min.min(low));
                axis.max = axis.max.map(|max| max.max(high));
            }
        }
        self
    }

    /// The smallest and the largest number of the panel in either direction that has a place on its axis.
    pub(crate) fn extent(&self) -> Option<(f64, f64)> {
        let of =
            |mark: &Mark| mark::join(mark.x_extent(self.x.spacing), mark.y_extent(self.y.spacing));
        self.marks.iter().map(of).fold(None, mark::join)
    }

    /// Stretches the panel over several columns.
    #[must_use]
    pub fn span(self, columns: usize) -> Self {
        Panel { span: columns, ..self }
    }

    /// Fixes the height of the plot in pixels.
    #[must_use]
    pub fn height(self, pixels: f64) -> Self {
        Panel { height: Some(pixels), ..self }
    }
}

/// Panels on a grid under one title and one legend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The heading; may be empty where a caption elsewhere says it.
    pub title: String,
    /// A line or two under the heading.
    pub subtitle: String,
    /// Panels, row after row.
    pub panels: Vec<Panel>,
    /// Columns of the grid.
    pub columns: usize,
    /// Width in pixels; the height follows.
    #[serde(with = "store")]
    pub width: f64,
    /// Height of a plot over its width, where a panel does not fix it.
    #[serde(with = "store")]
    pub aspect: f64,
    /// Whether panels are lettered (a), (b), ...
    pub letters: bool,
    /// What a reader who cannot see the figure is told.
    pub description: String,
}

impl Figure {
    /// A figure 720 pixels wide with one column and no panels.
    pub fn new(title: impl Into<String>) -> Self {
        Figure {
            title: title.into(),
            subtitle: String::new(),
            panels: Vec::new(),
            columns: 1,
            width: 720.0,
            aspect: 0.7,
            letters: true,
            description: String::new(),
        }
    }

    /// Sets the line under the heading.
    #[must_use]
    pub fn subtitle(self, text: impl Into<String>) -> Self {
        Figure { subtitle: text.into(), ..self }
    }

    /// Adds a panel.
    #[must_use]
    pub fn panel(mut self, panel: Panel) -> Self {
        self.panels.push(panel);
        self
    }

    /// Sets the number of columns.
    #[must_use]
    pub fn columns(self, columns: usize) -> Self {
        Figure { columns, ..self }
    }

    /// Sets the width in pixels.
    #[must_use]
    pub fn width(self, width: f64) -> Self {
        Figure { width, ..self }
    }

    /// Sets height over width of the plots.
    #[must_use]
    pub fn aspect(self, aspect: f64) -> Self {
        Figure { aspect, ..self }
    }

    /// Sets the text for readers who cannot see the figure.
    #[must_use]
    pub fn description(self, text: impl Into<String>) -> Self {
        Figure { description: text.into(), ..self }
    }

    /// The same picture without the numbers that it does not show, which is what a record keeps.
    #[must_use]
    pub fn slim(mut self) -> Self {
        for mark in self.panels.iter_mut().flat_map(|panel| &mut panel.marks) {
            if let Mark::Heat(field) = mark {
                *field = heat::slim(field);
            }
        }
        self
    }

    /// The figure as a self-contained SVG file with its font inside.
    pub fn svg(&self) -> String {
        draw::figure(self, Some(&font::face_css()))
    }

    /// The figure as SVG without the font, for a page that carries the font itself and for PNG.
    pub fn svg_bare(&self) -> String {
        draw::figure(self, None)
    }

    /// Width and height of the figure in pixels.
    pub fn size(&self) -> (f64, f64) {
        let page = layout::layout(self);
        (page.width, page.height)
    }

    /// The figure as PNG, `scale` pixels of image to a pixel of figure.
    ///
    /// # Errors
    /// Where the picture would be empty or too large; see [`png`].
    pub fn png(&self, scale: f32) -> Result<Vec<u8>, FigureError> {
        png(&self.svg_bare(), scale)
    }
}

#[cfg(test)]
mod tests;
