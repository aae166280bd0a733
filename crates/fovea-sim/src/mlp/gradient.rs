//! Derivatives of the outputs by preactivations, inputs and parameters, by backpropagation.

use super::product::{add_outer, rows_times, rows_times_transposed, step_along};
use super::{Mlp, Pass};
use crate::simd::Level;
use fovea_core::work;

/// How many slopes are computed at a time.
const SOME: usize = 256;

impl Mlp {
    /// Derivatives of `sum_o seed[a][o] output[a][o]` by the preactivations of every layer, one row per input.
    pub fn backward(&self, pass: &Pass, seed: &[f64]) -> Vec<Vec<f64>> {
        let mut deltas = vec![seed.to_vec()];
        for index in (1..self.layers.len()).rev() {
            work::poll();
            let layer = &self.layers[index];
            let last = &deltas[deltas.len() - 1];
            let mut delta = rows_times(last, &layer.weights, layer.inputs, layer.units);
            self.with_slopes(&pass.z[index - 1], &mut delta, |delta, slope| {
                delta * (layer.factor * slope)
            });
            deltas.push(delta);
        }
        deltas.reverse();
        deltas
    }

    /// Numbers and the slopes at as many preactivations into one number each.
    fn with_slopes(&self, z: &[f64], numbers: &mut [f64], join: impl Fn(f64, f64) -> f64) {
        let mut room = [0.0; SOME];
        for (numbers, z) in numbers.chunks_mut(SOME).zip(z.chunks(SOME)) {
            let slopes = &mut room[..z.len()];
            slopes.copy_from_slice(z);
            self.activation.slopes(Level::best(), slopes);
            numbers.iter_mut().zip(slopes).for_each(|(x, slope)| *x = join(*x, *slope));
        }
    }

    /// The seed of [`Self::backward`] that picks one output.
    fn pick(&self, pass: &Pass, output: usize) -> Vec<f64> {
        let outputs = self.layers[self.layers.len() - 1].units;
        (0..pass.inputs * outputs).map(|i| f64::from(u8::from(i % outputs == output))).collect()
    }

    /// Derivatives of one output by the preactivations of every layer, one row per input.
    pub fn deltas(&self, pass: &Pass, output: usize) -> Vec<Vec<f64>> {
        self.backward(pass, &self.pick(pass, output))
    }

    /// Derivatives of one output by the input, one row per input.
    pub fn input_jacobian(&self, pass: &Pass, output: usize) -> Vec<f64> {
        let layer = &self.layers[0];
        let first = &self.deltas(pass, output)[0];
        let mut jacobian = rows_times(first, &layer.weights, layer.inputs, layer.units);
        for x in &mut jacobian {
            *x *= layer.factor;
        }
        jacobian
    }

    /// Derivatives of one output at one input by every parameter: weights row by row, then biases, layer by layer.
    pub fn parameter_jacobian(&self, pass: &Pass, output: usize, input: usize) -> Vec<f64> {
        let deltas = self.deltas(pass, output);
        let mut all = Vec::with_capacity(self.parameters());
        for ((layer, delta), h) in self.layers.iter().zip(&deltas).zip(&pass.h) {
            let delta = &delta[input * layer.units..(input + 1) * layer.units];
            let h = &h[input * layer.inputs..(input + 1) * layer.inputs];
            for d in delta {
                all.extend(h.iter().map(|h| layer.factor * d * h));
            }
            all.extend(delta[..layer.biases.len()].iter().map(|d| layer.bias_factor * d));
        }
        all
    }

    /// Derivatives of `sum_ao seed[a][o] output[a][o]` by every parameter, in the order of [`Self::parameter_jacobian`].
    pub fn pull(&self, pass: &Pass, seed: &[f64]) -> Vec<f64> {
        let mut all = Vec::new();
        self.pull_into(pass, seed, &mut all);
        all
    }

    /// The same, written into `all`.
    pub fn pull_into(&self, pass: &Pass, seed: &[f64], all: &mut Vec<f64>) {
        let deltas = self.backward(pass, seed);
        all.clear();
        all.resize(self.parameters(), 0.0);
        let mut rest = all.as_mut_slice();
        for ((layer, delta), h) in self.layers.iter().zip(&deltas).zip(&pass.h) {
            let (weights, behind) = rest.split_at_mut(layer.weights.len());
            let (biases, behind) = behind.split_at_mut(layer.biases.len());
            rest = behind;
            add_outer(layer.factor, delta, h, layer.inputs, weights);
            for delta in delta.chunks_exact(layer.units) {
                biases.iter_mut().zip(delta).for_each(|(b, d)| *b += layer.bias_factor * d);
            }
        }
    }

    /// How fast the outputs move when the parameters do along `direction`, one row per input.
    pub fn push(&self, pass: &Pass, direction: &[f64]) -> Vec<f64> {
        let mut rest = direction;
        let mut moved: Vec<f64> = Vec::new();
        for (index, layer) in self.layers.iter().enumerate() {
            let (weights, behind) = rest.split_at(layer.weights.len());
            let (biases, behind) = behind.split_at(layer.biases.len());
            rest = behind;
            let by = |h: &[f64], w: &[f64]| rows_times_transposed(h, w, layer.inputs, layer.units);
            let mut next = by(&pass.h[index], weights);
            if index > 0 {
                self.with_slopes(&pass.z[index - 1], &mut moved, |moved, slope| moved * slope);
                next.iter_mut().zip(by(&moved, &layer.weights)).for_each(|(a, b)| *a += b);
            }
            for row in next.chunks_exact_mut(layer.units) {
                for (i, z) in row.iter_mut().enumerate() {
                    *z = layer.factor * *z + biases.get(i).map_or(0.0, |b| layer.bias_factor * b);
                }
            }
            moved = next;
        }
        moved
    }

    /// The tangent kernel of all outputs times a vector over inputs and outputs, without the kernel and without the Jacobian.
    pub fn tangent_times(&self, pass: &Pass, vector: &[f64]) -> Vec<f64> {
        self.push(pass, &self.pull(pass, vector))
    }

    /// Moves every parameter by `rates[layer]` times its entry of `direction`; parameters beyond its end stay as they are.
    pub fn shift(&mut self, direction: &[f64], rates: &[f64]) {
        let mut rest = direction;
        for (layer, rate) in self.layers.iter_mut().zip(rates) {
            for part in [&mut layer.weights, &mut layer.biases] {
                let (entries, behind) = rest.split_at(part.len().min(rest.len()));
                rest = behind;
                step_along(*rate, entries, part);
            }
        }
    }
}
