//! From white noise to a sample, in one number type.

use crate::cholesky::Cholesky;
use crate::field::{Field, Squash};
use crate::simd::{Body, Simd, dispatch};
use fovea_core::lanes::{BLOCK, LANES, Real};
use fovea_core::streams::BlockRng;

/// How white noise becomes a sample.
#[derive(Clone, Debug)]
pub(super) enum Colour<T> {
    Field(Field<T>),
    /// Rows of a factor of the covariance and the entries they belong to.
    Factor {
        order: Vec<usize>,
        rows: Vec<Vec<T>>,
        rank: usize,
    },
}

impl<T: Real> Colour<T> {
    /// By Fourier modes with these eigenvalues.
    pub(super) fn field(shape: &[usize], eigs: &[f64]) -> Self {
        Self::Field(Field::on_torus(shape, eigs, Squash::Linear))
    }

    /// By a factor of the covariance.
    pub(super) fn factor(factor: &Cholesky) -> Self {
        let row = |i: usize| factor.row(i).iter().map(|x| T::from_f64(*x)).collect();
        let rows = (0..factor.order().len()).map(row).collect();
        Self::Factor { order: factor.order().to_vec(), rows, rank: factor.rank() }
    }

    /// Draws one block around `mean`.
    pub(super) fn fill(
        &self,
        mean: &[f64],
        rng: &mut BlockRng,
        scratch: &mut Vec<[T; LANES]>,
        block: &mut [[T; BLOCK]],
    ) {
        match self {
            Self::Field(field) => field.fill(rng, scratch, block),
            Self::Factor { order, rows, rank } => {
                scratch.resize(2 * rank, [T::ZERO; LANES]);
                dispatch(Fill { order, rows, rng, scratch, block });
            }
        }
        for (row, mean) in block.iter_mut().zip(mean) {
            let mean = T::from_f64(*mean);
            for x in row {
                *x = *x + mean;
            }
        }
    }
}

struct Fill<'a, T> {
    order: &'a [usize],
    rows: &'a [Vec<T>],
    rng: &'a mut BlockRng,
    scratch: &'a mut [[T; LANES]],
    block: &'a mut [[T; BLOCK]],
}

impl<T: Real> Body for Fill<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        for pair in self.scratch.chunks_exact_mut(2) {
            (pair[0], pair[1]) = T::normal_pair(self.rng);
        }
        for (&entry, row) in self.order.iter().zip(self.rows) {
            let mut sums = [[T::ZERO; LANES]; 2];
            for (&factor, pair) in row.iter().zip(self.scratch.chunks_exact(2)) {
                for (sum, noise) in sums.iter_mut().zip(pair) {
                    for l in 0..LANES {
                        sum[l] = factor.fma(noise[l], sum[l]);
                    }
                }
            }
            self.block[entry][..LANES].copy_from_slice(&sums[0]);
            self.block[entry][LANES..].copy_from_slice(&sums[1]);
        }
    }
}
