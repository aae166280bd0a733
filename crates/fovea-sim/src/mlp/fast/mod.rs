//! The tangent kernel of a network on many inputs, as fast as a core multiplies, in either number type.
//!
//! The gradient of an output by the weights of a layer is the outer product of the layer's input and the derivative by its
//! preactivations, so the inner product of two gradients is a product of two inner products:
//!
//! ```text
//! theta(a, b) = sum over layers of  <d(a), d(b)> (factor^2 <h(a), h(b)> + factor_b^2)
//! ```
//!
//! It takes two matrices of inner products per layer, half of each where both sides are the same output, and no Jacobian.

mod lanes;
mod product;
mod room;

use super::{Layer, Mlp};
use crate::packed::Packed;
use crate::sealed::Sealed;
use crate::simd::Level;
use fovea_core::Function;
use fovea_core::activation::Blocked;
use fovea_core::lanes::BLOCK;
use fovea_core::work;
use room::{Room, gram};

/// Samples in blocks: `[block][feature][sample of the block]`, the last block filled up with zeros.
type Blocks<T> = Vec<[T; BLOCK]>;

/// One layer with its factors multiplied out.
#[derive(Clone, Debug)]
struct Folded<T> {
    inputs: usize,
    units: usize,
    weights: Packed<T>,
    /// The same for the backward pass, where an input is a row.
    transposed: Packed<T>,
    biases: Vec<T>,
    /// Squares of the two factors.
    of_weights: T,
    of_biases: T,
}

/// A number type that tangent kernels are computed in.
///
/// The work is behind its method, so that it is compiled here and not in every crate that calls it.
pub trait TangentElement: Blocked + Sealed {
    /// See [`Tangents::of_pair`].
    fn tangents(network: &mut Tangents<Self>, x: &[Self], pair: [usize; 2]) -> Vec<Self>;
}

macro_rules! multiplied {
    ($($type:ty),+) => {
        $(impl TangentElement for $type {
            fn tangents(
                network: &mut Tangents<$type>,
                x: &[$type],
                pair: [usize; 2],
            ) -> Vec<$type> {
                network.work(x, pair)
            }
        })+
    };
}

multiplied!(f32, f64);

/// A network laid out for its tangent kernel, with its work space.
#[derive(Clone, Debug)]
pub struct Tangents<T> {
    activation: Function,
    layers: Vec<Folded<T>>,
    level: Level,
    room: Room<T>,
}

impl<T: TangentElement> Tangents<T> {
    /// Lays a network out.
    pub fn of(mlp: &Mlp) -> Self {
        let layer = |layer: &Layer| {
            let (inputs, units) = (layer.inputs, layer.units);
            let weight = |unit: usize, input: usize| {
                T::from_f64(layer.factor * layer.weights[unit * inputs + input])
            };
            let bias = |bias: &f64| T::from_f64(layer.bias_factor * bias);
            Folded {
                inputs,
                units,
                weights: Packed::of(units, inputs, weight),
                transposed: Packed::of(inputs, units, |input, unit| weight(unit, input)),
                biases: layer.biases.iter().map(bias).collect(),
                of_weights: T::from_f64(layer.factor * layer.factor),
                of_biases: T::from_f64(layer.bias_factor * layer.bias_factor),
            }
        };
        let layers: Vec<_> = mlp.layers.iter().map(layer).collect();
        let hidden = vec![Vec::new(); layers.len() - 1];
        let room = Room { h: vec![Vec::new(); layers.len()], slopes: hidden, ..Room::default() };
        Self { activation: mlp.activation.clone(), layers, level: Level::best(), room }
    }

    /// The same at another level; every number stays the same.
    #[must_use]
    pub fn at(self, level: Level) -> Self {
        Self { level, ..self }
    }

    /// The tangent kernel of one output on inputs `x`, one per row: `[a][b]`, row by row.
    pub fn kernel(&mut self, x: &[T], output: usize) -> Vec<T> {
        self.of_pair(x, [output, output])
    }

    /// The inner products of the gradients of two outputs, `[a][b]`: of output `pair[0]` at input `a` and `pair[1]` at `b`.
    pub fn of_pair(&mut self, x: &[T], pair: [usize; 2]) -> Vec<T> {
        T::tangents(self, x, pair)
    }

    fn work(&mut self, x: &[T], pair: [usize; 2]) -> Vec<T> {
        let Self { activation, layers, level, room } = self;
        let (last, same) = (layers.len() - 1, pair[0] == pair[1]);
        room.feed(x, layers[0].inputs);
        for (index, layer) in layers[..last].iter().enumerate() {
            work::poll();
            room.forward(*level, index, layer);
            room.activate(*level, index, activation);
        }
        // The derivative of an output by its own last preactivation is one, by the others zero.
        let size = room.blocks() * room.samples;
        room.theta.clear();
        room.theta.resize(size, [T::ZERO; BLOCK]);
        room.errors.clear();
        room.errors.resize(size, [if same { T::ONE } else { T::ZERO }; BLOCK]);
        room.inner.resize(size, [T::ZERO; BLOCK]);
        room.join(*level, last, &layers[last], same);
        for (side, output) in pair.into_iter().enumerate().take(2 - usize::from(same)) {
            room.seed(side, output, &layers[last]);
        }
        for index in (0..last).rev() {
            work::poll();
            let [one, other, _] = &room.deltas;
            let other = if same { one } else { other };
            gram(*level, room.samples, [one, other], same, &mut room.errors);
            room.join(*level, index, &layers[index], same);
            if index > 0 {
                for side in 0..2 - usize::from(same) {
                    room.back(*level, index, side, &layers[index]);
                }
            }
        }
        room.rows(same)
    }
}

#[cfg(test)]
mod tests;
