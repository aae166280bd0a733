//! The correction of an unconditional draw, in one number type.

use super::Conditioned;
use crate::field::{Field, Squash};
use crate::simd::{Body, Simd, dispatch};
use fovea_core::lanes::{BLOCK, LANES, Real};
use fovea_core::streams::BlockRng;

/// A sampler in one number type.
#[derive(Clone, Debug)]
pub(super) struct Corrected<T> {
    field: Field<T>,
    weights: Vec<T>,
    centre: Vec<T>,
    given: Vec<(usize, T)>,
    gain: T,
    scale: T,
}

impl<T: Real> Corrected<T> {
    /// The sampler of `law`, its unconditional field having these eigenvalues.
    pub(super) fn new(law: &Conditioned, shape: &[usize], eigs: &[f64]) -> Self {
        let given = law.params.sites.iter().copied().zip(&law.params.values);
        Self {
            field: Field::on_torus(shape, eigs, Squash::Linear),
            weights: law.weights.concat().into_iter().map(T::from_f64).collect(),
            centre: law.centre.iter().map(|z| T::from_f64(*z)).collect(),
            given: given.map(|(site, value)| (site, T::from_f64(*value))).collect(),
            gain: T::from_f64(law.params.gain),
            scale: T::from_f64(law.scale),
        }
    }

    /// Draws one block; the given entries come out as given, to the last bit.
    pub(super) fn fill(
        &self,
        rng: &mut BlockRng,
        scratch: &mut Vec<[T; LANES]>,
        block: &mut [[T; BLOCK]],
    ) {
        self.field.fill(rng, scratch, block);
        scratch.resize(2 * self.given.len(), [T::ZERO; LANES]);
        for (pair, (site, _)) in scratch.chunks_exact_mut(2).zip(&self.given) {
            pair[0].copy_from_slice(&block[*site][..LANES]);
            pair[1].copy_from_slice(&block[*site][LANES..]);
        }
        dispatch(Correct { law: self, drawn: scratch, block });
        for (site, value) in &self.given {
            block[*site] = [*value; BLOCK];
        }
    }
}

struct Correct<'a, T> {
    law: &'a Corrected<T>,
    drawn: &'a [[T; LANES]],
    block: &'a mut [[T; BLOCK]],
}

impl<T: Real> Body for Correct<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Corrected { weights, centre, given, gain, scale, .. } = self.law;
        for ((row, weights), centre) in
            self.block.iter_mut().zip(weights.chunks_exact(given.len())).zip(centre)
        {
            for (weight, pair) in weights.iter().zip(self.drawn.chunks_exact(2)) {
                for (half, drawn) in row.chunks_exact_mut(LANES).zip(pair) {
                    for l in 0..LANES {
                        half[l] = (-*weight).fma(drawn[l], half[l]);
                    }
                }
            }
            for x in row {
                *x = (*gain * (*x + *centre)).erf() * *scale;
            }
        }
    }
}
