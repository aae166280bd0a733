//! Gradients and tangent kernels of networks at initialization, drawn and measured (lectures, topics 4 and 5).

use super::drawn_networks::{over_networks, shape};
use super::prelude::*;
use fovea_sim::mlp::{Parametrisation, Shape};
use fovea_theory::averages::Pair;
use fovea_theory::layer::Layer;
use fovea_theory::nngp::covariance::covariance;
use fovea_theory::ntk::kernel::kernels;
use fovea_theory::rates::gradient_norm::gradient_norm;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "drawn-gradients",
    summary: "Gradients of drawn networks.",
    covers: &["T04.5", "T04.6", "T05.4"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let [depth, shares] = by_layer(effort)?;
    Ok(vec![
        gradients(effort)?.and(bias_gradients(effort)?),
        depth,
        shares.and(last_layer(effort)?),
    ])
}

/// Squared gradient by all weights in the standard parametrisation.
fn gradients(effort: &Effort) -> Result<Comparison, LabError> {
    let widths = [24, 16, 32];
    let standard = Shape {
        parametrisation: Parametrisation::Standard,
        ..shape("relu", 4, &widths, [2.0, 0.0])
    };
    let x = [1.0, 1.0, -1.0, 1.0];
    let [norm] = over_networks(effort, &standard, "gradients", 60_000, |mlp| {
        [mlp.tangent(&mlp.forward(&x), 0)[0]]
    })?;
    let roots: f64 = 2.0 + widths.iter().map(|n| f64::from(*n as u32).sqrt()).sum::<f64>();
    let what = "mean squared gradient of an output by all weights of variance 2/fan-in, (|x|^2/n_0)(n_0 + 24 + 16 + 32), and drawn networks";
    Ok(Comparison::noise(&["T04.5"], what, &[(norm, gradient_norm(4, 4.0, &widths))])
        .source(&[roots]))
}

/// Squared gradient by the biases of each layer: gates are open half of the time, whatever the biases.
fn bias_gradients(effort: &Effort) -> Result<Comparison, LabError> {
    let standard = Shape {
        parametrisation: Parametrisation::Standard,
        ..shape("relu", 4, &[24, 16, 32], [2.0, 0.4])
    };
    let found = over_networks::<4>(effort, &standard, "bias gradients", 60_000, |mlp| {
        let deltas = mlp.deltas(&mlp.forward(&[1.0, 1.0, -1.0, 1.0]), 0);
        let squares = deltas.iter().map(|layer| layer.iter().map(|d| d * d).sum::<f64>());
        let of: Vec<f64> = squares.collect();
        [of[0], of[1], of[2], of.iter().sum()]
    })?;
    let pairs: Vec<(Estimate, f64)> = found.into_iter().zip([1.0, 1.0, 1.0, 4.0]).collect();
    let what = "mean squared gradient by the biases of each of three hidden layers, biases of variance 0.4, and by all: 1 each and L + 1 = 4 at any width, and drawn networks; were the last layer alone to count, 0 each and 1";
    Ok(Comparison::noise(&["T04.5"], what, &pairs)
        .against("the last layer alone", &[0.0, 0.0, 0.0, 1.0]))
}

/// The last layer alone: its part of the tangent kernel is the covariance of the outputs.
fn last_layer(effort: &Effort) -> Result<Comparison, LabError> {
    let shape = shape("tanh", 2, &[20], [1.4, 0.2]);
    let x = [1.0, 0.4, -0.3, 0.9];
    let found = over_networks::<3>(effort, &shape, "last layer", 60_000, |mlp| {
        let last = &mlp.tangent_by_layer(&mlp.forward(&x), 0)[1];
        [last[0], last[1], last[3]]
    })?;
    let layer = Layer::new(&named("tanh"), 1.4, 0.2);
    let rows: Vec<Vec<f64>> = x.chunks(2).map(<[f64]>::to_vec).collect();
    let k = covariance(&layer, &rows, 1)?;
    let first = covariance(&layer, &rows, 0)?;
    let predicted = [k[0][0], k[0][1], k[1][1]];
    let pairs: Vec<(Estimate, f64)> = found.into_iter().zip(predicted).collect();
    let whole =
        kernels(&layer, Pair { aa: first[0][0], bb: first[1][1], ab: first[0][1] }, 1)?.theta;
    let what = "the part of the last layer in the tangent kernel of 20 tanh units at two inputs, the covariance of the outputs, and drawn networks; were it all of the learning it would be the whole kernel";
    Ok(Comparison::noise(&["T05.4"], what, &pairs)
        .against("the whole kernel", &[whole.aa, whole.ab, whole.bb]))
}

/// Every layer adds the same to the tangent kernel of critical ReLU.
fn by_layer(effort: &Effort) -> Result<[Comparison; 2], LabError> {
    let shape = shape("relu", 2, &[20, 20, 20], [2.0, 0.0]);
    let layers = over_networks::<4>(effort, &shape, "by layer", 100_000, |mlp| {
        let parts = mlp.tangent_by_layer(&mlp.forward(&[1.0, 1.0]), 0);
        std::array::from_fn(|l| parts[l][0])
    })?;
    let pairs = layers.map(|estimate| (estimate, 2.0));
    let what = "share of each of four weight layers in the tangent kernel of critical ReLU, 2 |x|^2/n_0 each, and drawn networks";
    let ids: [&'static [&'static str]; 2] = [&["T04.6"], &["T05.4"]];
    Ok(ids.map(|ids| Comparison::noise(ids, what, &pairs).source(&[0.0, 0.0, 0.0, 8.0])))
}
