//! Layer averages settle and outputs become Gaussian as layers widen (lectures, topics 1 and 3).

use super::drawn_networks::{mean_square, over_networks, shape};
use super::prelude::*;
use fovea_theory::layer::Layer;
use fovea_theory::nngp::variance::scaled_variance;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "wide-limit",
    summary: "Layer averages, characteristic functions and expectations as layers widen.",
    covers: &["T01.11", "T03.1", "T03.2", "T03.4", "T03.7", "T03.8", "T03.9", "T03.10"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![
        two_variances(effort)?,
        outputs(effort)?,
        first_layer(effort)?,
        averages(effort)?,
        chain(effort)?,
        linear_image(effort)?,
        rate_of_the_limit()?,
        expectations(),
    ])
}

/// Given eight units before it, the average over a hundred units settles; over all networks it does not.
fn two_variances(effort: &Effort) -> Result<Comparison, LabError> {
    let (before, units) = (8, 100);
    let shape = shape("relu", 2, &[before, units], [2.0, 0.0]);
    let [all, given] = over_networks(effort, &shape, "two variances", 60_000, |mlp| {
        let pass = mlp.forward(&[1.0, 0.0]);
        let (average, khat) = (mean_square(&pass.z[1]), 2.0 * mean_square(&pass.h[1]));
        [(average - 1.0) * (average - 1.0), (average - khat) * (average - khat)]
    })?;
    let (random, own) = (1.0 + 5.0 / before as f64, 2.0 / units as f64);
    let what = "variance of |z|^2/n over a second ReLU layer of 100 units behind 8: (1 + 5/8)(1 + 2/n) - 1 over all networks and (2/n)(1 + 5/8) given the first layer, and drawn networks";
    let pairs = [(all, random * (1.0 + own) - 1.0), (given, own * random)];
    Ok(Comparison::noise(&["T01.11"], what, &pairs)
        .coarse("squares of squares of heavy tails: a finer test would take minutes"))
}

/// Variance of the input of the hidden tanh layers below; the weights behind them have the same.
const K1: f64 = 1.5;

/// `E exp(-square Khat / 2)` behind a hidden layer of `n` tanh units: the units are independent.
fn characteristic(n: usize, square: f64) -> f64 {
    let unit = |z: f64| {
        let value = libm::tanh(z);
        libm::exp(-0.5 * square * K1 * value * value / n as f64)
    };
    libm::pow(trapezoids(K1, unit), n as f64)
}

/// Two outputs together at widths 2, 8 and 64.
fn outputs(effort: &Effort) -> Result<Comparison, LabError> {
    let (xi, square) = ([0.8, 1.1], 0.64 + 1.21);
    let mut pairs = Vec::new();
    for n in [2, 8, 64] {
        let two = fovea_sim::mlp::Shape { outputs: 2, ..shape("tanh", 1, &[n], [K1, 0.0]) };
        let part = format!("outputs {n}");
        let [mean] = over_networks(effort, &two, &part, 200_000, |mlp| {
            let z = &mlp.forward(&[1.0]).z[1];
            [libm::cos(xi[0] * z[0] + xi[1] * z[1])]
        })?;
        pairs.push((mean, characteristic(n, square)));
    }
    let what = "joint characteristic function of two outputs behind 2, 8 and 64 tanh units, one Gaussian factor a unit (it tends to that of independent Gaussians as 1/n), and drawn networks";
    Ok(Comparison::noise(&["T03.1"], what, &pairs))
}

/// First preactivations at two inputs are a Gaussian pair.
fn first_layer(effort: &Effort) -> Result<Comparison, LabError> {
    let (c_w, c_b, x) = (1.4, 0.2, [1.0, 0.3, -0.2, 1.1]);
    let shape = shape("tanh", 2, &[32], [c_w, c_b]);
    let at = [[0.9, 0.4], [0.7, -1.0]];
    let means = over_networks::<2>(effort, &shape, "first layer", 20_000, |mlp| {
        let pass = mlp.forward(&x);
        let (a, b) = pass.z[0].split_at(32);
        at.map(|[u, v]| a.iter().zip(b).map(|(a, b)| libm::cos(u * a + v * b)).sum::<f64>() / 32.0)
    })?;
    let k = |a: usize, b: usize| c_b + 0.5 * c_w * (x[a] * x[b] + x[a + 1] * x[b + 1]);
    let predicted = at.map(|[u, v]| {
        libm::exp(-0.5 * (u * u * k(0, 0) + 2.0 * u * v * k(0, 2) + v * v * k(2, 2)))
    });
    let pairs = [(means[0], predicted[0]), (means[1], predicted[1])];
    let what = "characteristic function of a first preactivation at two inputs, exp(-xi.K xi/2), and mean cosines over drawn layers";
    Ok(Comparison::noise(&["T03.2"], what, &pairs))
}

/// The variance of a layer average falls with the width and grows with the depth.
fn averages(effort: &Effort) -> Result<Comparison, LabError> {
    let mut pairs = Vec::new();
    for (n, depth, count) in [(16, 1, 150_000), (64, 1, 60_000), (64, 3, 25_000)] {
        let shape = shape("relu", 2, &vec![n; depth], [2.0, 0.0]);
        let part = format!("averages {n} {depth}");
        let [spread] = over_networks(effort, &shape, &part, count, |mlp| {
            let gap = 2.0 * mean_square(&mlp.forward(&[1.0, 0.0]).h[depth]) - 1.0;
            [gap * gap]
        })?;
        pairs.push((spread, libm::pow(1.0 + 5.0 / n as f64, depth as f64) - 1.0));
    }
    let what = "variance of the average of 2 relu(z)^2 over layer one of 16 and of 64 units and over layer three of 64, (1 + 5/n)^l - 1, and drawn networks";
    Ok(Comparison::noise(&["T03.4"], what, &pairs)
        .coarse("squares of squares of heavy tails: a finer test would take minutes"))
}

/// An output's square and the first layer meet through Khat alone.
fn chain(effort: &Effort) -> Result<Comparison, LabError> {
    let n = 12;
    let shape = shape("relu", 2, &[n, 30], [2.0, 0.0]);
    let [through, past] = over_networks(effort, &shape, "chain", 150_000, |mlp| {
        let pass = mlp.forward(&[1.0, 0.0]);
        let first = mean_square(&pass.z[0]);
        let output = pass.z[2][0];
        [output * output * first, 2.0 * mean_square(&pass.h[2]) * first]
    })?;
    let exact = 1.0 + 2.0 / n as f64;
    let what = "mean product of a squared output and |z|^2/n two layers before it, K^2 (1 + 2/n) where the past enters through Khat alone, and drawn ReLU networks: the output itself, and its Khat";
    Ok(Comparison::noise(&["T03.7"], what, &[(through, exact), (past, exact)])
        .coarse("squares of squares of heavy tails: a finer test would take minutes"))
}

/// Covariance of `b + W.s` at two vectors of activations.
fn linear_image(effort: &Effort) -> Result<Comparison, LabError> {
    let (c_w, c_b) = (1.4, 0.2);
    let a = [0.4, -0.9, 0.7, 0.2, 0.5, -0.3];
    let b = [0.8, -0.2, 0.6, -0.4, 0.1, -0.7];
    let shape = shape("identity", 6, &[50], [c_w, c_b]);
    let [product] = over_networks(effort, &shape, "linear image", 20_000, |mlp| {
        let pass = mlp.forward(&[a, b].concat());
        let (a, b) = pass.z[0].split_at(50);
        [a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>() / 50.0]
    })?;
    let overlap: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
    let what = "covariance of b + W.s at two vectors s of six activations: C_b + (C_w/6) s.s', and drawn weights and biases";
    Ok(Comparison::noise(&["T03.8"], what, &[(product, c_b + c_w * overlap / 6.0)])
        .source(&[c_b + c_w * overlap]))
}

/// `n (E exp(-xi^2 Khat/2) - exp(-xi^2 K/2))` as the hidden layer widens.
fn rate_of_the_limit() -> Result<Comparison, LabError> {
    let layer = Layer::new(&named("tanh"), K1, 0.0);
    let (mean, spread) = (layer.next(K1)?, scaled_variance(&layer, K1)?);
    let squares = [0.5, 1.0, 3.0];
    let predicted = squares.map(|xi| xi * xi / 8.0 * spread * libm::exp(-0.5 * xi * mean));
    let measured = squares.map(|xi| {
        let square = |z: f64| libm::tanh(z) * libm::tanh(z);
        let gaussian = libm::exp(-0.5 * xi * K1 * trapezoids(K1, square));
        // Powers of 1/n fall away one by one.
        let mut row: Vec<f64> = (4..11)
            .map(|level| {
                let n = 1_usize << level;
                n as f64 * (characteristic(n, xi) - gaussian)
            })
            .collect();
        for order in 1..row.len() {
            let factor = libm::pow(2.0, order as f64);
            row = row.windows(2).map(|w| (factor * w[1] - w[0]) / (factor - 1.0)).collect();
        }
        row[0]
    });
    let what = "n times the distance of an output's characteristic function from the Gaussian one behind n tanh units, (xi^4/8) n Var(Khat) exp(-xi^2 K/2), and the exact one at 16 to 1024 units carried to infinity";
    Ok(Comparison::digits(&["T03.9"], what, &predicted, &measured)
        .within(1e-7, "a small difference of numbers near one, carried to infinite width"))
}

/// `E[exp(z^2/3); |z| < T]` behind two linear units grows without end with T, though it is sqrt(3) in the limit of width.
fn expectations() -> Comparison {
    let ends = [2.0, 4.0, 7.0];
    let root = 2.0_f64.sqrt();
    // Two products of normals add up to a Laplace variable.
    let predicted = ends.map(|end| {
        let density = |z: f64| root * libm::exp(z * z / 3.0 - root * z);
        adaptive_split(density, &[0.0, end], 1e-13).value
    });
    // Given Khat, which is exponential, the output is Gaussian.
    let found = ends.map(|end| {
        let outer = |u: f64| {
            let inner = |v: f64| libm::exp((u * u / 3.0 - 0.5) * v * v);
            let stop = (end / u).min(40.0);
            let mass = adaptive_split(inner, &[0.0, 0.5 * stop, stop], 1e-13).value;
            2.0 * mass / std::f64::consts::TAU.sqrt() * 2.0 * u * libm::exp(-u * u)
        };
        adaptive_split(outer, &[1e-9, 0.3, 1.0, 2.0, 4.0, 8.0], 1e-12).value
    });
    // Each over its own size: they differ by decades.
    let measured: Vec<f64> = found.iter().zip(&predicted).map(|(f, p)| f / p).collect();
    let source = predicted.map(|p| 3.0_f64.sqrt() / p);
    let what = "E[exp(z^2/3); |z| < T] at T = 2, 4 and 7 behind two linear units, K = 1, by the density of Khat over that by the density of the output: 1; the limit of width has sqrt(3), the mean itself is infinite";
    Comparison::digits(&["T03.10"], what, &[1.0; 3], &measured)
        .within(1e-8, "nested integrals of a function that grows by nine decades")
        .source(&source)
}
