//! How far training moves a network, by width and parametrisation (lectures, topic 5).

use super::drawn::shape;
use super::prelude::*;
use fovea_sim::mlp::{Examples, Mlp, Parametrisation, Shape};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "trained-width",
    summary: "Expansion, hidden weights and kernel of trained networks, by width and parametrisation.",
    covers: &["T05.1", "T05.2/kernel", "T05.2/mean-field"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![expansion(effort)?, kernel_regime(effort)?, mean_field(effort)?])
}

/// Two inputs and their labels.
const X: [f64; 4] = [1.0, 0.4, -0.3, 0.9];
const Y: [f64; 2] = [1.0, -0.5];
const LR: f64 = 0.4;
const STEPS: usize = 40;
/// Widths between which changes are compared.
const WIDTHS: [usize; 2] = [256, 2048];

fn length(x: impl Iterator<Item = f64>) -> f64 {
    x.map(|x| x * x).sum::<f64>().sqrt()
}

/// Logarithms of the changes in training: hidden weights and kernel relative to the start; the outputs beyond their expansion,
/// and beyond the expansion times the learning rate.
fn changes(start: &Mlp, rates: &[f64]) -> [f64; 4] {
    let set = Examples::new(2, X.to_vec(), Y.to_vec());
    let mut mlp = start.clone();
    for _ in 0..STEPS {
        mlp.descend(&set, LR, rates);
    }
    let moved = |layer: usize| {
        let pairs = mlp.layers[layer].weights.iter().zip(&start.layers[layer].weights);
        pairs.map(|(a, b)| a - b)
    };
    let pass = start.forward(&X);
    let first = start.push(&pass, &moved(0).chain(moved(1)).collect::<Vec<f64>>());
    let (before, after) = (start.tangent(&pass, 0), mlp.tangent(&mlp.forward(&X), 0));
    let ends = mlp.forward(&X);
    let beyond = |factor: f64| {
        let outputs = ends.outputs().iter().zip(pass.outputs()).zip(&first);
        length(outputs.map(|((end, start), first)| end - start - factor * first))
    };
    let weights = length(moved(0)) / length(start.layers[0].weights.iter().copied());
    let kernel = length(after.iter().zip(&before).map(|(a, b)| a - b)) / length(before.into_iter());
    [weights, kernel, beyond(1.0), beyond(LR)].map(libm::log)
}

/// The mean logarithm of the ratio of each change at the larger width to that at the smaller, one hidden tanh layer.
fn growth(
    effort: &Effort,
    parametrisation: Parametrisation,
    count: usize,
) -> Result<[Estimate; 4], LabError> {
    let part = format!("{parametrisation:?}");
    effort.once(&part, || {
        let streams = effort.streams.part(&part);
        let count = effort.samples(count) as u64;
        let at = |n: usize| -> Vec<[f64; 4]> {
            let shape = Shape { parametrisation, ..shape("tanh", 2, &[n], [1.5, 0.0]) };
            let (rates, streams) = (shape.rates(), streams.part(&n.to_string()));
            (0..count).map(|i| changes(&shape.draw(&streams.replica(i)), &rates)).collect()
        };
        let [narrow, wide] = WIDTHS.map(at);
        let mut all = Vec::new();
        for i in 0..4 {
            let each: Vec<f64> = wide.iter().zip(&narrow).map(|(w, n)| w[i] - n[i]).collect();
            all.push(Estimate::from_samples(&each)?);
        }
        Ok([all[0], all[1], all[2], all[3]])
    })
}

/// Exponents in the width in the kernel regime.
fn exponents(effort: &Effort) -> Result<[Estimate; 4], LabError> {
    let over = libm::log(WIDTHS[1] as f64 / WIDTHS[0] as f64);
    let found = growth(effort, Parametrisation::Ntk, 1000)?;
    let mut all = found;
    for one in &mut all {
        *one = one.scaled_and_shifted(1.0 / over, 0.0)?;
    }
    Ok(all)
}

/// The allowed error of exponents, and why.
const ACCURACY: f64 = 0.02;
const NARROW: &str = "terms of order 1/n at 256 units move an exponent by about a hundredth, and logarithms of single networks scatter";

/// A trained network approaches its expansion as 1/n, and the expansion with the source's factor not at all.
fn expansion(effort: &Effort) -> Result<Comparison, LabError> {
    let [_, _, right, printed] = exponents(effort)?;
    let predicted = effort.slip(
        "expansion of a trained network",
        "with the learning rate before the gradient",
        [-1.0, 0.0],
        [0.0, -1.0],
    );
    let what = "exponent with which the distance of a trained network's outputs from z + grad z.(theta - theta_0) changes with its width, one hidden tanh layer, NTK parametrisation, 40 steps of 0.4 on two inputs: -1, and 0 (no approach) with the source's factor eta before the gradient; and trained networks of 256 and 2048 units";
    Ok(Comparison::noise(&["T05.1"], what, &[(right, predicted[0]), (printed, predicted[1])])
        .approximate(ACCURACY, NARROW)
        .source(&[0.0, -1.0]))
}

fn kernel_regime(effort: &Effort) -> Result<Comparison, LabError> {
    let [weights, kernel, ..] = exponents(effort)?;
    let power = effort.slip(
        "exponent of the kernel's change",
        "that of the weights, which is the bound in the proof",
        -1.0,
        -0.5,
    );
    let what = "exponents with which the relative changes of the hidden weights and of the tangent kernel fall with the width, one hidden tanh layer, NTK parametrisation, 40 steps of 0.4 on two inputs: -1/2 and -1, and trained networks of 256 and 2048 units";
    Ok(Comparison::noise(&["T05.2/kernel"], what, &[(weights, -0.5), (kernel, power)])
        .approximate(ACCURACY, NARROW))
}

/// In the mean-field parametrisation both changes are as large at one width as at the other.
fn mean_field(effort: &Effort) -> Result<Comparison, LabError> {
    let found = growth(effort, Parametrisation::MeanField, 400)?;
    let over = WIDTHS[1] as f64 / WIDTHS[0] as f64;
    let powers = effort.slip(
        "changes under mean-field scaling",
        "they fall as in the kernel regime",
        [0.0, 0.0],
        [-0.5, -1.0],
    );
    let mut pairs = Vec::new();
    for (log, power) in found.into_iter().zip(powers) {
        // The geometric mean, whose relative error is that of the mean logarithm.
        let size = libm::exp(log.mean());
        let factor = Estimate::from_parts(size, size * log.se(), log.count())?;
        pairs.push((factor, libm::pow(over, power)));
    }
    let what = "relative changes of the hidden weights and of the tangent kernel at 2048 units over those at 256, geometric means, one hidden tanh layer, mean-field parametrisation, 40 steps of 0.4 n on two inputs: 1, and trained networks";
    Ok(Comparison::noise(&["T05.2/mean-field"], what, &pairs)
        .approximate(0.05, "terms of order 1/n remain at 256 units"))
}
