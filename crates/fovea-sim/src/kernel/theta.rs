//! Parameters into the kernel's layout, and its sums back into the order of the parameters.

use super::superblock::Theta;
use super::tiles::Packed;
use crate::moments::offset;
use crate::network::{Network, Units};
use fovea_core::lanes::Real;

impl<T: Real> Theta<T> {
    /// Room for the parameters of `network`, with its gates, which never change.
    pub(super) fn new(network: &Network) -> Self {
        let n = network.inputs();
        let mut gates = Packed::new(n);
        if let Units::Gated { gates: vectors, offsets } = network.units() {
            gates.load(offsets.len(), |k, i| T::from_f64(vectors[k * n + i]), |k| offsets[k]);
        }
        Self { hidden: Packed::new(n), gates, readout: Vec::new(), output_biases: Vec::new() }
    }

    /// Takes over the parameters as they are now.
    pub(super) fn load(&mut self, network: &Network) {
        let (n, units) = (network.inputs(), network.hidden());
        let (weights, biases) = (network.weights(), network.biases());
        if network.shared() {
            // The entry that lies on input i when the filter has been moved by the shift.
            let entry = |k: usize, i: usize| {
                let (filter, shift) = (k / n, k % n);
                T::from_f64(weights[filter * n + offset(network.shape(), shift, i)])
            };
            self.hidden.load(units, entry, |k| biases[k / n]);
        } else {
            self.hidden.load(units, |k, i| T::from_f64(weights[k * n + i]), |k| biases[k]);
        }
        self.readout = converted(network.readout().unwrap_or(&[]));
        self.output_biases = converted(network.output_biases());
    }
}

fn converted<T: Real>(numbers: &[f64]) -> Vec<T> {
    numbers.iter().map(|x| T::from_f64(*x)).collect()
}

/// Adds a chunk's sums to the gradient; those of a shared row add up over its shifts.
pub(super) fn add<T: Real>(network: &Network, sums: &[T], grad: &mut [f64]) {
    if !network.shared() {
        for (total, part) in grad.iter_mut().zip(sums) {
            *total += part.to_f64();
        }
        return;
    }
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

/// Turns sums over samples into the gradient of a mean, and clears what is not trained.
pub(super) fn finish(network: &Network, batch: usize, grad: &mut [f64]) {
    // d loss / d y_hat carries 1/batch, d y_hat / d unit the mean's 1/K; the output bias is outside the mean.
    let units = 1.0 / (batch as f64 * network.hidden() as f64);
    for (index, part) in network.parts().iter().enumerate() {
        let scale = if part.name == "output_biases" { 1.0 / batch as f64 } else { units };
        let entries = grad[network.range(index)].iter_mut();
        entries.for_each(|g| *g = if part.trained { *g * scale } else { 0.0 });
    }
}
