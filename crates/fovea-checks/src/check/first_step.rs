//! One step of gradient descent, by width and parametrisation (lectures, topic 5).

use super::drawn::{over_networks, shape};
use super::prelude::*;
use fovea_sim::mlp::{Mlp, Parametrisation, Shape};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "first-step",
    summary: "Hidden weights and the output after one step, by width and parametrisation.",
    covers: &["T05.2/step", "T05.3"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![lazy_or_not(effort)?, layer_rates(effort)?])
}

/// The network one step of descent on `(z - y)^2/2` after `mlp`.
fn step(mlp: &Mlp, x: &[f64], y: f64, rates: &[f64]) -> Mlp {
    let pass = mlp.forward(x);
    let error = pass.outputs()[0] - y;
    let down: Vec<f64> = rates.iter().map(|rate| -rate).collect();
    let mut moved = mlp.clone();
    moved.shift(&mlp.pull(&pass, &[error]), &down);
    moved
}

/// Mean squared change of a hidden weight after one step on one input.
fn lazy_or_not(effort: &Effort) -> Result<Comparison, LabError> {
    let (lr, y) = (0.7, 0.9);
    let own = effort.slip("first error of a network", "the label alone", 1.0, 0.0);
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
        let [change] = over_networks(effort, &shape, &part, 6_400_000 / n, |mlp| {
            let moved = step(mlp, &[1.0], y, &rates);
            let weights = moved.layers[0].weights.iter().zip(&mlp.layers[0].weights);
            [weights.map(|(a, b)| (a - b) * (a - b)).sum::<f64>() / n as f64]
        })?;
        // The square of the first output adds to that of the label: from independent units, and from the unit that moves.
        let n = n as f64;
        let start = own * ((n - 1.0) * square * slope + 3.0 * both) / n;
        let moved = match parametrisation {
            Parametrisation::MeanField => y * y * slope + start / n,
            _ => (y * y * slope + start) / n,
        };
        // Over its order in the width: 1/n in the kernel regime, 1 under mean-field scaling.
        let order = if parametrisation == Parametrisation::MeanField { 1.0 } else { n };
        pairs.push((change.scaled_and_shifted(order, 0.0)?, order * lr * lr * moved));
    }
    let what = "mean squared change of a hidden weight after one step on one input with label 0.9, one hidden tanh layer of n = 16 and of 256 units: times n in the NTK parametrisation at rate 0.7 and as it is in the mean-field one at rate 0.7 n; its mean over starts in closed form at that n, and random networks";
    Ok(Comparison::noise(&["T05.2/step"], what, &pairs))
}

/// The contribution of each layer to the speed of the output of a critical ReLU network with small output weights.
fn layer_rates(effort: &Effort) -> Result<Comparison, LabError> {
    let (mut found, mut right, mut uniform) = (Vec::new(), Vec::new(), Vec::new());
    for n in [16, 64] {
        let mup = Parametrisation::Mup;
        let shape = Shape { parametrisation: mup, ..shape("relu", 2, &[n, n], [2.0, 0.0]) };
        let rates = shape.rates();
        let part = format!("layer rates {n}");
        let layers = over_networks::<3>(effort, &shape, &part, 9_600_000 / (n * n), |mlp| {
            let parts = mlp.tangent_by_layer(&mlp.forward(&[1.0, 1.0]), 0);
            std::array::from_fn(|l| rates[l] * parts[l][0])
        })?;
        // Gates are open half of the time whatever the sizes; the mean squares of both layers are one, |x|^2 is two.
        found.extend(layers);
        right.extend([2.0, 1.0, 1.0]);
        uniform.extend([2.0 / n as f64, 1.0, n as f64]);
    }
    let predicted =
        effort.slip("rates by layer", "one rate for all layers", right, uniform.clone());
    let pairs: Vec<(Estimate, f64)> = found.into_iter().zip(predicted).collect();
    let what = "speed at which input, hidden and output weights move the output of critical ReLU networks of two hidden layers at the start, output weights of variance 2/n^2, at rates n, 1 and 1/n: 2, 1 and 1 at both widths 16 and 64, and random networks; at one rate for all layers it is 2/n, 1 and n";
    Ok(Comparison::noise(&["T05.3"], what, &pairs)
        .source(&uniform)
        .coarse("products of squares over three layers have heavy tails"))
}
