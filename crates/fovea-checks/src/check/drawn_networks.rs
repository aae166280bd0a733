//! Networks at initialization, drawn and measured: norms and fluctuations (lectures, topics 1 to 3).

use super::prelude::*;
use fovea_sim::mlp::{Mlp, Shape};
use fovea_theory::averages::Pair;
use fovea_theory::layer::Layer;
use fovea_theory::nngp::kurtosis::ratio;
use fovea_theory::nngp::variance::scaled_variance;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "drawn-networks",
    summary: "Norms and fluctuations of drawn networks.",
    covers: &["T01.2", "T01.3", "T01.8", "T02.1", "T03.3", "T03.5", "T03.6", "T03.11"],
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
    let found = over_networks::<4>(effort, &shape, "random variance", 400_000, |mlp| {
        let pass = mlp.forward(&[1.0]);
        let khat = 1.5 * mean_square(&pass.h[1]);
        let gap = khat - mean;
        let square = pass.z[1][0] * pass.z[1][0];
        [n as f64 * gap * gap, square, square * square, 3.0 * khat * khat]
    })?;
    let scaled = scaled_variance(&layer, k)?;
    let fourth = 3.0 * (mean * mean + scaled / n as f64);
    // The last has less noise than the output itself, whose moment it is given the layer.
    let what = "n Var(Khat) behind one hidden layer of 20 tanh units, C_w^2 (E s^4 - (E s^2)^2); second and fourth moment of an output, K and 3 (K^2 + Var Khat), and the fourth once more as 3 E Khat^2; and drawn layers; a variance that is not random would have 3 K^2";
    let predicted = [scaled, mean, fourth, fourth];
    let pairs: Vec<(Estimate, f64)> = found.into_iter().zip(predicted).collect();
    Ok(Comparison::noise(&["T02.1", "T03.6"], what, &pairs).against(
        "a variance that is not random",
        &[scaled, mean, 3.0 * mean * mean, 3.0 * mean * mean],
    ))
}

/// Given a layer, products of two inputs behind it have mean Khat; the means themselves have no covariance.
fn conditional(effort: &Effort) -> Result<Comparison, LabError> {
    let shape = shape("tanh", 2, &[12], [1.4, 0.2]);
    let x = [1.0, 0.3, -0.2, 1.1];
    let found = over_networks::<5>(effort, &shape, "conditional", 300_000, |mlp| {
        let pass = mlp.forward(&x);
        let (a, b) = pass.h[1].split_at(12);
        let overlap: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
        let (product, khat) = (pass.z[1][0] * pass.z[1][1], 0.2 + 1.4 * overlap / 12.0);
        [product, khat, product * khat, khat * khat, (product - khat) * khat]
    })?;
    let first =
        |a: usize, b: usize| 0.2 + 0.7 * (x[2 * a] * x[2 * b] + x[2 * a + 1] * x[2 * b + 1]);
    let pair = Pair { aa: first(0, 0), bb: first(1, 1), ab: first(0, 1) };
    let ab = Layer::new(&named("tanh"), 1.4, 0.2).next_pair(pair)?.ab;
    // E Khat^2 over twelve independent units.
    let sums = Sums::new(80);
    let of = |f: fn(f64) -> f64| sums.two([pair.aa, pair.bb, pair.ab], f);
    let once = of(libm::tanh);
    let spread = 1.4 * 1.4 / 12.0 * (of(|z| libm::tanh(z) * libm::tanh(z)) - once * once);
    let predicted = [ab, ab, ab * ab + spread, ab * ab + spread, 0.0];
    let pairs: Vec<(Estimate, f64)> = found.into_iter().zip(predicted).collect();
    let what = "covariance of an output at two inputs: C_b + C_w E[s s], and the mean product of outputs and the mean of Khat over drawn networks; the product times Khat and Khat^2, both K^2 + Var Khat since Khat is the covariance given the layer, and their difference, 0; were the covariance the same for every layer it would be K^2, and less by Var Khat";
    Ok(Comparison::noise(&["T03.3", "T03.11"], what, &pairs)
        .against("one covariance for every layer", &[ab, ab, ab * ab, ab * ab + spread, -spread]))
}

/// `E Khat^2 / K^2` of critical ReLU: the product over layers.
fn products(effort: &Effort) -> Result<Comparison, LabError> {
    let widths = [16, 12];
    let shape = shape("relu", 2, &widths, [2.0, 0.0]);
    let [output, square] = over_networks(effort, &shape, "products", 700_000, |mlp| {
        let pass = mlp.forward(&[1.0, 0.0]);
        let (z, khat) = (pass.z[2][0], 2.0 * mean_square(&pass.h[2]));
        [z * z * z * z / 3.0, khat * khat]
    })?;
    let exact = ratio(&widths, 0.0);
    let what = "E z^4 / 3 (E z^2)^2 of critical ReLU with hidden widths 16 and 12, (1 + 5/16)(1 + 5/12), and drawn networks: the output itself, and with less noise E Khat^2 / K^2; the first order in 1/n alone would be 1 + 5/16 + 5/12";
    let first: f64 = 1.0 + 5.0 / 16.0 + 5.0 / 12.0;
    Ok(Comparison::noise(&["T03.5"], what, &[(output, exact), (square, exact)])
        .against("the first order in 1/n", &[first, first]))
}
