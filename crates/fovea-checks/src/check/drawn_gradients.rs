//! Tangent kernels of networks at initialization, drawn and measured (lectures, topics 5, 11 and 12).

use super::averaged::by_angle;
use super::drawn_networks::{over_networks, shape};
use super::prelude::*;
use fovea_sim::mlp::Mlp;
use fovea_theory::averages::{Averages, Pair};
use fovea_theory::layer::Layer;
use fovea_theory::nngp::covariance::{self, covariance};
use fovea_theory::ntk::kernel::{self, Kernels, kernels};

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "drawn-gradients",
    summary: "Tangent kernels of drawn networks, layer by layer and at an angle.",
    covers: &[
        "T05.4/shares",
        "T05.4/last",
        "T11.6/recursion",
        "T11.6/networks",
        "T11.6/limit",
        "T11.7/average",
        "T11.7/network",
        "T12.1/sum",
        "T12.1/order",
    ],
    run,
};

/// Covariances and tangent kernels behind so many hidden layers.
type Behind = fn(&Layer, Pair, usize) -> Result<Kernels, FormError>;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let behind: Behind = effort.form(&kernel::ENTRY, kernels, |layer, pair, layers| {
        let k = kernels(layer, pair, layers + 1)?.k;
        Ok(Kernels { k, theta: k })
    });
    Ok(vec![
        by_layer(effort, behind)?,
        last_layer(effort)?,
        recursion(behind)?,
        at_an_angle(effort, behind)?,
        quarter(effort)?,
        erf_average(effort)?,
        erf_kernel(effort, behind)?,
        two_parts(effort),
        larger(effort)?,
    ])
}

/// Every layer adds the same to the tangent kernel of critical ReLU.
fn by_layer(effort: &Effort, behind: Behind) -> Result<Comparison, LabError> {
    let shape = shape("relu", 2, &[20, 20, 20], [2.0, 0.0]);
    let found = over_networks::<5>(effort, &shape, "by layer", 60_000, |mlp| {
        let parts = mlp.tangent_by_layer(&mlp.forward(&[1.0, 1.0]), 0);
        let part = |l: usize| parts[l][0];
        [part(0), part(1), part(2), part(3), (0..4).map(part).sum()]
    })?;
    let whole = behind(&Layer::new(&named("relu"), 2.0, 0.0), Pair::twin(2.0), 3)?.theta.aa;
    let predicted = [0.25 * whole, 0.25 * whole, 0.25 * whole, 0.25 * whole, whole];
    let pairs: Vec<(Estimate, f64)> = found.into_iter().zip(predicted).collect();
    let what = "share of each of four weight layers in the tangent kernel of critical ReLU networks, hidden widths 20, and the whole: a quarter of it each, 2 |x|^2/n_0 = 2, and drawn networks";
    Ok(Comparison::noise(&["T05.4/shares"], what, &pairs).source(&[0.0, 0.0, 0.0, 8.0, 8.0]))
}

/// Two inputs of two numbers.
const X: [f64; 4] = [1.0, 0.4, -0.3, 0.9];

/// The last layer alone: its part of the tangent kernel is the covariance of the outputs.
fn last_layer(effort: &Effort) -> Result<Comparison, LabError> {
    let of: fn(&Layer, &[Vec<f64>]) -> Result<Vec<Vec<f64>>, FormError> = effort.form(
        &covariance::ENTRY,
        |layer, x| covariance(layer, x, 1),
        |layer, x| {
            let scaled = |row: &Vec<f64>| scaled((row.len() as f64).sqrt(), row);
            covariance(layer, &x.iter().map(scaled).collect::<Vec<_>>(), 1)
        },
    );
    let shape = shape("tanh", 2, &[20], [1.4, 0.2]);
    let found = over_networks::<3>(effort, &shape, "last layer", 20_000, |mlp| {
        let last = &mlp.tangent_by_layer(&mlp.forward(&X), 0)[1];
        [last[0], last[1], last[3]]
    })?;
    let layer = Layer::new(&named("tanh"), 1.4, 0.2);
    let rows: Vec<Vec<f64>> = X.chunks(2).map(<[f64]>::to_vec).collect();
    let (k, first) = (of(&layer, &rows)?, covariance(&layer, &rows, 0)?);
    let pairs: Vec<(Estimate, f64)> =
        found.into_iter().zip([k[0][0], k[0][1], k[1][1]]).collect();
    let whole =
        kernels(&layer, Pair { aa: first[0][0], bb: first[1][1], ab: first[0][1] }, 1)?.theta;
    let what = "the part of the last layer in the tangent kernel of 20 tanh units at two inputs, C_w = 1.4, C_b = 0.2: the covariance of the outputs (NNGP), and drawn networks; were the last layer all of the learning it would be the whole kernel";
    Ok(Comparison::noise(&["T05.4/last"], what, &pairs)
        .against("the whole kernel", &[whole.aa, whole.ab, whole.bb]))
}

/// Normalised ReLU kernels behind `layers` layers from correlation `r`: tangent kernel at one input and at two.
fn by_kappas(r: f64, layers: usize) -> [f64; 2] {
    let open = |r: f64| 2.0 * by_angle(r, 0, |x| f64::from(u8::from(x > 0.0)));
    let next = |r: f64| 2.0 * by_angle(r, 1, |x| x.max(0.0));
    let (mut k, mut own, mut shared) = (r, 1.0, r);
    for _ in 0..layers {
        (own, shared, k) = (1.0 + own, next(k) + open(k) * shared, next(k));
    }
    [own, shared]
}

fn recursion(behind: Behind) -> Result<Comparison, LabError> {
    let layer = Layer::new(&named("relu"), 2.0, 0.0);
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for (r, layers) in [(0.3, 1), (0.3, 3), (-0.6, 3), (0.3, 10)] {
        let theta = behind(&layer, Pair::correlated(1.0, r), layers)?.theta;
        let size = layers as f64 + 1.0;
        predicted.extend([theta.aa / size, theta.ab / size]);
        measured.extend(by_kappas(r, layers).map(|x| x / size));
    }
    let what = "tangent kernel of critical ReLU over L + 1 at one input and at two of correlation 0.3, L = 1, 3 and 10, and of -0.6, L = 3: closed forms of kappa_0 and kappa_1, and the recursion with integrals over the angle; at one input it is 1";
    Ok(Comparison::digits(&["T11.6/recursion"], what, &predicted, &measured))
}

/// The tangent kernel at one input of square `square` and at two of correlation 0.3.
fn own_and_shared(mlp: &Mlp, square: f64) -> [f64; 2] {
    let (r, root): (f64, f64) = (0.3, square.sqrt());
    let x = [root, 0.0, r * root, (1.0 - r * r).sqrt() * root];
    let theta = mlp.tangent(&mlp.forward(&x), 0);
    [theta[0], theta[1]]
}

/// One hidden layer, exact at every width, and three, carried on to infinite width.
fn at_an_angle(effort: &Effort, behind: Behind) -> Result<Comparison, LabError> {
    let layer = Layer::new(&named("relu"), 2.0, 0.0);
    let ids = &["T11.6/networks"];
    let of = |layers: usize| -> Result<[f64; 2], LabError> {
        let theta = behind(&layer, Pair::correlated(1.0, 0.3), layers)?.theta;
        Ok([theta.aa, theta.ab])
    };
    let one = over_networks::<2>(effort, &shape("relu", 2, &[30], [2.0, 0.0]), "one", 30_000, |mlp| {
        own_and_shared(mlp, 1.0)
    })?;
    let pairs: Vec<(Estimate, f64)> = one.into_iter().zip(of(1)?).collect();
    let what = "tangent kernel at one unit input and at two of correlation 0.3, one hidden layer of 30 ReLU units, C_w = 2, which is exact at every width: the recursion, and explicit kernels of drawn networks";
    let exact = Comparison::noise(ids, what, &pairs);
    let mut at = Vec::new();
    for n in [12, 24] {
        let shape = shape("relu", 2, &[n; 3], [2.0, 0.0]);
        let part = format!("three of {n}");
        at.push(over_networks::<2>(effort, &shape, &part, 50_000, |mlp| own_and_shared(mlp, 1.0))?);
    }
    let mut pairs = Vec::new();
    for (i, value) in of(3)?.into_iter().enumerate() {
        pairs.push((Estimate::combination(&[(2.0, at[1][i]), (-1.0, at[0][i])])?, value));
    }
    let what = "the same behind three hidden layers: the recursion, and drawn networks of widths 12 and 24 carried on to infinite width by the term of order 1/n";
    let deep = Comparison::noise(ids, what, &pairs)
        .approximate(0.01, "terms of order 1/n^2 are left at widths 12 and 24");
    Ok(exact.and(deep))
}

/// Off the diagonal a quarter is left far down, at any correlation.
fn quarter(effort: &Effort) -> Result<Comparison, LabError> {
    let limit = effort.slip(
        "limit of off-diagonal over diagonal",
        "1, as of the covariance itself",
        0.25,
        1.0,
    );
    let measured = [-0.5, 0.3].map(|r| {
        let l = 4000;
        let (mut u, mut shared): (f64, f64) = (1.0 - r, r);
        let mut ratios = vec![r];
        for depth in 1..=4 * l {
            let angle = 2.0 * libm::asin((0.5 * u).sqrt());
            let (sin, cos) = libm::sincos(angle);
            u -= (sin - angle * cos) / PI;
            shared = 1.0 - u + (1.0 - angle / PI) * shared;
            ratios.push(shared / (depth as f64 + 1.0));
        }
        let [a, b, c] = [l, 2 * l, 4 * l].map(|l| ratios[l]);
        // Terms ln(l)/l and 1/l are taken away.
        2.0 * (2.0 * c - b) - (2.0 * b - a)
    });
    let what = "tangent kernel of critical ReLU at two inputs of correlations -0.5 and 0.3 over that at one as the depth grows: 1/4, and 16 000 layers of kappa_1 and kappa_0 carried on";
    Ok(Comparison::digits(&["T11.6/limit"], what, &[limit; 2], &measured)
        .within(1e-5, "terms of order (ln(l)/l)^2 are left"))
}

/// `E[erf' erf']` at three pairs of variances and covariances.
fn erf_average(effort: &Effort) -> Result<Comparison, LabError> {
    let erf = named("erf-raw");
    let averages = Averages::of(&erf);
    let of: fn(&Averages, Pair) -> Result<f64, FormError> = effort.slip(
        "E[erf' erf']",
        "4/(pi (1 + 2 c)), as if all three numbers were one",
        Averages::slope_product,
        |_, pair| Ok(4.0 / (PI * (1.0 + 2.0 * pair.ab))),
    );
    let sums = Sums::new(120);
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for (aa, bb, ab) in [(0.4, 0.3, 0.2), (1.2, 0.8, 0.5), (0.5, 0.9, -0.3)] {
        predicted.push(of(&averages, Pair { aa, bb, ab })?);
        measured.push(sums.two([aa, bb, ab], |z| erf.slope(z)));
    }
    let what = "E[erf'(z_a) erf'(z_b)] at variances and covariance (0.4, 0.3, 0.2), (1.2, 0.8, 0.5) and (0.5, 0.9, -0.3): 4/(pi sqrt((1 + 2a)(1 + 2b) - 4c^2)), and Gauss-Hermite sums";
    Ok(Comparison::digits(&["T11.7/average"], what, &predicted, &measured))
}

/// One hidden layer of erf with biases.
fn erf_kernel(effort: &Effort, behind: Behind) -> Result<Comparison, LabError> {
    let (c_w, c_b) = (1.5, 0.1);
    let shape = shape("erf-raw", 2, &[30], [c_w, c_b]);
    let found = over_networks::<2>(effort, &shape, "erf", 30_000, |mlp| own_and_shared(mlp, 2.0))?;
    let first = Pair { aa: c_w + c_b, bb: c_w + c_b, ab: 0.3 * c_w + c_b };
    let theta = behind(&Layer::new(&named("erf-raw"), c_w, c_b), first, 1)?.theta;
    let pairs: Vec<(Estimate, f64)> = found.into_iter().zip([theta.aa, theta.ab]).collect();
    let what = "tangent kernel of one hidden layer of 30 erf units, C_w = 1.5, C_b = 0.1, at one input and at two of correlation 0.3, exact at every width: the recursion with the closed averages, and explicit kernels of drawn networks";
    Ok(Comparison::noise(&["T11.7/network"], what, &pairs))
}

/// The kernel of one hidden layer is the part of the outputs plus the part of the inputs with squared output weights.
fn two_parts(effort: &Effort) -> Comparison {
    let shape = shape("tanh", 2, &[25], [1.0, 0.0]);
    let mlp = shape.draw(&effort.streams.part("two parts"));
    let pass = mlp.forward(&X);
    let theta = mlp.tangent(&pass, 0);
    let by_hand = |layer: usize, entries: usize| {
        [[0, 0], [0, 1], [1, 1]].map(|inputs| {
            let overlap = 0.5 * dot(&X[2 * inputs[0]..][..2], &X[2 * inputs[1]..][..2]);
            let unit = |k: usize| {
                let [a, b] = inputs.map(|i| pass.z[0][25 * i + k]);
                let slope = |z: f64| 1.0 - libm::tanh(z) * libm::tanh(z);
                let weight = mlp.layers[layer].weights[entries * k];
                libm::tanh(a) * libm::tanh(b) + weight * weight * slope(a) * slope(b) * overlap
            };
            (0..25).map(unit).sum::<f64>() / 25.0
        })
    };
    let source = by_hand(0, 2);
    let predicted = effort.slip(
        "tangent kernel of one hidden layer",
        "squared input weights in the place of the output weights",
        by_hand(1, 1),
        source,
    );
    let what = "tangent kernel of one drawn tanh network of 25 units at two inputs: (1/n) sum of s s + w2^2 s's' x.x', and backpropagation";
    Comparison::digits(&["T12.1/sum"], what, &predicted, &[theta[0], theta[1], theta[3]])
        .source(&source)
}

/// The kernel less the part of the outputs has no negative eigenvalue.
fn larger(effort: &Effort) -> Result<Comparison, LabError> {
    let shape = shape("tanh", 3, &[25], [1.0, 0.0]);
    let x: Vec<f64> = (0..15).map(|i| libm::cos(1.0 + 2.3 * f64::from(i))).collect();
    let nets = 60;
    let [hits, other] = effort.once("larger", || {
        let mut counts = [0, 0];
        for i in 0..nets {
            let mlp = shape.draw(&effort.streams.part("larger").replica(i));
            let pass = mlp.forward(&x);
            let parts = mlp.tangent_by_layer(&pass, 0);
            let whole = mlp.tangent(&pass, 0);
            let positive = |a: f64, b: f64| -> Result<bool, LabError> {
                let rows: Vec<Vec<f64>> = whole
                    .chunks(5)
                    .zip(parts[1].chunks(5))
                    .map(|(whole, part)| combined(a, whole, b, part))
                    .collect();
                Ok(least(&rows)? > -1e-12)
            };
            counts[0] += usize::from(positive(1.0, -1.0)?);
            // The part of the outputs less that of the inputs.
            counts[1] += usize::from(positive(-1.0, 2.0)?);
        }
        Ok::<_, LabError>(counts)
    })?;
    let what = "tangent kernel at five inputs of drawn networks of 25 tanh units, less the part K^(2) of the output layer: no negative eigenvalue; a symmetric matrix without a reason has one in more than half of all cases";
    Ok(Comparison::all(&["T12.1/order"], what, (hits, nets as usize), 0.5)
        .against_cases("K^(2) less the part of the input layer", (other, nets as usize)))
}
