//! How variances and covariances pass through a layer (lectures, topics 1 and 2).

use super::averaged::by_angle;
use super::prelude::*;
use fovea_theory::averages::{Averages, Pair};
use fovea_theory::critical::critical;
use fovea_theory::layer::Layer;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "layer-recursion",
    summary: "Variances, covariances and susceptibilities of one layer of infinite width.",
    covers: &[
        "T01.4", "T01.6", "T01.10", "T02.2", "T02.3", "T02.4", "T02.5", "T02.6", "T02.7", "T02.8",
        "T02.9", "T02.17", "T02.19",
    ],
    run,
};

/// Constants of the layer, and two inputs.
const C: [f64; 2] = [1.7, 0.3];
const PAIR: Pair = Pair { aa: 1.2, bb: 0.8, ab: 0.5 };

fn run(_: &Effort) -> Result<Vec<Comparison>, LabError> {
    let sums = Sums::new(120);
    Ok(vec![
        covariance(&sums)?,
        growth()?,
        density()?,
        linear(&sums)?,
        linear_depth(&sums)?,
        rectified()?,
        jacobian(&sums)?,
        susceptibilities(&sums)?,
        rectified_susceptibilities()?,
        saturation(&sums)?,
        gap(&sums)?,
        price(&sums)?,
    ])
}

/// `K'_ab` of ReLU, erf and tanh.
fn covariance(sums: &Sums) -> Result<Comparison, LabError> {
    let names = ["relu", "erf-raw", "tanh"];
    let off = |s: &str, c_b: f64| Ok(Layer::new(&named(s), C[0], c_b).next_pair(PAIR)?.ab);
    let predicted =
        names.map(|s| off(s, C[1])).into_iter().collect::<Result<Vec<f64>, LabError>>()?;
    let size = (PAIR.aa * PAIR.bb).sqrt();
    let relu = size * by_angle(PAIR.ab / size, 1, |x| x.max(0.0));
    let smooth = |name: &str| {
        let s = named(name);
        sums.two([PAIR.aa, PAIR.bb, PAIR.ab], |z| s.value(z))
    };
    let averages = [relu, smooth("erf-raw"), smooth("tanh")];
    let measured = averages.map(|average| C[1] + C[0] * average);
    // One letter for both constants.
    let source = names.map(|s| off(s, C[0])).into_iter().collect::<Result<Vec<f64>, LabError>>()?;
    let what = "covariance behind a layer of ReLU, erf and tanh units: closed forms or nested quadrature, and integrals over the angle (ReLU) or Gauss-Hermite sums";
    Ok(Comparison::digits(&["T01.4"], what, &predicted, &measured).source(&source))
}

/// Growth of the variance a layer, ReLU off criticality, over ten layers.
fn growth() -> Result<Comparison, LabError> {
    let weights = [1.8, 2.0, 2.2];
    let mut predicted = Vec::new();
    for c_w in weights {
        predicted.push(Layer::new(&named("relu"), c_w, 0.0).variances(1.0, 10)?[10]);
    }
    let half = by_angle(1.0, 1, |x| x.max(0.0));
    let measured = weights.map(|c_w| libm::pow(c_w * half, 10.0));
    let what = "variance after ten ReLU layers below, at and above the critical weights: the recursion, and powers of the mean square of half a normal";
    Ok(Comparison::digits(&["T01.6"], what, &predicted, &measured))
}

/// Step of the trapezoids.
const STEP: f64 = 0.01;

/// The average with the density of the pair, where it has one, and along one preactivation, where it has none.
fn density() -> Result<Comparison, LabError> {
    let s = named("tanh");
    let averages = Averages::of(&s);
    let rs = [0.0, 0.5, 0.9];
    let mut predicted = Vec::new();
    for r in rs.into_iter().chain([1.0]) {
        predicted.push(averages.product(Pair::correlated(1.0, r))?);
    }
    let sum =
        |f: &dyn Fn(f64) -> f64| (-900..=900).map(|i| f(f64::from(i) * STEP)).sum::<f64>() * STEP;
    let with_density = |r: f64| {
        let det = 1.0 - r * r;
        let norm = 1.0 / (std::f64::consts::TAU * det.sqrt());
        let coarse = 8.0 * STEP;
        let mut total = 0.0;
        for i in -112..=112 {
            for j in -112..=112 {
                let (x, y) = (f64::from(i) * coarse, f64::from(j) * coarse);
                let exponent = -(x * x - 2.0 * r * x * y + y * y) / (2.0 * det);
                total += s.value(x) * s.value(y) * libm::exp(exponent);
            }
        }
        norm * coarse * coarse * total
    };
    let mut measured: Vec<f64> = rs.into_iter().map(with_density).collect();
    measured.push(
        sum(&|x| s.value(x) * s.value(x) * libm::exp(-0.5 * x * x)) / std::f64::consts::TAU.sqrt(),
    );
    let what = "E tanh(z_a) tanh(z_b) by the split into a shared and an own part, and by the density with the inverse covariance, or along one preactivation at r = 1 (trapezoids)";
    Ok(Comparison::digits(&["T01.10"], what, &predicted, &measured))
}

/// Deep linear networks; the source writes tanh.
fn linear(sums: &Sums) -> Result<Comparison, LabError> {
    let pair = Layer::new(&named("identity"), C[0], C[1]).next_pair(PAIR)?;
    let product = sums.two([PAIR.aa, PAIR.bb, PAIR.ab], |z| z);
    let measured = [C[1] + C[0] * sums.one(PAIR.aa, |z| z * z), C[1] + C[0] * product];
    let tanh = Layer::new(&named("tanh"), C[0], C[1]).next_pair(PAIR)?;
    let what = "variance and covariance behind a linear layer, and Gauss-Hermite sums";
    Ok(Comparison::digits(&["T02.2"], what, &[pair.aa, pair.ab], &measured)
        .source(&[tanh.aa, tanh.ab]))
}

/// One factor of the weights a layer, not two.
fn linear_depth(sums: &Sums) -> Result<Comparison, LabError> {
    let c_w = 1.3;
    let predicted = Layer::new(&named("identity"), c_w, 0.0).variances(0.7, 6)?;
    let mut measured = vec![0.7];
    for l in 0..6 {
        measured.push(c_w * sums.one(measured[l], |z| z * z));
    }
    let source: Vec<f64> = (0..=6).map(|l| 0.7 * libm::pow(c_w, 2.0 * f64::from(l))).collect();
    let what = "variance by layer of a deep linear network: the recursion, and sums of squares";
    Ok(Comparison::digits(&["T02.3"], what, &predicted, &measured).source(&source))
}

fn rectified() -> Result<Comparison, LabError> {
    let layer = Layer::new(&named("relu"), C[0], C[1]);
    let half = by_angle(1.0, 1, |x| x.max(0.0));
    let ks = [0.2, 1.0, 9.0];
    let predicted = ks.map(|k| layer.next(k)).into_iter().collect::<Result<Vec<_>, _>>()?;
    let measured = ks.map(|k| C[1] + C[0] * k * half);
    let what = "variance behind a ReLU layer: C_b + C_w K / 2, and the integral over the angle";
    Ok(Comparison::digits(&["T02.4"], what, &predicted, &measured))
}

/// Derivatives of the map of (K_aa, K_ab) at the critical point of GELU.
fn jacobian(sums: &Sums) -> Result<Comparison, LabError> {
    let s = named("gelu");
    let found = critical(&s)?;
    let (k, c_w) = (found.k.unwrap_or(1.0), found.c_w.unwrap_or(1.0));
    let layer = Layer::new(&s, c_w, found.c_b.unwrap_or(0.0));
    let fine = Sums::new(90);
    let value = |z: f64| s.value(z);
    let own = slope(2e-3, |by| c_w * sums.one(k + by, |z| value(z) * value(z)));
    // The covariance cannot exceed the variance: a quotient from below, of fourth order.
    let below = |steps: f64| c_w * fine.two([k, k, k - 1e-2 * steps], value);
    let quotient = 25.0 / 12.0 * below(0.0) - 4.0 * below(1.0) + 3.0 * below(2.0)
        - 4.0 / 3.0 * below(3.0)
        + 0.25 * below(4.0);
    let shared = quotient / 1e-2;
    let what = "derivatives of variance and covariance behind a critical GELU layer by those before, where all are equal: susceptibilities, and difference quotients of Gauss-Hermite sums";
    let predicted = [layer.chi_par(k)?, layer.chi_perp(k)?];
    Ok(Comparison::digits(&["T02.5", "T02.17"], what, &predicted, &[own, shared])
        .within(1e-7, "a quotient from one side, of fourth order")
        .no_source("the condition is printed without its value"))
}

fn susceptibilities(sums: &Sums) -> Result<Comparison, LabError> {
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for (name, k) in [("tanh", 1.0), ("gelu", 2.0), ("sin", 0.5)] {
        let s = named(name);
        let layer = Layer::new(&s, C[0], C[1]);
        predicted.extend([layer.chi_par(k)?, layer.chi_perp(k)?]);
        measured.push(slope(2e-3, |by| C[0] * sums.one(k + by, |z| s.value(z) * s.value(z))));
        measured.push(C[0] * sums.one(k, |z| s.slope(z) * s.slope(z)));
    }
    let what = "chi_par and chi_perp of tanh, GELU and sin, and difference quotients and Gauss-Hermite sums";
    Ok(Comparison::digits(&["T02.6"], what, &predicted, &measured))
}

fn rectified_susceptibilities() -> Result<Comparison, LabError> {
    let layer = Layer::new(&named("relu"), C[0], C[1]);
    let open = by_angle(1.0, 0, |x| f64::from(u8::from(x > 0.0)));
    let half = by_angle(1.0, 1, |x| x.max(0.0));
    let predicted = [layer.chi_par(0.7)?, layer.chi_perp(0.7)?, layer.chi_par(40.0)?];
    let measured = [C[0] * half, C[0] * open, C[0] * half];
    let what =
        "both susceptibilities of ReLU, C_w / 2 at every variance, and integrals over the angle";
    Ok(Comparison::digits(&["T02.7"], what, &predicted, &measured))
}

/// `E_K tanh^2 < K` at every K: the averages over K, and how many obey.
fn saturation(sums: &Sums) -> Result<Comparison, LabError> {
    let averages = Averages::of(&named("tanh"));
    let ids = &["T02.8"];
    let ks: Vec<f64> = (0..=40).map(|i| libm::pow(10.0, -4.0 + 0.1 * f64::from(i))).collect();
    let mut predicted = Vec::new();
    for k in ks.iter().step_by(8) {
        predicted.push(averages.square(*k)? / k);
    }
    let ratio = |k: f64| sums.one(k, |z| libm::tanh(z) * libm::tanh(z)) / k;
    let measured: Vec<f64> = ks.iter().step_by(8).map(|k| ratio(*k)).collect();
    let what =
        "E tanh^2 over K at six variances from 1e-4 to 1, by quadrature and by Gauss-Hermite sums";
    let values = Comparison::digits(ids, what, &predicted, &measured);
    // Beyond, where the sums are too coarse, by trapezoids; x + x^3/10 lies above at every K.
    let wide = (-40..=40).map(|i| libm::pow(10.0, 0.1 * f64::from(i)));
    let above = named("x+x^3/10");
    let [below, other] = wide.fold([0.0; 2], |[tanh, other], k| {
        let small =
            |f: &dyn Fn(f64) -> f64| f64::from(u8::from(trapezoids(k, |z| f(z) * f(z)) < k));
        [tanh + small(&|z| libm::tanh(z)), other + small(&|z| above.value(z))]
    });
    let what = "of 81 variances from 1e-4 to 1e4 all have E tanh^2 below them and none E (x + x^3/10)^2, and counted by trapezoids";
    Ok(values.and(Comparison::digits(ids, what, &[81.0, 0.0], &[below, other])))
}

/// `chi_par - chi_perp = C_w E[s s'']`: negative for tanh at every K above 0, while others that vanish at the origin change sign.
fn gap(sums: &Sums) -> Result<Comparison, LabError> {
    let ids = &["T02.9"];
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for (name, k) in [("tanh", 0.1), ("tanh", 1.0), ("softplus", 1.0)] {
        let s = named(name);
        let layer = Layer::new(&s, C[0], C[1]);
        predicted.push(layer.chi_par(k)? - layer.chi_perp(k)?);
        measured.push(C[0] * sums.one(k, |z| s.value(z) * s.curve(z)));
    }
    let what = "difference of the susceptibilities of tanh and softplus, and C_w E[s s''] as a Gauss-Hermite sum with the second derivative";
    let gaps = Comparison::digits(ids, what, &predicted, &measured);
    // s s'' of x tanh(x) is even and 0 at the origin, like that of tanh.
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for name in ["gelu", "x*tanh(x)"] {
        let s = named(name);
        let k = critical(&s)?.k.unwrap_or(1.0);
        let layer = Layer::new(&s, C[0], C[1]);
        predicted.extend([layer.chi_par(0.5 * k)? - layer.chi_perp(0.5 * k)?, 0.0]);
        predicted.push(layer.chi_par(2.0 * k)? - layer.chi_perp(2.0 * k)?);
        let average = |k: f64| C[0] * trapezoids(k, |z| s.value(z) * s.curve(z));
        measured.extend([0.5, 1.0, 2.0].map(|factor| average(factor * k)));
    }
    let what = "the same of GELU and x tanh x at K*/2, K* and 2 K*, which vanishes at K* above 0 though s s'' of the second is even and 0 at the origin too, and trapezoids";
    Ok(gaps.and(Comparison::digits(ids, what, &predicted, &measured)))
}

/// The two lemmas, with kinks.
fn price(sums: &Sums) -> Result<Comparison, LabError> {
    let (relu, tanh) = (Averages::of(&named("relu")), Averages::of(&named("tanh")));
    let pair = Pair::correlated(1.0, 0.4);
    let predicted = [relu.slope_product(pair)?, tanh.slope_product(pair)?, tanh.growth(1.0)?];
    let measured = [
        slope(1e-3, |by| by_angle(0.4 + by, 1, |x| x.max(0.0))),
        slope(2e-3, |by| sums.two([1.0, 1.0, 0.4 + by], libm::tanh)),
        0.5 * sums.one(1.0, |z| {
            let t = libm::tanh(z);
            let slope = 1.0 - t * t;
            2.0 * slope * (slope - 2.0 * t * t)
        }),
    ];
    let what = "E[s's'] of ReLU and tanh and the difference quotient of E[s s] by the covariance; d E[tanh^2]/dK and half the mean second derivative";
    Ok(Comparison::digits(&["T02.19"], what, &predicted, &measured))
}
