//! Critical points, phases and the size of inputs (lectures, topic 2).

use super::drawn::{mean_square, over_networks, shape};
use super::prelude::*;
use fovea_theory::averages::Averages;
use fovea_theory::averages::Pair;
use fovea_theory::critical::{Class, Critical, critical};
use fovea_theory::criticality::{phase, solve};
use fovea_theory::layer::Layer;
use fovea_theory::phase::{Fate, fate};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "criticality",
    summary: "Critical points of activations, the phases away from them, and the inputs that fit them.",
    covers: &[
        "T02.12/solver",
        "T02.12/classes",
        "T02.15/ends",
        "T02.15/rates",
        "T02.16/critical",
        "T02.16/he",
    ],
    run,
};

/// `K*`, `C_w` and `C_b` found by the solver.
type Found = fn(&Critical) -> [Option<f64>; 3];

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let found: Found = effort.form(
        &solve::ENTRY,
        |found| [found.k, found.c_w, found.c_b],
        |found| [found.k, Some(2.0), Some(0.0)],
    );
    let fates: fn(&Layer) -> Result<Fate, FormError> = effort.form(
        &phase::ENTRY,
        |layer| fate(layer, 1.0),
        |layer| {
            let found = fate(layer, 1.0)?;
            Ok(Fate { chi_perp: 0.5 * found.chi_perp, r: 1.0, ..found })
        },
    );
    Ok(vec![
        solved(effort, found)?,
        classes(effort)?,
        phases(effort, fates)?,
        rates(effort, fates)?,
        input_norm(effort, found)?,
        he(effort)?,
    ])
}

fn numbers(found: [Option<f64>; 3]) -> [f64; 3] {
    found.map(|x| x.unwrap_or(f64::INFINITY))
}

fn solved(effort: &Effort, found: Found) -> Result<Comparison, LabError> {
    let mut predicted = Vec::new();
    for name in ["gelu", "silu", "x*tanh(x)"] {
        let [k, c_w, c_b] = numbers(found(&critical(&named(name))?));
        predicted.extend([k, k * c_w, k * c_b]);
    }
    predicted.push(numbers(found(&critical(&named("relu(x)-0.1*relu(-x)"))?))[1]);
    let measured = effort.once("solved", || {
        let cases = [("gelu", 1.0, 8.0), ("silu", 5.0, 30.0), ("x*tanh(x)", 1.0, 8.0)];
        let of = |(name, low, high)| {
            let [k, c_w, c_b] = critical_by_sums(name, low, high);
            [k, k * c_w, k * c_b]
        };
        let mut all = cases.map(of).concat();
        all.push(2.0 / 1.01);
        Ok::<_, LabError>(all)
    })?;
    let what = "K*, K* C_w and K* C_b of GELU, SiLU and x tanh x, and C_w of a leaky ReLU of slope 0.1: the solver, and the root of E[s s''] with 1/E[s'^2] and K* - C_w E[s^2] by trapezoids (2/(1 + 0.1^2) for the leaky ReLU)";
    Ok(Comparison::digits(&["T02.12/solver"], what, &predicted, &measured))
}

/// The class of an activation from averages by trapezoids at 51 variances from 0.001 to 100.
fn class_by_sums(name: &str) -> Class {
    let s = named(name);
    let ks: Vec<f64> = (0..=50).map(|i| libm::pow(10.0, -3.0 + 0.1 * f64::from(i))).collect();
    let kept: Vec<f64> =
        ks.iter().map(|k| trapezoids(*k, |z| s.value(z) * s.value(z)) / k).collect();
    if kept.iter().all(|share| (share / kept[0] - 1.0).abs() < 1e-9) {
        return Class::ScaleInvariant;
    }
    let above = |k: &f64| trapezoids(*k, |z| s.value(z) * s.curve(z)) > 0.0;
    let count = ks.iter().filter(|k| above(k)).count();
    match count {
        0 if s.value(0.0).abs() < 1e-12 => Class::Zero,
        0 | 51 => Class::None,
        _ => Class::HalfStable,
    }
}

const CLASSES: [&str; 12] = [
    "identity",
    "relu",
    "relu(x)-0.1*relu(-x)",
    "tanh",
    "sin",
    "erf-raw",
    "gelu",
    "silu",
    "x*tanh(x)",
    "sigmoid",
    "softplus",
    "exp(x)",
];

fn classes(effort: &Effort) -> Result<Comparison, LabError> {
    let by_sums =
        effort.once("classes", || Ok::<_, LabError>(CLASSES.map(class_by_sums).to_vec()))?;
    let (mut hits, mut by_origin) = (0, 0);
    for (name, class) in CLASSES.into_iter().zip(by_sums) {
        let s = named(name);
        hits += usize::from(critical(&s)?.class == class);
        let rule = if s.value(0.0).abs() < 1e-12 { Class::Zero } else { Class::None };
        by_origin += usize::from(rule == class);
    }
    let trials = CLASSES.len();
    let what = "the solver's class of twelve activations (scale invariant: linear, ReLU, leaky ReLU; K* = 0: tanh, sin, erf; half-stable: GELU, SiLU, x tanh x; none: sigmoid, softplus, exp), and that by trapezoids at 51 variances from 0.001 to 100: E[s^2]/K constant, else E[s s''] of both signs, else below 0 throughout with s(0) = 0, else none; of four classes one is right by chance in 1 of 4";
    Ok(Comparison::all(&["T02.12/classes"], what, (hits, trials), 0.25)
        .enumerated()
        .against_cases("K* = 0 wherever s(0) = 0, none elsewhere", (by_origin, trials)))
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

fn tanh_layer([c_w, c_b]: [f64; 2]) -> Layer {
    Layer::new(&named("tanh"), c_w, c_b)
}

type Fates = fn(&Layer) -> Result<Fate, FormError>;

fn phases(effort: &Effort, fates: Fates) -> Result<Comparison, LabError> {
    let (chaos, order) = (fates(&tanh_layer(CHAOS))?, fates(&tanh_layer(ORDER))?);
    // Two inputs merge by a factor 0.64 per layer; in the chaotic phase the approach to r* is slower.
    let measured = effort.once("phases", || {
        let end = |c: [f64; 2], r: f64, layers: usize| {
            let [k, ab] = layer_path(c, [1.0, r], layers)[layers];
            [k, ab / k]
        };
        let far = |r: f64| [end(CHAOS, r, 300), end(ORDER, r, 90)];
        let ends = [far(0.9), far(0.2)].concat();
        Ok::<_, LabError>(ends.concat())
    })?;
    let what = "K and the correlation of two inputs behind many tanh layers: K* and r* of C_w = 3, C_b = 0.05 (chaotic) and of C_w = 1.2, C_b = 0.3 (ordered, r* = 1) from fixed points, and 300 and 90 layers of Gauss-Hermite sums from correlations 0.9 and 0.2";
    let predicted = [chaos.k, chaos.r, order.k, order.r].repeat(2);
    Ok(Comparison::digits(&["T02.15/ends"], what, &predicted, &measured)
        .within(1e-8, "fixed points are found to the tolerance of the averages"))
}

/// The factor by which the distance to the limit shrinks from layer to layer, from three ratios of distances at `K*`.
fn shrinking(c: [f64; 2], [k, end]: [f64; 2], start: f64, l: usize) -> f64 {
    let path = layer_path(c, [k, start * k], l + 4);
    let gap = |l: usize| end - path[l][1] / path[l][0];
    let [a, b, c] = [l, l + 1, l + 2].map(|l| gap(l + 1) / gap(l));
    // Their distance from the limit shrinks by one factor from layer to layer (Aitken).
    a - (b - a) * (b - a) / (c - 2.0 * b + a)
}

fn rates(effort: &Effort, fates: Fates) -> Result<Comparison, LabError> {
    let order = fates(&tanh_layer(ORDER))?;
    let chaos = fates(&tanh_layer(CHAOS))?;
    let averages = Averages::of(&named("tanh"));
    let towards = CHAOS[0] * averages.slope_product(Pair::correlated(chaos.k, chaos.r))?;
    let near_one: fn(&Layer, &Fate) -> Result<f64, FormError> = effort.slip(
        "rate near r = 1",
        "chi_par, that of the variance, in place of chi_perp",
        |_, fate| Ok(fate.chi_perp),
        |layer, fate| layer.chi_par(fate.k),
    );
    // From above r* two inputs separate at the rate chi_perp while they are close.
    let measured = effort.once("rates", || {
        let [end, chaotic] = [(ORDER, 90), (CHAOS, 400)]
            .map(|(c, layers)| layer_path(c, [1.0, 0.9], layers)[layers]);
        let r = chaotic[1] / chaotic[0];
        let close = layer_path(CHAOS, [chaotic[0], (1.0 - 1e-6) * chaotic[0]], 1)[1];
        let parting = (1.0 - close[1] / close[0]) / 1e-6;
        Ok::<_, LabError>([
            shrinking(ORDER, [end[0], 1.0], 0.9, 16),
            parting,
            shrinking(CHAOS, [chaotic[0], r], 0.9 * r, 30),
        ])
    })?;
    let what = "factor by which, from layer to layer, the distance 1 - r of two inputs falls in the ordered phase (C_w = 1.2, C_b = 0.3) and grows in the chaotic one (C_w = 3, C_b = 0.05) near r = 1, chi_perp at K*, and that by which r* - r falls in the chaotic phase, C_w E[s's'] at r*; and Gauss-Hermite sums";
    let [falls, grows] =
        [near_one(&tanh_layer(ORDER), &order)?, near_one(&tanh_layer(CHAOS), &chaos)?];
    let predicted = [falls, grows, towards];
    Ok(Comparison::digits(&["T02.15/rates"], what, &predicted, &measured)
        .within(1e-5, "distances of nearly equal numbers, of a millionth where inputs separate"))
}

/// The variance of every layer of a critical GELU network under both normalisations of the input.
fn input_norm(effort: &Effort, found: Found) -> Result<Comparison, LabError> {
    let ids = &["T02.16/critical"];
    let s = named("gelu");
    let [k, c_w, c_b] = numbers(found(&critical(&s)?));
    let off = Layer::new(&s, c_w, c_b).variances(c_b + c_w * k, 4)?;
    let kept = Layer::new(&s, c_w, c_b).variances(k, 4)?;
    let predicted = [kept.clone(), off.clone()].concat();
    let [star, own_w, own_b] =
        effort.once("critical GELU", || Ok::<_, LabError>(critical_by_sums("gelu", 1.0, 8.0)))?;
    // Five layers of sums from a given |x|^2/n_0.
    let through = |size: f64| -> Vec<f64> {
        let mut path = vec![own_b + own_w * size];
        for l in 0..4 {
            path.push(own_b + own_w * trapezoids(path[l], |z| s.value(z) * s.value(z)));
        }
        path
    };
    let right = (star - own_b) / own_w;
    let what = "variances of five layers of a critical GELU network: K* in each with |x|^2/n_0 = (K* - C_b)/C_w, and others with |x|^2/n_0 = K*: the recursion at the solver's constants, and trapezoids at constants found by trapezoids";
    let measured = [through(right), through(star)].concat();
    let by_layer = Comparison::digits(ids, what, &predicted, &measured).source(&[star; 10]);
    let mut pairs = Vec::new();
    for (part, size, expected) in
        [("right size", right, [kept[0], kept[1]]), ("size K*", star, [off[0], off[1]])]
    {
        let shape = shape("gelu", 1, &[16, 16], [own_w, own_b]);
        let found = over_networks::<2>(effort, &shape, part, 16_000, |mlp| {
            let pass = mlp.forward(&[size.sqrt()]);
            [mean_square(&pass.z[0]), mean_square(&pass.z[1])]
        })?;
        pairs.extend(found.into_iter().zip(expected));
    }
    let what = "the first two variances of both, which hold at every width, and random networks of width 16";
    Ok(by_layer.and(Comparison::noise(ids, what, &pairs).source(&[star; 4])))
}

/// Under He initialization preactivations have twice the mean square of the input.
fn he(effort: &Effort) -> Result<Comparison, LabError> {
    let x = [1.0, -2.0, 0.5, 1.5];
    let shape = shape("relu", 4, &[16, 16], [2.0, 0.0]);
    let found = over_networks::<2>(effort, &shape, "he", 16_000, |mlp| {
        let pass = mlp.forward(&x);
        [mean_square(&pass.z[0]), mean_square(&pass.z[1])]
    })?;
    let size = dot(&x, &x) / 4.0;
    let factor =
        effort.slip("variance behind He initialization", "that of the input itself", 2.0, 1.0);
    let pairs = found.map(|estimate| (estimate, factor * size));
    let what = "variances of the first two layers of ReLU networks of width 16 with C_w = 2, C_b = 0 and |x|^2/n_0 = 1.875: twice that, at every width, and random networks";
    Ok(Comparison::noise(&["T02.16/he"], what, &pairs).source(&[size; 2]))
}
