//! What one step of gradient descent moves, by width and parametrisation (lectures, topic 5).

use super::drawn_networks::{over_networks, shape};
use super::prelude::*;
use fovea_sim::mlp::{Mlp, Parametrisation, Shape};

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "first-step",
    summary: "Expansion, hidden weights, kernel and output after one step, by width and parametrisation.",
    covers: &["T05.1", "T05.2", "T05.3"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![expansion(effort)?, lazy_or_not(effort)?, layer_rates(effort)?])
}

/// One step from `mlp` on inputs `x` with labels `y`: the network behind it, and how far each output was to move to first order.
fn step(mlp: &Mlp, x: &[f64], y: &[f64], rates: &[f64]) -> (Mlp, Vec<f64>) {
    let pass = mlp.forward(x);
    let errors: Vec<f64> = pass.outputs().iter().zip(y).map(|(z, y)| z - y).collect();
    let gradient = mlp.pull(&pass, &errors);
    let down: Vec<f64> = rates.iter().map(|rate| -rate).collect();
    let (mut moved, mut still) = (mlp.clone(), mlp.clone());
    moved.shift(&gradient, &down);
    // The displacement itself: the same step from zero.
    for layer in &mut still.layers {
        layer.weights.fill(0.0);
        layer.biases.fill(0.0);
    }
    still.shift(&gradient, &down);
    let displacement: Vec<f64> = still
        .layers
        .iter()
        .flat_map(|layer| layer.weights.iter().chain(&layer.biases).copied())
        .collect();
    (moved, mlp.push(&pass, &displacement))
}

/// Widths between which exponents are measured.
const WIDTHS: [usize; 2] = [192, 3072];

/// The exponent with which a number falls with the width, over pairs of networks.
fn exponent(
    effort: &Effort,
    part: &str,
    count: usize,
    read: impl Fn(&Mlp) -> f64,
) -> Result<Estimate, LabError> {
    let count = effort.samples(count);
    let sizes = WIDTHS.map(|n| -> Vec<f64> {
        let (shape, streams) = (shape("tanh", 2, &[n], [1.5, 0.0]), effort.streams.part(part));
        let of =
            |i: u64| libm::log(read(&shape.draw(&streams.part(&n.to_string()).replica(i))).abs());
        (0..count as u64).map(of).collect()
    });
    let over = libm::log(WIDTHS[1] as f64 / WIDTHS[0] as f64);
    let exponents: Vec<f64> =
        sizes[1].iter().zip(&sizes[0]).map(|(wide, narrow)| (wide - narrow) / over).collect();
    Ok(Estimate::from_samples(&exponents)?)
}

const X: [f64; 4] = [1.0, 0.4, -0.3, 0.9];
const Y: [f64; 2] = [1.0, -0.5];
/// The learning rate of the exponents.
const LR: f64 = 0.4;

/// How the distance of a stepped network from its expansion falls with the width, and that from the source's.
fn expansion(effort: &Effort) -> Result<Comparison, LabError> {
    let gap = |factor: f64| {
        move |mlp: &Mlp| {
            let (moved, first) = step(mlp, &X, &Y, &[LR; 2]);
            moved.forward(&X).outputs()[0] - mlp.forward(&X).outputs()[0] - factor * first[0]
        }
    };
    let right = exponent(effort, "expansion", 2000, gap(1.0))?;
    let printed = exponent(effort, "expansion", 2000, gap(LR))?;
    let what = "exponent with which the distance of a network from z + grad z.(theta - theta_0) falls with its width, -1 for one hidden tanh layer after a step of 0.4 on two inputs, and drawn networks of 192 and 3072 units; with the source's factor eta before the gradient the distance does not fall: 0, where the source needs -1";
    Ok(Comparison::noise(&["T05.1"], what, &[(right, -1.0), (printed, 0.0)])
        .source(&[-1.0, -1.0])
        .coarse("an exponent, from single networks of two widths"))
}

/// Mean squared change of a hidden weight after one step on one input, and the exponent of the kernel's change.
fn lazy_or_not(effort: &Effort) -> Result<Comparison, LabError> {
    let (lr, y) = (0.7, 0.9);
    let tanh = named("tanh");
    let [square, slope, both] = [[1, 0], [0, 1], [1, 1]].map(|[values, slopes]| {
        trapezoids(1.0, |w| {
            let (value, slope) = tanh.both(w);
            libm::pow(value, 2.0 * f64::from(values)) * libm::pow(slope, 2.0 * f64::from(slopes))
        })
    });
    let mut pairs = Vec::new();
    for (parametrisation, n) in [
        (Parametrisation::Ntk, 16),
        (Parametrisation::Ntk, 256),
        (Parametrisation::MeanField, 16),
        (Parametrisation::MeanField, 256),
    ] {
        let shape = Shape { parametrisation, ..shape("tanh", 1, &[n], [1.0, 0.0]) };
        let rates: Vec<f64> = shape.rates().iter().map(|rate| lr * rate).collect();
        let part = format!("lazy {parametrisation:?} {n}");
        let [change] = over_networks(effort, &shape, &part, 1_600_000 / n, |mlp| {
            let (moved, _) = step(mlp, &[1.0], &[y], &rates);
            let weights = moved.layers[0].weights.iter().zip(&mlp.layers[0].weights);
            [weights.map(|(a, b)| (a - b) * (a - b)).sum::<f64>() / n as f64]
        })?;
        // The first output adds its own square to that of the label: independent units, and the one that moves.
        let n = n as f64;
        let start = ((n - 1.0) * square * slope + 3.0 * both) / n;
        let moved = match parametrisation {
            Parametrisation::MeanField => y * y * slope + start / n,
            _ => (y * y * slope + start) / n,
        };
        pairs.push((change, lr * lr * moved));
    }
    let kernel = exponent(effort, "kernel", 2000, |mlp| {
        let (moved, _) = step(mlp, &X, &Y, &[LR; 2]);
        let theta = |mlp: &Mlp| mlp.tangent(&mlp.forward(&X), 0)[1];
        theta(&moved) - theta(mlp)
    })?;
    pairs.push((kernel, -1.0));
    let what = "mean squared change of a hidden weight after one step, of order 1/n at widths 16 and 256 in the ntk parametrisation and of order one in the mean-field one, exact at every width; exponent of the kernel's change, -1; and drawn tanh networks";
    Ok(Comparison::noise(&["T05.2"], what, &pairs)
        .coarse("the exponent is from single networks of two widths"))
}

/// What each layer adds to the speed of the output of a critical ReLU network with small output weights.
fn layer_rates(effort: &Effort) -> Result<Comparison, LabError> {
    let (mut pairs, mut uniform) = (Vec::new(), Vec::new());
    for n in [16, 64] {
        let mup = Parametrisation::Mup;
        let shape = Shape { parametrisation: mup, ..shape("relu", 2, &[n, n], [2.0, 0.0]) };
        let rates = shape.rates();
        let part = format!("layer rates {n}");
        let layers = over_networks::<3>(effort, &shape, &part, 2_400_000 / (n * n), |mlp| {
            let parts = mlp.tangent_by_layer(&mlp.forward(&[1.0, 1.0]), 0);
            std::array::from_fn(|l| rates[l] * parts[l][0])
        })?;
        // Gates are open half of the time whatever the sizes; the mean squares of both layers are one, |x|^2 is two.
        pairs.extend(layers.into_iter().zip([2.0, 1.0, 1.0]));
        uniform.extend([2.0 / n as f64, 1.0, n as f64]);
    }
    let what = "speed of the output by input, hidden and output weights of critical ReLU networks with output weights of variance 2/n^2 at rates n, 1 and 1/n: 2, 1 and 1 at widths 16 and 64 alike, and drawn networks; at one rate for all layers 2/n, 1 and n";
    Ok(Comparison::noise(&["T05.3"], what, &pairs)
        .source(&uniform)
        .coarse("products of squares over three layers have heavy tails"))
}
