//! The tangent kernel of a given network, without its Jacobian.

use super::product::gram;
use super::{Mlp, Pass};

impl Mlp {
    /// The tangent kernel of one output, split by layer: `[layer][a][b]`, rows of equal length after each other.
    ///
    /// The gradient by the weights of a layer is an outer product, so the inner product of two gradients is that of their
    /// errors times that of their inputs, and no gradient is ever stored.
    pub fn tangent_by_layer(&self, pass: &Pass, output: usize) -> Vec<Vec<f64>> {
        let deltas = self.deltas(pass, output);
        let of_layer = |index: usize| {
            let layer = &self.layers[index];
            let errors = gram(&deltas[index], layer.units);
            let inputs = gram(&pass.h[index], layer.inputs);
            let (weight, bias) =
                (layer.factor * layer.factor, layer.bias_factor * layer.bias_factor);
            errors.iter().zip(&inputs).map(|(e, x)| e * (weight * x + bias)).collect()
        };
        (0..self.layers.len()).map(of_layer).collect()
    }

    /// The tangent kernel of one output on the inputs of a pass, row by row.
    pub fn tangent(&self, pass: &Pass, output: usize) -> Vec<f64> {
        let layers = self.tangent_by_layer(pass, output);
        (0..pass.inputs * pass.inputs).map(|i| layers.iter().map(|layer| layer[i]).sum()).collect()
    }
}
