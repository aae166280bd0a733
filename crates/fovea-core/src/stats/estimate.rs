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
    skew: f64,
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
        Ok(Self { mean, se, count, dof: (count - 1) as f64, skew: 0.0 })
    }

    /// The same estimate with the skewness of its mean.
    pub(super) fn skewed(self, skew: f64) -> Self {
        Self { skew, ..self }
    }

    /// What this estimate says of `scale` times its number plus `shift`.
    ///
    /// # Errors
    /// The product or the sum is not finite.
    pub fn scaled_and_shifted(&self, scale: f64, shift: f64) -> Result<Self, StatsError> {
        let moved = Self::from_parts(scale * self.mean + shift, scale.abs() * self.se, self.count)?;
        Ok(Self { dof: self.dof, skew: self.skew * scale.signum(), ..moved })
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
        // Third cumulants add up. Each term counts by its share of the spread, which neither over- nor underflows.
        let third = |(a, e): &(f64, Estimate)| {
            let share = if total > 0.0 { a * e.se / total.sqrt() } else { 1.0 };
            e.skew * share * share * share
        };
        Ok(Self { dof, skew: terms.iter().map(third).sum(), ..combined })
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

    /// This mean with the error of another number beside its own: what it is compared with is an estimate too.
    ///
    /// ```
    /// use fovea_core::stats::Estimate;
    /// let a = Estimate::from_parts(3.0, 0.3, 100)?;
    /// let b = Estimate::from_parts(2.9, 0.4, 100)?;
    /// let both = a.with_error_of(&b);
    /// assert!(both.mean() == 3.0 && (both.se() - 0.5).abs() < 1e-15);
    /// # Ok::<(), fovea_core::stats::StatsError>(())
    /// ```
    #[must_use]
    pub fn with_error_of(&self, other: &Self) -> Self {
        Self { mean: self.mean, ..self.difference(other) }
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

    /// The skewness of the mean: that of the samples over the root of their count, at most 1 in size.
    ///
    /// It is 0 where nobody has measured it, and NaN where the spread of the samples is beyond the range of numbers.
    pub fn skew(&self) -> f64 {
        self.skew
    }

    /// By how many standard errors skewness moves a limit of `limit` of them; infinite where the spread is not known at all.
    ///
    /// By the expansion of Cornish and Fisher the quantile of a studentised mean at $`z`$ is moved by its skewness times
    /// $`(2z^2+1)/6`$. Three times the skewness that normal samples of this count have by chance is taken off.
    pub fn shift(&self, limit: f64) -> f64 {
        if self.skew.is_nan() {
            return f64::INFINITY;
        }
        let by_chance = 3.0 * 6.0_f64.sqrt() / self.count as f64;
        (self.skew.abs() - by_chance).max(0.0) * (2.0 * limit * limit + 1.0) / 6.0
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
    fn tails_are_heavy_where_few_samples_carry_the_spread() {
        let spread = |i: u32| f64::from(i * 37 % 101);
        let even: Vec<f64> = (0..1000).map(spread).collect();
        let one_far: Vec<f64> = (0..1000).map(|i| if i == 500 { 1e6 } else { spread(i) }).collect();
        let [even, one_far] = [even, one_far].map(|x| Estimate::from_samples(&x).unwrap());
        assert!(even.skew().abs() < 1e-3 && even.shift(5.0) < 0.5, "{even:?}");
        assert!((one_far.skew() - 1.0).abs() < 0.01 && one_far.shift(5.0) > 5.0, "{one_far:?}");
        // Squares of normal numbers have a skewness of sqrt 8: tame at a thousand, not at fifty.
        let squares = |count: usize| {
            let x = (1..=count)
                .map(|i| crate::special::normal_quantile((i as f64 - 0.5) / count as f64));
            Estimate::from_samples(&x.map(|x| x * x).collect::<Vec<_>>()).unwrap()
        };
        assert!((squares(100_000).skew() * 1e5_f64.sqrt() - 8.0_f64.sqrt()).abs() < 0.02);
        assert!(squares(1000).shift(5.0) < 1.0 && squares(50).shift(5.0) > 1.0);
        // Few samples cannot tell: Student's limit is wide enough for them.
        assert!(Estimate::from_samples(&[0.0, 0.0, 0.0, 0.0, 1.0]).unwrap().shift(5.0) == 0.0);
    }

    #[test]
    fn skewness_adds_up_as_third_cumulants_do() {
        let a = Estimate::from_samples(&[0.0, 0.0, 0.0, 3.0]).unwrap();
        let twice = a.scaled_and_shifted(-2.0, 1.0).unwrap();
        agrees_to_digits(twice.mean(), -0.5, 15.0).unwrap();
        agrees_to_digits(twice.se(), 2.0 * a.se(), 15.0).unwrap();
        agrees_to_digits(twice.skew(), -a.skew(), 15.0).unwrap();
        let both = Estimate::combination(&[(1.0, a), (1.0, a)]).unwrap();
        agrees_to_digits(both.skew(), a.skew() / 2.0_f64.sqrt(), 14.0).unwrap();
        assert!(a.difference(&a).skew().abs() < 1e-15);
        let small = a.scaled_and_shifted(1e-120, 0.0).unwrap();
        let sum = Estimate::combination(&[(1.0, small), (1.0, small)]).unwrap();
        agrees_to_digits(sum.skew(), both.skew(), 14.0).unwrap();
    }

    #[test]
    fn a_spread_beyond_the_range_of_numbers_is_no_spread_to_trust() {
        let at = |x: &[f64]| Estimate::from_samples(x).unwrap();
        let lost = at(&[1e-200, 2e-200, 3e-200]);
        assert!(lost.se() == 0.0 && lost.skew().is_nan() && lost.shift(5.0).is_infinite());
        assert!(lost.difference(&at(&[1.0, 2.0])).shift(5.0).is_infinite());
        let same = at(&[1e-200; 3]);
        assert!(same.se() == 0.0 && same.skew() == 0.0 && same.shift(5.0) == 0.0);
        assert!(same.difference(&same).skew() == 0.0);
        assert!(at(&[1e-100, 2e-100, 3e-100]).shift(5.0) == 0.0);
        assert!(at(&[1e120, 2e120, 4e120]).shift(5.0).is_infinite());
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
