//! A rectangle of numbers given by the user: rows typed as lists, or an array from a file.

use std::sync::Arc;

/// Rows of equal length, shared rather than copied.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    rows: usize,
    cols: usize,
    numbers: Arc<[f64]>,
    /// Where the numbers came from, if from a file.
    source: Option<Arc<str>>,
}

impl Matrix {
    /// `numbers` row by row, `cols` per row.
    ///
    /// # Panics
    /// The length of `numbers` is not a multiple of `cols`.
    pub fn new(cols: usize, numbers: Vec<f64>) -> Self {
        assert!(cols > 0 && numbers.len().is_multiple_of(cols), "a row has {cols} numbers");
        Self { rows: numbers.len() / cols, cols, numbers: numbers.into(), source: None }
    }

    /// The same numbers, marked as coming from `source`, which is what a record writes.
    #[must_use]
    pub fn from_source(mut self, source: &str) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }
    /// Numbers per row.
    pub fn cols(&self) -> usize {
        self.cols
    }
    /// All numbers, row by row.
    pub fn numbers(&self) -> &[f64] {
        &self.numbers
    }
    /// One row.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.numbers[i * self.cols..(i + 1) * self.cols]
    }
    /// The file the numbers came from.
    pub fn source(&self) -> Option<&str> {
        self.source.as_deref()
    }
}
