//! Random networks at initialization: norms and fluctuations (lectures, topics 1 to 3).

use super::averaged::by_angle;
use super::drawn::{mean_square, over_networks, shape, wide_covariance};
use super::prelude::*;
use fovea_sim::mlp::Shape;
use fovea_theory::layer::Layer;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "drawn-networks",
    summary: "Norms and fluctuations of random networks.",
    covers: &[
        "T01.2/conserved",
        "T01.2/deviation",
        "T01.3",
        "T01.7",
        "T01.8",
        "T02.1/given",
        "T02.3/drawn",
        "T03.3",
        "T03.11",
    ],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let [given, total] = conditional(effort)?;
    Ok(vec![
        conserved(effort)?,
        deviation(effort)?,
        first_layer(effort)?,
        forward(effort),
        centred(effort)?,
        given_the_layer(effort)?,
        deep_linear(effort)?,
        given,
        total,
    ])
}

/// Means over entries of the products of two rows.
fn products_of_rows(z: &[f64]) -> [f64; 3] {
    let (a, b) = z.split_at(z.len() / 2);
    let mean = |x: &[f64], y: &[f64]| dot(x, y) / x.len() as f64;
    [mean(a, a), mean(b, b), mean(a, b)]
}

/// Critical linear networks keep norms and angles; critical ReLU keeps only norms.
fn conserved(effort: &Effort) -> Result<Comparison, LabError> {
    let shape = shape("identity", 2, &[16, 16, 16], [1.0, 0.0]);
    let found = over_networks::<3>(effort, &shape, "conserved", 16_000, |mlp| {
        products_of_rows(&mlp.forward(&[1.0, 1.0, 1.2, -0.4]).z[2])
    })?;
    let k: [f64; 3] = [1.0, 0.8, 0.4];
    let size = (k[0] * k[1]).sqrt();
    let bent = (0..2).fold(k[2] / size, |r, _| 2.0 * by_angle(r, 1, |x| x.max(0.0)));
    let off = effort.slip("angle of two inputs", "that of critical ReLU", k[2], size * bent);
    let pairs: Vec<(Estimate, f64)> = found.into_iter().zip([k[0], k[1], off]).collect();
    let what = "means over networks of <z_a, z_a>/n, <z_b, z_b>/n and <z_a, z_b>/n in the third layer of linear networks of width 16, C_w = 1, C_b = 0: those of the two inputs, 1, 0.8 and 0.4, which have their norms and their angle; and random networks";
    Ok(Comparison::noise(&["T01.2/conserved"], what, &pairs))
}

/// Variances of layer averages fall as one over the width.
fn deviation(effort: &Effort) -> Result<Comparison, LabError> {
    let (mut found, mut right, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    for n in [16, 64] {
        let width = f64::from(n);
        let linear = shape("identity", 2, &[n as usize], [1.0, 0.0]);
        let part = format!("first deviation {n}");
        let [spread] = over_networks(effort, &linear, &part, 60_000, |mlp| {
            let gap = products_of_rows(&mlp.forward(&[1.0, 1.0, 1.2, -0.4]).z[0])[2] - 0.4;
            [width * gap * gap]
        })?;
        found.push(spread);
        right.push(0.8 + 0.16);
        wrong.push(0.8);
    }
    for (n, count) in [(12, 120_000), (32, 36_000)] {
        let width = f64::from(n);
        let relu = shape("relu", 2, &[n as usize; 2], [2.0, 0.0]);
        let part = format!("second deviation {n}");
        let [spread] = over_networks(effort, &relu, &part, count, |mlp| {
            let gap = mean_square(&mlp.forward(&[1.0, 0.0]).z[1]) - 1.0;
            [width * gap * gap]
        })?;
        found.push(spread);
        right.push(width * ((1.0 + 2.0 / width) * (1.0 + 5.0 / width) - 1.0));
        wrong.push(2.0);
    }
    let predicted = effort.slip(
        "variance of a layer average",
        "products of independent numbers, and an earlier layer that does not fluctuate",
        right,
        wrong,
    );
    let pairs: Vec<(Estimate, f64)> = found.into_iter().zip(predicted).collect();
    let what = "n times the variance of <z_a, z_b>/n in the first layer, K_aa K_bb + K_ab^2 = 0.96 at widths 16 and 64, and of |z|^2/n in the second layer of critical ReLU networks, n ((1 + 2/n)(1 + 5/n) - 1) at widths 12 and 32, so that the deviation is of order n^(-1/2); and random networks";
    Ok(Comparison::noise(&["T01.2/deviation"], what, &pairs)
        .coarse("squares of averages of squares have heavy tails"))
}

/// `C_b + C_w |x|^2 / n_0` at any number of inputs.
fn first_layer(effort: &Effort) -> Result<Comparison, LabError> {
    const SLIPPED: &str = "variance of a first preactivation";
    let fan_in = effort.slip(SLIPPED, "without fan-in: C_w |x|^2", true, false);
    let deviations = "C_w and C_b taken as deviations: their squares";
    let [c_w, c_b] = effort.slip(SLIPPED, deviations, [1.3, 0.7], [1.69, 0.49]);
    let mut pairs = Vec::new();
    for (inputs, width) in [(4, 64), (32, 4)] {
        let x = [1.0, -2.0, 0.5, 1.5].repeat(inputs / 4);
        let shape = shape("relu", inputs, &[width], [1.3, 0.7]);
        let part = format!("first layer {inputs}");
        let [variance] = over_networks(effort, &shape, &part, 120_000 / width, |mlp| {
            [mean_square(&mlp.forward(&x).z[0])]
        })?;
        let over = if fan_in { inputs as f64 } else { 1.0 };
        pairs.push((variance, c_b + c_w * dot(&x, &x) / over));
    }
    let what = "variance of a first preactivation, C_w = 1.3, C_b = 0.7: C_b + C_w |x|^2/n for an input of n = 4 numbers with |x|^2 = 7.5 and one of n = 32 with |x|^2 = 60, and random layers of 64 and 4 units";
    Ok(Comparison::noise(&["T01.3"], what, &pairs))
}

/// Every preactivation of a random network by sums over its weights.
fn forward(effort: &Effort) -> Comparison {
    let shape = Shape { outputs: 2, ..shape("tanh", 3, &[4, 5], [1.3, 0.7]) };
    let mlp = shape.draw(&effort.streams.part("forward"));
    let x = [1.0, -0.4, 0.7, 0.2, 1.1, -0.9];
    let bent = effort.slip("first layer", "applied to the activation of the input", false, true);
    let mut predicted = Vec::new();
    for x in x.chunks(3) {
        let mut fed: Vec<f64> = x.iter().map(|x| if bent { libm::tanh(*x) } else { *x }).collect();
        for layer in &mlp.layers {
            let of = |(row, bias): (&[f64], &f64)| {
                layer.bias_factor * bias + layer.factor * dot(row, &fed)
            };
            let z: Vec<f64> =
                layer.weights.chunks(layer.inputs).zip(&layer.biases).map(of).collect();
            fed = z.iter().map(|z| libm::tanh(*z)).collect();
            predicted.extend(z);
        }
    }
    let pass = mlp.forward(&x);
    let row = |a: usize| {
        let of = move |z: &Vec<f64>| z[a * z.len() / 2..(a + 1) * z.len() / 2].to_vec();
        pass.z.iter().flat_map(of)
    };
    let measured: Vec<f64> = row(0).chain(row(1)).collect();
    let what = "every preactivation of a random tanh network, widths 4, 5 and two outputs, at two inputs of three numbers: b_i + sum_j W_ij s(z_j) by hand, the first layer affine in the input, and the simulator's forward pass";
    Comparison::digits(&["T01.7"], what, &predicted, &measured)
}

/// Every layer has mean zero although ReLU does not; means, and a variance that is not zero.
fn centred(effort: &Effort) -> Result<Comparison, LabError> {
    let width = 16;
    let shape = shape("relu", 2, &[width, width, width], [2.0, 0.1]);
    let found = over_networks::<7>(effort, &shape, "centred", 20_000, |mlp| {
        let pass = mlp.forward(&[1.0, 0.0]);
        let mean = |z: &[f64]| z.iter().sum::<f64>() / z.len() as f64;
        let [a, b, c] = [0, 1, 2].map(|l| mean(&pass.z[l]));
        let [first, second, third] = [0, 1, 2].map(|l| mean_square(&pass.z[l]));
        [a, b, c, mean(&pass.h[1]), first, second, third]
    })?;
    // E relu(z) = sqrt(K / 2 pi), K = C_b + C_w / 2 for |x|^2/n_0 = 1/2.
    let [open, next] = [1.1, 1.2].map(|k: f64| (k / TAU).sqrt());
    let [second, third] = effort.slip(
        "mean of a preactivation",
        "that of the activations before it",
        [0.0, 0.0],
        [open, next],
    );
    // Every layer adds C_b: C_w E relu^2 is the variance before it.
    let growth = effort.slip("variance of a preactivation", "kept from layer to layer", 0.1, 0.0);
    let variances = [1.1, 1.1 + growth, 1.1 + 2.0 * growth];
    let what = "random ReLU networks, three layers of width 16, C_w = 2, C_b = 0.1: means of the preactivations, 0 in each layer, and of the first activations, sqrt(1.1/2 pi); and variances of the preactivations, 1.1, 1.2 and 1.3, which these constants do not keep; errors are relative to 1";
    let means = [0.0, second, third, open];
    let pairs: Vec<(Estimate, f64)> =
        found.into_iter().zip(means.into_iter().chain(variances)).collect();
    Ok(Comparison::noise(&["T01.8"], what, &pairs).of_size(1.0))
}

/// Deep linear networks gain one factor `C_w` per layer, however narrow.
fn deep_linear(effort: &Effort) -> Result<Comparison, LabError> {
    let x = [1.0, 0.0, 0.6, 0.8];
    let (mut pairs, mut source) = (Vec::new(), Vec::new());
    for c_w in [0.8, 1.3] {
        let shape = shape("identity", 2, &[16, 16, 16, 16], [c_w, 0.0]);
        let found = over_networks::<2>(effort, &shape, &format!("linear {c_w}"), 40_000, |mlp| {
            let pass = mlp.forward(&x);
            let (a, b) = pass.z[3].split_at(16);
            [mean_square(a), dot(a, b) / 16.0]
        })?;
        // K^(1) = C_w x_a.x_b / 2.
        for (mean, overlap) in found.into_iter().zip([0.5, 0.3]) {
            pairs.push((mean, libm::pow(c_w, 4.0) * overlap));
            source.push(libm::pow(c_w, 7.0) * overlap);
        }
    }
    let what = "deep linear networks of 16 units per layer, C_b = 0, C_w = 0.8 and 1.3, two inputs: C_w^3 K^(1) three layers behind the first, and mean squares and products of preactivations of random networks";
    Ok(Comparison::noise(&["T02.3/drawn"], what, &pairs).source(&source))
}

/// Two outputs over the root of their variance given the layer: independent unit normals.
fn given_the_layer(effort: &Effort) -> Result<Comparison, LabError> {
    let shape = Shape { outputs: 2, ..shape("tanh", 1, &[5], [1.5, 0.2]) };
    let xi = [0.8, 1.1];
    // E Khat. Its ratio to Khat is the mean square of the outputs if they all had this variance.
    let k = 0.2 + 1.5 * Sums::new(80).one(1.7, |z| libm::tanh(z) * libm::tanh(z));
    let found = over_networks::<8>(effort, &shape, "given", 200_000, |mlp| {
        let pass = mlp.forward(&[1.0]);
        let khat = 0.2 + 1.5 * mean_square(&pass.h[1]);
        let [a, b] = [0, 1].map(|i| pass.z[1][i] / khat.sqrt());
        let share = k / khat;
        [
            a * a,
            a * a * a * a,
            a * b,
            a * a * b * b,
            libm::cos(xi[0] * a + xi[1] * b),
            share,
            share * share,
            libm::exp(-0.5 * dot(&xi, &xi) * share),
        ]
    })?;
    let shared =
        effort.slip("outputs given the layer before", "one number for both outputs", 0.0, 1.0);
    let square = xi[0] * xi[0] + xi[1] * xi[1] + 2.0 * shared * xi[0] * xi[1];
    let predicted = [1.0, 3.0, shared, 1.0 + 2.0 * shared, libm::exp(-0.5 * square)];
    let pairs: Vec<(Estimate, f64)> = found.into_iter().zip(predicted).collect();
    let what = "two outputs a, b behind 5 tanh units over the root of C_b + (C_w/n)|s|^2, C_w = 1.5, C_b = 0.2: E a^2 = 1, E a^4 = 3, E ab = 0, E a^2 b^2 = 1 and E cos(0.8 a + 1.1 b) of independent normals, and random networks";
    let [share, square, cosine] = [5, 6, 7].map(|i| found[i].mean());
    Ok(Comparison::noise(&["T02.1/given"], what, &pairs)
        .of_size(1.0)
        .against("one variance K for all networks", &[share, 3.0 * square, 0.0, square, cosine]))
}

/// Given a layer, products at two inputs behind it have mean Khat; the conditional means themselves have no covariance.
fn conditional(effort: &Effort) -> Result<[Comparison; 2], LabError> {
    const UNITS: usize = 6;
    const OUTPUTS: usize = 64;
    let (c_w, c_b) = (1.4, 0.2);
    let x = [1.0, 0.3, -0.2, 1.1];
    let rows: Vec<Vec<f64>> = x.chunks(2).map(<[f64]>::to_vec).collect();
    let layer = Layer::new(&named("tanh"), c_w, c_b);
    let own = |a: usize, b: usize| c_b + 0.5 * c_w * dot(&rows[a], &rows[b]);
    // E Khat and Var Khat over independent units.
    let sums = Sums::new(80);
    let of = |f: fn(f64) -> f64| sums.two([own(0, 0), own(1, 1), own(0, 1)], f);
    let once = of(libm::tanh);
    let spread = c_w * c_w / UNITS as f64 * (of(|z| libm::tanh(z) * libm::tanh(z)) - once * once);
    let shape = Shape { outputs: OUTPUTS, ..shape("tanh", 2, &[UNITS], [c_w, c_b]) };
    let found = over_networks::<5>(effort, &shape, "conditional", 40_000, |mlp| {
        let pass = mlp.forward(&x);
        let (a, b) = pass.h[1].split_at(UNITS);
        let khat = c_b + c_w * dot(a, b) / UNITS as f64;
        let (a, b) = pass.z[1].split_at(OUTPUTS);
        let product = dot(a, b) / OUTPUTS as f64;
        // Means given the layer, over different outputs so that only the layer is shared.
        let mean = |z: &[f64]| z.iter().sum::<f64>() / z.len() as f64;
        let of_means = mean(&a[..OUTPUTS / 2]) * mean(&b[OUTPUTS / 2..]);
        let gap = khat - (c_b + c_w * once);
        [product, khat, of_means, (product - khat) * gap / spread, gap * gap / spread]
    })?;
    let fixed = effort.slip("covariance given the layer", "one for every layer, K", 0.0, -1.0);
    let what = "products of an output at two inputs behind 6 tanh units, C_w = 1.4, C_b = 0.2, less Khat = C_b + (C_w/6) s.s', times Khat - K over Var(Khat): 0 where Khat is the covariance given the layer; and (Khat - K)^2/Var(Khat): 1, Var(Khat) from independent units by Gauss-Hermite sums; and 64 outputs of every random network";
    let given =
        Comparison::noise(&["T03.3"], what, &[(found[3], fixed), (found[4], 1.0)]).of_size(1.0);
    let ab = wide_covariance(effort)(&layer, &rows, 1)?[0][1];
    let bias = effort.slip(
        "covariance of the conditional means",
        "C_b, as for one bias shared by all outputs",
        0.0,
        c_b,
    );
    let what = "covariance of 64 outputs of random networks of 6 tanh units at two inputs, C_w = 1.4, C_b = 0.2, the mean of Khat, which is the covariance given the layer (T03.3), and the covariance of the means given the layer: K_ab, K_ab and 0";
    let total =
        Comparison::noise(&["T03.11"], what, &[(found[0], ab), (found[1], ab), (found[2], bias)]);
    Ok([given, total])
}
