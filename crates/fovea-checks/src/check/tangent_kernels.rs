//! Tangent kernels of random networks, shallow and deep, against the recursion and its limits (lectures, topics 11 and 12).

use super::drawn::{over_networks, shape};
use super::prelude::*;
use fovea_theory::averages::{Averages, Pair};
use fovea_theory::layer::Layer;
use fovea_theory::ntk::kernel::{self, Kernels, kernels};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "tangent-kernels",
    summary: "Tangent kernels of random networks with one to three hidden layers, and the limit of large depth.",
    covers: &[
        "T11.6/one-layer",
        "T11.6/deep",
        "T11.6/limits",
        "T11.7/average",
        "T11.7/kernel",
        "T12.1/kernel",
        "T12.1/order",
    ],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![
        one_layer(effort, "relu", [2.0, 0.0], &["T11.6/one-layer"])?,
        deep(effort)?,
        limits(effort)?,
        slopes(effort)?,
        one_layer(effort, "erf-raw", [1.5, 0.1], &["T11.7/kernel"])?,
        two_parts(effort),
        order(effort)?,
    ])
}

/// Correlation of the two inputs.
const R: f64 = 0.3;

/// Two inputs of squared norm 2 and correlation 0.3.
fn inputs() -> [f64; 4] {
    let root = 2.0_f64.sqrt();
    [root, 0.0, R * root, (1.0 - R * R).sqrt() * root]
}

/// An activation with the variances of weights and biases, and hidden layers, and both kernels behind them.
type Recursion = fn(&str, [f64; 2], usize) -> Result<Kernels, FormError>;

fn recursion(effort: &Effort) -> Recursion {
    const RIGHT: Recursion = |name, c, layers| {
        let first = Pair { aa: c[0] + c[1], bb: c[0] + c[1], ab: c[0] * R + c[1] };
        kernels(&Layer::new(&named(name), c[0], c[1]), first, layers)
    };
    const LAST: Recursion = |name, c, layers| {
        let found = RIGHT(name, c, layers)?;
        Ok(Kernels { theta: found.k, ..found })
    };
    let form: Recursion = effort.form(&kernel::ENTRY, RIGHT, LAST);
    effort.slip("depth of the tangent kernel", "one hidden layer less", form, |name, c, layers| {
        RIGHT(name, c, layers - 1)
    })
}

/// The tangent kernel of one hidden layer at an angle: its mean is the same at every width.
fn one_layer(
    effort: &Effort,
    name: &'static str,
    c: [f64; 2],
    ids: &'static [&'static str],
) -> Result<Comparison, LabError> {
    let found = recursion(effort)(name, c, 1)?;
    let [own, shared] = effort.once(name, || {
        let x = inputs();
        over_networks(effort, &shape(name, 2, &[30], c), name, 30_000, |mlp| {
            let theta = mlp.tangent(&mlp.forward(&x), 0);
            [0.5 * (theta[0] + theta[3]), theta[1]]
        })
    })?;
    let label = if name == "relu" { "critical ReLU" } else { "erf (weights 1.5, biases 0.1)" };
    let what = format!(
        "mean tangent kernel of one hidden layer of 30 units, {label}, on and off the diagonal at two inputs of correlation 0.3: one step of the recursion, and random networks by backpropagation"
    );
    Ok(Comparison::noise(ids, what, &[(own, found.theta.aa), (shared, found.theta.ab)]))
}

/// Two and three hidden layers of ReLU: the diagonal, and the ratio of the off-diagonal to it, from two widths.
fn deep(effort: &Effort) -> Result<Comparison, LabError> {
    const DEPTHS: [usize; 2] = [2, 3];
    let recursion = recursion(effort);
    let drawn = effort.once("deep", || -> Result<_, LabError> {
        let x = inputs();
        let of = |layers: usize, n: usize| -> Result<[Estimate; 2], LabError> {
            let shape = shape("relu", 2, &vec![n; layers], [2.0, 0.0]);
            let streams = effort.streams.part(&format!("deep {layers} {n}"));
            let read = |i: u64| {
                let mlp = shape.draw(&streams.replica(i));
                let theta = mlp.tangent(&mlp.forward(&x), 0);
                [0.5 * (theta[0] + theta[3]), theta[1]]
            };
            let all: Vec<[f64; 2]> = (0..effort.samples(NETWORKS) as u64).map(read).collect();
            let own = Estimate::from_samples(&all.iter().map(|row| row[0]).collect::<Vec<_>>())?;
            let sum = |at: usize| all.iter().map(|row| row[at]).sum::<f64>();
            let ratio = sum(1) / sum(0);
            // The deviation of a network from the ratio, over the mean of the diagonal.
            let off: Vec<f64> =
                all.iter().map(|row| ratio + (row[1] - ratio * row[0]) / own.mean()).collect();
            Ok([own, Estimate::from_samples(&off)?])
        };
        let mut drawn = Vec::new();
        for layers in DEPTHS {
            let [[_, narrow], [own, wide]] = [of(layers, 48)?, of(layers, 96)?];
            // The first order in 1/n is eliminated.
            drawn.push([own, Estimate::combination(&[(2.0, wide), (-1.0, narrow)])?]);
        }
        Ok(drawn)
    })?;
    let (mut own, mut ratios) = (Vec::new(), Vec::new());
    for (layers, drawn) in DEPTHS.into_iter().zip(drawn) {
        let theta = recursion("relu", [2.0, 0.0], layers)?.theta;
        own.push((drawn[0], theta.aa));
        ratios.push((drawn[1], theta.ab / theta.aa));
    }
    let ids = &["T11.6/deep"];
    let what = "mean diagonal of the tangent kernel of two and three hidden layers of 96 ReLU units, variance 2: 2 (L + 1) by the recursion, and random networks by backpropagation";
    let own = Comparison::noise(ids, what, &own);
    let what = "the mean off the diagonal over that on it, correlation 0.3: the recursion, and random networks of 96 and 48 units, which together eliminate the first order in 1/n";
    let ratios = Comparison::noise(ids, what, &ratios)
        .approximate(0.005, "the second order in L/n, squares of 3/48");
    Ok(own.and(ratios))
}

const NETWORKS: usize = 12_000;

/// The ratio of off-diagonal to diagonal at large depth: the recursion of averages, and by hand in the angle.
fn limits(effort: &Effort) -> Result<Comparison, LabError> {
    let recursion = recursion(effort);
    let limit = effort.slip("limit off the diagonal", "1, that of the correlation", 0.25, 1.0);
    let by_hand = |depth: usize| {
        // In the angle, since the correlation is 1 to nearly all digits.
        let (mut turn, mut shared) = (libm::acos(R), R);
        for _ in 0..depth {
            let half = libm::sin(0.5 * turn);
            let gap = 2.0 * half * half - (libm::sin(turn) - turn * libm::cos(turn)) / PI;
            shared = 1.0 - gap + (PI - turn) / PI * shared;
            turn = 2.0 * libm::asin((0.5 * gap).sqrt());
        }
        shared / (depth as f64 + 1.0)
    };
    let ids = &["T11.6/limits"];
    let depths = [1, 10, 100];
    let ratio = |depth: usize| {
        let theta = recursion("relu", [2.0, 0.0], depth)?.theta;
        Ok(theta.ab / theta.aa)
    };
    let predicted = depths.map(ratio).into_iter().collect::<Result<Vec<_>, LabError>>()?;
    let what = "off the diagonal over the diagonal, critical ReLU, correlation 0.3, at L = 1, 10 and 100 hidden layers: the recursion over averages, and the recursion by hand in the angle with L + 1 on the diagonal";
    let near = Comparison::digits(ids, what, &predicted, &depths.map(by_hand));
    let what = "the same at L = 1000000: the limit 1/4, and the recursion by hand";
    let far = Comparison::digits(ids, what, &[limit], &[by_hand(1_000_000)])
        .within(1e-4, "the gap falls as log(L)/L");
    Ok(near.and(far))
}

/// A pair of variances and a covariance, and the mean product of slopes of erf.
type Slopes = fn(Pair) -> Result<f64, FormError>;

fn slopes(effort: &Effort) -> Result<Comparison, LabError> {
    const RIGHT: Slopes = |pair| Averages::of(&named("erf-raw")).slope_product(pair);
    let of: Slopes = effort.slip("E[erf' erf']", "at half the variances", RIGHT, |pair| {
        RIGHT(Pair { aa: 0.5 * pair.aa, bb: 0.5 * pair.bb, ab: 0.5 * pair.ab })
    });
    let pairs = [[1.0, 1.0, 0.3], [0.5, 1.2, -0.4], [0.2, 0.2, 0.2], [2.0, 0.7, 0.9]];
    let rule = Sums::new(160);
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for [aa, bb, ab] in pairs {
        predicted.push(of(Pair { aa, bb, ab })?);
        measured.push(rule.two([aa, bb, ab], |z| 2.0 / PI.sqrt() * libm::exp(-z * z)));
    }
    let what = "E[erf'(z_a) erf'(z_b)] at four pairs of variances and covariance: 4/(pi sqrt((1 + 2a)(1 + 2b) - 4c^2)), and Gauss-Hermite sums of 160 points";
    Ok(Comparison::digits(&["T11.7/average"], what, &predicted, &measured))
}

/// The kernel of one hidden layer is the output-layer part plus the input-layer part with squared output weights.
fn two_parts(effort: &Effort) -> Comparison {
    let mlp = shape("tanh", 2, &[25], [1.0, 0.0]).draw(&effort.streams.part("two parts"));
    let x = [1.0, 0.4, -0.3, 0.9, 0.2, -0.8];
    let pass = mlp.forward(&x);
    let by_hand = |square: &dyn Fn(usize) -> f64| -> Vec<f64> {
        let entry = |a: usize, b: usize| {
            let [za, zb] = [a, b].map(|i| &pass.z[0][25 * i..25 * (i + 1)]);
            let overlap = 0.5 * dot(&x[2 * a..2 * a + 2], &x[2 * b..2 * b + 2]);
            let slope = |z: f64| 1.0 - libm::tanh(z) * libm::tanh(z);
            let unit = |k: usize| {
                let values = libm::tanh(za[k]) * libm::tanh(zb[k]);
                (values + square(k) * slope(za[k]) * slope(zb[k]) * overlap) / 25.0
            };
            (0..25).map(unit).sum::<f64>()
        };
        (0..9).map(|at| entry(at / 3, at % 3)).collect()
    };
    let second = by_hand(&|k| mlp.layers[1].weights[k] * mlp.layers[1].weights[k]);
    let first = by_hand(&|k| mlp.layers[0].weights[2 * k] * mlp.layers[0].weights[2 * k]);
    let slip = effort.slip(
        "weights of the input-layer part",
        "first weights in place of second",
        &second,
        &first,
    );
    let what = "all entries of the tangent kernel of one random tanh network of 25 units at three inputs: (1/n) sum of s s + w2^2 s's' x.x' by hand, x an input over sqrt 2, and backpropagation; the source has w1 in place of w2";
    Comparison::digits(&["T12.1/kernel"], what, slip, &mlp.tangent(&pass, 0)).source(&first)
}

/// The kernel less its output-layer part has no eigenvalue below zero.
fn order(effort: &Effort) -> Result<Comparison, LabError> {
    const DRAWN: u64 = 40;
    let counted = effort.once("order", || -> Result<_, LabError> {
        let streams = effort.streams.part("order");
        let x = [1.0, 0.4, -0.3, 0.9, 0.2, -0.8];
        let mut above = [0, 0];
        for i in 0..DRAWN {
            let mlp = shape("tanh", 2, &[25], [1.0, 0.0]).draw(&streams.replica(i));
            let pass = mlp.forward(&x);
            let [first, second] =
                [0, 1].map(|layer| mlp.tangent_by_layer(&pass, 0).swap_remove(layer));
            let whole = mlp.tangent(&pass, 0);
            for (above, part) in above.iter_mut().zip([&whole, &first]) {
                let left = combined(1.0, part, -1.0, &second);
                let rows: Vec<Vec<f64>> = (0..3)
                    .map(|a| (0..3).map(|b| left[3 * a.min(b) + a.max(b)]).collect())
                    .collect();
                *above += usize::from(least(&rows)? > 0.0);
            }
        }
        Ok(above)
    })?;
    let trials = DRAWN as usize;
    let what = "of 40 random tanh networks of 25 units, those whose tangent kernel at three inputs less the part of the output layer has only eigenvalues above 0, by backpropagation; without such an order one is assumed to have them with chance 1/2";
    Ok(Comparison::all(&["T12.1/order"], what, (counted[0], trials), 0.5)
        .against_cases("the input-layer part less the output-layer part", (counted[1], trials)))
}
