//! The random variance that a layer of finite width passes on, and the fourth moment it causes (lectures, topics 2 and 3).

use super::drawn::{mean_square, over_networks, shape};
use super::prelude::*;
use fovea_sim::mlp::Shape;
use fovea_theory::layer::Layer;
use fovea_theory::nngp::kurtosis::{self, ratio};
use fovea_theory::nngp::variance::{self, scaled_variance};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "random-variance",
    summary: "The random variance behind layers of finite width, and fourth moments.",
    covers: &["T02.1/excess", "T03.5", "T03.6"],
    run,
};

/// `n Var Khat` behind one layer of tanh units.
type Spread = fn(&Layer, f64) -> Result<f64, FormError>;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let spread: Spread = effort.form(&variance::ENTRY, scaled_variance, |layer, k| {
        Ok(scaled_variance(layer, k)? / (3.0 * layer.c_w))
    });
    let linear: Spread = |layer, k| Ok(scaled_variance(layer, k)? / layer.c_w);
    let spread = effort.slip("n Var(Khat)", "C_w instead of its square", spread, linear);
    Ok(vec![excess(effort, spread)?, products(effort)?, random_variance(effort, spread)?])
}

/// The input variance of the tanh layers below.
const K: f64 = 1.5;

/// Over all networks the fourth moment exceeds a Gaussian's by the variance of the variance.
fn excess(effort: &Effort, spread: Spread) -> Result<Comparison, LabError> {
    let (n, layer) = (2, Layer::new(&named("tanh"), 1.5, 0.0));
    let mean = layer.next(K)?;
    // Many outputs per network, because their fourth moment is noisy.
    let shape = Shape { outputs: 64, ..shape("tanh", 1, &[n], [1.5, 0.0]) };
    let found = over_networks::<1>(effort, &shape, "excess", 240_000, |mlp| {
        let z = &mlp.forward(&[1.0]).z[1];
        let fourth = z.iter().map(|z| z * z * z * z).sum::<f64>() / z.len() as f64;
        [fourth / (3.0 * mean * mean) - 1.0]
    })?;
    let predicted = spread(&layer, K)? / (n as f64 * mean * mean);
    let what = "E z^4/(3 K^2) - 1 of an output behind 2 tanh units of input variance 1.5, C_w = 1.5, C_b = 0: Var(Khat)/K^2, and 64 outputs of every random network";
    Ok(Comparison::noise(&["T02.1/excess"], what, &[(found[0], predicted)])
        .coarse("a small excess of a fourth moment"))
}

/// One hidden tanh layer: `n Var Khat`.
fn random_variance(effort: &Effort, spread: Spread) -> Result<Comparison, LabError> {
    let layer = Layer::new(&named("tanh"), 1.5, 0.0);
    let (mut pairs, mean) = (Vec::new(), layer.next(K)?);
    for n in [4, 40] {
        let shape = shape("tanh", 1, &[n], [1.5, 0.0]);
        let part = format!("random variance {n}");
        let [scaled] = over_networks(effort, &shape, &part, 60_000, |mlp| {
            let gap = 1.5 * mean_square(&mlp.forward(&[1.0]).h[1]) - mean;
            [n as f64 * gap * gap]
        })?;
        pairs.push((scaled, spread(&layer, K)?));
    }
    let what = "n Var(Khat) behind one hidden layer of 4 and of 40 tanh units of input variance 1.5, C_w = 1.5, C_b = 0: C_w^2 (E s^4 - (E s^2)^2), and random layers";
    Ok(Comparison::noise(&["T03.6"], what, &pairs))
}

/// `E z^4 / 3 (E z^2)^2` of critical ReLU: the product over layers.
fn products(effort: &Effort) -> Result<Comparison, LabError> {
    let of: fn(&[usize]) -> f64 = effort.form(
        &kurtosis::ENTRY,
        |widths| ratio(widths, 0.0),
        |widths| 1.0 + widths.iter().map(|n| ratio(&[*n], 0.0) - 1.0).sum::<f64>(),
    );
    let mut pairs = Vec::new();
    for (widths, count) in [(vec![10], 200_000), (vec![16, 12], 360_000)] {
        let shape = Shape { outputs: 8, ..shape("relu", 2, &widths, [2.0, 0.0]) };
        let part = format!("products {widths:?}");
        let [output, square] = over_networks(effort, &shape, &part, count, |mlp| {
            let pass = mlp.forward(&[1.0, 0.0]);
            let last = pass.z.len() - 1;
            let (z, khat) = (&pass.z[last], 2.0 * mean_square(&pass.h[last]));
            let fourth = z.iter().map(|z| z * z * z * z).sum::<f64>() / z.len() as f64;
            [fourth / 3.0, khat * khat]
        })?;
        let exact = of(&widths);
        pairs.extend([(output, exact), (square, exact)]);
    }
    let what = "E z^4/(3 (E z^2)^2) of critical ReLU, where E z^2 = 1, with hidden widths 10, 1 + 5/10, and 16 and 12, (1 + 5/16)(1 + 5/12), and random networks: eight outputs of each, and with less noise E Khat^2/K^2";
    Ok(Comparison::noise(&["T03.5"], what, &pairs))
}
