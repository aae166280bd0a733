//! Outputs become Gaussian as layers widen (lectures, topic 3).

use super::drawn::{over_networks, shape, wide_covariance};
use super::prelude::*;
use fovea_sim::mlp::Shape;
use fovea_theory::layer::Layer;
use fovea_theory::nngp::variance::{self, scaled_variance};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "gaussian-limit",
    summary: "Characteristic functions and expectations of outputs as layers widen.",
    covers: &[
        "T03.1/limit",
        "T03.1/finite",
        "T03.2/gaussian",
        "T03.9/rate",
        "T03.10/growing",
        "T03.10/moments",
    ],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![
        limit(effort)?,
        outputs(effort)?,
        first_layer(effort)?,
        rate_of_the_limit(effort)?,
        expectations(),
        moments(effort)?,
    ])
}

/// Two inputs of two numbers, and the arguments of the characteristic function of two outputs at both.
const X: [f64; 4] = [1.0, 0.3, -0.2, 1.1];
const XI: [[f64; 2]; 3] = [[0.7, 0.5], [0.9, -0.6], [0.4, 1.2]];

/// Outputs of every network there, which are taken in pairs.
const OUTPUTS: usize = 32;

/// Two outputs at two inputs behind two hidden layers, extrapolated from widths n and 2 n by the term of order 1/n.
fn limit(effort: &Effort) -> Result<Comparison, LabError> {
    let (c_w, c_b) = (1.6, 0.3);
    let alone = effort.slip("outputs at large width", "one process for both outputs", 0.0, 1.0);
    let rows: Vec<Vec<f64>> = X.chunks(2).map(<[f64]>::to_vec).collect();
    let k = wide_covariance(effort)(&Layer::new(&named("tanh"), c_w, c_b), &rows, 2)?;
    // One output takes xi at both inputs, the other takes xi in reverse order.
    let square = |u: [f64; 2], v: [f64; 2]| -> f64 {
        (0..2).map(|a| (0..2).map(|b| u[a] * k[a][b] * v[b]).sum::<f64>()).sum()
    };
    let predicted = XI.map(|u| {
        let v = [u[1], u[0]];
        libm::exp(-0.5 * (square(u, u) + square(v, v) + 2.0 * alone * square(u, v)))
    });
    let mut at = Vec::new();
    for (n, count) in [(12, 40_000), (24, 40_000)] {
        let shape = Shape { outputs: OUTPUTS, ..shape("tanh", 2, &[n; 2], [c_w, c_b]) };
        let part = format!("limit {n}");
        at.push(over_networks::<3>(effort, &shape, &part, count, |mlp| {
            let pass = mlp.forward(&X);
            let (a, b) = pass.z[2].split_at(OUTPUTS);
            XI.map(|[u, v]| {
                let angle = |i: usize| u * a[i] + v * b[i] + v * a[i + 1] + u * b[i + 1];
                let pairs = (0..OUTPUTS).step_by(2);
                pairs.map(|i| libm::cos(angle(i))).sum::<f64>() / (0.5 * OUTPUTS as f64)
            })
        })?);
    }
    let mut pairs = Vec::new();
    for (i, value) in predicted.into_iter().enumerate() {
        pairs.push((Estimate::combination(&[(2.0, at[1][i]), (-1.0, at[0][i])])?, value));
    }
    let what = "joint characteristic function, at three points, of two outputs at two inputs behind two hidden tanh layers, C_w = 1.6, C_b = 0.3: exp(-xi.K xi/2) with the recursive K and independent outputs, and random networks of widths 12 and 24, extrapolated to infinite width by the term of order 1/n";
    Ok(Comparison::noise(&["T03.1/limit"], what, &pairs)
        .approximate(0.01, "terms of order 1/n^2 remain at widths 12 and 24"))
}

/// Variance of the input of the hidden tanh layers below; the weights behind them have the same variance.
const K1: f64 = 1.5;

/// `E exp(-square Khat / 2)` behind a hidden layer of `n` tanh units: the units are independent.
fn characteristic(n: usize, square: f64) -> f64 {
    let unit = |z: f64| {
        let value = libm::tanh(z);
        libm::exp(-0.5 * square * K1 * value * value / n as f64)
    };
    libm::pow(trapezoids(K1, unit), n as f64)
}

/// The same in the limit of width.
fn gaussian(square: f64) -> f64 {
    libm::exp(-0.5 * square * K1 * trapezoids(K1, |z| libm::tanh(z) * libm::tanh(z)))
}

/// Two outputs together at widths 2, 8 and 64.
fn outputs(effort: &Effort) -> Result<Comparison, LabError> {
    let (xi, square) = ([0.8, 1.1], 0.64 + 1.21);
    let of: fn(usize, f64) -> f64 = effort.slip(
        "outputs behind one hidden layer",
        "Gaussian at every width",
        characteristic,
        |_, square| gaussian(square),
    );
    let mut pairs = Vec::new();
    for n in [2, 8, 64] {
        let two = Shape { outputs: 2, ..shape("tanh", 1, &[n], [K1, 0.0]) };
        let part = format!("outputs {n}");
        let [mean] = over_networks(effort, &two, &part, 60_000, |mlp| {
            let z = &mlp.forward(&[1.0]).z[1];
            [libm::cos(xi[0] * z[0] + xi[1] * z[1])]
        })?;
        pairs.push((mean, of(n, square)));
    }
    let what = "joint characteristic function, at one point, of two outputs behind one hidden layer of 2, 8 and 64 tanh units, input variance and C_w 1.5, C_b = 0: the n-th power of one unit's factor, which is not Gaussian, and random networks";
    Ok(Comparison::noise(&["T03.1/finite"], what, &pairs))
}

/// First preactivations at two inputs are a Gaussian pair.
fn first_layer(effort: &Effort) -> Result<Comparison, LabError> {
    let (c_w, c_b) = (1.4, 0.2);
    let shape = shape("tanh", 2, &[32], [c_w, c_b]);
    let means = over_networks::<3>(effort, &shape, "first layer", 20_000, |mlp| {
        let pass = mlp.forward(&X);
        let (a, b) = pass.z[0].split_at(32);
        XI.map(|[u, v]| a.iter().zip(b).map(|(a, b)| libm::cos(u * a + v * b)).sum::<f64>() / 32.0)
    })?;
    let across = effort.slip("xi.K xi", "the diagonal of K alone", 2.0, 0.0);
    let k = |a: usize, b: usize| c_b + 0.5 * c_w * (X[a] * X[b] + X[a + 1] * X[b + 1]);
    let predicted = XI.map(|[u, v]| {
        libm::exp(-0.5 * (u * u * k(0, 0) + across * u * v * k(0, 2) + v * v * k(2, 2)))
    });
    let pairs: Vec<(Estimate, f64)> = means.into_iter().zip(predicted).collect();
    let what = "characteristic function of a first preactivation at two inputs, a Gaussian pair, at three points, C_w = 1.4, C_b = 0.2: exp(-xi.K xi/2), and mean cosines over random layers of 32 units";
    Ok(Comparison::noise(&["T03.2/gaussian"], what, &pairs))
}

/// `n (E exp(-xi^2 Khat/2) - exp(-xi^2 K/2))` as the hidden layer widens.
fn rate_of_the_limit(effort: &Effort) -> Result<Comparison, LabError> {
    let spread: fn(&Layer, f64) -> Result<f64, FormError> =
        effort.form(&variance::ENTRY, scaled_variance, |layer, k| {
            Ok(scaled_variance(layer, k)? / (3.0 * layer.c_w))
        });
    let layer = Layer::new(&named("tanh"), K1, 0.0);
    let (mean, spread) = (layer.next(K1)?, spread(&layer, K1)?);
    let squares = [0.5, 1.0, 3.0];
    let predicted = squares.map(|xi| xi * xi / 8.0 * spread * libm::exp(-0.5 * xi * mean));
    let measured = squares.map(|xi| {
        let gaussian = gaussian(xi);
        // Powers of 1/n are eliminated one by one.
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
    let what = "n times the distance of an output's characteristic function from the Gaussian one behind n tanh units at xi^2 = 0.5, 1 and 3, input variance and C_w 1.5, C_b = 0: (xi^4/8) n Var(Khat) exp(-xi^2 K/2), and the exact one at 16 to 1024 units, extrapolated to infinite width";
    Ok(Comparison::digits(&["T03.9/rate"], what, &predicted, &measured)
        .within(1e-7, "a small difference of numbers near one, extrapolated to infinite width"))
}

/// `E[exp(z^2/3); |z| < T]` behind two linear units grows without bound with T, though it is sqrt(3) in the limit of width.
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
            2.0 * mass / TAU.sqrt() * 2.0 * u * libm::exp(-u * u)
        };
        adaptive_split(outer, &[1e-9, 0.3, 1.0, 2.0, 4.0, 8.0], 1e-12).value
    });
    // Each relative to its own size: they differ by decades.
    let measured: Vec<f64> = found.iter().zip(&predicted).map(|(f, p)| f / p).collect();
    // The Gaussian of the limit cut off at the same T: 1.30, 1.70 and 1.73.
    let limit = ends.map(|end| {
        let density = |z: f64| 2.0 * libm::exp(z * z / 3.0) * normal_pdf(z);
        adaptive_split(density, &[0.0, end], 1e-13).value
    });
    let source: Vec<f64> = limit.iter().zip(&predicted).map(|(l, p)| l / p).collect();
    let what = "E[exp(z^2/3); |z| < T] at T = 2, 4 and 7 behind two linear units, K = 1, which is 1.19, 2.17 and 294, by the density of Khat over that by the density of the output: 1; the source has that of the Gaussian limit, 1.30, 1.70 and 1.73, which tends to sqrt(3)";
    Comparison::digits(&["T03.10/growing"], what, &[1.0; 3], &measured)
        .within(1e-8, "nested integrals of a function that grows by seven decades")
        .source(&source)
}

/// Fourth moments do converge, as 1/n.
fn moments(effort: &Effort) -> Result<Comparison, LabError> {
    let extra = effort.slip("fourth moment behind linear units", "3 at every width", 2.0, 0.0);
    let mut pairs = Vec::new();
    for (n, count) in [(4, 120_000), (16, 40_000), (64, 20_000)] {
        let shape = Shape { outputs: 16, ..shape("identity", 1, &[n], [1.0, 0.0]) };
        let part = format!("moments {n}");
        let [fourth] = over_networks(effort, &shape, &part, count, |mlp| {
            let z = &mlp.forward(&[1.0]).z[1];
            [z.iter().map(|z| z * z * z * z).sum::<f64>() / z.len() as f64]
        })?;
        pairs.push((fourth, 3.0 * (1.0 + extra / n as f64)));
    }
    let what = "E z^4 of an output behind 4, 16 and 64 linear units, K = 1: 3 (1 + 2/n), which tends to the Gaussian 3, and 16 outputs of every random network";
    Ok(Comparison::noise(&["T03.10/moments"], what, &pairs))
}
