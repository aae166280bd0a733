//! Critical points, depth and phases (lectures, topic 2).

use super::drawn_networks::{mean_square, over_networks, shape};
use super::prelude::*;
use fovea_theory::averages::Pair;
use fovea_theory::critical::critical;
use fovea_theory::layer::Layer;
use fovea_theory::phase::fate;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "criticality",
    summary: "Critical points of activations, and what depth does at and off them.",
    covers: &["T02.10", "T02.11", "T02.12", "T02.13", "T02.14", "T02.15", "T02.16", "T02.18"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![
        tanh_decay().and(tanh_constant()?),
        decay_of_a_class()?,
        solved()?.and(unsolved()?),
        relu_drift(),
        frozen()?.and(freezing()),
        phases()?.and(rate()?),
        input_norm(effort)?,
        no_exponential(),
    ])
}

/// Variances by layer from `k` on, by Gauss-Hermite sums.
fn variances(name: &str, c_w: f64, k: f64, layers: usize) -> Vec<f64> {
    let (s, sums) = (named(name), Sums::new(60));
    let mut all = vec![k];
    for l in 0..layers {
        all.push(c_w * sums.one(all[l], |z| s.value(z) * s.value(z)));
    }
    all
}

/// `A` and `B` of `1/K_l = A l + B ln l + c`, from three depths in ratio 1 : 2 : 4.
fn law(k: &[f64], l: usize) -> [f64; 2] {
    let d1 = 1.0 / k[2 * l] - 1.0 / k[l];
    let d2 = 1.0 / k[4 * l] - 1.0 / k[2 * l];
    [(d2 - d1) / l as f64, (2.0 * d1 - d2) / libm::log(2.0)]
}

const LEFT: &str = "terms of order ln(l)/l are left at the deepest layer";

/// The limit of numbers at `l`, `2 l` and `4 l` that is approached with terms `ln(l)/l` and `1/l`.
fn without_logs(l: usize, at: impl Fn(usize) -> f64) -> f64 {
    let [a, b, c] = [at(l), at(2 * l), at(4 * l)];
    // Twice the next less the last leaves ln(2)/l of the first term alone, which halves once more.
    let (first, second) = (2.0 * b - a, 2.0 * c - b);
    2.0 * second - first
}

fn tanh_decay() -> Comparison {
    let k = variances("tanh", 1.0, 1.0, 4 * 4000);
    let measured = law(&k, 4000);
    let what = "1/K_l = A l + B ln l + c of critical tanh: A = 2, B = -5/6, and 16 000 layers of Gauss-Hermite sums";
    Comparison::digits(&["T02.10"], what, &[2.0, -5.0 / 6.0], &measured).within(1e-3, LEFT)
}

/// The constant of the same law where l counts iterations after K = 1, from theory's own recursion and from sums.
fn tanh_constant() -> Result<Comparison, LabError> {
    let constant = |k: &[f64], l: usize| {
        without_logs(l, |l| {
            let depth = l as f64;
            1.0 / k[l] - 2.0 * depth + 5.0 / 6.0 * libm::log(depth)
        })
    };
    let layer = Layer::new(&named("tanh"), 1.0, 0.0);
    let predicted = constant(&layer.variances(1.0, 2000)?, 500);
    let measured = constant(&variances("tanh", 1.0, 1.0, 4 * 2000), 2000);
    let what = "c of the same law with l the number of layers behind K = 1, 1.1104: 2000 layers of quadrature, and 8000 of Gauss-Hermite sums; with the first layer counted as l = 1 it is less by 2, -0.8896";
    Ok(Comparison::digits(&["T02.10"], what, &[predicted], &[measured])
        .within(1e-5, "terms of order ln(l)/l^2 are left at the deepest layer")
        .against("the first layer counted as l = 1", &[predicted - 2.0]))
}

fn decay_of_a_class() -> Result<Comparison, LabError> {
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for name in ["sin", "erf-raw", "tanh(x)+x^2/(4+x^2)"] {
        let found = critical(&named(name))?;
        predicted.push(found.a.unwrap_or(0.0));
        let c_w = found.c_w.unwrap_or(1.0);
        measured.push(law(&variances(name, c_w, 0.5, 4 * 2000), 2000)[0]);
    }
    let what = "a of K_l ~ 1/(a l) from three derivatives at zero: sin, erf and tanh(x) + x^2/(4 + x^2), and 8000 layers of Gauss-Hermite sums";
    Ok(Comparison::digits(&["T02.11"], what, &predicted, &measured).within(1e-3, LEFT))
}

/// Root of `E[s s'']` by trapezoids and halving, then `C_w` and `C_b`.
fn by_sums(name: &str, mut low: f64, mut high: f64) -> [f64; 3] {
    let s = named(name);
    let excess = |k: f64| trapezoids(k, |z| s.value(z) * s.curve(z));
    let sign = excess(low);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        *(if excess(middle) * sign > 0.0 { &mut low } else { &mut high }) = middle;
    }
    let c_w = 1.0 / trapezoids(low, |z| s.slope(z) * s.slope(z));
    [low, c_w, low - c_w * trapezoids(low, |z| s.value(z) * s.value(z))]
}

fn solved() -> Result<Comparison, LabError> {
    let mut predicted = Vec::new();
    for name in ["gelu", "silu", "x*tanh(x)"] {
        let found = critical(&named(name))?;
        predicted.extend([found.k, found.c_w, found.c_b].map(|x| x.unwrap_or(f64::INFINITY)));
    }
    let leaky = critical(&named("relu(x)-0.1*relu(-x)"))?;
    predicted.push(leaky.c_w.unwrap_or(0.0));
    let mut measured = Vec::new();
    measured.extend(by_sums("gelu", 1.0, 8.0));
    measured.extend(by_sums("silu", 5.0, 30.0));
    measured.extend(by_sums("x*tanh(x)", 1.0, 8.0));
    measured.push(2.0 / 1.01);
    let what = "K*, C_w, C_b of GELU, SiLU and x tanh x, and C_w of a leaky ReLU: the solver, and trapezoids with the second derivative";
    Ok(Comparison::digits(&["T02.12"], what, &predicted, &measured))
}

/// Activations without a critical point: `E[s s'']` keeps its sign over five decades of the variance.
fn unsolved() -> Result<Comparison, LabError> {
    let names = ["sigmoid", "softplus", "gelu", "x*tanh(x)"];
    let mut predicted = Vec::new();
    for name in names {
        predicted.push(f64::from(u8::from(critical(&named(name))?.c_w.is_none())));
    }
    let measured = names.map(|name| {
        let s = named(name);
        let above = |i: i32| {
            let k = libm::pow(10.0, -3.0 + 0.1 * f64::from(i));
            trapezoids(k, |z| s.value(z) * s.curve(z)) > 0.0
        };
        f64::from(u8::from((1..=50).all(|i| above(i) == above(0))))
    });
    let what = "whether sigmoid and softplus (1), GELU and x tanh x (0) have no critical point: the solver, and the sign of E[s s''] at 51 variances from 0.001 to 100 by trapezoids";
    Ok(Comparison::digits(&["T02.12"], what, &predicted, &measured))
}

/// `r_l` of critical ReLU by plain iteration.
fn correlations(r: f64, layers: usize) -> Vec<f64> {
    let next = |r: f64| ((1.0 - r * r).max(0.0).sqrt() + r * (PI - libm::acos(r))) / PI;
    let mut all = vec![r];
    for l in 0..layers {
        all.push(next(all[l]));
    }
    all
}

fn relu_drift() -> Comparison {
    let l = 2000;
    let limit = |r: f64| {
        // 1/sqrt(1 - r_l) = A l + B ln l + c, like a decay of its own.
        let path: Vec<f64> =
            correlations(r, 4 * l).into_iter().map(|r| (1.0 - r).max(0.0).sqrt()).collect();
        let [a, _] = law(&path, l);
        1.0 / (a * a)
    };
    let measured = [-0.9, 0.0, 0.5].map(limit);
    let what = "limit of l^2 (1 - r_l) of critical ReLU, 9 pi^2/2, and 8000 layers of the map from three correlations";
    Comparison::digits(&["T02.13"], what, &[4.5 * PI * PI; 3], &measured).within(1e-3, LEFT)
}

fn frozen() -> Result<Comparison, LabError> {
    let layer = Layer::new(&named("tanh"), 1.0, 0.0);
    let pairs = layer.pairs(Pair::correlated(1.0, 0.2), 10)?;
    let predicted: Vec<f64> = [3, 6, 10].map(|l: usize| pairs[l].correlation()).to_vec();
    let (s, sums) = (named("tanh"), Sums::new(80));
    let mut path = vec![[1.0, 0.2]];
    for l in 0..10 {
        path.push(sums.layer(&s, [1.0, 0.0], path[l]));
    }
    let measured: Vec<f64> = [3, 6, 10].map(|l: usize| path[l][1] / path[l][0]).to_vec();
    let what = "correlation of two inputs, 0.2 at the start, after 3, 6 and 10 critical tanh layers: nested quadrature, and Gauss-Hermite sums";
    Ok(Comparison::digits(&["T02.14"], what, &predicted, &measured))
}

/// What is left of the way to the frozen correlation r falls as r (1 - r^2)/(6 l).
fn freezing() -> Comparison {
    let (s, sums, l) = (named("tanh"), Sums::new(40), 50);
    let mut path = vec![[1.0, 0.2]];
    for i in 0..16 * l {
        path.push(sums.layer(&s, [1.0, 0.0], path[i]));
    }
    let r: Vec<f64> = path.iter().map(|[k, ab]| ab / k).collect();
    let end = (4.0 * r[16 * l] - r[4 * l]) / 3.0;
    // A layer takes (2/3) K^2 r (1 - r^2) away, from three terms of tanh, and K = 1/(2 l).
    let way = without_logs(l, |l| 4.0 / 3.0 * l as f64 * (r[l] - r[4 * l]));
    let what = "r - r_end of the same two inputs times 6 l/(r_end (1 - r_end^2)), 1 where the correlation freezes, and 800 layers of Gauss-Hermite sums";
    Comparison::digits(&["T02.14"], what, &[1.0], &[6.0 * way / (end * (1.0 - end * end))])
        .within(2e-4, "terms of order ln(l)/l^2 are left at the deepest layer")
}

/// Constants of a chaotic and an ordered layer of tanh units.
const CHAOS: [f64; 2] = [3.0, 0.05];
const ORDER: [f64; 2] = [1.2, 0.3];

fn layer_path(c: [f64; 2], start: [f64; 2], layers: usize) -> Vec<[f64; 2]> {
    let (s, sums) = (named("tanh"), Sums::new(120));
    let mut path = vec![start];
    for l in 0..layers {
        path.push(sums.layer(&s, c, path[l]));
    }
    path
}

fn phases() -> Result<Comparison, LabError> {
    let of = |[c_w, c_b]: [f64; 2]| fate(&Layer::new(&named("tanh"), c_w, c_b), 1.0);
    let (chaos, order) = (of(CHAOS)?, of(ORDER)?);
    let end = |c: [f64; 2], layers: usize| {
        let [k, ab] = layer_path(c, [1.0, 0.9], layers)[layers];
        [k, ab / k]
    };
    // Two inputs become one by 0.64 a layer; in the chaotic phase the way to r* is slower.
    let measured = [end(CHAOS, 300), end(ORDER, 90)].concat();
    let what = "chaotic and ordered tanh layers: K* and r* from fixed points, and 300 and 90 layers of Gauss-Hermite sums";
    let predicted = [chaos.k, chaos.r, order.k, order.r];
    Ok(Comparison::digits(&["T02.15"], what, &predicted, &measured)
        .within(1e-8, "fixed points are found to the tolerance of the averages"))
}

/// The rate at which two inputs become one, from three ratios of distances at K*.
fn rate() -> Result<Comparison, LabError> {
    let order = fate(&Layer::new(&named("tanh"), ORDER[0], ORDER[1]), 1.0)?;
    let path = layer_path(ORDER, [order.k, 0.9 * order.k], 20);
    let gap = |l: usize| 1.0 - path[l][1] / path[l][0];
    let [a, b, c] = [16, 17, 18].map(|l| gap(l + 1) / gap(l));
    // Their distance from the limit shrinks by one factor a layer (Aitken).
    let measured = a - (b - a) * (b - a) / (c - 2.0 * b + a);
    let what = "factor a layer of the distance of two inputs in the ordered phase, chi_perp at K*, and 20 layers of Gauss-Hermite sums";
    Ok(Comparison::digits(&["T02.15"], what, &[order.chi_perp], &[measured])
        .within(1e-8, "small differences of numbers near one"))
}

/// The variance of every layer of a critical GELU network under both normalisations of the input.
fn input_norm(effort: &Effort) -> Result<Comparison, LabError> {
    let ids = &["T02.16"];
    let found = critical(&named("gelu"))?;
    let [k, c_w, c_b] = [found.k, found.c_w, found.c_b].map(|x| x.unwrap_or(f64::INFINITY));
    let s = named("gelu");
    // Five layers of sums from a given |x|^2/n_0.
    let through = |size: f64| -> Vec<f64> {
        let mut path = vec![c_b + c_w * size];
        for l in 0..4 {
            path.push(c_b + c_w * trapezoids(path[l], |z| s.value(z) * s.value(z)));
        }
        path
    };
    let right = (k - c_b) / c_w;
    let off = Layer::new(&s, c_w, c_b).variances(c_b + c_w * k, 4)?;
    let predicted = [vec![k; 5], off.clone()].concat();
    let what = "variances of five layers of a critical GELU network: K* in each with |x|^2/n_0 = (K* - C_b)/C_w, and others with |x|^2/n_0 = K*; the recursion, and trapezoids";
    let by_layer =
        Comparison::digits(ids, what, &predicted, &[through(right), through(k)].concat())
            .source(&[k; 10]);
    let mut pairs = Vec::new();
    for (part, size, expected) in [("right size", right, [k, k]), ("size K*", k, [off[0], off[1]])]
    {
        let shape = shape("gelu", 1, &[16, 16], [c_w, c_b]);
        let found = over_networks::<2>(effort, &shape, part, 40_000, |mlp| {
            let pass = mlp.forward(&[size.sqrt()]);
            [mean_square(&pass.z[0]), mean_square(&pass.z[1])]
        })?;
        pairs.extend(found.into_iter().zip(expected));
    }
    let what = "the first two of both, which hold at every width, and drawn networks of width 16";
    Ok(by_layer.and(Comparison::noise(ids, what, &pairs).source(&[k; 4])))
}

/// The drift of critical ReLU is a power, not an exponential.
fn no_exponential() -> Comparison {
    let path = correlations(0.3, 16_000);
    let exponent = |l: usize| libm::log((1.0 - path[2 * l]) / (1.0 - path[l])) / libm::log(2.0);
    // What is left is of order ln(l)/l.
    let measured = [2.0 * exponent(8000) - exponent(4000)];
    let what =
        "exponent of 1 - r_l in the depth, -2, and 16 000 layers of the map of critical ReLU";
    Comparison::digits(&["T02.18"], what, &[-2.0], &measured).within(1e-3, LEFT)
}
