//! Samples in pairs `x, -x`: the law of a sign-symmetric stimulus, symmetric in every finite set as well.

use fovea_core::lanes::{BLOCK, LANES};
use fovea_core::streams::BlockRng;
use fovea_sim::stimulus::{Draw, Element, Law, Moments, Stimulus};

/// The first half of every block of `0` and its mirror image.
pub struct Mirrored<S>(pub S);

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
