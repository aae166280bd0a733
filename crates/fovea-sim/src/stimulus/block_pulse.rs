//! One block of a tiling of the ring.

use super::single_pulse::distinct_levels;
use super::{Covariance, Declared, Draw, Element, Moments, Stimulus};
use crate::cholesky::LARGEST;
use fovea_core::lanes::{BLOCK, LANES};
use fovea_core::params::between;
use fovea_core::registry::resolve;
use fovea_core::streams::BlockRng;
use fovea_core::{Entry, ParamError, Params, params};

params! {
    /// The ring is cut into blocks from site 0 on; one of them, each equally likely, is `high` and the rest `low`.
    pub struct BlockPulse {
        /// Ring size: entries of a sample. Sites left over after the last whole block stay `low`.
        n: usize = 40, between(2.0, 16384.0), "sites";
        /// Length of a block.
        length: usize = 2, between(1.0, 16384.0), "sites";
        /// Value off the block.
        low: f64 = 0.0, between(-1e6, 1e6), "";
        /// Value on the block.
        high: f64 = 1.0, between(-1e6, 1e6), "";
    }
}

impl Params for BlockPulse {
    fn check(&self) -> Result<(), ParamError> {
        let Self { n, length, .. } = *self;
        if length > n {
            return Err(ParamError::Inconsistent {
                what: format!("`length` is {length} on a ring of {n} sites: no block fits"),
                hint: format!("choose `length` between 1 and {n}, or a larger `n`"),
            });
        }
        distinct_levels(self.low, self.high)
    }
}

impl BlockPulse {
    /// Builds the sampler.
    ///
    /// # Errors
    /// A block longer than the ring; equal levels.
    pub fn sampler(&self) -> Result<BlockPulseSampler, ParamError> {
        self.check()?;
        Ok(BlockPulseSampler { params: self.clone() })
    }
}

/// Draws [`BlockPulse`] samples.
#[derive(Clone, Debug)]
pub struct BlockPulseSampler {
    params: BlockPulse,
}

impl BlockPulseSampler {
    fn blocks(&self) -> usize {
        self.params.n / self.params.length
    }
}

impl Draw for BlockPulseSampler {
    fn dim(&self) -> usize {
        self.params.n
    }
    fn declared(&self) -> Declared {
        Declared { standardized: false, sign_symmetric: false, translation_invariant: false }
    }

    /// Block by block, the sites that are `high`.
    fn moments(&self) -> Result<Moments, String> {
        let BlockPulse { n, length, low, high } = self.params;
        if n > LARGEST {
            return Err(format!(
                "the covariance of {n} sites depends on both of them and is formed up to {LARGEST}"
            ));
        }
        let (blocks, step) = (self.blocks(), high - low);
        let share = 1.0 / blocks as f64;
        let chance = |i: usize| if i / length < blocks { share } else { 0.0 };
        let cov = |i: usize, j: usize| {
            let both = if i / length == j / length { chance(i) } else { 0.0 };
            step * step * (both - chance(i) * chance(j))
        };
        let entries = (0..n * n).map(|at| cov(at / n, at % n)).collect();
        Ok(Moments {
            mean: (0..n).map(|i| low + step * chance(i)).collect(),
            covariance: Covariance::Full { n, entries },
        })
    }

    fn draw<T: Element>(
        &self,
        rng: &mut BlockRng,
        _: &mut Vec<[T; LANES]>,
        block: &mut [[T; BLOCK]],
    ) {
        let (low, high) = (T::from_f64(self.params.low), T::from_f64(self.params.high));
        for half in [0, LANES] {
            let lit = rng.below(self.blocks() as u32);
            for (i, row) in block.iter_mut().enumerate() {
                let own = (i / self.params.length) as u32;
                for l in 0..LANES {
                    row[half + l] = if own == lit[l] { high } else { low };
                }
            }
        }
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Stimulus>> = Entry {
    name: "block-pulse",
    summary: "one block of a fixed tiling of the ring, each equally likely",
    schema: <BlockPulse as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<BlockPulse>(values)?.sampler()?)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampled::{Sampled, samples};

    fn tiling(n: usize, length: usize) -> BlockPulseSampler {
        BlockPulse { n, length, low: -0.5, high: 1.5 }.sampler().unwrap()
    }

    #[test]
    fn drawn_blocks_have_their_moments() {
        for (index, (n, length)) in [(2, 1), (7, 2), (8, 4), (9, 3)].into_iter().enumerate() {
            let sampled = Sampled::new(&tiling(n, length), module_path!(), index as u64, 400);
            sampled.holds();
            sampled.rejects(|_, _| 0.0);
            if n % length > 0 {
                // As if the sites outside all blocks were `high` as often as the others.
                sampled.rejects_means(|_| -0.5 + 2.0 * length as f64 / n as f64);
            }
        }
    }

    #[test]
    fn a_sample_is_one_whole_block_and_the_rest_stays_dark() {
        let x = samples::<f64>(&tiling(7, 2), module_path!(), 9, 20);
        for s in 0..x[0].len() {
            let on: Vec<usize> = (0..7).filter(|&i| x[i][s] > 0.0).collect();
            assert!([vec![0, 1], vec![2, 3], vec![4, 5]].contains(&on), "{on:?}");
        }
        // With a single block every sample is the same, and the covariance is zero.
        let moments = Draw::moments(&tiling(5, 3)).unwrap();
        assert!((0..25).all(|at| moments.covariance.at(at / 5, at % 5).abs() < 1e-15));
        assert_eq!(moments.mean, [1.5, 1.5, 1.5, -0.5, -0.5]);
    }

    #[test]
    fn a_block_must_fit_and_a_large_covariance_is_not_formed() {
        let error = BlockPulse { n: 3, length: 4, ..BlockPulse::default() }.sampler().unwrap_err();
        assert_eq!(error.hint(), "choose `length` between 1 and 3, or a larger `n`");
        assert!(Draw::moments(&tiling(5000, 4)).unwrap_err().contains("up to 2048"));
    }
}
