//! Shared by the tests of the draws: a sample, and its moments compared with their values.

use super::{BlockRng, Stream, Streams};
use crate::agree::{Disagreement, agrees, test_seed};
use crate::simd::LANES;
use crate::stats::Estimate;

/// Calls per sample, over all its blocks.
const CALLS: u32 = 32_000;

/// Comparisons of all these tests together.
pub(crate) const FAMILY: usize = 60;

/// The stream of the test with this index.
pub(crate) fn stream(index: u64) -> Stream {
    Streams::new(test_seed(module_path!(), index)).named("draws")
}

/// `16 CALLS` draws from 100 blocks.
pub(crate) fn sample(index: u64, mut draw: impl FnMut(&mut BlockRng) -> [f64; LANES]) -> Vec<f64> {
    let stream = stream(index);
    let mut all = Vec::new();
    for block in 0..100 {
        let mut rng = stream.block(0, block);
        all.extend((0..CALLS / 100).flat_map(|_| draw(&mut rng)));
    }
    all
}

/// The mean of `f` over the draws.
pub(crate) fn mean_of(draws: &[f64], f: impl Fn(f64) -> f64) -> Estimate {
    Estimate::from_samples(&draws.iter().map(|x| f(*x)).collect::<Vec<_>>()).unwrap()
}

/// Compares moments one to four of `(x - centre) / scale` with `moments`, each on its own.
pub(crate) fn moments(
    draws: &[f64],
    centre: f64,
    scale: f64,
    moments: [f64; 4],
) -> [Result<(), Disagreement>; 4] {
    std::array::from_fn(|k| {
        let power = mean_of(draws, |x| libm::pow((x - centre) / scale, (k + 1) as f64));
        agrees(&power, moments[k], FAMILY)
    })
}

/// Requires that all four moments agree.
pub(crate) fn all_hold(results: [Result<(), Disagreement>; 4]) {
    for result in results {
        result.unwrap();
    }
}
