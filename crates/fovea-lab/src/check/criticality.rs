//! Critical points, depth and phases (lectures, topic 2).

use super::averaged::{Sums, named, trapezoids};
use super::{Check, Comparison, Effort};
use crate::error::LabError;
use fovea_theory::averages::Pair;
use fovea_theory::critical::critical;
use fovea_theory::layer::Layer;
use fovea_theory::phase::fate;
use std::f64::consts::PI;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "criticality",
    summary: "Critical points of activations, and what depth does at and off them.",
    covers: &["T02.10", "T02.11", "T02.12", "T02.13", "T02.14", "T02.15", "T02.16", "T02.18"],
    run,
};

fn run(_: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![
        tanh_decay()?,
        decay_of_a_class()?,
        solved()?,
        relu_drift(),
        frozen()?,
        phases()?,
        input_norm()?,
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

fn tanh_decay() -> Result<Comparison, LabError> {
    let k = variances("tanh", 1.0, 1.0, 4 * 4000);
    let measured = law(&k, 4000);
    let what = "1/K_l = A l + B ln l + c of critical tanh: A = 2, B = -5/6, and 16 000 layers of Gauss-Hermite sums";
    Ok(Comparison::digits(&["T02.10"], what, &[2.0, -5.0 / 6.0], &measured).within(1e-3, LEFT))
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
    let none = ["sigmoid", "softplus"].map(|name| critical(&named(name)));
    let without = none.into_iter().filter(|found| found.as_ref().is_ok_and(|f| f.c_w.is_none()));
    predicted.push(without.count() as f64);
    let mut measured = Vec::new();
    measured.extend(by_sums("gelu", 1.0, 8.0));
    measured.extend(by_sums("silu", 5.0, 30.0));
    measured.extend(by_sums("x*tanh(x)", 1.0, 8.0));
    measured.push(2.0 / 1.01);
    // E[s s''] of the two that have none keeps its sign.
    let sums = Sums::new(120);
    let keeps = |name: &str| {
        let s = named(name);
        let at = |k: f64| sums.one(k, |z| s.value(z) * s.curve(z)) > 0.0;
        [0.01, 0.1, 1.0, 4.0].into_iter().all(|k| at(k) == at(0.001))
    };
    measured.push(["sigmoid", "softplus"].into_iter().filter(|name| keeps(name)).count() as f64);
    let what = "K*, C_w, C_b of GELU, SiLU and x tanh x, C_w of a leaky ReLU, and two activations without a critical point: the solver, and trapezoids with the second derivative";
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

fn phases() -> Result<Comparison, LabError> {
    let s = named("tanh");
    let chaos = fate(&Layer::new(&s, 3.0, 0.05), 1.0)?;
    let order = fate(&Layer::new(&s, 1.2, 0.3), 1.0)?;
    let predicted = [chaos.k, chaos.r, order.k, order.r, order.chi_perp];
    let sums = Sums::new(120);
    let end = |c: [f64; 2], layers: usize| {
        let mut path = vec![[1.0, 0.9]];
        for l in 0..layers {
            path.push(sums.layer(&s, c, path[l]));
        }
        path
    };
    let (far, near) = (end([3.0, 0.05], 120), end([1.2, 0.3], 60));
    let [k, ab] = far[120];
    // The rate from two distances to 1 that are small and still have digits.
    let gap = |l: usize| 1.0 - near[l][1] / near[l][0];
    let what = "chaotic and ordered tanh layers: K*, r* and the rate chi_perp, and 120 and 60 layers of Gauss-Hermite sums";
    let measured = [k, ab / k, near[60][0], near[60][1] / near[60][0], gap(26) / gap(25)];
    Ok(Comparison::digits(&["T02.15"], what, &predicted, &measured)
        .within(3e-6, "the distance to the fixed point still bends where it has digits"))
}

/// The input norm that keeps the variance of a critical GELU network at K*.
fn input_norm() -> Result<Comparison, LabError> {
    let found = critical(&named("gelu"))?;
    let [k, c_w, c_b] = [found.k, found.c_w, found.c_b].map(|x| x.unwrap_or(f64::INFINITY));
    let predicted = [(k - c_b) / c_w];
    let (s, sums) = (named("gelu"), Sums::new(120));
    // The size of the input is E s^2 at K*, since each layer does to it what it does to its own activations.
    let measured = [sums.one(0.5 * (3.0 + 17.0_f64.sqrt()), |z| s.value(z) * s.value(z))];
    let what = "|x|^2/n_0 of a critical GELU network: (K* - C_b)/C_w, and the mean square of an activation at K* = (3 + sqrt 17)/2";
    Ok(Comparison::digits(&["T02.16"], what, &predicted, &measured).source(&[k]))
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
