//! Tables as data: typed columns with units and standard errors, from which a terminal, a page and files are written.
//!
//! ```
//! use fovea_page::table::Table;
//! let table = Table::of("final", &[(0.5, 0.0371), (3.0, 0.6278)])
//!     .real("gain", 1, |row| row.0)
//!     .real("ipr", 3, |row| row.1)
//!     .caption("Inverse participation ratio at the end.");
//! assert_eq!(table.lines(80), ["gain    ipr", " 0.5  0.037", " 3.0  0.628"]);
//! ```

mod places;
mod rows;
mod text;

pub use places::Places;
pub use rows::Rows;
pub use text::wrapped;

use crate::figure::store;
use serde::{Deserialize, Serialize};

/// A table: columns of equal length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// What it is called: a file name without its ending.
    pub name: String,
    /// What it shows, for a reader.
    pub caption: String,
    /// Its columns, left to right.
    pub columns: Vec<Column>,
}

/// A column: cells of one type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// What it is called, in files and, with spaces, at its head.
    pub name: String,
    /// What stands at its head where that is not its name: a path, say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// The unit of its numbers; empty for pure numbers and words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// Its cells, from the top down.
    pub cells: Cells,
}

/// The cells of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Cells {
    /// Words.
    Words(Vec<String>),
    /// Whole numbers.
    Whole(Vec<i64>),
    /// Real numbers, NaN where there is none.
    Reals {
        /// The numbers.
        #[serde(with = "store")]
        values: Vec<f64>,
        /// How a reader sees them.
        places: Places,
    },
    /// Means with their standard errors, NaN where there is none.
    Estimates {
        /// The means.
        #[serde(with = "store")]
        values: Vec<f64>,
        /// Their standard errors.
        #[serde(with = "store")]
        errors: Vec<f64>,
        /// How a reader sees them.
        places: Places,
    },
}

impl Cells {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Words(words) => words.len(),
            Self::Whole(values) => values.len(),
            Self::Reals { values, .. } | Self::Estimates { values, .. } => values.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether they are numbers.
    pub fn numeric(&self) -> bool {
        !matches!(self, Self::Words(_))
    }

    /// One of them as a reader sees it.
    pub fn shown(&self, row: usize) -> String {
        match self {
            Self::Words(words) => words[row].clone(),
            Self::Whole(values) => values[row].to_string(),
            Self::Reals { values, places } => places.shown(values[row]),
            Self::Estimates { values, errors, places } => {
                let (mean, error) = (values[row], errors[row]);
                if error.is_nan() { places.shown(mean) } else { places.with_error(mean, error) }
            }
        }
    }
}

impl Table {
    /// What stands above it: its name, with spaces.
    pub fn title(&self) -> String {
        self.name.replace(['_', '-'], " ")
    }
}

impl Column {
    /// What stands at its head.
    pub fn head(&self) -> String {
        let spaced = || self.name.replace('_', " ");
        let name = if self.label.is_empty() { spaced() } else { self.label.clone() };
        if self.unit.is_empty() { name } else { format!("{name} ({})", self.unit) }
    }
}

impl Table {
    /// Begins a table of these rows.
    pub fn of<T>(name: impl Into<String>, rows: &[T]) -> Rows<'_, T> {
        let table = Self { name: name.into(), caption: String::new(), columns: Vec::new() };
        Rows { rows, table }
    }

    /// The same table with these of its columns alone, in this order.
    #[must_use]
    pub fn only(&self, columns: &[&str]) -> Self {
        let find = |name: &&str| self.columns.iter().find(|column| column.name == *name).cloned();
        Self { columns: columns.iter().filter_map(find).collect(), ..self.clone() }
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.cells.len())
    }

    /// What is wrong with it, where something is: a name that is no file name, columns of one name or of different lengths.
    ///
    /// # Errors
    /// The first fault, in words.
    pub fn check(&self) -> Result<(), String> {
        let plain = |name: &str| {
            let sign = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
            !name.is_empty() && name.chars().all(sign)
        };
        let table = &self.name;
        if !plain(table) {
            return Err(format!("a table is called `{table}`, which is no file name"));
        }
        for (at, Column { name, cells, .. }) in self.columns.iter().enumerate() {
            if !plain(name) {
                return Err(format!("table {table}: `{name}` is no name of a column"));
            }
            let taken = |other: &Column| {
                let error = matches!(other.cells, Cells::Estimates { .. });
                other.name == *name || error && format!("{}_se", other.name) == *name
            };
            if self.columns[..at].iter().any(taken) {
                return Err(format!("table {table}: two columns are called {name}"));
            }
            let errors = match cells {
                Cells::Estimates { errors, .. } => errors.len(),
                other => other.len(),
            };
            if (cells.len(), errors) != (self.rows(), self.rows()) {
                return Err(format!("table {table}: column {name} is not as long as the first"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
