//! Networks at initialization, drawn and measured: norms, fluctuations, gradients and tangent kernels (lectures, topics 1 to 5, 11 and 12).

use super::averaged::named;
use super::{Check, Comparison, Effort};
use crate::error::LabError;
use fovea_core::stats::Estimate;
use fovea_core::streams::Streams;
use fovea_sim::mlp::{Mlp, Parametrisation, Shape};
use fovea_theory::averages::Pair;
use fovea_theory::layer::Layer;
use fovea_theory::nngp::kurtosis::ratio;
use fovea_theory::nngp::variance::scaled_variance;
use fovea_theory::ntk::kernel::kernels;
use fovea_theory::rates::gradient_norm::gradient_norm;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "drawn-networks",
    summary: "Norms, fluctuations, gradients and tangent kernels of drawn networks.",
    covers: &[
        "T01.2", "T01.3", "T01.8", "T02.1", "T03.3", "T03.5", "T03.6", "T03.11", "T04.5", "T04.6",
        "T05.4", "T11.6", "T11.7", "T12.1",
    ],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![
        fluctuation(effort)?,
        first_layer(effort)?,
        centred(effort)?,
        random_variance(effort)?,
        conditional(effort)?,
        products(effort)?,
        gradients(effort)?,
        by_layer(effort)?,
        rectified_kernel(effort)?,
        erf_kernel(effort)?,
        two_parts(effort)?,
    ])
}

/// What `read` makes of every one of `count` drawn networks, one estimate a number.
pub(super) fn over_networks<const N: usize>(
    effort: &Effort,
    shape: &Shape,
    part: &str,
    count: usize,
    read: impl Fn(&Mlp) -> [f64; N],
) -> Result<[Estimate; N], LabError> {
    let streams: Streams = effort.streams.part(part);
    let count = effort.samples(count);
    let readings: Vec<[f64; N]> =
        (0..count as u64).map(|i| read(&shape.draw(&streams.replica(i)))).collect();
    let mut estimates = Vec::with_capacity(N);
    for n in 0..N {
        let column: Vec<f64> = readings.iter().map(|row| row[n]).collect();
        estimates.push(Estimate::from_samples(&column)?);
    }
    Ok(std::array::from_fn(|n| estimates[n]))
}

pub(super) fn shape(
    activation: &str,
    n_in: usize,
    widths: &[usize],
    [c_w, c_b]: [f64; 2],
) -> Shape {
    Shape {
        n_in,
        widths: widths.to_vec(),
        activation: named(activation),
        c_w,
        c_b,
        ..Shape::default()
    }
}

pub(super) fn mean_square(z: &[f64]) -> f64 {
    z.iter().map(|z| z * z).sum::<f64>() / z.len() as f64
}

/// Relative variance of `|z|^2/n` in the third layer of critical ReLU networks.
fn fluctuation(effort: &Effort) -> Result<Comparison, LabError> {
    let n = 24;
    let shape = shape("relu", 2, &[n, n, n], [2.0, 0.0]);
    let [spread] = over_networks(effort, &shape, "fluctuation", 60_000, |mlp| {
        let gap = mean_square(&mlp.forward(&[1.0, 0.0]).z[2]) - 1.0;
        [gap * gap]
    })?;
    let inverse = 1.0 / n as f64;
    let exact = (1.0 + 2.0 * inverse) * libm::pow(1.0 + 5.0 * inverse, 2.0) - 1.0;
    let what = "relative variance of |z|^2/n in the third layer of critical ReLU networks of width 24, (1 + 2/n)(1 + 5/n)^2 - 1, and drawn networks";
    Ok(Comparison::noise(&["T01.2"], what, &[(spread, exact)])
        .coarse("squares of squares of heavy tails: a finer test would take minutes"))
}

/// `C_b + C_w |x|^2 / n_0` at any width.
fn first_layer(effort: &Effort) -> Result<Comparison, LabError> {
    let x = [1.0, -2.0, 0.5, 1.5];
    let mut pairs = Vec::new();
    for width in [4, 64] {
        let shape = shape("relu", 4, &[width], [1.3, 0.7]);
        let part = format!("first layer {width}");
        let [variance] = over_networks(effort, &shape, &part, 400_000 / width, |mlp| {
            [mean_square(&mlp.forward(&x).z[0])]
        })?;
        pairs.push((variance, 0.7 + 1.3 * 7.5 / 4.0));
    }
    let what = "variance of a first preactivation, C_b + C_w |x|^2/n_0, and drawn layers of 4 and 64 units";
    Ok(Comparison::noise(&["T01.3"], what, &pairs))
}

/// Every layer has mean zero although ReLU does not; means and a variance that is not zero.
fn centred(effort: &Effort) -> Result<Comparison, LabError> {
    let width = 16;
    let shape = shape("relu", 2, &[width, width, width], [2.0, 0.1]);
    let [first, second, third, positive] =
        over_networks(effort, &shape, "centred", 40_000, |mlp| {
            let pass = mlp.forward(&[1.0, 0.0]);
            let mean = |z: &[f64]| z.iter().sum::<f64>() / z.len() as f64;
            [mean(&pass.z[0]), mean(&pass.z[1]), mean(&pass.z[2]), mean(&pass.h[1])]
        })?;
    // E relu(z) = sqrt(K / 2 pi), K = C_b + C_w / 2 for |x|^2/n_0 = 1/2.
    let open = (1.1 / std::f64::consts::TAU).sqrt();
    let what = "means of the preactivations of three ReLU layers, 0, and of the first activations, sqrt(K/2 pi), and drawn networks";
    let pairs = [(first, 0.0), (second, 0.0), (third, 0.0), (positive, open)];
    Ok(Comparison::noise(&["T01.8"], what, &pairs))
}

/// One hidden tanh layer: `n Var Khat`, and what it does to the fourth moment of an output.
fn random_variance(effort: &Effort) -> Result<Comparison, LabError> {
    let (n, layer) = (20, Layer::new(&named("tanh"), 1.5, 0.0));
    let shape = shape("tanh", 1, &[n], [1.5, 0.0]);
    let k = 1.5;
    let mean = layer.next(k)?;
    let [spread, fourth] = over_networks(effort, &shape, "random variance", 400_000, |mlp| {
        let pass = mlp.forward(&[1.0]);
        let khat = 1.5 * mean_square(&pass.h[1]);
        let gap = khat - mean;
        [n as f64 * gap * gap, 3.0 * khat * khat]
    })?;
    let scaled = scaled_variance(&layer, k)?;
    let what = "n Var(Khat) behind one hidden layer of 20 tanh units, C_w^2 (E s^4 - (E s^2)^2), and the fourth moment 3 E Khat^2 of an output, and drawn layers";
    let pairs = [(spread, scaled), (fourth, 3.0 * (mean * mean + scaled / n as f64))];
    Ok(Comparison::noise(&["T02.1", "T03.6"], what, &pairs))
}

/// Given a layer, products of two inputs behind it have mean Khat; the means themselves have no covariance.
fn conditional(effort: &Effort) -> Result<Comparison, LabError> {
    let shape = shape("tanh", 2, &[12], [1.4, 0.2]);
    let x = [1.0, 0.3, -0.2, 1.1];
    let [product, khat] = over_networks(effort, &shape, "conditional", 300_000, |mlp| {
        let pass = mlp.forward(&x);
        let (a, b) = pass.h[1].split_at(12);
        let overlap: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
        [pass.z[1][0] * pass.z[1][1], 0.2 + 1.4 * overlap / 12.0]
    })?;
    let first =
        |a: usize, b: usize| 0.2 + 0.7 * (x[2 * a] * x[2 * b] + x[2 * a + 1] * x[2 * b + 1]);
    let pair = Pair { aa: first(0, 0), bb: first(1, 1), ab: first(0, 1) };
    let ab = Layer::new(&named("tanh"), 1.4, 0.2).next_pair(pair)?.ab;
    let what = "covariance of an output at two inputs: C_b + C_w E[s s], and the mean product of outputs and the mean of Khat over drawn networks";
    Ok(Comparison::noise(&["T03.3", "T03.11"], what, &[(product, ab), (khat, ab)]))
}

/// `E Khat^2 / K^2` of critical ReLU: the product over layers.
fn products(effort: &Effort) -> Result<Comparison, LabError> {
    let widths = [16, 12];
    let shape = shape("relu", 2, &widths, [2.0, 0.0]);
    let [square] = over_networks(effort, &shape, "products", 700_000, |mlp| {
        let khat = 2.0 * mean_square(&mlp.forward(&[1.0, 0.0]).h[2]);
        [khat * khat]
    })?;
    let what = "E z^4 / 3 (E z^2)^2 of critical ReLU with hidden widths 16 and 12, (1 + 5/16)(1 + 5/12), and E Khat^2 / K^2 of drawn networks";
    Ok(Comparison::noise(&["T03.5"], what, &[(square, ratio(&widths, 0.0))]))
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

/// Every layer adds the same to the tangent kernel of critical ReLU.
fn by_layer(effort: &Effort) -> Result<Comparison, LabError> {
    let shape = shape("relu", 2, &[20, 20, 20], [2.0, 0.0]);
    let layers = over_networks::<4>(effort, &shape, "by layer", 100_000, |mlp| {
        let parts = mlp.tangent_by_layer(&mlp.forward(&[1.0, 1.0]), 0);
        std::array::from_fn(|l| parts[l][0])
    })?;
    let pairs = layers.map(|estimate| (estimate, 2.0));
    let what = "share of each of four weight layers in the tangent kernel of critical ReLU, 2 |x|^2/n_0 each, and drawn networks";
    Ok(Comparison::noise(&["T04.6", "T05.4"], what, &pairs).source(&[0.0, 0.0, 0.0, 8.0]))
}

/// The tangent kernel of one hidden ReLU layer at an angle: exact at every width.
fn rectified_kernel(effort: &Effort) -> Result<Comparison, LabError> {
    let (r, c) = (0.3, [2.0, 0.0]);
    kernel(effort, "relu", c, r, &["T11.6"], "ReLU")
}

/// The same for erf with biases.
fn erf_kernel(effort: &Effort) -> Result<Comparison, LabError> {
    kernel(effort, "erf-raw", [1.5, 0.1], 0.3, &["T11.7"], "erf")
}

fn kernel(
    effort: &Effort,
    name: &str,
    c: [f64; 2],
    r: f64,
    ids: &'static [&'static str],
    label: &str,
) -> Result<Comparison, LabError> {
    let shape = shape(name, 2, &[30], c);
    let root = 2.0_f64.sqrt();
    let x = [root, 0.0, r * root, (1.0 - r * r).sqrt() * root];
    let [own, shared] = over_networks(effort, &shape, name, 60_000, |mlp| {
        let theta = mlp.tangent(&mlp.forward(&x), 0);
        [theta[0], theta[1]]
    })?;
    let first = Pair { aa: c[0] + c[1], bb: c[0] + c[1], ab: c[0] * r + c[1] };
    let found = kernels(&Layer::new(&named(name), c[0], c[1]), first, 1)?;
    let what = format!(
        "tangent kernel of one hidden {label} layer of 30 units at two inputs of correlation 0.3: the recursion, and explicit kernels of drawn networks"
    );
    Ok(Comparison::noise(ids, what, &[(own, found.theta.aa), (shared, found.theta.ab)]))
}

/// The kernel of one hidden layer is the part of the outputs plus the part of the inputs with squared output weights.
fn two_parts(effort: &Effort) -> Result<Comparison, LabError> {
    let shape = shape("tanh", 2, &[25], [1.0, 0.0]);
    let mlp = shape.draw(&effort.streams.part("two parts"));
    let x = [1.0, 0.4, -0.3, 0.9];
    let pass = mlp.forward(&x);
    let theta = mlp.tangent(&pass, 0);
    let by_hand = |square: &dyn Fn(usize) -> f64| {
        (0..25)
            .map(|k| {
                let [a, b] = [0, 1].map(|i| pass.z[0][25 * i + k]);
                let slope = |z: f64| 1.0 - libm::tanh(z) * libm::tanh(z);
                let overlap = 0.5 * (x[0] * x[2] + x[1] * x[3]);
                let values = libm::tanh(a) * libm::tanh(b);
                (values + square(k) * slope(a) * slope(b) * overlap) / 25.0
            })
            .sum::<f64>()
    };
    let second = |k: usize| mlp.layers[1].weights[k] * mlp.layers[1].weights[k];
    let first = |k: usize| mlp.layers[0].weights[2 * k] * mlp.layers[0].weights[2 * k];
    let what = "tangent kernel of one drawn tanh network of 25 units at two inputs: (1/n) sum of s s + w2^2 s's' x.x', and backpropagation";
    Ok(Comparison::digits(&["T12.1"], what, &[by_hand(&second)], &[theta[1]])
        .source(&[by_hand(&first)]))
}
