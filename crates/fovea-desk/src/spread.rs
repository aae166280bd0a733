//! Numbers of many networks, one per seed or one per unit, and how they spread.

use crate::error::LabError;
use fovea_core::stats::{Estimate, quantile, variance};
use fovea_page::table::Rows;

/// The mean over the units of the first column of a reading.
pub fn mean_unit(rows: &[Vec<f64>]) -> f64 {
    rows.iter().map(|row| row[0]).sum::<f64>() / rows.len() as f64
}

/// Numbers, one per seed or one per unit, and how they spread.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// Their mean and its standard error, as if they were independent.
    pub mean: Estimate,
    /// Their standard deviation.
    pub sd: f64,
    /// Minimum, 10 %, 25 %, median, 75 %, 90 %, maximum.
    pub quantiles: [f64; 7],
}

impl Spread {
    /// The spread of some numbers.
    ///
    /// # Errors
    /// Fewer than two, or one that is not finite.
    pub fn of(numbers: &[f64]) -> Result<Self, LabError> {
        let mean = Estimate::from_samples(numbers)?;
        let mut quantiles = [0.0; 7];
        for (slot, level) in quantiles.iter_mut().zip([0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0]) {
            *slot = quantile(numbers, level)?;
        }
        Ok(Self { mean, sd: variance(numbers)?.sqrt(), quantiles })
    }

    /// The median.
    pub fn median(&self) -> f64 {
        self.quantiles[3]
    }

    /// Adds the columns of a spread to a table: mean, standard deviation, and quartiles between the extremes.
    pub fn columns<'r, T>(
        rows: Rows<'r, T>,
        name: &str,
        of: impl Fn(&T) -> Option<&Self> + Copy,
    ) -> Rows<'r, T> {
        let quantile = |row: &T, i: usize| of(row).map_or(f64::NAN, |spread| spread.quantiles[i]);
        rows.maybe(name, 4, |row| of(row).map(|spread| spread.mean))
            .real("sd", 4, |row| of(row).map_or(f64::NAN, |spread| spread.sd))
            .real("least", 3, |row| quantile(row, 0))
            .real("lower_quartile", 3, |row| quantile(row, 2))
            .real("median", 3, |row| quantile(row, 3))
            .real("upper_quartile", 3, |row| quantile(row, 4))
            .real("most", 3, |row| quantile(row, 6))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_has_the_median_and_the_standard_deviation() {
        let spread = Spread::of(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        assert!(
            (spread.median() - 3.0).abs() < 1e-15 && (spread.sd - 2.5_f64.sqrt()).abs() < 1e-15
        );
    }
}
