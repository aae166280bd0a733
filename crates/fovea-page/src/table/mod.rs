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

mod text;

pub use text::wrapped;

use crate::figure::store;
use fovea_core::stats::Estimate;
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

/// To how many places a reader sees a number; files have all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Places {
    /// So many decimals.
    Decimals(usize),
    /// So many significant digits.
    Digits(usize),
    /// All that there are: a setting, as it was given.
    All,
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

impl Places {
    /// A number rounded to these places: a dash for none, and powers of ten where it would be all zeros or very long.
    pub fn shown(self, x: f64) -> String {
        if x.is_nan() {
            return "\u{2013}".to_owned();
        }
        if x.is_infinite() {
            return if x > 0.0 { "inf" } else { "-inf" }.to_owned();
        }
        let size = x.abs();
        let digits = match self {
            Self::All => return fovea_core::Value::Real(x).to_string(),
            Self::Decimals(decimals) => {
                if !self.hides(x) && size < 1e7 {
                    let text = format!("{x:.decimals$}");
                    // A zero has no sign.
                    let zero = text.trim_start_matches('-').chars().all(|c| matches!(c, '0' | '.'));
                    return if zero { text.trim_start_matches('-').to_owned() } else { text };
                }
                3
            }
            Self::Digits(digits) => digits.max(1),
        };
        if size == 0.0 {
            return "0".to_owned();
        }
        let power = libm::floor(libm::log10(size));
        if matches!(self, Self::Digits(_)) && (-4.0..7.0).contains(&power) {
            let decimals = (digits as f64 - 1.0 - power).max(0.0) as usize;
            return format!("{x:.decimals$}");
        }
        format!("{x:.*e}", digits - 1)
    }

    /// A mean and its standard error, rounded alike; an error that would be all zeros has its first digit.
    fn with_error(self, mean: f64, error: f64) -> String {
        let places = self.like(mean);
        let Self::Decimals(decimals) = places else {
            return format!("{} \u{b1} {}", self.shown(mean), self.shown(error));
        };
        if places.hides(error) {
            return format!("{} \u{b1} {error:.0e}", self.shown(mean));
        }
        // Beside an error that shows, a mean that does not is zero.
        let mean =
            if places.hides(mean) { format!("{:.decimals$}", 0.0) } else { self.shown(mean) };
        format!("{mean} \u{b1} {}", places.shown(error))
    }

    /// Whether a number that is not zero would be all zeros.
    fn hides(self, x: f64) -> bool {
        match self {
            Self::Decimals(decimals) => {
                x != 0.0 && x.abs() < 0.5 * libm::pow(10.0, -(decimals as f64))
            }
            Self::Digits(_) | Self::All => false,
        }
    }

    /// The decimals that these places give a number of this size: a standard error is rounded as its mean is.
    fn like(self, mean: f64) -> Self {
        match self {
            Self::Digits(digits) if mean.is_finite() && mean != 0.0 => {
                let power = libm::floor(libm::log10(mean.abs()));
                Self::Decimals((digits as f64 - 1.0 - power).max(0.0) as usize)
            }
            same => same,
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
        let name = self.name.replace('_', " ");
        if self.unit.is_empty() { name } else { format!("{name} ({})", self.unit) }
    }
}

/// A table that is being made of rows, one column after the other.
pub struct Rows<'r, T> {
    rows: &'r [T],
    table: Table,
}

impl Table {
    /// Begins a table of these rows.
    pub fn of<'r, T>(name: impl Into<String>, rows: &'r [T]) -> Rows<'r, T> {
        let table = Self { name: name.into(), caption: String::new(), columns: Vec::new() };
        Rows { rows, table }
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

impl<T> Rows<'_, T> {
    fn column(mut self, name: &str, cells: Cells) -> Self {
        let (name, unit) = (name.to_owned(), String::new());
        self.table.columns.push(Column { name, unit, cells });
        self
    }

    fn each<V>(&self, of: impl Fn(&T) -> V) -> Vec<V> {
        self.rows.iter().map(of).collect()
    }

    /// A column of words.
    #[must_use]
    pub fn words<W: Into<String>>(self, name: &str, of: impl Fn(&T) -> W) -> Self {
        let words = self.each(|row| of(row).into());
        self.column(name, Cells::Words(words))
    }

    /// A column of whole numbers.
    #[must_use]
    pub fn whole(self, name: &str, of: impl Fn(&T) -> usize) -> Self {
        let values = self.each(|row| of(row) as i64);
        self.column(name, Cells::Whole(values))
    }

    /// A column of real numbers, shown to so many decimals; NaN where there is none.
    #[must_use]
    pub fn real(self, name: &str, decimals: usize, of: impl Fn(&T) -> f64) -> Self {
        let (values, places) = (self.each(of), Places::Decimals(decimals));
        self.column(name, Cells::Reals { values, places })
    }

    /// A column of real numbers, shown to so many significant digits; NaN where there is none.
    #[must_use]
    pub fn digits(self, name: &str, digits: usize, of: impl Fn(&T) -> f64) -> Self {
        let (values, places) = (self.each(of), Places::Digits(digits));
        self.column(name, Cells::Reals { values, places })
    }

    /// A column of settings, shown as they were given.
    #[must_use]
    pub fn given(self, name: &str, of: impl Fn(&T) -> f64) -> Self {
        let values = self.each(of);
        self.column(name, Cells::Reals { values, places: Places::All })
    }

    /// A column of means with standard errors, shown to so many decimals.
    #[must_use]
    pub fn estimate(self, name: &str, decimals: usize, of: impl Fn(&T) -> Estimate) -> Self {
        self.maybe(name, decimals, |row| Some(of(row)))
    }

    /// A column of means with standard errors, not all of which are there.
    #[must_use]
    pub fn maybe(self, name: &str, decimals: usize, of: impl Fn(&T) -> Option<Estimate>) -> Self {
        self.estimates(name, Places::Decimals(decimals), of)
    }

    /// A column of means with standard errors, shown to so many significant digits of the mean.
    #[must_use]
    pub fn mean(self, name: &str, digits: usize, of: impl Fn(&T) -> Estimate) -> Self {
        self.estimates(name, Places::Digits(digits), |row| Some(of(row)))
    }

    fn estimates(self, name: &str, places: Places, of: impl Fn(&T) -> Option<Estimate>) -> Self {
        let number = |row: &T| of(row).map_or((f64::NAN, f64::NAN), |e| (e.mean(), e.se()));
        let (values, errors) = self.rows.iter().map(number).unzip();
        self.column(name, Cells::Estimates { values, errors, places })
    }

    /// The unit of the column before.
    #[must_use]
    pub fn unit(mut self, unit: &str) -> Self {
        if let Some(column) = self.table.columns.last_mut() {
            unit.clone_into(&mut column.unit);
        }
        self
    }

    /// The table, with what it shows.
    pub fn caption(self, caption: impl Into<String>) -> Table {
        Table { caption: caption.into(), ..self.table }
    }
}

#[cfg(test)]
mod tests;
