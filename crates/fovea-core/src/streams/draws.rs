//! Random numbers beyond raw bits, one per lane: uniforms, integers, coins and exponentials.
//!
//! Double precision and `libm` throughout, so a draw has the same bits on every platform. Each method takes a fixed
//! number of words per lane.

use super::BlockRng;
use crate::simd::LANES;

/// The share of heads of a coin, rounded to a multiple of 2^-32: one half is exact, 0 never gives heads and 1 always does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold(u64);

impl Threshold {
    /// The threshold of a share in [0, 1]; a share outside is taken as the nearer end, and NaN as 0.
    pub fn of(share: f64) -> Self {
        Self((share * 4_294_967_296.0).round() as u64)
    }
}

impl BlockRng {
    /// Uniform numbers in the open interval (0, 1), 53 bits each; two words per lane.
    #[inline(always)]
    pub fn uniforms(&mut self) -> [f64; LANES] {
        let (high, low) = (self.next_lanes(), self.next_lanes());
        let mut uniforms = [0.0; LANES];
        for l in 0..LANES {
            uniforms[l] = unit(high[l], low[l]);
        }
        uniforms
    }

    /// Uniform integers in `0..count`; one word per lane.
    ///
    /// The high half of `word * count`. The probabilities of two integers differ by at most 2^-32, so each has a relative error of at
    /// most `count / 2^32`; a power of two is exact. A `count` of zero gives zeros.
    #[inline(always)]
    pub fn below(&mut self, count: u32) -> [u32; LANES] {
        self.next_lanes().map(|word| ((u64::from(word) * u64::from(count)) >> 32) as u32)
    }

    /// Coin tosses, true with the probability of `threshold`; one word per lane.
    ///
    /// ```
    /// use fovea_core::streams::{Streams, Threshold};
    /// let rng = &mut Streams::new(7).named("labels").block(0, 0);
    /// assert_eq!(rng.coins(Threshold::of(1.0)), [true; 16]);
    /// assert_eq!(rng.coins(Threshold::of(0.0)), [false; 16]);
    /// ```
    #[inline(always)]
    pub fn coins(&mut self, threshold: Threshold) -> [bool; LANES] {
        self.next_lanes().map(|word| u64::from(word) < threshold.0)
    }

    /// Exponential numbers of mean one, between 1.1e-16 and 37.5; two words per lane.
    pub fn exponentials(&mut self) -> [f64; LANES] {
        self.uniforms().map(|u| -libm::log(u))
    }
}

/// The uniform number of 53 of 64 bits, in the middle of its cell.
///
/// In the upper half the middle rounds to an edge of the cell, and in the very last cell to one: that single value is
/// replaced by the number below.
#[inline(always)]
fn unit(high: u32, low: u32) -> f64 {
    const BELOW_ONE: f64 = 1.0 - f64::EPSILON / 2.0;
    let bits = u64::from(high) << 21 | u64::from(low) >> 11;
    let middle = (bits as f64 + 0.5) / 9_007_199_254_740_992.0;
    if middle > BELOW_ONE { BELOW_ONE } else { middle }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::{agrees, agrees_to_digits, same_bits};
    use crate::streams::Streams;
    use crate::streams::sampled::{FAMILY, all_hold, mean_of, moments, sample, stream};

    /// Values from an independent program in another language.
    #[test]
    fn the_draws_have_not_moved() {
        let block = Streams::new(42).named("data").block(5, 7);
        let uniforms = block.clone().uniforms();
        same_bits(&[uniforms[0], uniforms[15]], &[0.7664683704901816, 0.5271170349484988]).unwrap();
        let exponentials = block.clone().exponentials();
        agrees_to_digits(exponentials[0], 0.2659618463746778, 15.0).unwrap();
        agrees_to_digits(exponentials[15], 0.6403326773952409, 15.0).unwrap();
        let mut rng = block.clone();
        assert_eq!(rng.below(7), [5, 3, 5, 0, 1, 4, 0, 0, 2, 3, 6, 4, 4, 5, 6, 3]);
        let heads = rng.coins(Threshold::of(0.3)).map(u8::from);
        assert_eq!(heads, [0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1]);
    }

    #[test]
    fn uniforms_have_their_moments_inside_the_open_interval() {
        let draws = sample(0, BlockRng::uniforms);
        let expected = [1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0, 1.0 / 5.0];
        all_hold(moments(&draws, 0.0, 1.0, expected));
        assert!(moments(&draws, 0.0, 1.02, expected).iter().all(Result::is_err));
        assert!(unit(0, 0) > 0.0 && unit(u32::MAX, u32::MAX) < 1.0);
        same_bits(&[unit(1 << 31, 0), unit(0, 1 << 11)], &[0.5, 1.5 / 9007199254740992.0]).unwrap();
    }

    #[test]
    fn integers_below_a_count_are_equally_likely() {
        let power_means = |count: u32| {
            std::array::from_fn(|k| {
                let powers = (0..count).map(|i| libm::pow(f64::from(i), (k + 1) as f64));
                powers.sum::<f64>() / f64::from(count)
            })
        };
        for count in [2, 3, 7, 100] {
            let draws = sample(u64::from(count), |rng| rng.below(count).map(f64::from));
            assert!(draws.iter().all(|x| *x < f64::from(count)));
            all_hold(moments(&draws, 0.0, 1.0, power_means(count)));
            let wrong = power_means(count + 5);
            assert!(moments(&draws, 0.0, 1.0, wrong).iter().all(Result::is_err));
        }
        let mut rng = stream(1).block(0, 0);
        assert_eq!((rng.below(1), rng.below(0)), ([0; LANES], [0; LANES]));
        let (words, integers) = (rng.clone().next_lanes(), rng.below(1 << 31));
        assert_eq!(integers, words.map(|word| word >> 1));
    }

    #[test]
    fn coins_show_heads_with_their_share() {
        for (index, share) in [0.5, 0.1, 0.003].into_iter().enumerate() {
            let threshold = Threshold::of(share);
            let toss =
                |rng: &mut BlockRng| rng.coins(threshold).map(|heads| f64::from(u8::from(heads)));
            let heads = mean_of(&sample(10 + index as u64, toss), |x| x);
            agrees(&heads, share, FAMILY).unwrap();
            assert!(agrees(&heads, 1.3 * share, FAMILY).is_err());
        }
        assert_eq!([-1.0, f64::NAN, 1e-11].map(Threshold::of), [Threshold(0); 3]);
        assert_eq!(Threshold::of(1.0 / 4_294_967_296.0), Threshold(1));
        let always = [1.0, 2.0, f64::INFINITY].map(Threshold::of);
        assert!(always.iter().all(|threshold| threshold.0 > u64::from(u32::MAX)));
    }

    #[test]
    fn exponentials_have_their_moments() {
        let draws = sample(20, BlockRng::exponentials);
        assert!(draws.iter().all(|x| *x > 0.0 && *x < 37.5));
        all_hold(moments(&draws, 0.0, 1.0, [1.0, 2.0, 6.0, 24.0]));
        assert!(moments(&draws, 0.0, 1.1, [1.0, 2.0, 6.0, 24.0]).iter().all(Result::is_err));
    }
}
