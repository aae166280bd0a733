//! Expectations over a stimulus, estimated: the mean of any function of one sample, with its standard error.

use crate::stimulus::Stimulus;
use fovea_core::lanes::BLOCK;
use fovea_core::stats::{Estimate, StatsError, VectorAccumulator};
use fovea_core::streams::Stream;
use fovea_core::work::{self, Listening};
use rayon::prelude::*;

/// Blocks of a chunk, the unit of parallel work.
const CHUNK: usize = 32;

/// Draws `samples` samples in double precision and returns the mean of each of the `numbers` that `of` writes for one.
///
/// Chunks are added in the order of their index, so the result does not depend on the thread count.
///
/// # Errors
/// Fewer than two samples, or a number that is not finite.
pub fn expect(
    stimulus: &dyn Stimulus,
    stream: &Stream,
    samples: usize,
    numbers: usize,
    of: impl Fn(&[f64], &mut [f64]) + Sync,
) -> Result<Vec<Estimate>, StatsError> {
    let blocks = samples.div_ceil(BLOCK);
    let chunk = |chunk: usize| {
        let (mut sums, mut said) = (VectorAccumulator::new(numbers), vec![0.0; numbers]);
        let mut block = vec![[0.0_f64; BLOCK]; stimulus.dim()];
        let (mut lanes, mut sample) = (Vec::new(), vec![0.0; stimulus.dim()]);
        for at in chunk * CHUNK..blocks.min((chunk + 1) * CHUNK) {
            work::poll();
            stimulus.fill_double(&mut stream.block(0, at as u32), &mut lanes, &mut block);
            for s in 0..BLOCK.min(samples - at * BLOCK) {
                for (entry, row) in sample.iter_mut().zip(&block) {
                    *entry = row[s];
                }
                of(&sample, &mut said);
                sums.push(&said)?;
            }
        }
        Ok(sums)
    };
    let here = Listening::here();
    let chunk = |index: usize| here.help(|| chunk(index));
    let chunks: Vec<Result<VectorAccumulator, StatsError>> =
        (0..blocks.div_ceil(CHUNK)).into_par_iter().map(chunk).collect();
    let mut all = VectorAccumulator::new(numbers);
    for sums in chunks {
        all.merge(&sums?)?;
    }
    all.estimates()
}

/// The gated mean `E[1(<w,X> >= 0) X]` of a field, estimated: one number per site.
///
/// # Errors
/// Fewer than two samples.
pub fn gated_mean(
    stimulus: &dyn Stimulus,
    stream: &Stream,
    samples: usize,
    w: &[f64],
) -> Result<Vec<Estimate>, StatsError> {
    expect(stimulus, stream, samples, w.len(), |x, out| {
        let open = dot(w, x) >= 0.0;
        for (out, x) in out.iter_mut().zip(x) {
            *out = if open { *x } else { 0.0 };
        }
    })
}

/// The preactivation of a field at one sample.
pub fn dot(w: &[f64], x: &[f64]) -> f64 {
    w.iter().zip(x).map(|(w, x)| w * x).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stimulus::nlgp::Nlgp;
    use fovea_core::agree::{agrees, same_bits};
    use fovea_core::ring::Kernel;
    use fovea_core::streams::Streams;

    #[test]
    fn means_are_those_of_the_samples_for_any_number_of_threads() {
        let signs = Nlgp::on_ring(8, 1.0, f64::INFINITY, Kernel::Ring).sampler().unwrap();
        let stream = Streams::new(3).named("expect");
        let square = |x: &[f64], out: &mut [f64]| {
            out[0] = x.iter().map(|x| x * x).sum();
            out[1] = x[0];
        };
        let run = || expect(&signs, &stream, 5000, 2, square).unwrap();
        let means = run();
        assert!((means[0].mean() - 8.0).abs() < 1e-12 && means[0].count() == 5000);
        agrees(&means[1], 0.0, 1).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let alone = pool.install(run);
        same_bits(&[means[1].mean(), means[1].se()], &[alone[1].mean(), alone[1].se()]).unwrap();
    }

    #[test]
    fn a_gate_on_one_sign_gives_half_a_column_of_the_covariance() {
        let signs = Nlgp::on_ring(8, 1.0, f64::INFINITY, Kernel::Ring).sampler().unwrap();
        let moments = signs.moments().unwrap();
        let mut w = [0.0; 8];
        w[2] = 1.0;
        let stream = Streams::new(4).named("gated");
        let f = gated_mean(&signs, &stream, 20_000, &w).unwrap();
        for (site, estimate) in f.iter().enumerate() {
            agrees(estimate, 0.5 * moments.covariance.at(2, site), 8).unwrap();
        }
        assert!(agrees(&f[3], moments.covariance.at(2, 3), 8).is_err());
    }
}
