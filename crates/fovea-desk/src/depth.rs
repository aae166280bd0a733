//! Two inputs followed through random networks, layer by layer.

use crate::desk::Desk;
use crate::error::LabError;
use crate::showing::columns;
use fovea_core::stats::Estimate;
use fovea_core::vector::dot;
use fovea_core::{Function, ParamError, Params, activation};
use fovea_sim::mlp::Shape;
use fovea_theory::averages::Pair;

/// Inputs have two entries: only their lengths and their angle matter to rotation-invariant weights.
pub const N_IN: usize = 2;

/// The rectifier.
pub const RELU: Function = Function::Registered(&activation::relu::ENTRY);
/// The hyperbolic tangent.
pub const TANH: Function = Function::Registered(&activation::tanh::ENTRY);
/// No activation.
pub const IDENTITY: Function = Function::Registered(&activation::identity::ENTRY);

/// A network with one output and this many hidden layers of this width, without biases.
pub fn hidden(n_in: usize, s: &Function, c_w: f64, width: usize, layers: usize) -> Shape {
    let widths = vec![width; layers];
    Shape { n_in, widths, activation: s.clone(), c_w, ..Shape::default() }
}

/// A network whose layers are all equally wide, the last one included.
pub fn deep(s: &Function, [c_w, c_b]: [f64; 2], width: usize, layers: usize) -> Shape {
    Shape { outputs: width, c_b, ..hidden(N_IN, s, c_w, width, layers - 1) }
}

/// A linear model: standard normal weights, with no factor in front of them.
pub fn linear(n_in: usize) -> Shape {
    hidden(n_in, &IDENTITY, n_in as f64, 0, 0)
}

/// Refuses networks that do not fit into memory: one on every thread, with its work on this many inputs.
///
/// # Errors
/// There are too many weights.
pub fn holds(shape: &Shape, inputs: usize) -> Result<(), ParamError> {
    plan(shape, inputs, 1)
}

/// The same for networks that are trained: the start is kept with the network, and a step holds a gradient and a part of it.
///
/// # Errors
/// There are too many weights.
pub fn trains(shape: &Shape, inputs: usize) -> Result<(), ParamError> {
    plan(shape, inputs, 4)
}

fn plan(shape: &Shape, inputs: usize, copies: u128) -> Result<(), ParamError> {
    shape.check()?;
    let sizes = shape.sizes();
    let weights: u128 = sizes.windows(2).map(|w| w[0] as u128 * w[1] as u128).sum();
    let units: u128 = sizes.iter().map(|n| *n as u128).sum();
    let threads = rayon::current_num_threads() as u128;
    let what = format!("{threads} networks of {weights} weights at once");
    // Preactivations, activations and errors of every unit.
    let numbers = threads * (copies * weights + 3 * units * inputs as u128);
    crate::memory::fits(numbers, 8, &what, "choose smaller widths, fewer layers or fewer threads")
}

/// Refuses more draws than fit into memory, with this many numbers each.
///
/// # Errors
/// They do not fit.
pub fn drawn(draws: usize, numbers: usize) -> Result<(), ParamError> {
    let what = format!("{numbers} readings of each of {draws} draws");
    // The list of draws, and one reading of all of them while its mean is computed.
    let kept = draws as u128 * (numbers as u128 + 2);
    crate::memory::fits(kept, 8, &what, "draw fewer")
}

/// Two inputs with mean squared entry `size` and correlation `r`.
pub fn two_inputs(size: f64, r: f64) -> [f64; 4] {
    let length = (size * N_IN as f64).sqrt();
    [length, 0.0, r * length, (1.0 - r * r).max(0.0).sqrt() * length]
}

/// Unit inputs at these angles, one after another.
pub fn unit_inputs(angles: &[f64]) -> Vec<f64> {
    angles.iter().flat_map(|a| [libm::cos(*a), libm::sin(*a)]).collect()
}

/// Kernel of the first preactivations of [`two_inputs`].
pub fn first_pair([c_w, c_b]: [f64; 2], size: f64, r: f64) -> Pair {
    Pair { aa: c_b + c_w * size, bb: c_b + c_w * size, ab: c_b + c_w * size * r }
}

/// What was measured at one layer, over networks.
#[derive(Clone, Copy, Debug)]
pub struct AtLayer {
    /// Mean of the squared preactivations, both inputs together.
    pub variance: Estimate,
    /// Mean of their products.
    pub covariance: Estimate,
}

impl AtLayer {
    /// Covariance over variance.
    pub fn correlation(&self) -> f64 {
        self.covariance.mean() / self.variance.mean()
    }
}

/// Variance and covariance in the first two layers with what infinitely wide ones have: the first preactivations are Gaussian whatever the width, so both layers are exact.
pub fn first_two(drawn: &[AtLayer], theory: &[Pair]) -> Vec<(Estimate, f64)> {
    let at = |l: usize| [(drawn[l].variance, theory[l].aa), (drawn[l].covariance, theory[l].ab)];
    [at(0), at(1)].concat()
}

/// The numbers of the layers, from 1.
pub fn layers<T>(all: &[T]) -> Vec<f64> {
    (1..=all.len()).map(|l| l as f64).collect()
}

/// Depths up to `layers`, spaced by equal factors, for a curve over a logarithmic axis.
pub fn spaced_depths(layers: usize) -> Vec<usize> {
    (0..=80)
        .map(|i| libm::pow(layers as f64, f64::from(i) / 80.0) as usize)
        .map(|l| l.clamp(1, layers))
        .collect()
}

/// Variance and covariance at every layer of `nets` random networks.
///
/// # Errors
/// Fewer than two networks, or the run was stopped.
pub fn follow(
    shape: &Shape,
    x: &[f64],
    nets: usize,
    part: &str,
    desk: &Desk<'_>,
) -> Result<Vec<AtLayer>, LabError> {
    let readings = desk.replicas(desk.streams().part(part), nets, |streams| {
        let pass = shape.draw(streams).forward(x);
        let layer = |z: &Vec<f64>| {
            let (a, b) = z.split_at(z.len() / 2);
            let squares = a.iter().zip(b).map(|(a, b)| 0.5 * (a * a + b * b)).sum::<f64>();
            [squares, dot(a, b)].map(|sum| sum / a.len() as f64)
        };
        pass.z.iter().flat_map(layer).collect::<Vec<f64>>()
    })?;
    let layer = |at: &[Estimate]| AtLayer { variance: at[0], covariance: at[1] };
    Ok(columns(&readings)?.chunks(2).map(layer).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_that_is_trained_needs_more_room_than_one_that_is_drawn() {
        let free = |copies: u128| {
            // The widest square layer, in steps of a tenth, that is still allowed.
            let allowed = |n: &usize| {
                let shape = Shape { n_in: 1, widths: vec![*n; 2], ..Shape::default() };
                plan(&shape, 1, copies).is_ok()
            };
            (0..200).map(|i| libm::pow(1.1, f64::from(i)) as usize).take_while(allowed).count()
        };
        assert!(free(1_000_000) < free(1));
        assert!(drawn(1000, 4).is_ok());
        let error = drawn(usize::MAX / 16, 9).unwrap_err();
        assert!(error.to_string().starts_with("9 readings of each of "), "{error}");
    }
}
