//! A block of samples evaluated by a network.

use super::{class_of, nearest};
use crate::network::{Network, Units};
use crate::plain;
use crate::task::Task;
use fovea_core::lanes::{BLOCK, Real};

/// One block of samples and its products with the rows of weights; a shared filter stays at its first position.
pub(super) struct Block<T> {
    pub(super) scratch: Vec<[T; fovea_core::lanes::LANES]>,
    pub(super) x: Vec<[T; BLOCK]>,
    pub(super) y: Vec<[T; BLOCK]>,
    /// `<w, x>` of each row, without its bias.
    pub(super) h: Vec<[f64; BLOCK]>,
    /// The number that the gate of each row compares with zero.
    pub(super) gate: Vec<[f64; BLOCK]>,
}

impl<T: Real> Block<T> {
    pub(super) fn new(network: &Network, task: &Task) -> Self {
        let rows = vec![[0.0; BLOCK]; network.width()];
        Self {
            scratch: Vec::new(),
            x: vec![[T::ZERO; BLOCK]; network.inputs()],
            y: vec![[T::ZERO; BLOCK]; task.outputs()],
            h: rows.clone(),
            gate: rows,
        }
    }

    pub(super) fn preactivate(&mut self, network: &Network) {
        project(network.weights(), &self.x, &mut self.h);
        if let Units::Gated { gates, .. } = network.units() {
            project(gates, &self.x, &mut self.gate);
        } else {
            self.gate.copy_from_slice(&self.h);
        }
        let offsets = match network.units() {
            Units::Gated { offsets, .. } => offsets,
            Units::Activation(_) => network.biases(),
        };
        for (row, offset) in self.gate.iter_mut().zip(offsets) {
            for h in row {
                *h += offset;
            }
        }
    }

    /// How many of the used samples are nearest to their own class.
    pub(super) fn right(&self, network: &Network, task: &Task, class: usize, used: usize) -> usize {
        let own = Some(class_of(task, class));
        (0..used).filter(|s| nearest(task, &self.answer(network, *s)) == own).count()
    }

    /// The network's answer to sample `s`.
    pub(super) fn answer(&self, network: &Network, s: usize) -> Vec<f64> {
        match network.units() {
            Units::Activation(phi) if !network.shared() => {
                let (mean, width) = (1.0 / network.width() as f64, network.width());
                let output = |o: usize| {
                    let readout = |k: usize| network.readout().map_or(1.0, |v| v[o * width + k]);
                    let unit = |k: usize| readout(k) * phi.value(self.gate[k][s]);
                    mean * (0..width).map(unit).sum::<f64>()
                        + network.output_biases().get(o).unwrap_or(&0.0)
                };
                (0..network.outputs()).map(output).collect()
            }
            _ => {
                let x: Vec<f64> = self.x.iter().map(|entry| entry[s].to_f64()).collect();
                plain::outputs(network, &x)
            }
        }
    }
}

/// Products of each row of weights with every sample of a block.
fn project<T: Real>(weights: &[f64], x: &[[T; BLOCK]], h: &mut [[f64; BLOCK]]) {
    for (w, h) in weights.chunks(x.len()).zip(h) {
        *h = [0.0; BLOCK];
        for (w, x) in w.iter().zip(x) {
            for s in 0..BLOCK {
                h[s] += w * x[s].to_f64();
            }
        }
    }
}
