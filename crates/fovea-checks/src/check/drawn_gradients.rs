//! What each layer adds to the tangent kernel of random networks (lectures, topic 5).

use super::drawn::{over_networks, shape, wide_covariance};
use super::prelude::*;
use fovea_sim::mlp::Shape;
use fovea_theory::averages::Pair;
use fovea_theory::layer::Layer;
use fovea_theory::nngp::covariance::{covariance, first};
use fovea_theory::ntk::kernel::{self, Kernels, kernels};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "drawn-gradients",
    summary: "What each layer adds to the tangent kernel of random networks.",
    covers: &["T05.4/shares", "T05.4/last"],
    run,
};

/// Covariances and tangent kernels behind this many hidden layers.
type Behind = fn(&Layer, Pair, usize) -> Result<Kernels, FormError>;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let behind: Behind = effort.form(&kernel::ENTRY, kernels, |layer, pair, layers| {
        let k = kernels(layer, pair, layers + 1)?.k;
        Ok(Kernels { k, theta: k })
    });
    Ok(vec![by_layer(effort, behind)?, last_layer(effort)?])
}

/// Every layer adds the same to the tangent kernel of critical ReLU.
fn by_layer(effort: &Effort, behind: Behind) -> Result<Comparison, LabError> {
    let shape = shape("relu", 3, &[20, 20, 20], [2.0, 0.0]);
    // Of squared norm 1.65, so that no factor of 2 |x|^2/n_0 = 1.1 is 1.
    let x = [1.0, 0.4, -0.7];
    let found = over_networks::<5>(effort, &shape, "by layer", 60_000, |mlp| {
        let parts = mlp.tangent_by_layer(&mlp.forward(&x), 0);
        let part = |l: usize| parts[l][0];
        [part(0), part(1), part(2), part(3), (0..4).map(part).sum()]
    })?;
    let layer = Layer::new(&named("relu"), 2.0, 0.0);
    let whole = behind(&layer, Pair::twin(first(&layer, &[x.to_vec()])[0][0]), 3)?.theta.aa;
    let predicted = [0.25 * whole, 0.25 * whole, 0.25 * whole, 0.25 * whole, whole];
    let pairs: Vec<(Estimate, f64)> = found.into_iter().zip(predicted).collect();
    let what = "mean share of each of four weight layers in the diagonal of the tangent kernel of critical ReLU networks, hidden widths 20, and the mean of the whole diagonal, at an input of three numbers, |x|^2 = 1.65: a quarter of the kernel of infinite width each, 2 |x|^2/n_0 = 1.1, and 60 000 random networks by backpropagation";
    Ok(Comparison::noise(&["T05.4/shares"], what, &pairs).source(&[0.0, 0.0, 0.0, whole, whole]))
}

/// Two inputs of two numbers.
const X: [f64; 4] = [1.0, 0.4, -0.3, 0.9];

/// The last layer alone: its part of the tangent kernel is the covariance of the outputs.
fn last_layer(effort: &Effort) -> Result<Comparison, LabError> {
    let of = wide_covariance(effort);
    let shape = shape("tanh", 2, &[20], [1.4, 0.2]);
    let found = over_networks::<3>(effort, &shape, "last layer", 20_000, |mlp| {
        let last = &mlp.tangent_by_layer(&mlp.forward(&X), 0)[1];
        [last[0], last[1], last[3]]
    })?;
    let layer = Layer::new(&named("tanh"), 1.4, 0.2);
    let rows: Vec<Vec<f64>> = X.chunks(2).map(<[f64]>::to_vec).collect();
    let (k, first) = (of(&layer, &rows, 1)?, covariance(&layer, &rows, 0)?);
    let pairs: Vec<(Estimate, f64)> = found.into_iter().zip([k[0][0], k[0][1], k[1][1]]).collect();
    let whole =
        kernels(&layer, Pair { aa: first[0][0], bb: first[1][1], ab: first[0][1] }, 1)?.theta;
    let what = "mean part of the last layer in the tangent kernel of 20 tanh units at two inputs, C_w = 1.4, C_b = 0.2: the covariance of the outputs (NNGP), and random networks; if only the last layer learned, it would be the whole kernel";
    Ok(Comparison::noise(&["T05.4/last"], what, &pairs)
        .against("the whole kernel", &[whole.aa, whole.ab, whole.bb]))
}

/// A layer, a pair of preactivations, and the pair behind it.
type Next = fn(&Layer, Pair) -> Result<Pair, FormError>;

/// Outputs behind one layer of random networks, whose covariance is the covariance behind a layer.
pub(super) fn behind_one_layer(
    effort: &Effort,
    ids: &'static [&'static str],
    c: [f64; 2],
    next: Next,
) -> Result<Comparison, LabError> {
    const OUTPUTS: usize = 24;
    let rows: Vec<Vec<f64>> = X.chunks(2).map(<[f64]>::to_vec).collect();
    let mut pairs: Vec<(Estimate, f64)> = Vec::new();
    for name in ["relu", "erf-raw", "tanh"] {
        let shape = Shape { outputs: OUTPUTS, ..shape(name, 2, &[30], c) };
        let found = over_networks::<3>(effort, &shape, &format!("outputs {name}"), 6_000, |mlp| {
            let pass = mlp.forward(&X);
            let (a, b) = pass.outputs().split_at(OUTPUTS);
            [dot(a, a), dot(a, b), dot(b, b)].map(|sum| sum / OUTPUTS as f64)
        })?;
        let layer = Layer::new(&named(name), c[0], c[1]);
        let k = first(&layer, &rows);
        let behind = next(&layer, Pair { aa: k[0][0], bb: k[1][1], ab: k[0][1] })?;
        pairs.extend(found.into_iter().zip([behind.aa, behind.ab, behind.bb]));
    }
    let what = "the same, variances too, of outputs of 6000 random networks of 30 hidden units at two inputs of two numbers: closed forms or nested quadrature, and mean products of 24 outputs of every network";
    Ok(Comparison::noise(ids, what, &pairs))
}
