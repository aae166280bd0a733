//! A fixed sample of a sign-symmetric stimulus: every row stands for itself and for its mirror image, so that odd means
//! vanish exactly and the gate of a field changes nothing that does not depend on it.

use crate::expect::dot;
use crate::stimulus::Stimulus;
use fovea_core::lanes::BLOCK;
use fovea_core::streams::Stream;
use fovea_core::work;

/// Rows drawn once and used again and again.
#[derive(Clone, Debug)]
pub struct Sample {
    dim: usize,
    rows: Vec<f64>,
}

impl Sample {
    /// Draws `count` rows in double precision.
    pub fn draw(stimulus: &dyn Stimulus, stream: &Stream, count: usize) -> Self {
        let dim = stimulus.dim();
        let (mut rows, mut lanes) = (Vec::with_capacity(count * dim), Vec::new());
        let mut block = vec![[0.0_f64; BLOCK]; dim];
        for at in 0..count.div_ceil(BLOCK) {
            work::poll();
            stimulus.fill_double(&mut stream.block(0, at as u32), &mut lanes, &mut block);
            for s in 0..BLOCK.min(count - at * BLOCK) {
                rows.extend(block.iter().map(|entry| entry[s]));
            }
        }
        Self { dim, rows }
    }

    /// Number of rows.
    pub fn count(&self) -> usize {
        self.rows.len() / self.dim
    }

    /// Every row.
    pub fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.rows.chunks_exact(self.dim)
    }

    /// The gated mean of rows and mirror images, half the mean of `sign(<w,x>) x`.
    pub fn gated_mean(&self, w: &[f64]) -> Vec<f64> {
        work::poll();
        let mut sum = vec![0.0; self.dim];
        for x in self.rows() {
            let s = dot(w, x);
            // A tie belongs equally to a row and to its mirror image, and adds nothing.
            let sign = if s > 0.0 {
                1.0
            } else if s < 0.0 {
                -1.0
            } else {
                0.0
            };
            for (sum, x) in sum.iter_mut().zip(x) {
                *sum += sign * x;
            }
        }
        let scale = 0.5 / self.count() as f64;
        sum.into_iter().map(|x| scale * x).collect()
    }

    /// Mean size, mean square and mean fourth power of the preactivation.
    pub fn preactivation(&self, w: &[f64]) -> [f64; 3] {
        work::poll();
        let mut sums = [0.0; 3];
        for x in self.rows() {
            let s = dot(w, x);
            sums[0] += s.abs();
            sums[1] += s * s;
            sums[2] += s * s * s * s;
        }
        sums.map(|sum| sum / self.count() as f64)
    }

    /// Excess kurtosis of the preactivation.
    pub fn excess_kurtosis(&self, w: &[f64]) -> f64 {
        let [_, square, fourth] = self.preactivation(w);
        fourth / (square * square) - 3.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stimulus::nlgp::Nlgp;
    use fovea_core::ring::Kernel;
    use fovea_core::streams::Streams;

    #[test]
    fn a_sample_and_its_mirror_image_have_an_odd_gated_mean_and_half_the_mean_size() {
        let stimulus = Nlgp::on_ring(6, 1.0, 3.0, Kernel::Ring).sampler().unwrap();
        let sample = Sample::draw(&stimulus, &Streams::new(1).named("sample"), 1001);
        assert_eq!((sample.count(), sample.rows().count()), (1001, 1001));
        let w = [1.0, 0.5, -0.25, 0.0, 0.3, -2.0];
        let f = sample.gated_mean(&w);
        let mirrored = sample.gated_mean(&w.map(|w| -w));
        assert!(f.iter().zip(&mirrored).all(|(a, b)| (a + b).abs() < 1e-15));
        let [size, square, fourth] = sample.preactivation(&w);
        assert!((2.0 * dot(&w, &f) / size - 1.0).abs() < 1e-12);
        let kurtosis = sample.excess_kurtosis(&w);
        assert!((kurtosis - (fourth / (square * square) - 3.0)).abs() < 1e-15 && kurtosis < 0.0);
        // A single sign: the preactivation is one of two numbers.
        let signs = Nlgp::on_ring(6, 1.0, f64::INFINITY, Kernel::Ring).sampler().unwrap();
        let sample = Sample::draw(&signs, &Streams::new(1).named("sample"), 64);
        assert!((sample.excess_kurtosis(&[0.0, 3.0, 0.0, 0.0, 0.0, 0.0]) + 2.0).abs() < 1e-12);
    }
}
