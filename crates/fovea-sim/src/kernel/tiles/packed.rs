//! Weights in the order the tiles read them.

use crate::simd::{Kernel, Simd, dispatch};
use fovea_core::lanes::Real;

/// Units whose weights lie side by side.
pub(super) const PACK: usize = 8;

/// Weights and biases in the order the tiles read them: `[pack][input][unit of the pack]`, the last pack filled up with zeros.
pub(in crate::kernel) struct Packed<T> {
    pub(super) n: usize,
    pub(super) units: usize,
    pub(super) weights: Vec<[T; PACK]>,
    pub(super) biases: Vec<[T; PACK]>,
}

impl<T: Real> Packed<T> {
    /// Room for units of `n` inputs.
    pub(in crate::kernel) fn new(n: usize) -> Self {
        Self { n, units: 0, weights: Vec::new(), biases: Vec::new() }
    }

    /// Number of units.
    pub(in crate::kernel) fn units(&self) -> usize {
        self.units
    }

    /// Takes over the weights and biases of so many units: `row` writes those of unit `k` from input `i` on.
    pub(in crate::kernel) fn load(
        &mut self,
        units: usize,
        row: impl Fn(usize, usize, &mut [T]),
        bias: impl Fn(usize) -> f64,
    ) {
        self.units = units;
        let packs = units.div_ceil(PACK);
        self.weights.resize(packs * self.n, [T::ZERO; PACK]);
        self.biases.resize(packs, [T::ZERO; PACK]);
        for (k, to) in self.biases.as_flattened_mut()[..units].iter_mut().enumerate() {
            *to = T::from_f64(bias(k));
        }
        dispatch(Load { packed: self, row });
    }
}

/// Rows of weights into packs, eight inputs of eight units at a time.
struct Load<'a, T, F> {
    packed: &'a mut Packed<T>,
    row: F,
}

impl<T: Real, F: Fn(usize, usize, &mut [T])> Kernel for Load<'_, T, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Packed { n, units, weights, .. } = self.packed;
        for (pack, weights) in weights.chunks_mut(*n).enumerate() {
            let first = pack * PACK;
            let mut tile = [[T::ZERO; PACK]; PACK];
            for (at, columns) in weights.chunks_mut(PACK).enumerate() {
                for (r, row) in tile.iter_mut().enumerate().take(*units - first) {
                    // A row of known length is converted in one go.
                    if columns.len() == PACK {
                        (self.row)(first + r, at * PACK, row);
                    } else {
                        (self.row)(first + r, at * PACK, &mut row[..columns.len()]);
                    }
                }
                let turned = T::columns(s, tile);
                columns.copy_from_slice(&turned[..columns.len()]);
            }
        }
    }
}
