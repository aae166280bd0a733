//! A measured mean and how well it is known.

use super::{StatsError, check, collect};

/// A mean, its standard error, and the count behind them.
///
/// The fields are private so that no estimate exists without a standard error: it comes from samples, from a
/// correlated series, or from a publication that states one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    mean: f64,
    se: f64,
    count: usize,
    dof: f64,
}

impl Estimate {
    /// The mean of independent samples.
    ///
    /// ```
    /// use fovea_core::stats::Estimate;
    /// let estimate = Estimate::from_samples(&[1.0, 2.0, 3.0])?;
    /// assert!((estimate.se() - (1.0_f64 / 3.0).sqrt()).abs() < 1e-15);
    /// # Ok::<(), fovea_core::stats::StatsError>(())
    /// ```
    ///
    /// # Errors
    /// Fewer than two samples, or a number that is not finite.
    pub fn from_samples(samples: &[f64]) -> Result<Self, StatsError> {
        collect(samples, 2)?.estimate()
    }

    /// The mean of a series whose neighbours are correlated, from the spread of the means of `blocks` equal blocks.
    ///
    /// The blocks must be longer than the correlation time for their means to be independent. When the length is no
    /// multiple of `blocks`, the first few entries are left out: they are the ones a transient may still touch.
    /// The count of the estimate is the number of blocks.
    ///
    /// # Errors
    /// Fewer than two blocks, fewer entries than blocks, or a number that is not finite.
    pub fn from_block_means(series: &[f64], blocks: usize) -> Result<Self, StatsError> {
        if blocks < 2 {
            return Err(StatsError::TooFew { got: blocks, needed: 2 });
        }
        check(series, blocks)?;
        let length = series.len() / blocks;
        let kept = &series[series.len() - length * blocks..];
        let means: Vec<f64> =
            kept.chunks_exact(length).map(|b| b.iter().sum::<f64>() / length as f64).collect();
        Self::from_samples(&means)
    }

    /// A mean and a standard error that someone else measured from `count` samples.
    ///
    /// # Errors
    /// Fewer than two samples, a mean that is not finite, or a standard error that is negative or not finite.
    pub fn from_parts(mean: f64, se: f64, count: usize) -> Result<Self, StatsError> {
        if count < 2 {
            return Err(StatsError::TooFew { got: count, needed: 2 });
        }
        if !mean.is_finite() {
            return Err(StatsError::NotFinite { index: 0, value: mean });
        }
        if !(se.is_finite() && se >= 0.0) {
            return Err(StatsError::BadStandardError { se });
        }
        Ok(Self { mean, se, count, dof: (count - 1) as f64 })
    }

    /// A weighted sum of independent estimates, with the combined standard error.
    ///
    /// The degrees of freedom are those of Welch and Satterthwaite,
    /// $`\nu = (\sum_i v_i)^2 / \sum_i v_i^2/\nu_i`$ with $`v_i = a_i^2 s_i^2`$, and the count is the total.
    ///
    /// # Errors
    /// No terms, or a sum that is not finite.
    pub fn combination(terms: &[(f64, Estimate)]) -> Result<Self, StatsError> {
        let mean: f64 = terms.iter().map(|(a, e)| a * e.mean).sum();
        let variances = terms.iter().map(|(a, e)| (a * a * e.se * e.se, e.dof));
        let (mut total, mut spread, mut fewest) = (0.0, 0.0, f64::INFINITY);
        for (variance, dof) in variances {
            total += variance;
            spread += variance * variance / dof;
            fewest = fewest.min(dof);
        }
        let count = terms.iter().map(|(_, e)| e.count).sum();
        let combined = Self::from_parts(mean, total.sqrt(), count)?;
        // Without any spread (or with one that underflows) the quotient says nothing: take the poorest term.
        let dof = if spread > 0.0 { total * total / spread } else { fewest };
        Ok(Self { dof, ..combined })
    }

    /// This mean minus another, independent one.
    ///
    /// ```
    /// use fovea_core::stats::Estimate;
    /// let a = Estimate::from_parts(3.0, 0.3, 100)?;
    /// let b = Estimate::from_parts(1.0, 0.4, 100)?;
    /// assert!((a.difference(&b).se() - 0.5).abs() < 1e-15);
    /// # Ok::<(), fovea_core::stats::StatsError>(())
    /// ```
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        Self::combination(&[(1.0, *self), (-1.0, *other)]).unwrap_or_else(|_| {
            // Two finite means can still be further apart than the largest number: stay finite, stay different.
            Self { mean: f64::MAX.copysign(self.mean), se: 0.0, ..*self }
        })
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The standard error of the mean.
    pub fn se(&self) -> f64 {
        self.se
    }

    /// How many independent samples (or blocks) the estimate rests on.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The degrees of freedom of the standard error: `count - 1`, or less for a combination of unequal estimates.
    pub fn dof(&self) -> f64 {
        self.dof
    }

    /// How many standard errors the mean lies above `value`.
    ///
    /// Without spread this is 0 where the two are equal and infinite where they are not.
    pub fn z(&self, value: f64) -> f64 {
        let gap = self.mean - value;
        if gap == 0.0 { 0.0 } else { gap / self.se }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::agrees_to_digits;

    #[test]
    fn blocks_see_the_correlation_that_single_entries_hide() {
        // Every value repeated ten times: 1000 entries, 100 independent numbers.
        let series: Vec<f64> = (0..1000).map(|i| f64::from((i / 10 * 37) % 101)).collect();
        let naive = Estimate::from_samples(&series).unwrap();
        let blocked = Estimate::from_block_means(&series, 100).unwrap();
        assert_eq!(blocked.count(), 100);
        agrees_to_digits(blocked.mean(), naive.mean(), 14.0).unwrap();
        // sqrt(999/99) = 3.1766...: the sums of squares differ by the repetition alone.
        agrees_to_digits(blocked.se() / naive.se(), (999.0_f64 / 99.0).sqrt(), 13.0).unwrap();
    }

    #[test]
    fn blocks_that_do_not_divide_the_series_leave_out_its_start() {
        let estimate = Estimate::from_block_means(&[1e9, 1.0, 3.0, 5.0, 7.0], 2).unwrap();
        agrees_to_digits(estimate.mean(), 4.0, 15.0).unwrap();
        agrees_to_digits(estimate.se(), 2.0, 15.0).unwrap();
    }

    #[test]
    fn difference_has_the_dof_of_welch_and_satterthwaite() {
        let a = Estimate::from_parts(5.0, 0.3, 10).unwrap();
        let b = Estimate::from_parts(4.0, 0.7, 25).unwrap();
        let d = a.difference(&b);
        agrees_to_digits(d.mean(), 1.0, 15.0).unwrap();
        agrees_to_digits(d.se(), 0.58_f64.sqrt(), 15.0).unwrap();
        // (0.09 + 0.49)^2 / (0.09^2/9 + 0.49^2/24) = 0.3364 / 0.010904166...
        agrees_to_digits(d.dof(), 30.850592281238058, 13.0).unwrap();
        assert_eq!(d.count(), 35);
        // Equal halves: twice the degrees of freedom of one.
        agrees_to_digits(a.difference(&a).dof(), 18.0, 14.0).unwrap();
    }

    #[test]
    fn z_counts_standard_errors_and_knows_exact_numbers() {
        let estimate = Estimate::from_parts(1.0, 0.25, 8).unwrap();
        agrees_to_digits(estimate.z(0.5), 2.0, 15.0).unwrap();
        let exact = Estimate::from_samples(&[2.0, 2.0, 2.0]).unwrap();
        assert!(exact.z(2.0) == 0.0 && exact.z(1.0).is_infinite());
    }

    #[test]
    fn no_estimate_exists_without_a_standard_error() {
        assert!(Estimate::from_samples(&[1.0]).is_err());
        assert!(Estimate::from_samples(&[1.0, f64::NAN]).is_err());
        assert!(Estimate::from_block_means(&[1.0, 2.0, 3.0], 1).is_err());
        assert!(Estimate::from_block_means(&[1.0, 2.0, 3.0], 4).is_err());
        assert!(Estimate::from_parts(1.0, f64::NAN, 10).is_err());
        assert!(Estimate::from_parts(1.0, -1.0, 10).is_err());
        assert!(Estimate::from_parts(f64::INFINITY, 1.0, 10).is_err());
        assert!(Estimate::from_parts(1.0, 1.0, 1).is_err());
        assert!(Estimate::combination(&[]).is_err());
    }
}
