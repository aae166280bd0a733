//! Moments of pulses: some neighbouring sites of the ring are lit and the others are not.

use crate::Form;

fovea_core::registry! { "src/pulse": Form; single, block, gated }

/// How a pattern of zeros and ones becomes a sample: exchanged with some probability, then mapped to two levels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    /// Probability of exchanging zeros and ones in the whole pattern.
    pub complement: f64,
    /// The value of a 0.
    pub low: f64,
    /// The value of a 1.
    pub high: f64,
}

impl Levels {
    /// Zeros and ones unchanged.
    pub const PLAIN: Self = Self { complement: 0.0, low: 0.0, high: 1.0 };

    /// The mean of a sample from that of the pattern.
    fn mean(self, lit: f64) -> f64 {
        self.low + (self.high - self.low) * self.exchanged(lit)
    }

    /// $`E\,x_ix_j`$ of a sample from the means and the second moment of the pattern.
    fn second(self, lit_i: f64, lit_j: f64, both: f64) -> f64 {
        // Both sites are lit after the exchange when neither was before.
        let neither = 1.0 - lit_i - lit_j + both;
        let both = (1.0 - self.complement) * both + self.complement * neither;
        let step = self.high - self.low;
        let means = self.exchanged(lit_i) + self.exchanged(lit_j);
        self.low * self.low + self.low * step * means + step * step * both
    }

    fn exchanged(self, lit: f64) -> f64 {
        (1.0 - self.complement) * lit + self.complement * (1.0 - lit)
    }
}

/// Means and second moments of samples made from these patterns, with probabilities proportional to their weights.
#[cfg(test)]
fn enumerated(patterns: &[(f64, Vec<f64>)], levels: Levels) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = patterns[0].1.len();
    let (mut mean, mut second) = (vec![0.0; n], vec![vec![0.0; n]; n]);
    for (weight, pattern) in patterns {
        for (share, exchange) in [(1.0 - levels.complement, false), (levels.complement, true)] {
            let level = |x: &f64| {
                let x = if exchange { 1.0 - x } else { *x };
                levels.low + (levels.high - levels.low) * x
            };
            let sample: Vec<f64> = pattern.iter().map(level).collect();
            for i in 0..n {
                mean[i] += weight * share * sample[i];
                for j in 0..n {
                    second[i][j] += weight * share * sample[i] * sample[j];
                }
            }
        }
    }
    (mean, second)
}
