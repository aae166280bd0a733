//! Derivatives of the recursion of variances and covariances (lectures, topic 2).

use super::averaged::{by_angle, product};
use super::prelude::*;
use fovea_theory::averages::{Averages, Pair};
use fovea_theory::critical::{Critical, critical};
use fovea_theory::criticality::{chi, kernel, solve};
use fovea_theory::layer::Layer;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "susceptibilities",
    summary: "Derivatives of the recursion of variances and covariances, and when they are one.",
    covers: &[
        "T02.5",
        "T02.6",
        "T02.7/slopes",
        "T02.7/kept",
        "T02.8",
        "T02.9/difference",
        "T02.9/tanh",
        "T02.17",
        "T02.19/heat",
        "T02.19/price",
    ],
    run,
};

/// `chi_par` and `chi_perp` of a layer at a variance.
type Chi = fn(&Layer, f64) -> Result<[f64; 2], FormError>;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let chi: Chi = effort.form(
        &chi::ENTRY,
        |layer, k| Ok([layer.chi_par(k)?, layer.chi_perp(k)?]),
        |layer, k| Ok([layer.chi_perp(k)?; 2]),
    );
    let half: Chi = |layer, k| Ok([0.5 * layer.chi_par(k)?, 0.5 * layer.chi_perp(k)?]);
    let chi = effort.slip("susceptibilities", "the factor 1/2 of chi_par twice", chi, half);
    let found: fn(Critical) -> [Option<f64>; 3] = effort.form(
        &solve::ENTRY,
        |found| [found.k, found.c_w, found.c_b],
        |found| [found.k, Some(2.0), Some(0.0)],
    );
    let [both, shared] = fixed_points(effort, chi, found)?;
    Ok(vec![
        both,
        shared,
        slopes(effort, chi)?,
        rectified(chi)?,
        kept(effort)?,
        saturation(effort)?,
        gap(chi)?,
        curvature(effort)?,
        heat(effort)?,
        price(effort)?,
    ])
}

/// Variance constant of the weights away from the critical point.
const C_W: f64 = 1.7;

/// Step of the trapezoids whose differences are taken.
const STEP: f64 = 0.1;

/// Derivatives of the variance behind a layer by that before it, and of the covariance where all three numbers are `k`.
fn quotients(name: &str, c_w: f64, k: f64) -> [f64; 2] {
    let s = named(name);
    let value = |z: f64| s.value(z);
    let own = slope(2e-3, |by| c_w * trapezoids(k + by, |z| value(z) * value(z)));
    // The covariance cannot exceed the variance: quotients from below, whose leading errors h^4 and h^5 are eliminated.
    let at = |h: f64| {
        let below = |steps: f64| c_w * product(value, (k, k - h * steps), STEP);
        let sum = 25.0 / 12.0 * below(0.0) - 4.0 * below(1.0) + 3.0 * below(2.0)
            - 4.0 / 3.0 * below(3.0)
            + 0.25 * below(4.0);
        sum / h
    };
    let h = 0.02 * k;
    let [a, b, c] = [at(h), at(0.5 * h), at(0.25 * h)];
    let [first, second] = [(16.0 * b - a) / 15.0, (16.0 * c - b) / 15.0];
    [own, (32.0 * second - first) / 31.0]
}

const ONE_SIDED: &str = "a quotient from one side";

/// Both derivatives are 1 at the critical points of GELU and SiLU.
fn fixed_points(
    effort: &Effort,
    chi: Chi,
    found: fn(Critical) -> [Option<f64>; 3],
) -> Result<[Comparison; 2], LabError> {
    let mut predicted = Vec::new();
    for name in ["gelu", "silu"] {
        let s = named(name);
        let [k, c_w, c_b] = found(critical(&s)?).map(|x| x.unwrap_or(f64::INFINITY));
        let [par, perp] = chi(&Layer::new(&s, c_w, c_b), k)?;
        predicted.extend([par, perp, c_b]);
    }
    let measured = effort.once("fixed points", || {
        let cases = [("gelu", 1.0, 8.0), ("silu", 5.0, 30.0)];
        Ok::<_, LabError>(
            cases
                .map(|(name, low, high)| {
                    let [k, c_w, c_b] = critical_by_sums(name, low, high);
                    let [par, perp] = quotients(name, c_w, k);
                    [par, perp, c_b]
                })
                .concat(),
        )
    })?;
    let what = "derivatives of K_aa' by K_aa and of K_ab' by K_ab at K_aa = K_bb = K_ab = K*, critical GELU and SiLU: susceptibilities at the solver's constants, both 1, and difference quotients of trapezoid sums at constants found by trapezoids; the solver's C_b, and that at which K* is a fixed point of the sums";
    let both = Comparison::digits(&["T02.5"], what, &predicted, &measured).within(1e-6, ONE_SIDED);
    let what = "derivative of K_ab' by K_ab at K_aa = K_bb = K_ab = K*, critical GELU and SiLU: chi_perp at the solver's constants, 1, and difference quotients from below of trapezoid sums at constants found by trapezoids (root of E[s s''], C_w = 1/E[s'^2])";
    let [predicted, measured] = [&predicted, &measured].map(|x| [x[1], x[4]]);
    let shared = Comparison::digits(&["T02.17"], what, &predicted, &measured)
        .within(1e-6, ONE_SIDED)
        .no_source("the condition is printed without its value")
        .and(kept_gap(effort, chi)?);
    Ok([both, shared])
}

/// Why 1: there a small gap between two inputs is kept over many layers, and at no other value of the derivative.
fn kept_gap(effort: &Effort, chi: Chi) -> Result<Comparison, LabError> {
    const LAYERS: i32 = 20;
    let s = named("gelu");
    let shares = [0.95, 1.0, 1.05];
    let found = effort.once("kept gap", || {
        let [k, critical, _] = critical_by_sums("gelu", 1.0, 8.0);
        // The variance stays constant at every C_w, by its own C_b.
        let square = product(|z| s.value(z), (k, k), STEP);
        let after = shares.map(|share| {
            let start = 1e-6 * k;
            let next = |gap: f64, _| {
                share * critical * (square - product(|z| s.value(z), (k, k - gap), STEP))
            };
            (0..LAYERS).fold(start, next) / start
        });
        Ok::<_, LabError>([&[k, critical, square], &after[..]].concat())
    })?;
    let [k, critical, square] = [found[0], found[1], found[2]];
    let (mut predicted, mut none) = (Vec::new(), Vec::new());
    for share in shares {
        let layer = Layer::new(&s, share * critical, k - share * critical * square);
        predicted.push(libm::pow(chi(&layer, k)?[1], f64::from(LAYERS)));
        none.push(1.0);
    }
    let what = "GELU at K*, C_w 0.95, 1 and 1.05 times the critical one, C_b such that K* is fixed: share of a gap K* - K_ab of a millionth of K* that remains after 20 layers, chi_perp to the 20th power, and trapezoid sums layer after layer";
    Ok(Comparison::digits(&["T02.17"], what, &predicted, &found[3..])
        .within(1e-4, "a gap that is not infinitesimal")
        .against("a gap that is kept at every derivative", &none))
}

fn slopes(effort: &Effort, chi: Chi) -> Result<Comparison, LabError> {
    let cases = [("tanh", 1.0), ("gelu", 2.0), ("sin", 0.5)];
    let mut predicted = Vec::new();
    for (name, k) in cases {
        predicted.extend(chi(&Layer::new(&named(name), C_W, 0.3), k)?);
    }
    let measured = effort.once("slopes", || {
        Ok::<_, LabError>(cases.map(|(name, k)| quotients(name, C_W, k)).concat())
    })?;
    let what = "chi_par and chi_perp of tanh at K = 1, GELU at 2 and sin at 0.5, C_w = 1.7: averages of derivatives, and difference quotients of the variance and of the covariance of two equal inputs behind the layer, trapezoid sums";
    Ok(Comparison::digits(&["T02.6"], what, &predicted, &measured).within(1e-6, ONE_SIDED))
}

/// Both susceptibilities of ReLU.
fn rectified(chi: Chi) -> Result<Comparison, LabError> {
    let layer = Layer::new(&named("relu"), C_W, 0.3);
    let open = by_angle(1.0, 0, |x| f64::from(u8::from(x > 0.0)));
    let half = by_angle(1.0, 1, |x| x.max(0.0));
    let predicted = [chi(&layer, 0.7)?, chi(&layer, 40.0)?].concat();
    let measured = [C_W * half, C_W * open].repeat(2);
    let what = "chi_par and chi_perp of ReLU at K = 0.7 and 40, C_w = 1.7: C_w / 2, and C_w times the mean square of the positive half of a normal and the chance of an open gate, by the angle";
    Ok(Comparison::digits(&["T02.7/slopes"], what, &predicted, &measured))
}

/// A layer of ReLU keeps every variance at the solver's constants.
fn kept(effort: &Effort) -> Result<Comparison, LabError> {
    let found = critical(&named("relu"))?;
    let right = [found.c_w, found.c_b].map(|x| x.unwrap_or(f64::INFINITY));
    let [c_w, c_b] =
        effort.slip("critical point of ReLU", "that of tanh, C_w = 1", right, [1.0, 0.0]);
    let ks = [0.01, 1.0, 50.0];
    let layer = Layer::new(&named("relu"), c_w, c_b);
    let mut predicted = Vec::new();
    for k in ks {
        predicted.push(layer.next(k)? / k);
    }
    let half = by_angle(1.0, 1, |x| x.max(0.0));
    let what = "variance behind a ReLU layer over that before it at K = 0.01, 1 and 50, the solver's C_w = 2 and C_b = 0: 1, and twice the integral over the angle";
    Ok(Comparison::digits(&["T02.7/kept"], what, &predicted, &[2.0 * half; 3]))
}

/// `E_K tanh^2 < K` at every K: the averages over K, and how many obey.
fn saturation(effort: &Effort) -> Result<Comparison, LabError> {
    let ids = &["T02.8"];
    let next: fn(&Layer, f64) -> Result<f64, FormError> =
        effort.form(&kernel::ENTRY, Layer::next, |layer, k| {
            Layer { c_b: layer.c_w, ..layer.clone() }.next(k)
        });
    let layer = Layer::new(&named("tanh"), 1.0, 0.0);
    let ks = [1e-4, 1e-3, 1e-2, 0.1, 1.0];
    let mut predicted = Vec::new();
    for k in ks {
        predicted.push(next(&layer, k)? / k);
    }
    let sums = Sums::new(120);
    let measured = ks.map(|k| sums.one(k, |z| libm::tanh(z) * libm::tanh(z)) / k);
    let what =
        "E tanh^2 over K at five variances from 1e-4 to 1, by quadrature and by Gauss-Hermite sums";
    let values = Comparison::digits(ids, what, &predicted, &measured);
    let tanh = named("tanh");
    let wide = (-40..=40).map(|i| libm::pow(10.0, 0.1 * f64::from(i)));
    let squares: Vec<[f64; 2]> =
        wide.map(|k| [k, trapezoids(k, |z| tanh.value(z) * tanh.value(z))]).collect();
    let below = |c_w: f64| squares.iter().filter(|[k, square]| c_w * square < *k).count();
    let what = "E tanh^2 < K at 81 variances from 1e-4 to 1e4, by trapezoids";
    let counted = Comparison::all(ids, what, (below(1.0), 81), 0.0)
        .enumerated()
        .against_cases("C_w = 1.01, where small variances grow", (below(1.01), 81));
    Ok(values.and(counted))
}

/// `chi_par - chi_perp = C_w E[s s'']`.
fn gap(chi: Chi) -> Result<Comparison, LabError> {
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for (name, k) in [("tanh", 0.1), ("tanh", 1.0), ("softplus", 1.0), ("gelu", 2.0)] {
        let s = named(name);
        let [par, perp] = chi(&Layer::new(&s, C_W, 0.3), k)?;
        predicted.push(par - perp);
        measured.push(C_W * trapezoids(k, |z| s.value(z) * s.curve(z)));
    }
    let what = "chi_par - chi_perp of tanh at K = 0.1 and 1, softplus at 1 and GELU at 2, C_w = 1.7: averages with first derivatives, and C_w E[s s''] by trapezoids with the second derivative";
    Ok(Comparison::digits(&["T02.9/difference"], what, &predicted, &measured))
}

/// `E[s s'']` of tanh is negative at every K above 0; that of `x tanh x`, even and 0 at the origin like it, is not.
fn curvature(effort: &Effort) -> Result<Comparison, LabError> {
    let [tanh, other] = effort.once("curvature", || {
        let below = |name: &str| {
            let s = named(name);
            let ks = (0..=60).map(|i| libm::pow(10.0, -3.0 + 0.1 * f64::from(i)));
            ks.filter(|k| trapezoids(*k, |z| s.value(z) * s.curve(z)) < 0.0).count()
        };
        Ok::<_, LabError>(["tanh", "x*tanh(x)"].map(below))
    })?;
    let what = "E[s s''] of tanh below 0 at 61 variances from 0.001 to 1000, by trapezoids";
    let counted =
        Comparison::all(&["T02.9/tanh"], what, (tanh, 61), 0.0).enumerated().against_cases(
            "x tanh x, whose s s'' is even and 0 at the origin too, but changes sign",
            (other, 61),
        );
    let twice = effort.slip("s s'' of tanh", "without the factor 2", 2.0, 1.0);
    let at = [-3.0, -0.2, 0.4, 1.5].map(|z| (z, libm::tanh(z)));
    let predicted = at.map(|(_, t)| -twice * t * t * (1.0 - t * t));
    let secant = |z: f64| 1.0 / libm::cosh(z);
    let measured = at.map(|(z, t)| t * slope(1e-3, |by| secant(z + by) * secant(z + by)));
    let what = "s s'' of tanh at -3, -0.2, 0.4 and 1.5: -2 tanh^2 sech^2, and tanh times a difference quotient of sech^2";
    Ok(counted.and(Comparison::digits(&["T02.9/tanh"], what, &predicted, &measured)))
}

/// `d E f / dK = E f'' / 2`, with kinks: `tanh^2`, `relu^2` and `|z|`.
fn heat(effort: &Effort) -> Result<Comparison, LabError> {
    let share = effort.slip("heat equation", "without the factor 1/2", 0.5, 1.0);
    let (sums, k) = (Sums::new(120), 1.3);
    let tanh = sums.one(k, |z| {
        let t = libm::tanh(z);
        let slope = 1.0 - t * t;
        2.0 * slope * (slope - 2.0 * t * t)
    });
    // The second derivative of relu^2 is 2 where the gate is open, that of |z| twice a unit mass at the origin.
    let predicted = [tanh, 1.0, 2.0 / (TAU * k).sqrt()].map(|second| share * second);
    let mean = |f: fn(f64) -> f64, k: f64| normal_expectation(|z| f(k.sqrt() * z), &[0.0]).value;
    let functions: [fn(f64) -> f64; 3] =
        [|z| libm::tanh(z) * libm::tanh(z), |z| z.max(0.0) * z.max(0.0), f64::abs];
    let measured = functions.map(|f| slope(2e-3, |by| mean(f, k + by)));
    let what = "dE[f]/dK of tanh^2, relu^2 and |z| at K = 1.3: half the mean of the second derivative, in the weak sense for the last two, and difference quotients of adaptive quadrature";
    Ok(Comparison::digits(&["T02.19/heat"], what, &predicted, &measured)
        .within(3e-8, "a difference quotient of adaptive quadrature"))
}

/// `d E[s s] / dK_ab = E[s' s']`, with a kink.
fn price(effort: &Effort) -> Result<Comparison, LabError> {
    let share = effort.slip(
        "derivative by the covariance",
        "with the factor 1/2 of the derivative by the variance",
        1.0,
        0.5,
    );
    let (relu, tanh) = (Averages::of(&named("relu")), Averages::of(&named("tanh")));
    let (k, ab) = (1.7, 0.68);
    let by_r = effort.slip("derivative by the covariance", "that by the correlation", 1.0, k);
    let pair = Pair { aa: k, bb: k, ab };
    let means = [relu.slope_product(pair)?, tanh.slope_product(pair)?];
    let predicted = means.map(|x| share * by_r * x);
    let measured = effort.once("price", || {
        let relu = slope(1e-3, |by| k * by_angle((ab + by) / k, 1, |x| x.max(0.0)));
        Ok::<_, LabError>([relu, slope(2e-3, |by| product(libm::tanh, (k, ab + by), STEP))])
    })?;
    let what = "E[s'(z_a) s'(z_b)] of ReLU and tanh at variances 1.7 and covariance 0.68: closed form and quadrature, and difference quotients of E[s s] by the covariance, by the angle or trapezoids";
    Ok(Comparison::digits(&["T02.19/price"], what, &predicted, &measured))
}
