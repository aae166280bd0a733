//! Weights in the order the tiles read them.

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

    /// Takes over weights `(unit, input)` and biases of so many units.
    pub(in crate::kernel) fn load(
        &mut self,
        units: usize,
        weight: impl Fn(usize, usize) -> T,
        bias: impl Fn(usize) -> f64,
    ) {
        self.units = units;
        let packs = units.div_ceil(PACK);
        self.weights.resize(packs * self.n, [T::ZERO; PACK]);
        self.biases.resize(packs, [T::ZERO; PACK]);
        for (pack, biases) in self.biases.iter_mut().enumerate() {
            let weights = &mut self.weights[pack * self.n..][..self.n];
            let first = pack * PACK;
            for r in 0..PACK.min(units - first) {
                biases[r] = T::from_f64(bias(first + r));
            }
            if units - first >= PACK {
                for (i, row) in weights.iter_mut().enumerate() {
                    for r in 0..PACK {
                        row[r] = weight(first + r, i);
                    }
                }
            } else {
                for (i, row) in weights.iter_mut().enumerate() {
                    for r in 0..units - first {
                        row[r] = weight(first + r, i);
                    }
                }
            }
        }
    }
}
