//! A distribution given by a table of quantiles.

use fovea_core::{Matrix, ParamError};

/// Quantiles at equally spaced probabilities from 0 to 1, linear between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantiles(Vec<f64>);

impl Quantiles {
    /// Reads the parameter `quantiles`: one row or one column of at least two increasing numbers.
    ///
    /// # Errors
    /// More than one row and column, fewer than two numbers, or a number that is not above the one before it.
    pub fn read(table: &Matrix) -> Result<Self, ParamError> {
        let wrong = |what: String, hint: &str| {
            Err(ParamError::Inconsistent { what: format!("`quantiles` {what}"), hint: hint.into() })
        };
        let (rows, cols, values) = (table.rows(), table.cols(), table.numbers());
        if rows.min(cols) > 1 {
            let what =
                format!("has {rows} rows of {cols} numbers; it must be one row or one column");
            return wrong(
                what,
                "give one list of numbers, the quantiles at equally spaced probabilities",
            );
        }
        if values.len() < 2 {
            let what = format!("has {} numbers; a distribution needs at least 2", values.len());
            return wrong(what, "start with the smallest value and end with the largest");
        }
        if let Some(at) = values
            .windows(2)
            .position(|pair| pair[0].partial_cmp(&pair[1]) != Some(std::cmp::Ordering::Less))
        {
            let (here, next) = (values[at], values[at + 1]);
            let what = format!(
                "goes from {here} to {next} at place {at} (counted from 0); it must increase"
            );
            return wrong(what, "sort the values and leave out repeated ones");
        }
        // Scaled to size one, so that no sum below overflows.
        let largest = values.iter().fold(0.0_f64, |largest, v| largest.max(v.abs()));
        Ok(Self(values.iter().map(|v| v / largest).collect()))
    }

    /// The distribution shifted and scaled to mean 0 and variance 1.
    #[must_use]
    pub fn standardized(mut self) -> Self {
        // The middle is subtracted first: a mean square around a distant mean would lose the variance.
        let middle = 0.5 * (self.0[0] + self.0[self.0.len() - 1]);
        self.0.iter_mut().for_each(|v| *v -= middle);
        let mean = self.mean_of(|a, b| 0.5 * (a + b));
        self.0.iter_mut().for_each(|v| *v -= mean);
        let variance = self.mean_square();
        self.scaled(1.0 / variance.sqrt())
    }

    /// The distribution scaled by a factor.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Self {
        self.0.iter_mut().for_each(|v| *v *= factor);
        self
    }

    /// Mean of the square: on a cell the distribution is uniform between its two ends.
    pub fn mean_square(&self) -> f64 {
        self.mean_of(|a, b| (a * a + a * b + b * b) / 3.0)
    }

    fn mean_of(&self, cell: impl Fn(f64, f64) -> f64) -> f64 {
        let cells = self.0.windows(2).map(|pair| cell(pair[0], pair[1]));
        cells.sum::<f64>() / (self.0.len() - 1) as f64
    }

    /// The smallest value.
    pub fn smallest(&self) -> f64 {
        self.0[0]
    }

    /// The probabilities strictly between 0 and 1 where the table has an entry.
    pub fn inner_probabilities(&self) -> impl Iterator<Item = f64> {
        let cells = self.0.len() - 1;
        (1..cells).map(move |j| j as f64 / cells as f64)
    }

    /// Whether the distribution is symmetric about 0.
    pub fn is_symmetric(&self) -> bool {
        let size = self.0.iter().fold(0.0_f64, |size, v| size.max(v.abs()));
        self.0.iter().zip(self.0.iter().rev()).all(|(a, b)| (a + b).abs() <= 1e-12 * size)
    }

    /// The quantile at probability `p`.
    pub fn at(&self, p: f64) -> f64 {
        let (cell, rest) = self.cell(p);
        self.0[cell] + rest * (self.0[cell + 1] - self.0[cell])
    }

    /// The value exceeded with probability `p`, to full accuracy for a small one.
    pub fn at_upper(&self, p: f64) -> f64 {
        let (cell, rest) = self.cell(p);
        let last = self.0.len() - 1;
        self.0[last - cell] + rest * (self.0[last - cell - 1] - self.0[last - cell])
    }

    /// The cell of a probability and the part of it that lies below.
    fn cell(&self, p: f64) -> (usize, f64) {
        let cells = self.0.len() - 1;
        let place = p * cells as f64;
        let cell = (place as usize).min(cells - 1);
        (cell, place - cell as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(numbers: &[f64]) -> Result<Quantiles, ParamError> {
        Quantiles::read(&Matrix::new(numbers.len(), numbers.to_vec()))
    }

    #[test]
    fn a_table_is_standardized_exactly() {
        // Two cells: uniform on [0, 1] and on [1, 4]; mean 3/2, mean square (1/3 + 7)/2.
        let law = read(&[0.0, 1.0, 4.0]).unwrap();
        assert!((law.mean_square() * 16.0 - 11.0 / 3.0).abs() < 1e-14);
        let std = (11.0_f64 / 3.0 - 2.25).sqrt();
        for (shift, factor) in [(0.0, 1.0), (1e6, 1e-3), (0.0, 1e300), (-3.0, 1e-300)] {
            let moved =
                read(&[0.0, 1.0, 4.0].map(|v| (v + shift) * factor)).unwrap().standardized();
            let rounding = 1e-15 * (1.0 + shift.abs());
            for (p, value) in [(0.0, 0.0), (0.25, 0.5), (0.5, 1.0), (0.75, 2.5), (1.0, 4.0)] {
                let want = (value - 1.5) / std;
                assert!((moved.at(p) - want).abs() < 8.0 * rounding, "{p}: {}", moved.at(p));
                assert!((moved.at_upper(1.0 - p) - want).abs() < 8.0 * rounding);
            }
            assert!((moved.mean_square() - 1.0).abs() < 8.0 * rounding && !moved.is_symmetric());
        }
        assert!(read(&[-1.0, 0.5, 2.0]).unwrap().standardized().is_symmetric());
    }

    #[test]
    fn what_is_no_table_of_quantiles_is_refused() {
        let told = |error: ParamError| (error.to_string(), error.hint());
        let (what, hint) = told(read(&[0.0, 2.0, 1.0]).unwrap_err());
        assert_eq!(
            what,
            "`quantiles` goes from 2 to 1 at place 1 (counted from 0); it must increase"
        );
        assert_eq!(hint, "sort the values and leave out repeated ones");
        assert!(told(read(&[1.0]).unwrap_err()).0.contains("at least 2"));
        let square = Quantiles::read(&Matrix::new(2, vec![0.0, 1.0, 2.0, 3.0])).unwrap_err();
        assert!(told(square).0.contains("one row or one column"));
        assert!(Quantiles::read(&Matrix::new(1, vec![0.0, 1.0, 2.0])).is_ok());
        assert!(read(&[0.0, f64::NAN]).is_err() && read(&[1.0, 1.0]).is_err());
    }
}
