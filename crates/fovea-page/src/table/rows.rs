//! Tables made of rows, one column after the other.

use super::{Cells, Column, Places, Table};
use fovea_core::stats::Estimate;

/// A table that is being made of rows, one column after the other.
pub struct Rows<'r, T> {
    pub(super) rows: &'r [T],
    pub(super) table: Table,
}

impl<T> Rows<'_, T> {
    fn column(mut self, name: &str, cells: Cells) -> Self {
        let (name, label, unit) = (name.to_owned(), String::new(), String::new());
        self.table.columns.push(Column { name, label, unit, cells });
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

    /// A column of real numbers, shown to this many decimals; NaN where there is none.
    #[must_use]
    pub fn real(self, name: &str, decimals: usize, of: impl Fn(&T) -> f64) -> Self {
        let (values, places) = (self.each(of), Places::Decimals(decimals));
        self.column(name, Cells::Reals { values, places })
    }

    /// A column of real numbers, shown to this many significant digits; NaN where there is none.
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

    /// A column of means with standard errors, shown to this many decimals.
    #[must_use]
    pub fn estimate(self, name: &str, decimals: usize, of: impl Fn(&T) -> Estimate) -> Self {
        self.maybe(name, decimals, |row| Some(of(row)))
    }

    /// A column of means with standard errors, not all of which are there.
    #[must_use]
    pub fn maybe(self, name: &str, decimals: usize, of: impl Fn(&T) -> Option<Estimate>) -> Self {
        self.estimates(name, Places::Decimals(decimals), of)
    }

    /// A column of means with standard errors, shown to this many significant digits of the mean.
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

    /// What stands at the head of the column before, where that is not its name.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        if let Some(column) = self.table.columns.last_mut() {
            column.label = label.into();
        }
        self
    }

    /// The table, with what it shows.
    pub fn caption(self, caption: impl Into<String>) -> Table {
        Table { caption: caption.into(), ..self.table }
    }
}
