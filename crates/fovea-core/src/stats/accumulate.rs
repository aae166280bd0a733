//! Mean, spread and skewness in one pass, by Welford's recurrence.

use super::{Estimate, StatsError};

/// A running mean, variance and skewness that do not store their samples.
#[derive(Clone, Copy, Debug, Default)]
pub struct Accumulator {
    count: usize,
    sums: Sums,
}

/// The mean of some numbers, the sums of the squares and cubes of their distances from it, and whether any distance is not zero.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    mean: f64,
    squares: f64,
    cubes: f64,
    differ: bool,
}

impl Accumulator {
    /// An empty accumulator.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes one more sample.
    pub fn push(&mut self, x: f64) {
        self.count += 1;
        self.sums.push(x, self.count as f64);
    }

    /// Takes everything another accumulator has seen (Chan, Golub and LeVeque).
    ///
    /// The result depends on the order of merging in its last bits: merge in index order.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        self.sums.merge(self.count as f64, &other.sums, other.count as f64);
        self.count += other.count;
    }

    /// The number of samples taken.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The mean so far; 0 before the first sample.
    pub fn mean(&self) -> f64 {
        self.sums.mean
    }

    /// The unbiased variance so far.
    ///
    /// # Errors
    /// Fewer than two samples, or a sample that was not finite.
    pub fn variance(&self) -> Result<f64, StatsError> {
        let variance = self.sums.squares / enough(self.count)?;
        // One infinite or NaN sample makes the sums useless from then on.
        if variance.is_finite() {
            Ok(variance)
        } else {
            Err(StatsError::NotFinite { index: 0, value: variance })
        }
    }

    /// The mean with its standard error.
    ///
    /// # Errors
    /// Fewer than two samples, or a sample that was not finite.
    pub fn estimate(&self) -> Result<Estimate, StatsError> {
        let se = (self.variance()? / self.count as f64).sqrt();
        Ok(Estimate::from_parts(self.sums.mean, se, self.count)?.skewed(self.sums.skew()))
    }
}

/// A running mean, variance and skewness of every entry of many vectors of one length.
#[derive(Clone, Debug)]
pub struct VectorAccumulator {
    count: usize,
    sums: Vec<Sums>,
}

impl VectorAccumulator {
    /// An empty accumulator for vectors of length `dim`.
    pub fn new(dim: usize) -> Self {
        Self { count: 0, sums: vec![Sums::default(); dim] }
    }

    /// Takes one more vector.
    ///
    /// # Errors
    /// A vector of another length; nothing is taken then.
    pub fn push(&mut self, x: &[f64]) -> Result<(), StatsError> {
        self.same_length(x.len())?;
        self.count += 1;
        for (sums, &x) in self.sums.iter_mut().zip(x) {
            sums.push(x, self.count as f64);
        }
        Ok(())
    }

    /// Takes everything another accumulator has seen.
    ///
    /// # Errors
    /// An accumulator of vectors of another length; nothing is taken then.
    pub fn merge(&mut self, other: &Self) -> Result<(), StatsError> {
        self.same_length(other.sums.len())?;
        if other.count == 0 {
            return Ok(());
        }
        let (own, new) = (self.count as f64, other.count as f64);
        for (sums, theirs) in self.sums.iter_mut().zip(&other.sums) {
            sums.merge(own, theirs, new);
        }
        self.count += other.count;
        Ok(())
    }

    /// The number of vectors taken.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The mean of every entry so far.
    pub fn means(&self) -> Vec<f64> {
        self.sums.iter().map(|sums| sums.mean).collect()
    }

    /// The standard error of every mean.
    ///
    /// # Errors
    /// Fewer than two vectors.
    pub fn standard_errors(&self) -> Result<Vec<f64>, StatsError> {
        let scale = enough(self.count)? * self.count as f64;
        Ok(self.sums.iter().map(|sums| (sums.squares / scale).sqrt()).collect())
    }

    /// Every mean with its standard error.
    ///
    /// # Errors
    /// Fewer than two vectors, or an entry that was not finite.
    pub fn estimates(&self) -> Result<Vec<Estimate>, StatsError> {
        let estimate = |(sums, se): (&Sums, f64)| {
            Ok(Estimate::from_parts(sums.mean, se, self.count)?.skewed(sums.skew()))
        };
        self.sums.iter().zip(self.standard_errors()?).map(estimate).collect()
    }

    /// Refuses a vector of another length.
    fn same_length(&self, got: usize) -> Result<(), StatsError> {
        let expected = self.sums.len();
        if got == expected { Ok(()) } else { Err(StatsError::WrongLength { got, expected }) }
    }
}

impl Sums {
    /// One step of Welford's recurrence: `count` includes the new number.
    fn push(&mut self, x: f64, count: f64) {
        let before = x - self.mean;
        let share = before / count;
        self.cubes += share * (before * share * (count - 1.0) * (count - 2.0) - 3.0 * self.squares);
        self.mean += share;
        self.squares += before * (x - self.mean);
        self.differ |= count > 1.0 && before != 0.0;
    }

    /// Adds the sums of other numbers to these.
    fn merge(&mut self, count: f64, other: &Self, other_count: f64) {
        let share = other_count / (count + other_count);
        let gap = other.mean - self.mean;
        let own = 1.0 - share;
        self.cubes += other.cubes
            + gap * gap * gap * count * share * (own - share)
            + 3.0 * gap * (own * other.squares - share * self.squares);
        self.mean += gap * share;
        self.squares += other.squares + gap * gap * count * share;
        self.differ |= other.differ || (count > 0.0 && gap != 0.0);
    }

    /// The skewness of the mean, $`\sum d^3/(\sum d^2)^{3/2}`$: that of the numbers over the root of their count. It is 0 without
    /// spread, and NaN if the spread is lost because squares or cubes over- or underflow.
    fn skew(&self) -> f64 {
        if !self.differ {
            0.0
        } else if self.squares < f64::MIN_POSITIVE {
            f64::NAN
        } else {
            let size = self.squares.sqrt();
            self.cubes / size / size / size
        }
    }
}

/// The degrees of freedom, if there are enough samples.
fn enough(count: usize) -> Result<f64, StatsError> {
    if count < 2 {
        Err(StatsError::TooFew { got: count, needed: 2 })
    } else {
        Ok((count - 1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::{agrees_to_digits, same_bits};

    fn numbers() -> Vec<f64> {
        (0..60).map(|i| f64::from((i * 17) % 61) + 0.25).collect()
    }

    #[test]
    fn one_pass_gives_the_textbook_sums() {
        let mut accumulator = Accumulator::new();
        for x in numbers() {
            accumulator.push(x);
        }
        // Two passes in whole numbers: 17 i mod 61 runs over 0..61 without 44 for i = 0..60.
        let values: Vec<i64> = (0..61).filter(|v| *v != 44).collect();
        let (sum, squares) = values.iter().fold((0, 0), |(s, q), v| (s + v, q + v * v));
        let variance = (60 * squares - sum * sum) as f64 / (60.0 * 59.0);
        agrees_to_digits(accumulator.mean(), sum as f64 / 60.0 + 0.25, 15.0).unwrap();
        agrees_to_digits(accumulator.variance().unwrap(), variance, 14.0).unwrap();
        let estimate = accumulator.estimate().unwrap();
        agrees_to_digits(estimate.se() * estimate.se() * 60.0, variance, 14.0).unwrap();
        let centre = sum as f64 / 60.0;
        let cubes: f64 = values.iter().map(|v| libm::pow(*v as f64 - centre, 3.0)).sum();
        agrees_to_digits(estimate.skew(), cubes / libm::pow(59.0 * variance, 1.5), 11.0).unwrap();
    }

    #[test]
    fn merged_parts_agree_with_the_whole() {
        let numbers = numbers();
        let mut whole = Accumulator::new();
        for &x in &numbers {
            whole.push(x);
        }
        for cut in [0, 1, 20, 60] {
            let (mut left, mut right) = (Accumulator::new(), Accumulator::new());
            for &x in &numbers[..cut] {
                left.push(x);
            }
            for &x in &numbers[cut..] {
                right.push(x);
            }
            left.merge(&right);
            assert_eq!(left.count(), whole.count());
            agrees_to_digits(left.mean(), whole.mean(), 14.5).unwrap();
            agrees_to_digits(left.variance().unwrap(), whole.variance().unwrap(), 14.0).unwrap();
            let [parts, whole] = [left, whole].map(|all| all.estimate().unwrap().skew());
            agrees_to_digits(parts, whole, 11.0).unwrap();
        }
    }

    #[test]
    fn a_vector_accumulator_is_many_scalar_ones() {
        let mut vectors = VectorAccumulator::new(2);
        let mut scalars = [Accumulator::new(), Accumulator::new()];
        for x in numbers() {
            vectors.push(&[x, -3.0 * x]).unwrap();
            scalars[0].push(x);
            scalars[1].push(-3.0 * x);
        }
        let estimates = vectors.estimates().unwrap();
        same_bits(&vectors.means(), &scalars.map(|s| s.mean())).unwrap();
        for (vector, scalar) in estimates.iter().zip(scalars) {
            agrees_to_digits(vector.se(), scalar.estimate().unwrap().se(), 15.0).unwrap();
        }
        let mut twice = vectors.clone();
        twice.merge(&vectors).unwrap();
        assert_eq!(twice.count(), 120);
        same_bits(&twice.means(), &vectors.means()).unwrap();
    }

    #[test]
    fn wrong_lengths_and_missing_samples_are_refused() {
        let mut vectors = VectorAccumulator::new(2);
        assert_eq!(vectors.push(&[1.0]), Err(StatsError::WrongLength { got: 1, expected: 2 }));
        assert!(vectors.merge(&VectorAccumulator::new(3)).is_err());
        assert_eq!(vectors.estimates(), Err(StatsError::TooFew { got: 0, needed: 2 }));
        assert!(Accumulator::new().variance().is_err());
        let mut poisoned = Accumulator::new();
        for x in [1.0, f64::NAN, 2.0] {
            poisoned.push(x);
        }
        assert!(poisoned.estimate().is_err());
    }
}
