//! How variances and covariances pass through layers (lectures, topics 1 and 2).

use super::averaged::{by_angle, product};
use super::drawn_gradients::behind_one_layer;
use super::prelude::*;
use fovea_sim::mlp::Shape;
use fovea_theory::averages::{Averages, Pair};
use fovea_theory::critical::{Critical, critical};
use fovea_theory::criticality::{kernel, recursion, solve};
use fovea_theory::layer::Layer;
use fovea_theory::nngp::covariance::first;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "layer-recursion",
    summary: "Variances and covariances behind layers of infinite width.",
    covers: &[
        "T01.4/first",
        "T01.4/layer",
        "T01.6/relu",
        "T01.6/solved",
        "T01.10",
        "T02.2/layer",
        "T02.2/critical",
        "T02.3/recursion",
        "T02.4/layer",
        "T02.4/depth",
    ],
    run,
};

/// Constants of the layer, and two inputs.
const C: [f64; 2] = [1.7, 0.3];
const PAIR: Pair = Pair { aa: 1.2, bb: 0.8, ab: 0.5 };

/// Theory's forms, or their slips.
#[derive(Clone, Copy)]
struct Forms {
    /// A pair behind one layer.
    next: fn(&Layer, Pair) -> Result<Pair, FormError>,
    /// A pair behind many.
    behind: fn(&Layer, Pair, usize) -> Result<Pair, FormError>,
}

fn one_letter(layer: &Layer) -> Layer {
    Layer { c_b: layer.c_w, ..layer.clone() }
}

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let sums = Sums::new(120);
    let forms = Forms {
        next: effort.form(&kernel::ENTRY, Layer::next_pair, |layer, pair| {
            one_letter(layer).next_pair(pair)
        }),
        behind: effort.form(&recursion::ENTRY, recursion::behind, |layer, pair, layers| {
            recursion::behind(layer, pair, layers + 1)
        }),
    };
    Ok(vec![
        overlap(effort),
        covariance(&sums, forms)?.and(behind_one_layer(effort, &["T01.4/layer"], C, forms.next)?),
        growth(forms)?,
        solved(effort, forms)?,
        density(effort)?,
        linear(&sums, forms)?,
        linear_critical(&sums, forms)?,
        linear_depth(&sums, forms)?,
        rectified(forms)?,
        rectified_depth(effort, forms)?,
    ])
}

/// A layer and inputs, and the covariance of the first preactivations.
type First = fn(&Layer, &[Vec<f64>]) -> Vec<Vec<f64>>;

/// `K^(1)` of two inputs: first preactivations are linear in unit normals, so their covariance is the product of their gradients.
fn overlap(effort: &Effort) -> Comparison {
    let x = [1.0, 0.4, -0.3, 0.2, 1.1, 0.6];
    let rows: Vec<Vec<f64>> = x.chunks(3).map(<[f64]>::to_vec).collect();
    let layer = Layer::new(&named("identity"), C[0], C[1]);
    let of: First = effort.slip(
        "covariance of the first preactivations",
        "without the factor 1/n_0",
        first,
        |layer, rows| {
            let n = rows[0].len() as f64;
            first(&Layer { c_w: n * layer.c_w, ..layer.clone() }, rows)
        },
    );
    let flat = |k: Vec<Vec<f64>>| [k[0][0], k[0][1], k[1][1]];
    let shape = Shape {
        n_in: 3,
        widths: Vec::new(),
        activation: named("identity"),
        c_w: C[0],
        c_b: C[1],
        ..Shape::default()
    };
    let mlp = shape.draw(&effort.streams);
    let theta = mlp.tangent(&mlp.forward(&x), 0);
    let what = "covariance of a first preactivation at two inputs of three numbers, C_w = 1.7, C_b = 0.3: C_b + (C_w/n_0) x_a.x_b, and the products of its gradients by unit normal weights and biases, backpropagated in a random network";
    let predicted = flat(of(&layer, &rows));
    Comparison::digits(&["T01.4/first"], what, &predicted, &[theta[0], theta[1], theta[3]])
        .source(&flat(first(&one_letter(&layer), &rows)))
}

/// `K'_ab` of ReLU, erf and tanh.
fn covariance(sums: &Sums, forms: Forms) -> Result<Comparison, LabError> {
    let names = ["relu", "erf-raw", "tanh"];
    let mut predicted = Vec::new();
    let mut source = Vec::new();
    for name in names {
        let layer = Layer::new(&named(name), C[0], C[1]);
        predicted.push((forms.next)(&layer, PAIR)?.ab);
        source.push(one_letter(&layer).next_pair(PAIR)?.ab);
    }
    let size = (PAIR.aa * PAIR.bb).sqrt();
    let relu = size * by_angle(PAIR.ab / size, 1, |x| x.max(0.0));
    let smooth = |name: &str| {
        let s = named(name);
        sums.two([PAIR.aa, PAIR.bb, PAIR.ab], |z| s.value(z))
    };
    let averages = [relu, smooth("erf-raw"), smooth("tanh")];
    let measured = averages.map(|average| C[1] + C[0] * average);
    let what = "covariance behind a layer of ReLU, erf and tanh units, C_w = 1.7, C_b = 0.3, variances 1.2 and 0.8, covariance 0.5: closed forms (ReLU, erf) or nested quadrature (tanh), and integrals over the angle (ReLU) or Gauss-Hermite sums";
    Ok(Comparison::digits(&["T01.4/layer"], what, &predicted, &measured).source(&source))
}

/// Variance and covariance of two inputs over ten ReLU layers below, at and above criticality.
fn growth(forms: Forms) -> Result<Comparison, LabError> {
    let weights = [1.8, 2.0, 2.2];
    let mut predicted = Vec::new();
    for c_w in weights {
        let layer = Layer::new(&named("relu"), c_w, 0.0);
        let end = (forms.behind)(&layer, Pair::correlated(1.0, 0.5), 10)?;
        predicted.extend([end.aa, end.ab]);
    }
    let rectified = |r: f64| by_angle(r, 1, |x| x.max(0.0));
    let half = rectified(1.0);
    // The correlation does not depend on the variance of the weights.
    let r = (0..10).fold(0.5, |r, _| rectified(r) / half);
    let measured = weights.map(|c_w| libm::pow(c_w * half, 10.0)).map(|k| [k, k * r]).concat();
    let what = "variance and covariance of two inputs after ten ReLU layers from 1 and 0.5, C_b = 0, C_w = 1.8 (vanishing), 2 (variance kept, covariance to 0.898) and 2.2 (exploding): the recursion, and powers of the mean square of the positive half of a normal, times a correlation passed through the layers by integrals over the angle";
    Ok(Comparison::digits(&["T01.6/relu"], what, &predicted, &measured))
}

/// The constants of the solver keep the variance over a hundred layers.
fn solved(effort: &Effort, forms: Forms) -> Result<Comparison, LabError> {
    let found: fn(Critical) -> [Option<f64>; 3] = effort.form(
        &solve::ENTRY,
        |found| [found.k, found.c_w, found.c_b],
        |found| [found.k, Some(2.0), Some(0.0)],
    );
    let depths = [1, 10];
    let mut predicted = Vec::new();
    for name in ["gelu", "silu"] {
        let s = named(name);
        let [k, c_w, c_b] = found(critical(&s)?).map(|x| x.unwrap_or(f64::INFINITY));
        let layer = Layer::new(&s, c_w, c_b);
        for depth in depths {
            let behind = (forms.behind)(&layer, Pair::correlated(k, 0.5), depth)?;
            predicted.extend([behind.aa / k, behind.ab / k]);
        }
        predicted.push((forms.behind)(&layer, Pair::twin(k), 100)?.aa / k);
    }
    let measured = effort.once("solved", || {
        let cases = [("gelu", 1.0, 8.0), ("silu", 5.0, 30.0)];
        let paths = cases.map(|(name, low, high)| {
            let (s, [start, c_w, c_b]) = (named(name), critical_by_sums(name, low, high));
            let square = |k: f64| c_b + c_w * trapezoids(k, |z| s.value(z) * s.value(z));
            let (mut k, mut ab, mut path) = (start, 0.5 * start, Vec::new());
            for l in 1..=100 {
                if l <= 10 {
                    ab = c_b + c_w * product(|z| s.value(z), (k, ab), 0.1);
                }
                k = square(k);
                if depths.contains(&l) {
                    path.extend([k / start, ab / start]);
                }
            }
            path.push(k / start);
            path
        });
        Ok::<_, LabError>(paths.concat())
    })?;
    let what = "variance and covariance over K* of two inputs after 1 and 10 layers of GELU and of SiLU units, and the variance after 100, from K* and correlation 0.5: the recursion with the solver's C_w and C_b, and trapezoids with constants found by trapezoids";
    Ok(Comparison::digits(&["T01.6/solved"], what, &predicted, &measured).within(
        1e-8,
        "differences of nearly equal averages determine the constants, and errors add up over a hundred layers",
    ))
}

/// Step of the trapezoids.
const STEP: f64 = 0.01;

/// The average over the density of the pair, where it has one, and along one preactivation, where it has none.
fn density(effort: &Effort) -> Result<Comparison, LabError> {
    let s = named("tanh");
    let own: fn(f64) -> f64 = effort.slip(
        "split into a shared and an independent part",
        "1 - r^2 instead of its root",
        |r| (1.0 - r * r).sqrt(),
        |r| 1.0 - r * r,
    );
    let points: Vec<f64> = (-85..=85).map(|i| 0.1 * f64::from(i)).collect();
    let mean = |of: &dyn Fn(f64) -> f64| -> f64 {
        points.iter().map(|u| 0.1 * normal_pdf(*u) * of(*u)).sum()
    };
    let split = |([aa, bb], r): ([f64; 2], f64)| {
        let other = |u: f64| mean(&|v| s.value(bb.sqrt() * (r * u + own(r) * v)));
        mean(&|u| s.value(aa.sqrt() * u) * other(u))
    };
    let cases = [([1.0, 1.0], 0.2), ([1.0, 1.0], 0.5), ([1.0, 1.0], 0.9), ([1.2, 0.8], 0.5)];
    let all = || cases.into_iter().chain([([1.0, 1.0], 1.0)]);
    let averages = Averages::of(&s);
    let known = all().map(|([aa, bb], r): ([f64; 2], f64)| {
        averages.product(Pair { aa, bb, ab: r * (aa * bb).sqrt() })
    });
    let known: Vec<f64> = known.collect::<Result<_, _>>()?;
    let predicted: Vec<f64> = all().map(split).collect();
    let sum =
        |f: &dyn Fn(f64) -> f64| (-900..=900).map(|i| f(f64::from(i) * STEP)).sum::<f64>() * STEP;
    let with_density = |([aa, bb], r): ([f64; 2], f64)| {
        let (ab, det) = (r * (aa * bb).sqrt(), aa * bb * (1.0 - r * r));
        let norm = 1.0 / (TAU * det.sqrt());
        let coarse = 8.0 * STEP;
        let mut total = 0.0;
        for i in -112..=112 {
            for j in -112..=112 {
                let (x, y) = (f64::from(i) * coarse, f64::from(j) * coarse);
                let exponent = -(bb * x * x - 2.0 * ab * x * y + aa * y * y) / (2.0 * det);
                total += s.value(x) * s.value(y) * libm::exp(exponent);
            }
        }
        norm * coarse * coarse * total
    };
    let mut measured: Vec<f64> = cases.into_iter().map(with_density).collect();
    measured.push(sum(&|x| s.value(x) * s.value(x) * libm::exp(-0.5 * x * x)) / TAU.sqrt());
    let what = "E tanh(z_a) tanh(z_b) by the split z_b = sqrt(K_bb/K_aa) r z_a + sqrt(K_bb (1 - r^2)) e, trapezoids in z_a and e, and by trapezoids over the density with the inverse covariance: variances 1 and 1 at correlations r = 0.2, 0.5 and 0.9, variances 1.2 and 0.8 at r = 0.5; and at variances 1 and 1 along one preactivation at r = 1, where the covariance is singular";
    let by_split = Comparison::digits(&["T01.10"], what, &predicted, &measured);
    let what =
        "theory's average (Hermite series, nested quadrature or one preactivation) of the same";
    Ok(by_split.and(Comparison::digits(&["T01.10"], what, &known, &measured)))
}

/// Deep linear networks; the source writes tanh.
fn linear(sums: &Sums, forms: Forms) -> Result<Comparison, LabError> {
    let pair = (forms.next)(&Layer::new(&named("identity"), C[0], C[1]), PAIR)?;
    let product = sums.two([PAIR.aa, PAIR.bb, PAIR.ab], |z| z);
    let measured = [C[1] + C[0] * sums.one(PAIR.aa, |z| z * z), C[1] + C[0] * product];
    let tanh = Layer::new(&named("tanh"), C[0], C[1]).next_pair(PAIR)?;
    let what = "variance and covariance behind a linear layer, C_w = 1.7, C_b = 0.3: C_b + C_w K, and Gauss-Hermite sums";
    Ok(Comparison::digits(&["T02.2/layer"], what, &[pair.aa, pair.ab], &measured)
        .source(&[tanh.aa, tanh.ab]))
}

/// Of five settings only `C_w = 1`, `C_b = 0` keeps both numbers over thirty linear layers.
fn linear_critical(sums: &Sums, forms: Forms) -> Result<Comparison, LabError> {
    // The last keeps only the variance.
    let settings = [[1.0, 0.0], [1.05, 0.0], [0.95, 0.0], [1.0, 0.1], [0.95, 0.06]];
    let (mut predicted, mut measured, mut source) = (Vec::new(), Vec::new(), Vec::new());
    for c in settings {
        let start = Pair::correlated(1.2, 0.4);
        let behind = (forms.behind)(&Layer::new(&named("identity"), c[0], c[1]), start, 30)?;
        predicted.extend([behind.aa, behind.ab]);
        let tanh = recursion::behind(&Layer::new(&named("tanh"), c[0], c[1]), start, 30)?;
        source.extend([tanh.aa, tanh.ab]);
        let s = named("identity");
        let end = (0..30).fold([start.aa, start.ab], |pair, _| sums.layer(&s, c, pair));
        measured.extend(end);
    }
    let what = "variance and covariance after 30 linear layers from 1.2 and 0.48, both kept at C_w = 1, C_b = 0, neither at C_w = 1.05 or 0.95 with C_b = 0 or at C_w = 1, C_b = 0.1, the variance alone at C_w = 0.95, C_b = 0.06: the recursion, and Gauss-Hermite sums";
    Ok(Comparison::digits(&["T02.2/critical"], what, &predicted, &measured).source(&source))
}

/// One factor of the weights per layer, not two, below, at and above 1.
fn linear_depth(sums: &Sums, forms: Forms) -> Result<Comparison, LabError> {
    let s = named("identity");
    let (mut predicted, mut measured, mut source) = (Vec::new(), Vec::new(), Vec::new());
    for c_w in [0.8, 1.0, 1.3] {
        let (layer, start) = (Layer::new(&s, c_w, 0.0), Pair::correlated(0.7, 0.4));
        let mut now = [start.aa, start.ab];
        for l in 1..=6 {
            let behind = (forms.behind)(&layer, start, l)?;
            predicted.extend([behind.aa, behind.ab]);
            now = sums.layer(&s, [c_w, 0.0], now);
            measured.extend(now);
            source.extend([start.aa, start.ab].map(|k| k * libm::pow(c_w, 2.0 * l as f64)));
        }
    }
    let what = "variance and covariance of two inputs behind one to six further layers of a deep linear network, C_b = 0, C_w = 0.8, 1 and 1.3, from 0.7 and 0.28: the recursion, and Gauss-Hermite sums of products";
    Ok(Comparison::digits(&["T02.3/recursion"], what, &predicted, &measured).source(&source))
}

fn rectified(forms: Forms) -> Result<Comparison, LabError> {
    let layer = Layer::new(&named("relu"), C[0], C[1]);
    let half = by_angle(1.0, 1, |x| x.max(0.0));
    let ks = [0.2, 1.0, 9.0];
    let mut predicted = Vec::new();
    for k in ks {
        predicted.push((forms.next)(&layer, Pair::correlated(k, 0.5))?.aa);
    }
    let measured = ks.map(|k| C[1] + C[0] * k * half);
    let what = "variance behind a ReLU layer, C_w = 1.7, C_b = 0.3, K = 0.2, 1 and 9: C_b + C_w K / 2, and the integral over the angle";
    Ok(Comparison::digits(&["T02.4/layer"], what, &predicted, &measured))
}

/// He initialization keeps every variance.
fn rectified_depth(effort: &Effort, forms: Forms) -> Result<Comparison, LabError> {
    let c_w = effort.slip("critical weights of ReLU", "C_w = 1, as for linear units", 2.0, 1.0);
    let layer = Layer::new(&named("relu"), c_w, 0.0);
    let mut predicted = Vec::new();
    for k in [0.1, 1.0, 30.0] {
        predicted.push((forms.behind)(&layer, Pair::twin(k), 50)?.aa / k);
    }
    let half = by_angle(1.0, 1, |x| x.max(0.0));
    let what = "variance over that at the start after 50 ReLU layers, C_w = 2, C_b = 0, from 0.1, 1 and 30: the recursion, and powers of the integral over the angle";
    Ok(Comparison::digits(&["T02.4/depth"], what, &predicted, &[libm::pow(2.0 * half, 50.0); 3]))
}
