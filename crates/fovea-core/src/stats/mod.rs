//! Means with standard errors.
//!
//! A number from a simulation is an [`Estimate`], which cannot be built without a standard error. The accumulators
//! compute one in a single pass; the functions below describe a sample that is already in memory.

mod accumulate;
pub mod circle;
mod estimate;

pub use accumulate::{Accumulator, VectorAccumulator};
pub use estimate::Estimate;

/// A sample that cannot be described, with the numbers of its message.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum StatsError {
    /// There are too few numbers.
    #[error("{got} samples; at least {needed} are needed")]
    TooFew {
        /// The numbers given.
        got: usize,
        /// The numbers needed.
        needed: usize,
    },
    /// Two vectors that must have the same length do not.
    #[error("a vector of length {got}; the length must be {expected}")]
    WrongLength {
        /// The length given.
        got: usize,
        /// The length of the vectors before it.
        expected: usize,
    },
    /// A number is infinite or NaN, so no mean or spread exists.
    #[error("sample {index} is {value}; every sample must be finite")]
    NotFinite {
        /// The index of the number.
        index: usize,
        /// The number.
        value: f64,
    },
    /// A standard error is negative, infinite or NaN.
    #[error("the standard error is {se}; it must be finite and at least 0")]
    BadStandardError {
        /// The standard error given.
        se: f64,
    },
    /// All samples are equal, so a ratio of moments does not exist.
    #[error("all samples are equal; their spread must be above 0")]
    NoSpread,
    /// The level of a quantile is not a probability.
    #[error("the quantile level is {level}; it must be between 0 and 1")]
    BadLevel {
        /// The level given.
        level: f64,
    },
}

/// The mean of a sample.
///
/// # Errors
/// An empty sample, or a number that is not finite.
pub fn mean(samples: &[f64]) -> Result<f64, StatsError> {
    Ok(collect(samples, 1)?.mean())
}

/// The unbiased variance of a sample, the sum of squares over `count - 1`.
///
/// # Errors
/// Fewer than two samples, or a number that is not finite.
pub fn variance(samples: &[f64]) -> Result<f64, StatsError> {
    collect(samples, 2)?.variance()
}

/// The quantile of a sample at `level`, interpolated linearly between order statistics.
///
/// Level 0 is the smallest sample, level 1 the largest, 1/2 the median (NumPy's default rule).
///
/// # Errors
/// An empty sample, a number that is not finite, or a level outside $`[0, 1]`$.
pub fn quantile(samples: &[f64], level: f64) -> Result<f64, StatsError> {
    if !(0.0..=1.0).contains(&level) {
        return Err(StatsError::BadLevel { level });
    }
    check(samples, 1)?;
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = level * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    let share = place - below as f64;
    Ok(sorted[below] * (1.0 - share) + sorted[above] * share)
}

/// The excess kurtosis $`m_4/m_2^2 - 3`$ of a sample, from its plain central moments.
///
/// The ratio is biased by order 1/count; a test of a kurtosis compares the moments, which are not.
///
/// # Errors
/// Fewer than two samples, a number that is not finite, or samples that are all equal.
pub fn excess_kurtosis(samples: &[f64]) -> Result<f64, StatsError> {
    let centre = collect(samples, 2)?.mean();
    let (mut second, mut fourth) = (0.0, 0.0);
    for x in samples {
        let square = (x - centre) * (x - centre);
        second += square;
        fourth += square * square;
    }
    if second == 0.0 {
        return Err(StatsError::NoSpread);
    }
    Ok(fourth / second / second * samples.len() as f64 - 3.0)
}

/// Refuses a sample that is too small or holds a number that is not finite.
fn check(samples: &[f64], needed: usize) -> Result<(), StatsError> {
    if samples.len() < needed {
        return Err(StatsError::TooFew { got: samples.len(), needed });
    }
    match samples.iter().position(|x| !x.is_finite()) {
        Some(index) => Err(StatsError::NotFinite { index, value: samples[index] }),
        None => Ok(()),
    }
}

/// Puts a checked sample into an accumulator.
fn collect(samples: &[f64], needed: usize) -> Result<Accumulator, StatsError> {
    check(samples, needed)?;
    let mut accumulator = Accumulator::new();
    for &x in samples {
        accumulator.push(x);
    }
    Ok(accumulator)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::{agrees_to_digits, within};

    const SAMPLE: [f64; 8] = [2.1, -0.3, 4.7, 1.1, 0.0, 3.3, -2.2, 9.5];

    #[test]
    fn sample_statistics_match_mpmath() {
        // mpmath 1.3, 60 digits, from the doubles of SAMPLE: sum(x)/8, sum((x-m)^2)/7, 8 sum4 / sum2^2 - 3.
        agrees_to_digits(mean(&SAMPLE).unwrap(), 2.275, 15.0).unwrap();
        agrees_to_digits(variance(&SAMPLE).unwrap(), 13.196428571428571, 15.0).unwrap();
        within(excess_kurtosis(&SAMPLE).unwrap(), 0.03220205339109826, 0.0, 3e-15).unwrap();
    }

    #[test]
    fn variance_survives_a_large_offset() {
        // The offset is a power of two and the steps are exact in it: the variance is exactly 1.
        let far: Vec<f64> = [-1.0, 0.0, 1.0].iter().map(|x| x + 1_073_741_824.0).collect();
        assert!((variance(&far).unwrap() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn quantile_interpolates_between_order_statistics() {
        let cases = [(0.0, -2.2), (1.0, 9.5), (0.5, 1.6), (0.25, -0.075)];
        for (level, expected) in cases {
            assert!((quantile(&SAMPLE, level).unwrap() - expected).abs() < 1e-15, "{level}");
        }
        assert!((quantile(&[3.0], 0.7).unwrap() - 3.0).abs() < 1e-15);
    }

    #[test]
    fn samples_without_an_answer_are_refused() {
        assert_eq!(mean(&[]), Err(StatsError::TooFew { got: 0, needed: 1 }));
        assert_eq!(variance(&[1.0]), Err(StatsError::TooFew { got: 1, needed: 2 }));
        assert_eq!(excess_kurtosis(&[1.0, 1.0]), Err(StatsError::NoSpread));
        assert_eq!(quantile(&[1.0], 1.5), Err(StatsError::BadLevel { level: 1.5 }));
        let with_hole = [1.0, f64::INFINITY];
        assert_eq!(
            variance(&with_hole),
            Err(StatsError::NotFinite { index: 1, value: f64::INFINITY })
        );
    }
}
