//! The largest learning rate of networks, by width and depth (lectures, topic 4).

use super::drawn::{over_networks, shape};
use super::prelude::*;
use fovea_sim::mlp::{Mlp, Parametrisation, Shape};
use fovea_theory::rates::gradient_norm::{self, gradient_norm};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "largest-rates",
    summary: "The largest learning rate at which networks are stable, by width and depth.",
    covers: &["T04.5/weights", "T04.5/biases", "T04.6/shares", "T04.6/rate"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![weights(effort)?, biases(effort)?, shares(effort)?, by_depth(effort)?])
}

/// One input, and its mean square `|x|^2/n_0`.
const X: [f64; 4] = [1.5, 1.0, -0.5, 2.0];
const SQUARE: f64 = 1.875;

/// What is trained.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Weights,
    Biases,
}

/// The gradient of the output by the trained parameters, 0 for the others.
fn gradient_by(mlp: &Mlp, part: Part) -> Vec<f64> {
    let mut all = mlp.parameter_jacobian(&mlp.forward(&X), 0, 0);
    let mut at = 0;
    for layer in &mlp.layers {
        let (weights, biases) = (layer.weights.len(), layer.biases.len());
        let rest = if part == Part::Weights {
            at + weights..at + weights + biases
        } else {
            at..at + weights
        };
        all[rest].fill(0.0);
        at += weights + biases;
    }
    all
}

fn square(gradient: &[f64]) -> f64 {
    gradient.iter().map(|g| g * g).sum()
}

/// Error at the start: small, so that the network stays linear.
const ERROR: f64 = 1e-6;
const STEPS: usize = 30;

/// Whether the error on one example falls at each of thirty steps of descent on `(z - y)^2/2`.
fn falls(start: &Mlp, part: Part, lr: f64) -> bool {
    let mut mlp = start.clone();
    let target = start.forward(&X).outputs()[0] - ERROR;
    let mut last = ERROR;
    for _ in 0..STEPS {
        mlp.shift(&gradient_by(&mlp, part), &vec![-lr * last; start.layers.len()]);
        let error = mlp.forward(&X).outputs()[0] - target;
        // It has converged where only rounding is left.
        if error.abs() < 1e-13 {
            return true;
        }
        if error.abs() >= last.abs() {
            return false;
        }
        last = error;
    }
    true
}

/// Two over the largest rate of one network, by halving on a logarithmic scale.
fn two_over_largest(start: &Mlp, part: Part) -> f64 {
    if square(&gradient_by(start, part)) == 0.0 {
        // All gates of a layer are shut: nothing moves at any rate.
        return 0.0;
    }
    let (mut low, mut high): (f64, f64) = (1e-4, 1e4);
    for _ in 0..15 {
        let middle = (low * high).sqrt();
        *(if falls(start, part, middle) { &mut low } else { &mut high }) = middle;
    }
    2.0 / (low * high).sqrt()
}

/// The mean of two over the largest rate: its difference from the squared gradient over few networks, the squared gradient over many.
fn mean_inverse(
    effort: &Effort,
    shape: &Shape,
    name: &str,
    part: Part,
    [few, many]: [usize; 2],
) -> Result<Estimate, LabError> {
    let [beyond] = over_networks(effort, shape, &format!("{name}, descent"), few, |mlp| {
        [two_over_largest(mlp, part) - square(&gradient_by(mlp, part))]
    })?;
    let [gradient] = over_networks(effort, shape, &format!("{name}, gradient"), many, |mlp| {
        [square(&gradient_by(mlp, part))]
    })?;
    Ok(Estimate::combination(&[(1.0, beyond), (1.0, gradient)])?)
}

/// Critical ReLU networks in the standard parametrisation.
fn standard(widths: &[usize], c_b: f64) -> Shape {
    let parametrisation = Parametrisation::Standard;
    Shape { parametrisation, ..shape("relu", 4, widths, [2.0, c_b]) }
}

/// All weights in the standard parametrisation: the sum of the widths.
fn weights(effort: &Effort) -> Result<Comparison, LabError> {
    let printed = |widths: &[usize]| {
        SQUARE * (2.0 + widths.iter().map(|n| libm::sqrt(*n as f64)).sum::<f64>())
    };
    let of: fn(&[usize]) -> f64 = effort.form(
        &gradient_norm::ENTRY,
        |widths| gradient_norm(4, 4.0 * SQUARE, widths),
        printed,
    );
    let (mut pairs, mut source) = (Vec::new(), Vec::new());
    for (widths, many) in
        [(vec![16, 16], 30_000), (vec![48, 48], 8_000), (vec![24, 16, 32], 30_000)]
    {
        let name = format!("weights {widths:?}");
        let found =
            mean_inverse(effort, &standard(&widths, 0.0), &name, Part::Weights, [100, many])?;
        pairs.push((found, of(&widths)));
        source.push(printed(&widths));
    }
    let what = "mean over networks of 2 over the largest learning rate at which a small error on one input falls at each of 30 steps, ReLU, weights of variance 2/fan-in, all weights trained, |x|^2/n_0 = 1.875, hidden widths 16 16, 48 48 and 24 16 32: (|x|^2/n_0)(n_0 + sum of the widths), which is proportional to depth times width; and descent of 100 random networks by halving, its difference from the squared gradient added to the mean squared gradient over 8000 and more";
    Ok(Comparison::noise(&["T04.5/weights"], what, &pairs).source(&source))
}

/// All biases: the number of layers, whatever the widths.
fn biases(effort: &Effort) -> Result<Comparison, LabError> {
    let each = effort.slip("squared gradient by biases", "that of the last layer alone", 1.0, 0.0);
    let mut pairs = Vec::new();
    for widths in [vec![16, 16], vec![48, 48], vec![16, 16, 16, 16]] {
        let name = format!("biases {widths:?}");
        let found =
            mean_inverse(effort, &standard(&widths, 0.4), &name, Part::Biases, [100, 24_000])?;
        pairs.push((found, 1.0 + each * widths.len() as f64));
    }
    let what = "mean over networks of 2 over the largest learning rate where the biases of all layers, of variance 0.4, are trained and nothing else, hidden widths 16 16, 48 48 and 16 16 16 16: L + 1 with L hidden layers, at any width; and descent of 100 random ReLU networks by halving, with the mean squared gradient over 24 000";
    Ok(Comparison::noise(&["T04.5/biases"], what, &pairs))
}

/// Every layer adds the same to the squared gradient of critical ReLU.
fn shares(effort: &Effort) -> Result<Comparison, LabError> {
    let shape = shape("relu", 2, &[20, 20, 20], [2.0, 0.0]);
    let found = over_networks::<4>(effort, &shape, "shares", 60_000, |mlp| {
        let parts = mlp.tangent_by_layer(&mlp.forward(&[1.5, -0.5]), 0);
        std::array::from_fn(|l| parts[l][0])
    })?;
    let growth = effort.slip("share of a layer", "halved by every later layer: C_w = 1", 1.0, 0.5);
    let share = |l: usize| 2.0 * 1.25 * libm::pow(growth, (3 - l) as f64);
    let pairs: Vec<(Estimate, f64)> =
        found.into_iter().enumerate().map(|(l, estimate)| (estimate, share(l))).collect();
    let what = "squared gradient of an output by each of the four weight layers of critical ReLU networks, hidden widths 20, NTK parametrisation, |x|^2/n_0 = 1.25: 2 |x|^2/n_0 each, and the mean over 60 000 random networks";
    Ok(Comparison::noise(&["T04.6/shares"], what, &pairs))
}

/// The largest rate of the NTK parametrisation by depth.
fn by_depth(effort: &Effort) -> Result<Comparison, LabError> {
    let deep =
        effort.slip("depth in the squared gradient", "no factor: the last layer alone", 1.0, 0.0);
    let mut pairs = Vec::new();
    for (layers, many) in [(1, 20_000), (2, 20_000), (4, 30_000)] {
        let shape = shape("relu", 4, &vec![24; layers], [2.0, 0.0]);
        let name = format!("depth {layers}");
        let found = mean_inverse(effort, &shape, &name, Part::Weights, [100, many])?;
        pairs.push((found, 2.0 * SQUARE * (1.0 + deep * layers as f64)));
    }
    let what = "mean over networks of 2 over the largest learning rate at which a small error on one input falls at each of 30 steps, critical ReLU, NTK parametrisation, |x|^2/n_0 = 1.875, 1, 2 and 4 hidden layers of 24 units: 2 (L + 1) |x|^2/n_0; and descent of 100 random networks by halving, its difference from the squared gradient added to the mean squared gradient over 20 000 and more";
    Ok(Comparison::noise(&["T04.6/rate"], what, &pairs))
}
