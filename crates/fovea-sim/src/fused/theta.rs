//! Parameters into the layout of the fused pass, and its sums back into the order of the parameters.

use super::Sums;
use super::superblock::Theta;
use super::tiles::Affine;
use crate::moments::offset;
use crate::network::{Network, Role, Units};
use crate::simd::{Body, Simd, dispatch};
use fovea_core::activation;
use fovea_core::lanes::Real;

impl<T: Real> Theta<T> {
    /// Space for the parameters of `network`, with its gates, which never change.
    pub(super) fn new(network: &Network) -> Self {
        let n = network.inputs();
        let mut gates = Affine::new(n);
        if let Units::Gated { gates: vectors, offsets } = network.units() {
            let row = |k: usize, i: usize, to: &mut [T]| convert(&vectors[k * n + i..], to);
            gates.load(offsets.len(), row, |k| offsets[k]);
        }
        let relu = activation::relu::ENTRY.name;
        Self {
            hidden: Affine::new(n),
            gates,
            readout: Vec::new(),
            output_biases: Vec::new(),
            rectified: network.readout().is_none()
                && matches!(network.units(), Units::Activation(phi) if phi.name() == relu),
            trains_biases: network.trains(Role::Biases),
        }
    }

    /// Copies the current parameters.
    pub(super) fn load(&mut self, network: &Network) {
        let (n, units) = (network.inputs(), network.hidden());
        let (weights, biases) = (network.weights(), network.biases());
        if network.shared() {
            // The entry that lies on input i when the filter has been moved by the shift.
            let row = |k: usize, i: usize, to: &mut [T]| {
                let (filter, shift) = (k / n, k % n);
                for (j, to) in to.iter_mut().enumerate() {
                    let at = filter * n + offset(network.shape(), shift, i + j);
                    *to = T::from_f64(weights[at]);
                }
            };
            self.hidden.load(units, row, |k| biases[k / n]);
        } else {
            let row = |k: usize, i: usize, to: &mut [T]| convert(&weights[k * n + i..], to);
            self.hidden.load(units, row, |k| biases[k]);
        }
        self.readout = converted(network.readout().unwrap_or(&[]));
        self.output_biases = converted(network.output_biases());
    }
}

fn converted<T: Real>(numbers: &[f64]) -> Vec<T> {
    numbers.iter().map(|x| T::from_f64(*x)).collect()
}

/// The first numbers into their places.
#[inline(always)]
fn convert<T: Real>(numbers: &[f64], to: &mut [T]) {
    for (to, x) in to.iter_mut().zip(numbers) {
        *to = T::from_f64(*x);
    }
}

/// Adds up the sums of chunks, in their order. The first wave of a batch starts at zero, and the last turns sums over samples into
/// the gradient of a mean.
pub(super) fn collect<T: Real>(
    network: &Network,
    chunks: &[Sums<T>],
    (first, last): (bool, bool),
    batch: usize,
    grad: &mut [f64],
) {
    // d loss / d y_hat carries 1/batch, d y_hat / d unit the mean's 1/K; the output bias is outside the mean.
    let samples = 1.0 / batch as f64;
    let units = 1.0 / (batch as f64 * network.hidden() as f64);
    if network.shared() {
        if first {
            grad.fill(0.0);
        }
        for chunk in chunks {
            add_shared(network, &chunk.grad, grad);
        }
    }
    for part in network.parts() {
        let at = part.at.clone();
        let scale = if part.role == Role::OutputBiases { samples } else { units };
        if !part.trained {
            grad[at].fill(0.0);
        } else if network.shared() {
            let scale = if last { scale } else { 1.0 };
            grad[at].iter_mut().for_each(|g| *g *= scale);
        } else {
            let begin = at.start;
            dispatch(Collect {
                chunks,
                first,
                begin,
                grad: &mut grad[at],
                scale: last.then_some(scale),
            });
        }
    }
}

/// The sums of one part of the parameters.
struct Collect<'a, T> {
    chunks: &'a [Sums<T>],
    first: bool,
    begin: usize,
    grad: &'a mut [f64],
    scale: Option<f64>,
}

impl<T: Real> Body for Collect<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        /// Entries that are carried through all chunks at once.
        const FEW: usize = 64;
        for (index, grad) in self.grad.chunks_mut(FEW).enumerate() {
            let begin = self.begin + index * FEW;
            if self.first {
                grad.fill(0.0);
            }
            for chunk in self.chunks {
                for (total, part) in grad.iter_mut().zip(&chunk.grad[begin..]) {
                    *total += part.to_f64();
                }
            }
            if let Some(scale) = self.scale {
                for g in grad {
                    *g *= scale;
                }
            }
        }
    }
}

/// Adds a chunk's sums; those of a shared row add up over its shifts.
fn add_shared<T: Real>(network: &Network, sums: &[T], grad: &mut [f64]) {
    let n = network.inputs();
    let (weights, biases) = grad.split_at_mut(network.weights().len());
    let (weight_sums, bias_sums) = sums.split_at(network.hidden() * n);
    for (unit, row) in weight_sums.chunks(n).enumerate() {
        let (filter, shift) = (unit / n, unit % n);
        for (i, part) in row.iter().enumerate() {
            weights[filter * n + offset(network.shape(), shift, i)] += part.to_f64();
        }
    }
    for (unit, part) in bias_sums.iter().enumerate() {
        biases[unit / n] += part.to_f64();
    }
}
