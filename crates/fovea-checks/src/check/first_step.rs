//! What one step of gradient descent moves, by width and parametrisation (lectures, topic 5).

use super::drawn_networks::{over_networks, shape};
use super::prelude::*;
use fovea_sim::mlp::{Mlp, Parametrisation, Shape};

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "first-step",
    summary: "Expansion, hidden weights, kernel and output after a step or ten, by width and parametrisation.",
    covers: &["T05.1/trained", "T05.1/falls", "T05.2/weights", "T05.2/kernel", "T05.3"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![
        trained(effort)?,
        falls(effort)?,
        weights(effort)?,
        kernel(effort)?,
        layer_rates(effort)?,
    ])
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

/// Widths between which exponents are measured, and how many networks of each.
const NARROW_AND_WIDE: ([usize; 2], usize) = ([192, 3072], 2000);
/// The same under mean-field scaling, where networks of one width differ little.
const RICH: ([usize; 2], usize) = ([1024, 8192], 200);

/// The exponent with which a number falls with the width, over so many pairs of networks of two widths.
fn exponent(
    effort: &Effort,
    (part, parametrisation): (&str, Parametrisation),
    (widths, count): ([usize; 2], usize),
    read: impl Fn(&Shape, &Mlp) -> f64,
) -> Result<Estimate, LabError> {
    let sizes = widths.map(|n| -> Vec<f64> {
        let shape = Shape { parametrisation, ..shape("tanh", 2, &[n], [1.5, 0.0]) };
        let streams = effort.streams.part(part).part(&n.to_string());
        let of = |i: u64| libm::log(read(&shape, &shape.draw(&streams.replica(i))).abs());
        (0..effort.samples(count) as u64).map(of).collect()
    });
    let over = libm::log(widths[1] as f64 / widths[0] as f64);
    let exponents: Vec<f64> =
        sizes[1].iter().zip(&sizes[0]).map(|(wide, narrow)| (wide - narrow) / over).collect();
    Ok(Estimate::from_samples(&exponents)?)
}

const X: [f64; 4] = [1.0, 0.4, -0.3, 0.9];
const Y: [f64; 2] = [1.0, -0.5];
/// The learning rate of the exponents.
const LR: f64 = 0.4;

/// Steps, networks of a group, and the narrower of two widths, for the slope of what a network does on its expansion.
const TRAINED: (usize, usize, usize) = (10, 20, 256);

/// The slope of the change of trained networks on the change of their expansion, the source's factor in its place.
fn trained(effort: &Effort) -> Result<Comparison, LabError> {
    let (steps, group, width) = TRAINED;
    let slope = |n: usize, index: u64| -> f64 {
        let shape = shape("tanh", 2, &[n], [1.5, 0.0]);
        let streams = effort.streams.part("trained").part(&n.to_string()).replica(index);
        let (mut along, mut square) = (0.0, 0.0);
        for i in 0..group as u64 {
            let start = shape.draw(&streams.replica(i));
            let (first, mut mlp) = (start.forward(&X), start.clone());
            for _ in 0..steps {
                mlp = step(&mlp, &X, &Y, &[LR; 2]).0;
            }
            let both = mlp.layers.iter().zip(&start.layers);
            let displacement: Vec<f64> = both
                .flat_map(|(now, then)| {
                    let pairs = now.weights.iter().zip(&then.weights);
                    pairs.chain(now.biases.iter().zip(&then.biases)).map(|(now, then)| now - then)
                })
                .collect();
            let expansion = start.push(&first, &displacement);
            let now = mlp.forward(&X);
            for ((now, then), linear) in now.outputs().iter().zip(first.outputs()).zip(&expansion) {
                along += linear * (now - then);
                square += linear * linear;
            }
        }
        along / square
    };
    let slope = effort.once("slope", || {
        // What is left at a width falls as 1/n: twice the slope at 2n less that at n.
        let of = |index: u64| 2.0 * slope(2 * width, index) - slope(width, index);
        Estimate::from_samples(&(0..effort.samples(30) as u64).map(of).collect::<Vec<f64>>())
    })?;
    let factor = effort.slip("factor of the gradient", "1/2, as of the second order", 1.0, 0.5);
    let what = "slope of the change of the outputs on grad z.(theta - theta_0) after ten steps of 0.4 on two inputs, 1, and groups of 20 drawn networks of one hidden tanh layer, extrapolated from 256 and 512 units to infinite width; the source has the factor eta, 0.4";
    Ok(Comparison::noise(&["T05.1/trained"], what, &[(slope, factor)]).source(&[LR]))
}

/// How the distance of a stepped network from its expansion falls with the width, and that from the source's.
fn falls(effort: &Effort) -> Result<Comparison, LabError> {
    let gap = |factor: f64| {
        move |_: &Shape, mlp: &Mlp| {
            let (moved, first) = step(mlp, &X, &Y, &[LR; 2]);
            moved.forward(&X).outputs()[0] - mlp.forward(&X).outputs()[0] - factor * first[0]
        }
    };
    let both = effort.once("falls", || -> Result<_, LabError> {
        let of = |factor| {
            exponent(effort, ("expansion", Parametrisation::Ntk), NARROW_AND_WIDE, gap(factor))
        };
        Ok([of(1.0)?, of(LR)?])
    })?;
    let power = effort.slip("power of the distance", "n^-1/2, as of a single weight", -1.0, -0.5);
    let what = "exponent with which the distance of a network from z + grad z.(theta - theta_0) falls with its width, -1 for one hidden tanh layer after a step of 0.4 on two inputs, and drawn networks of 192 and 3072 units; with the source's factor eta before the gradient the distance does not fall: 0, where the source needs -1";
    Ok(Comparison::noise(&["T05.1/falls"], what, &[(both[0], power), (both[1], 0.0)])
        .source(&[-1.0, -1.0])
        .coarse("an exponent, from single networks of two widths"))
}

/// Mean squared change of a hidden weight after one step on one input.
fn weights(effort: &Effort) -> Result<Comparison, LabError> {
    let (lr, y) = (0.7, 0.9);
    let tanh = named("tanh");
    let [square, slope, both] = [[1, 0], [0, 1], [1, 1]].map(|[values, slopes]| {
        trapezoids(1.0, |w| {
            let (value, slope) = tanh.both(w);
            libm::pow(value, 2.0 * f64::from(values)) * libm::pow(slope, 2.0 * f64::from(slopes))
        })
    });
    let rich = effort.slip(
        "change of a hidden weight",
        "of order one in the ntk parametrisation as well",
        false,
        true,
    );
    let counted = effort.slip(
        "change of a hidden weight",
        "the output at the start left out",
        1.0,
        0.0,
    );
    let mut pairs = Vec::new();
    for (parametrisation, n) in [
        (Parametrisation::Ntk, 16),
        (Parametrisation::Ntk, 256),
        (Parametrisation::MeanField, 16),
        (Parametrisation::MeanField, 256),
    ] {
        let part = format!("lazy {parametrisation:?} {n}");
        let change = effort.once(&part, || -> Result<_, LabError> {
            let shape = Shape { parametrisation, ..shape("tanh", 1, &[n], [1.0, 0.0]) };
            let rates: Vec<f64> = shape.rates().iter().map(|rate| lr * rate).collect();
            let [change] = over_networks(effort, &shape, &part, 1_600_000 / n, |mlp| {
                let (moved, _) = step(mlp, &[1.0], &[y], &rates);
                let weights = moved.layers[0].weights.iter().zip(&mlp.layers[0].weights);
                [weights.map(|(a, b)| (a - b) * (a - b)).sum::<f64>() / n as f64]
            })?;
            Ok(change)
        })?;
        // The first output adds its own square to that of the label: independent units, and the one that moves.
        let n = n as f64;
        let start = counted * ((n - 1.0) * square * slope + 3.0 * both) / n;
        let moved = match parametrisation {
            Parametrisation::MeanField => y * y * slope + start / n,
            _ if rich => y * y * slope + start,
            _ => (y * y * slope + start) / n,
        };
        pairs.push((change, lr * lr * moved));
    }
    let what = "mean squared change of a hidden weight after one step of 0.7 on one input, of order 1/n at widths 16 and 256 in the ntk parametrisation and of order one in the mean-field one, exact at every width, and drawn networks of one tanh layer";
    Ok(Comparison::noise(&["T05.2/weights"], what, &pairs))
}

/// The exponent of the kernel's relative change after one step.
fn kernel(effort: &Effort) -> Result<Comparison, LabError> {
    let change = |shape: &Shape, mlp: &Mlp| {
        let rates: Vec<f64> = shape.rates().iter().map(|rate| LR * rate).collect();
        let (moved, _) = step(mlp, &X, &Y, &rates);
        // A kernel with the rates of the layers in it.
        let theta = |mlp: &Mlp| -> f64 {
            let parts = mlp.tangent_by_layer(&mlp.forward(&X), 0);
            parts.iter().zip(&rates).map(|(part, rate)| rate * part[0]).sum()
        };
        theta(&moved) / theta(mlp) - 1.0
    };
    let both = effort.once("kernels", || -> Result<_, LabError> {
        Ok([
            exponent(effort, ("kernel", Parametrisation::Ntk), NARROW_AND_WIDE, change)?,
            exponent(effort, ("kernel", Parametrisation::MeanField), RICH, change)?,
        ])
    })?;
    let power = effort.slip("power of the kernel's change", "n^-1/2, as of a weight", -1.0, -0.5);
    let still = effort.slip(
        "power of the kernel's change",
        "n^-1 under mean-field scaling as well",
        0.0,
        -1.0,
    );
    let what = "exponent with which the relative change of the kernel after a step of 0.4 on two inputs falls with the width, -1 in the ntk parametrisation and 0 under mean-field scaling, and drawn networks of one tanh layer: of 192 and 3072 units, and under mean-field scaling, where what falls as 1/n on top must be small, of 1024 and 8192";
    Ok(Comparison::noise(&["T05.2/kernel"], what, &[(both[0], power), (both[1], still)])
        .coarse("exponents, from single networks of two widths"))
}

/// What each layer adds to the speed of the output of a critical ReLU network with small output weights.
fn layer_rates(effort: &Effort) -> Result<Comparison, LabError> {
    let (mut pairs, mut uniform) = (Vec::new(), Vec::new());
    for n in [16, 64] {
        let mup = Parametrisation::Mup;
        let shape = Shape { parametrisation: mup, ..shape("relu", 2, &[n, n], [2.0, 0.0]) };
        let rates = shape.rates();
        let part = format!("layer rates {n}");
        let layers = effort.once(&part, || {
            over_networks::<3>(effort, &shape, &part, 2_400_000 / (n * n), |mlp| {
                let parts = mlp.tangent_by_layer(&mlp.forward(&[1.0, 1.0]), 0);
                std::array::from_fn(|l| rates[l] * parts[l][0])
            })
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
