//! Layer averages converge as layers widen (lectures, topics 1 and 3).

use super::drawn::{mean_square, over_networks, shape};
use super::prelude::*;
use fovea_sim::mlp::{Mlp, Shape};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "wide-limit",
    summary: "Layer averages, and how the next layer depends on earlier ones.",
    covers: &["T01.11", "T03.4", "T03.7/chain", "T03.7/permutation", "T03.8"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![
        two_variances(effort)?,
        averages(effort)?,
        chain(effort)?,
        permutation(effort),
        linear_image(effort)?,
    ])
}

const HEAVY: &str = "squares of averages of squares have heavy tails";

/// Given the units before it, the average over many units converges; over all networks it does not.
fn two_variances(effort: &Effort) -> Result<Comparison, LabError> {
    let before = 16;
    let still = effort.slip(
        "variance of an average in the second layer",
        "as if the first layer did not fluctuate",
        5.0,
        0.0,
    );
    let random = 1.0 + still / f64::from(before);
    let mut pairs = Vec::new();
    for (units, count) in [(20, 80_000), (80, 30_000)] {
        let shape = shape("relu", 2, &[before as usize, units], [2.0, 0.0]);
        let part = format!("two variances {units}");
        let n = units as f64;
        let [all, given] = over_networks(effort, &shape, &part, count, |mlp| {
            let pass = mlp.forward(&[1.0, 0.0]);
            let (average, khat) = (mean_square(&pass.z[1]), 2.0 * mean_square(&pass.h[1]));
            [(average - 1.0) * (average - 1.0), n * (average - khat) * (average - khat)]
        })?;
        pairs.extend([(all, random * (1.0 + 2.0 / n) - 1.0), (given, 2.0 * random)]);
    }
    let what = "variance of |z|^2/n, one input, over a second ReLU layer of n = 20 and 80 units behind 16, C_w = 2, C_b = 0: (1 + 5/16)(1 + 2/n) - 1 over all networks, which does not vanish with n, and (2/n)(1 + 5/16) given the first layer, which does (shown times n); and random networks";
    Ok(Comparison::noise(&["T01.11"], what, &pairs).coarse(HEAVY))
}

/// The variance of a layer average falls with the width and grows with the depth.
fn averages(effort: &Effort) -> Result<Comparison, LabError> {
    let deep = effort.slip("variance of a layer average", "5/n at every depth", 1, 0);
    let exact = |n: usize, depth: i32| {
        let own = 5.0 / n as f64;
        let layers = if deep == 1 { depth } else { 1 };
        n as f64 * (libm::pow(1.0 + own, f64::from(layers)) - 1.0)
    };
    let gap = |mlp: &Mlp, depth: usize| {
        let gap = 2.0 * mean_square(&mlp.forward(&[1.0, 0.0]).h[depth]) - 1.0;
        gap * gap
    };
    let mut pairs = Vec::new();
    for n in [16, 128] {
        let shape = shape("relu", 2, &[n], [2.0, 0.0]);
        let part = format!("averages {n}");
        let [spread] =
            over_networks(effort, &shape, &part, 60_000, |mlp| [n as f64 * gap(mlp, 1)])?;
        pairs.push((spread, exact(n, 1)));
    }
    let narrow = shape("relu", 2, &[16; 2], [2.0, 0.0]);
    let [spread] =
        over_networks(effort, &narrow, "averages behind 16", 40_000, |mlp| [16.0 * gap(mlp, 2)])?;
    pairs.push((spread, exact(16, 2)));
    let shape = shape("relu", 2, &[32; 3], [2.0, 0.0]);
    let deeper = over_networks::<2>(effort, &shape, "averages by depth", 40_000, |mlp| {
        [2, 3].map(|depth| 32.0 * gap(mlp, depth))
    })?;
    pairs.extend([(deeper[0], exact(32, 2)), (deeper[1], exact(32, 3))]);
    let what = "n times the variance of the average of 2 relu(z)^2, whose mean is 1, over layer one of 16 and of 128 units and over layer two of 16 and of 32 and layer three of 32, n ((1 + 5/n)^l - 1), and random networks of C_w = 2, C_b = 0";
    Ok(Comparison::noise(&["T03.4"], what, &pairs).coarse(HEAVY))
}

/// An output depends on the first layer only through Khat of the second.
fn chain(effort: &Effort) -> Result<Comparison, LabError> {
    let n = 12;
    let shape = Shape { outputs: 32, ..shape("relu", 2, &[n, 12], [2.0, 0.0]) };
    let found = over_networks::<2>(effort, &shape, "chain", 120_000, |mlp| {
        let pass = mlp.forward(&[1.0, 0.0]);
        let khat = 2.0 * mean_square(&pass.h[2]);
        let past = 0.5 * n as f64 * (mean_square(&pass.z[0]) - 1.0);
        let square = mean_square(&pass.z[2]);
        [(square - khat) * past, (square - 1.0) * past]
    })?;
    let [beside, through] = effort.slip(
        "dependence of an output on the first layer",
        "all of it apart from Khat, nothing through Khat",
        [0.0, 1.0],
        [1.0, 0.0],
    );
    let what = "n/2 times the covariance of |z|^2/n in the first of two ReLU layers of 12 units with an output's square: 0 with the square less Khat, its variance given the second layer, and 1 with the square itself; and 32 outputs of every random network of C_w = 2, C_b = 0";
    let pairs = [(found[0], beside), (found[1], through)];
    Ok(Comparison::noise(&["T03.7/chain"], what, &pairs).of_size(1.0).coarse(HEAVY))
}

/// Units of a hidden layer in another order, together with their outgoing weights: the same outputs.
fn permutation(effort: &Effort) -> Comparison {
    let shape = Shape { outputs: 3, ..shape("tanh", 2, &[7, 5], [1.4, 0.2]) };
    let mlp = shape.draw(&effort.streams.part("permutation"));
    let order = [3, 0, 6, 1, 5, 2, 4];
    let turned = |columns: bool| {
        let mut turned = mlp.clone();
        for (to, from) in order.into_iter().enumerate() {
            for i in 0..2 {
                turned.layers[0].weights[2 * to + i] = mlp.layers[0].weights[2 * from + i];
            }
            turned.layers[0].biases[to] = mlp.layers[0].biases[from];
            if columns {
                for row in 0..5 {
                    turned.layers[1].weights[7 * row + to] = mlp.layers[1].weights[7 * row + from];
                }
            }
        }
        turned
    };
    let x = [0.9, -0.4, 0.2, 1.3];
    let kept = effort.slip(
        "outputs of a network",
        "those of another: units in another order, their outgoing weights not",
        mlp.forward(&x).outputs().to_vec(),
        turned(false).forward(&x).outputs().to_vec(),
    );
    let what = "three outputs at two inputs of a random tanh network, and of the same network with the seven units of its first layer in another order, which is equally likely since weights are independent and identically distributed";
    Comparison::digits(&["T03.7/permutation"], what, &kept, turned(true).forward(&x).outputs())
}

/// Covariance of `b + W.s` at two vectors of activations.
fn linear_image(effort: &Effort) -> Result<Comparison, LabError> {
    let (c_w, c_b) = (1.4, 0.2);
    let a = [0.4, -0.9, 0.7, 0.2, 0.5, -0.3];
    let b = [0.8, -0.2, 0.6, -0.4, 0.1, -0.7];
    let shape = shape("identity", 6, &[50], [c_w, c_b]);
    let found = over_networks::<3>(effort, &shape, "linear image", 20_000, |mlp| {
        let pass = mlp.forward(&[a, b].concat());
        let (a, b) = pass.z[0].split_at(50);
        [dot(a, a), dot(a, b), dot(b, b)].map(|sum| sum / 50.0)
    })?;
    let overlaps = [dot(&a, &a), dot(&a, &b), dot(&b, &b)];
    let source = overlaps.map(|overlap| c_b + c_w * overlap);
    let predicted = effort.slip(
        "covariance of b + W.s",
        "the weight block C_w I instead of (C_w/n) I",
        overlaps.map(|overlap| c_b + c_w * overlap / 6.0),
        source,
    );
    let pairs: Vec<(Estimate, f64)> = found.into_iter().zip(predicted).collect();
    let what = "variances and covariance of b + W.s at two vectors s of six activations, C_w = 1.4, C_b = 0.2: C_b + (C_w/6) s.s', and mean products over 20 000 random layers of 50 units, whose means are 0";
    Ok(Comparison::noise(&["T03.8"], what, &pairs).source(&source))
}
