//! A measured mean and its uncertainty.

use super::{StatsError, check, collect};

/// A mean, its standard error, and the count behind them.
///
/// The fields are private so that no estimate exists without a standard error. It comes from samples, from a
/// correlated series, or from a publication that states one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    mean: f64,
    se: f64,
    count: usize,
    dof: f64,
    skew: f64,
    /// The skewness that samples of this count have by chance.
    chance: f64,
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
    /// The blocks must be longer than the correlation time for their means to be independent. When the length is not a
    /// multiple of `blocks`, the first few entries are left out: a transient may still affect them.
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

    /// A mean and a standard error that were measured elsewhere from `count` samples.
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
        let chance = 3.0 * 6.0_f64.sqrt() / count as f64;
        Ok(Self { mean, se, count, dof: (count - 1) as f64, skew: 0.0, chance })
    }

    /// The same estimate with the skewness of its mean.
    pub(super) fn skewed(self, skew: f64) -> Self {
        Self { skew, ..self }
    }

    /// The same estimate if the distribution of its samples is known to give their mean this skewness: samples that missed a rare
    /// large value show none of it. Nothing changes if they show more.
    #[must_use]
    pub fn at_least_skewed(self, skew: f64) -> Self {
        let more = skew.abs() > self.skew.abs() - self.chance;
        if more { Self { skew, chance: 0.0, ..self } } else { self }
    }

    /// The estimate of `scale` times the number plus `shift`.
    ///
    /// # Errors
    /// The product or the sum is not finite.
    pub fn scaled_and_shifted(&self, scale: f64, shift: f64) -> Result<Self, StatsError> {
        let moved = Self::from_parts(scale * self.mean + shift, scale.abs() * self.se, self.count)?;
        let skew = self.skew * scale.signum();
        Ok(Self { dof: self.dof, skew, chance: self.chance, ..moved })
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
        // Without spread (or if it underflows) the quotient is meaningless: take the smallest degrees of freedom.
        let dof = if spread > 0.0 { total * total / spread } else { fewest };
        // Third cumulants add up. Each term enters by its share of the spread, which neither over- nor underflows.
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
            // The difference of two finite means can overflow: keep it finite and not zero.
            Self { mean: f64::MAX.copysign(self.mean), se: 0.0, ..*self }
        })
    }

    /// This mean with the error of another number added to its own, for a comparison with a number that is an estimate too.
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

    /// This mean minus that of another, independent sample, where both have one distribution if the means agree.
    ///
    /// The spread of a single sample is then estimated from both together, or from this sample alone if that gives more. A few samples
    /// of a distribution far from normal may lie close together by chance, and their own spread would then be too small.
    #[must_use]
    pub fn difference_within_one_law(&self, other: &Self) -> Self {
        let apart = self.difference(other);
        let [a, b] = [self.count, other.count].map(|count| count as f64);
        let [own, theirs] = [a * self.se * self.se, b * other.se * other.se];
        let dof = a + b - 2.0;
        let pooled = ((a - 1.0) * own + (b - 1.0) * theirs) / dof;
        let se = (own.max(pooled) * (1.0 / a + 1.0 / b)).sqrt();
        // Third cumulants stay the same; relative to a larger spread they are smaller.
        let relative = |part: f64| if se > 0.0 { libm::pow(part / se, 3.0) } else { 1.0 };
        let (skew, chance) = (apart.skew * relative(apart.se), self.chance * relative(self.se));
        Self { se, dof, skew, chance, ..apart }
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The standard error of the mean.
    pub fn se(&self) -> f64 {
        self.se
    }

    /// The number of independent samples (or blocks) behind the estimate.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The degrees of freedom of the standard error: `count - 1`, or less for a combination of unequal estimates.
    pub fn dof(&self) -> f64 {
        self.dof
    }

    /// The skewness of the mean: that of the samples over the root of their count, at most 1 in size.
    ///
    /// It is 0 where it was not measured, and NaN where the spread of the samples over- or underflows.
    pub fn skew(&self) -> f64 {
        self.skew
    }

    /// By how many standard errors skewness moves a limit of `limit` standard errors; infinite where the spread is not known.
    ///
    /// By the expansion of Cornish and Fisher the quantile of a studentised mean at $`z`$ is moved by its skewness times
    /// $`(2z^2+1)/6`$. Three times the skewness that normal samples of this count have by chance is subtracted.
    pub fn shift(&self, limit: f64) -> f64 {
        if self.skew.is_nan() {
            return f64::INFINITY;
        }
        (self.skew.abs() - self.chance).max(0.0) * (2.0 * limit * limit + 1.0) / 6.0
    }

    /// The distance of the mean above `value`, in standard errors.
    ///
    /// Without spread this is 0 if the two are equal and infinite otherwise.
    pub fn z(&self, value: f64) -> f64 {
        let gap = self.mean - value;
        if gap == 0.0 { 0.0 } else { gap / self.se }
    }
}

#[cfg(test)]
mod tests;
