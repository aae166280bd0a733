//! Units before their activation: packed weights and one bias per unit.

use crate::packed::{PACK, Packed};
use fovea_core::lanes::Real;

/// `h = b + W x`.
pub(in crate::fused) struct Affine<T> {
    pub(super) weights: Packed<T>,
    /// Biases of the units of each pack.
    pub(super) biases: Vec<[T; PACK]>,
}

impl<T: Real> Affine<T> {
    /// Space for units of `n` inputs.
    pub(in crate::fused) fn new(n: usize) -> Self {
        Self { weights: Packed::new(n), biases: Vec::new() }
    }

    /// Number of units.
    pub(in crate::fused) fn units(&self) -> usize {
        self.weights.rows()
    }

    /// Copies the weights and biases of this many units: `row` writes those of unit `k` from input `i` on.
    pub(in crate::fused) fn load(
        &mut self,
        units: usize,
        row: impl Fn(usize, usize, &mut [T]),
        bias: impl Fn(usize) -> f64,
    ) {
        self.biases.resize(units.div_ceil(PACK), [T::ZERO; PACK]);
        for (k, to) in self.biases.as_flattened_mut()[..units].iter_mut().enumerate() {
            *to = T::from_f64(bias(k));
        }
        self.weights.load(units, row);
    }
}
