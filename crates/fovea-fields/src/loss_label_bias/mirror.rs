//! Samples in pairs `x, -x`: the law of a sign-symmetric stimulus, symmetric in every finite set as well.

use fovea_core::lanes::{BLOCK, LANES};
use fovea_core::streams::BlockRng;
use fovea_sim::stimulus::{Draw, Element, Law, Moments, Stimulus};

/// The first half of every block of `0` and its mirror image.
pub(super) struct Mirrored<S>(pub(super) S);

impl<S: Stimulus> Draw for Mirrored<S> {
    fn dim(&self) -> usize {
        self.0.dim()
    }
    fn shape(&self) -> Vec<usize> {
        self.0.shape()
    }
    fn law(&self) -> Law {
        self.0.law()
    }
    fn is_gaussian(&self) -> bool {
        self.0.is_gaussian()
    }
    fn notes(&self) -> Vec<String> {
        self.0.notes()
    }
    fn moments(&self) -> Result<Moments, String> {
        self.0.moments()
    }
    fn draw<T: Element>(
        &self,
        rng: &mut BlockRng,
        scratch: &mut Vec<[T; LANES]>,
        block: &mut [[T; BLOCK]],
    ) {
        T::fill(&self.0, rng, scratch, block);
        for row in block {
            let (drawn, mirrored) = row.split_at_mut(BLOCK / 2);
            for (mirror, x) in mirrored.iter_mut().zip(drawn) {
                *mirror = -*x;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::ring::Kernel;
    use fovea_core::streams::Streams;
    use fovea_sim::stimulus::nlgp::Nlgp;

    #[test]
    fn the_second_half_of_a_block_mirrors_the_first() {
        let stimulus = Mirrored(Nlgp::on_ring(6, 1.0, 3.0, Kernel::Ring).sampler().unwrap());
        let mut block = vec![[0.0_f64; BLOCK]; 6];
        let rng = &mut Streams::new(1).named("train/data").block(0, 0);
        stimulus.draw(rng, &mut Vec::new(), &mut block);
        for row in &block {
            for s in 0..BLOCK / 2 {
                assert!(row[s].abs() > 0.0 && (row[s] + row[s + BLOCK / 2]).abs() < 1e-300);
            }
        }
    }
}
