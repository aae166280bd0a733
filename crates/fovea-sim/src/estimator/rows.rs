//! The work space for the images of a block, and the parameters other than the weights.

use crate::network::{Network, Units};
use fovea_core::lanes::{BLOCK, LANES, Real};

/// Parameters other than the rows of weights, in the number type of the pass.
#[derive(Default)]
pub(super) struct Heads<T> {
    /// Bias of every unit.
    pub(super) biases: Vec<T>,
    /// Gate offset of every unit; empty without gates.
    pub(super) offsets: Vec<T>,
    /// Readout, `[output][unit]`; empty for the plain mean.
    pub(super) readout: Vec<T>,
    /// Output biases; empty for the plain mean.
    pub(super) output_biases: Vec<T>,
}

/// The work space for the images of one block.
pub(super) struct Rows<T> {
    /// Answers of each sign.
    pub(super) answers: usize,
    /// Preactivations of the images with sign `+`, without biases, `[unit][answer]`; then the loss's derivative by them.
    pub(super) h: Vec<[T; BLOCK]>,
    /// The same of the gates; empty without gates.
    pub(super) gates: Vec<[T; BLOCK]>,
    /// Answers, then the loss's derivative by them, `[sign][answer][output]`.
    pub(super) y: Vec<[T; BLOCK]>,
    /// Targets, `[sign][output]`.
    pub(super) target: Vec<[T; BLOCK]>,
    /// Number of used samples of the block.
    pub(super) used: usize,
}

/// Lane sums of the gradient by biases (none where they are not trained), readout and output biases.
pub(super) struct HeadSums<'a, T> {
    pub(super) biases: &'a mut [[T; LANES]],
    pub(super) readout: &'a mut [[T; LANES]],
    pub(super) output_biases: &'a mut [[T; LANES]],
}

impl<T: Real> Heads<T> {
    /// Copies the current parameters other than the weights; those of a shared row are repeated at every shift.
    pub(super) fn load(&mut self, network: &Network) {
        let copies = network.hidden() / network.width();
        let repeated = |numbers: &[f64], copies: usize| -> Vec<T> {
            let copies = |x: &f64| std::iter::repeat_n(T::from_f64(*x), copies);
            numbers.iter().flat_map(copies).collect()
        };
        self.biases = repeated(network.biases(), copies);
        if let Units::Gated { offsets, .. } = network.units() {
            self.offsets = repeated(offsets, copies);
        }
        self.readout = repeated(network.readout().unwrap_or(&[]), 1);
        self.output_biases = repeated(network.output_biases(), 1);
    }
}
