//! Reports: what a run found, as one HTML file that needs nothing else: fonts and figures inside, formulas as MathML, no scripts,
//! no network.
//!
//! Text may hold `$formulas$` in TeX and `` `code` ``; everything else in it is literal.
//!
//! ```
//! use fovea_page::report::{Block, Report};
//! let report = Report::new("Localisation", "Do receptive fields localise?")
//!     .with(Block::heading("Prediction"))
//!     .with(Block::paragraph("The ratio $\\sum_i w_i^4 / (\\sum_i w_i^2)^2$ grows."))
//!     .with(Block::math("L = \\frac{1}{2} \\mathbb{E}(\\hat y - y)^2"));
//! assert!(report.faults().is_empty());
//! assert!(report.html().contains("<mfrac>"));
//! ```

mod html;
mod inline;
mod limits;
mod math;

use crate::figure::Figure;
use crate::table::Table;
use serde::{Deserialize, Serialize};

/// A document, top to bottom.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The heading of the page.
    pub title: String,
    /// The paragraph under it: the question and the answer.
    pub lead: String,
    /// The body.
    pub blocks: Vec<Block>,
    /// Small print at the end: version, configuration, seed.
    pub footer: String,
    /// Whether tables of many columns are as wide as the window; else they are as wide as the text, and scroll.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub broad: bool,
}

/// One piece of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Block {
    /// A heading of a section.
    Heading(String),
    /// Running text.
    Paragraph(String),
    /// A displayed formula in TeX.
    Math(String),
    /// A figure.
    Figure {
        /// What is drawn; the page holds its SVG.
        figure: Box<Figure>,
        /// What the figure shows.
        caption: String,
        /// Files of the same figure, relative to the report.
        files: Vec<String>,
    },
    /// A table; columns of numbers are set flush right.
    Table {
        /// Column names.
        header: Vec<String>,
        /// Cells, row after row; short rows are filled up.
        rows: Vec<Vec<String>>,
        /// What the table shows.
        caption: String,
    },
    /// A table of typed cells, which a record also has as a file.
    Data(Table),
    /// A remark set apart.
    Note(String),
    /// Something the reader must not miss.
    Warning(String),
    /// Names, values and what they mean.
    Parameters(Vec<Parameter>),
    /// Text kept as it is: a command, a configuration.
    Code(String),
}

/// A row of a parameter list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// The name as a user types it.
    pub name: String,
    /// The value used.
    pub value: String,
    /// What it means.
    pub meaning: String,
}

impl Block {
    /// A heading.
    pub fn heading(text: impl Into<String>) -> Self {
        Block::Heading(text.into())
    }

    /// Running text.
    pub fn paragraph(text: impl Into<String>) -> Self {
        Block::Paragraph(text.into())
    }

    /// A displayed formula.
    pub fn math(tex: impl Into<String>) -> Self {
        Block::Math(tex.into())
    }

    /// A figure, drawn with the page's own font, and the files it was also written to.
    pub fn figure<F: Into<String>>(
        figure: &Figure,
        caption: impl Into<String>,
        files: impl IntoIterator<Item = F>,
    ) -> Self {
        let files = files.into_iter().map(Into::into).collect();
        Block::Figure { figure: Box::new(figure.clone().slim()), caption: caption.into(), files }
    }

    /// A table from anything that reads as text.
    pub fn table<C: Into<String>, R: IntoIterator<Item = C>>(
        header: R,
        rows: impl IntoIterator<Item = R>,
        caption: impl Into<String>,
    ) -> Self {
        let row = |cells: R| cells.into_iter().map(Into::into).collect();
        let rows = rows.into_iter().map(row).collect();
        Block::Table { header: row(header), rows, caption: caption.into() }
    }

    /// Lines as they are, where there are any.
    pub fn lines(lines: &[String]) -> Option<Self> {
        (!lines.is_empty()).then(|| Block::Code(lines.join("\n")))
    }

    /// A list of parameters from (name, value, meaning).
    pub fn parameters<T: Into<String>>(list: impl IntoIterator<Item = (T, T, T)>) -> Self {
        let parameter = |(name, value, meaning): (T, T, T)| Parameter {
            name: name.into(),
            value: value.into(),
            meaning: meaning.into(),
        };
        Block::Parameters(list.into_iter().map(parameter).collect())
    }
}

impl Report {
    /// A report with an empty body.
    pub fn new(title: impl Into<String>, lead: impl Into<String>) -> Self {
        Report { title: title.into(), lead: lead.into(), ..Report::default() }
    }

    /// Adds a block at the end.
    #[must_use]
    pub fn with(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }

    /// The same report with tables of many columns as wide as the window.
    #[must_use]
    pub fn broad(self) -> Self {
        Report { broad: true, ..self }
    }

    /// Sets the small print.
    #[must_use]
    pub fn footer(self, text: impl Into<String>) -> Self {
        Report { footer: text.into(), ..self }
    }

    /// Its figures with the files each is also written to.
    pub fn figures(&self) -> impl Iterator<Item = (&Figure, &[String])> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Figure { figure, files, .. } => Some((&**figure, &files[..])),
            _ => None,
        })
    }

    /// Its tables of typed cells.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Data(table) => Some(table),
            _ => None,
        })
    }

    /// The same report with every figure this many pixels wide.
    #[must_use]
    pub fn figures_wide(mut self, pixels: f64) -> Self {
        for block in &mut self.blocks {
            if let Block::Figure { figure, .. } = block {
                figure.width = pixels;
            }
        }
        self
    }

    /// The report as one self-contained HTML file. A formula that cannot be read is shown as its TeX: a slip in a caption must not
    /// lose a run.
    pub fn html(&self) -> String {
        html::page(self).0
    }

    /// Every formula that cannot be read, with the reason. Tests of experiments want none.
    pub fn faults(&self) -> Vec<String> {
        html::page(self).1
    }
}

#[cfg(test)]
mod tests;
