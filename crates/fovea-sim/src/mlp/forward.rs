//! The forward pass of a batch of inputs.

use super::Mlp;
use super::product::rows_times_transposed;
use crate::simd::Level;
use fovea_core::work;

/// The forward pass of a batch: preactivations and activations of every layer, one row per input.
#[derive(Clone, Debug)]
pub struct Pass {
    /// Number of inputs.
    pub inputs: usize,
    /// Preactivations, layer by layer; the last are the outputs.
    pub z: Vec<Vec<f64>>,
    /// The input of each layer: the inputs themselves, then the activations of each hidden layer.
    pub h: Vec<Vec<f64>>,
}

impl Pass {
    /// The outputs, one row per input.
    pub fn outputs(&self) -> &[f64] {
        self.z.last().map_or(&[], Vec::as_slice)
    }
}

impl Mlp {
    /// Runs inputs, one per row, through the network.
    pub fn forward(&self, x: &[f64]) -> Pass {
        let inputs = x.len() / self.layers[0].inputs;
        let (mut z, mut h): (Vec<Vec<f64>>, _) = (Vec::new(), vec![x.to_vec()]);
        for (index, layer) in self.layers.iter().enumerate() {
            work::poll();
            if index > 0 {
                let mut values = z[index - 1].clone();
                self.activation.values(Level::best(), &mut values);
                h.push(values);
            }
            let mut next =
                rows_times_transposed(&h[index], &layer.weights, layer.inputs, layer.units);
            for z in &mut next {
                *z *= layer.factor;
            }
            for row in next.chunks_exact_mut(layer.units) {
                row.iter_mut().zip(&layer.biases).for_each(|(z, b)| *z += layer.bias_factor * b);
            }
            z.push(next);
        }
        Pass { inputs, z, h }
    }
}
