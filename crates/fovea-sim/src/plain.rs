//! The obvious implementation of a training step, one sample at a time in double precision: the judge of [`crate::fused`].

use crate::batch::Batch;
use crate::loss;
use crate::network::{Network, Role, Units};
use crate::stimulus::Element;
use fovea_core::lanes::BLOCK;

/// One sample and its target.
pub type Labelled = (Vec<f64>, Vec<f64>);

/// Every sample of a batch with its target, as drawn in type `T`.
pub fn samples<T: Element>(batch: &Batch<'_>) -> Vec<Labelled> {
    let mut samples = Vec::with_capacity(batch.size());
    let mut x = vec![[T::ZERO; BLOCK]; batch.dim()];
    let mut y = vec![[T::ZERO; BLOCK]; batch.task().outputs()];
    for index in 0..batch.blocks() {
        let used = batch.fill(index, &mut Vec::new(), &mut x, &mut y);
        let of = |rows: &[[T; BLOCK]], s: usize| rows.iter().map(|row| row[s].to_f64()).collect();
        samples.extend((0..used).map(|s| (of(&x, s), of(&y, s))));
    }
    samples
}

/// One hidden unit on one sample.
struct Unit {
    /// Which input each entry of its row of weights multiplies.
    inputs: Vec<usize>,
    /// Its row of weights.
    row: usize,
    /// Its value.
    passed: f64,
    /// The derivative of its value by its preactivation.
    slope: f64,
}

/// The site that site `i` is moved to by `shift`, both on a torus.
pub fn moved(shape: &[usize], i: usize, shift: usize) -> usize {
    let Some((side, rest)) = shape.split_last() else { return 0 };
    moved(rest, i / side, shift / side) * side + (i % side + shift % side) % side
}

fn units(network: &Network, x: &[f64]) -> Vec<Unit> {
    let (n, shape) = (network.inputs(), network.shape());
    let unit = |row: usize, shift: usize| {
        let inputs: Vec<usize> = (0..n).map(|i| moved(shape, i, shift)).collect();
        let dot = |w: &[f64]| inputs.iter().zip(w).map(|(i, w)| w * x[*i]).sum::<f64>();
        let h = dot(&network.weights()[row * n..(row + 1) * n]) + network.biases()[row];
        let (passed, slope) = match network.units() {
            Units::Activation(phi) => phi.both(h),
            Units::Gated { gates, offsets } => {
                let open = dot(&gates[row * n..(row + 1) * n]) + offsets[row] >= 0.0;
                if open { (h, 1.0) } else { (0.0, 0.0) }
            }
        };
        Unit { inputs, row, passed, slope }
    };
    let shifts = if network.shared() { n } else { 1 };
    (0..network.width())
        .flat_map(|row| (0..shifts).map(move |s| (row, s)))
        .map(|(r, s)| unit(r, s))
        .collect()
}

/// Readout of unit `k` at output `o`.
fn readout(network: &Network, o: usize, k: usize) -> f64 {
    network.readout().map_or(1.0, |v| v[o * network.hidden() + k])
}

fn answer(network: &Network, units: &[Unit]) -> Vec<f64> {
    let mean = 1.0 / network.hidden() as f64;
    let output = |o: usize| {
        let sum: f64 =
            units.iter().enumerate().map(|(k, u)| readout(network, o, k) * u.passed).sum();
        mean * sum + network.output_biases().get(o).unwrap_or(&0.0)
    };
    (0..network.outputs()).map(output).collect()
}

/// The network's answer to one sample.
pub fn outputs(network: &Network, x: &[f64]) -> Vec<f64> {
    answer(network, &units(network, x))
}

/// The mean loss over a batch and its gradient, in the order of the network's parameters.
pub fn loss_and_grad<T: Element>(
    network: &Network,
    loss: &loss::Entry,
    batch: &Batch<'_>,
) -> (f64, Vec<f64>) {
    loss_and_grad_over(network, loss, &samples::<T>(batch))
}

/// The mean loss over these samples and its gradient, in the order of the network's parameters.
pub fn loss_and_grad_over(
    network: &Network,
    loss: &loss::Entry,
    samples: &[Labelled],
) -> (f64, Vec<f64>) {
    let mean = 1.0 / network.hidden() as f64;
    let (n, size) = (network.inputs(), samples.len() as f64);
    let mut grad = vec![0.0; network.theta().len()];
    let [biases, readouts, output_biases] =
        [Role::Biases, Role::Readout, Role::OutputBiases].map(|role| network.at(role).start);
    let mut total = 0.0;
    for (x, target) in samples {
        let units = units(network, x);
        let y = answer(network, &units);
        total += (loss.value)(&y, target) / size;
        for (o, error) in (loss.slope)(&y, target).into_iter().enumerate() {
            let error = error / size;
            for (k, unit) in units.iter().enumerate() {
                let delta = error * mean * readout(network, o, k) * unit.slope;
                for (entry, input) in unit.inputs.iter().enumerate() {
                    grad[unit.row * n + entry] += delta * x[*input];
                }
                grad[biases + unit.row] += delta;
                if network.readout().is_some() {
                    grad[readouts + o * network.hidden() + k] += error * mean * unit.passed;
                }
            }
            if network.readout().is_some() {
                grad[output_biases + o] += error;
            }
        }
    }
    for part in network.parts().iter().filter(|part| !part.trained) {
        grad[part.at.clone()].fill(0.0);
    }
    (total, grad)
}

#[cfg(test)]
mod tests;
