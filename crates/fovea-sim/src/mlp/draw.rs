//! A random network, with the distribution that its shape states.

use super::{Layer, Mlp, Shape, WeightLaw};
use fovea_core::lanes::LANES;
use fovea_core::streams::{Stream, Streams, Threshold};

impl Shape {
    /// A network of this shape.
    ///
    /// Weights come from the stream `mlp/weights` and biases from `mlp/biases`, one index per layer. Without biases (`c_b` = 0) none are kept.
    pub fn draw(&self, streams: &Streams) -> Mlp {
        let sizes = self.sizes();
        let (weights, biases) = (streams.named("mlp/weights"), streams.named("mlp/biases"));
        let layer = |index: usize| {
            let (inputs, units) = (sizes[index], sizes[index + 1]);
            let (spread, factor) = self.weight_scale(index);
            let (bias_spread, bias_factor) = self.bias_scale(index);
            let with_bias = if self.c_b > 0.0 { units } else { 0 };
            Layer {
                inputs,
                units,
                weights: self.law.numbers(&weights, index, inputs * units, spread),
                biases: self.law.numbers(&biases, index, with_bias, bias_spread),
                factor,
                bias_factor: if self.c_b > 0.0 { bias_factor } else { 0.0 },
            }
        };
        Mlp {
            activation: self.activation.clone(),
            layers: (0..sizes.len() - 1).map(layer).collect(),
        }
    }
}

impl WeightLaw {
    /// Independent numbers of mean 0 and deviation `spread`.
    fn numbers(self, stream: &Stream, index: usize, count: usize, spread: f64) -> Vec<f64> {
        let mut out = vec![0.0; count];
        match self {
            Self::Gaussian => stream.normals(index as u64, &mut out),
            Self::Uniform | Self::Rademacher => {
                let mut rng = stream.block(index as u64, 0);
                let half = Threshold::of(0.5);
                for chunk in out.chunks_mut(LANES) {
                    let numbers: [f64; LANES] = if self == Self::Uniform {
                        rng.uniforms().map(|u| 12.0_f64.sqrt() * (u - 0.5))
                    } else {
                        rng.coins(half).map(|up| if up { 1.0 } else { -1.0 })
                    };
                    chunk.iter_mut().zip(numbers).for_each(|(slot, number)| *slot = number);
                }
            }
        }
        for x in &mut out {
            *x *= spread;
        }
        out
    }
}
