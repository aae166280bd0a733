//! Many layers at critical points: powers of the depth (lectures, topic 2).

use super::dense::solve;
use super::prelude::*;
use fovea_theory::averages::Pair;
use fovea_theory::critical::critical;
use fovea_theory::criticality::recursion;
use fovea_theory::layer::Layer;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "depth-laws",
    summary: "Powers of the depth that variances and correlations follow at critical points.",
    covers: &[
        "T02.10/law",
        "T02.10/constant",
        "T02.11",
        "T02.13",
        "T02.14/ten",
        "T02.14/freezes",
        "T02.18",
    ],
    run,
};

/// A pair behind many layers.
type Behind = fn(&Layer, Pair, usize) -> Result<Pair, FormError>;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let behind: Behind =
        effort.form(&recursion::ENTRY, recursion::behind, |layer, pair, layers| {
            recursion::behind(layer, pair, layers + 1)
        });
    Ok(vec![
        tanh_decay(effort)?,
        tanh_constant(effort, behind)?,
        decay_of_a_class(effort)?,
        relu_drift(effort)?,
        frozen(behind)?,
        freezing(effort)?,
        no_exponential(effort)?,
    ])
}

/// Variances by layer from `k` on, by Gauss-Hermite sums.
fn variances(name: &str, c_w: f64, k: f64, layers: usize) -> Vec<f64> {
    let (s, sums) = (named(name), Sums::new(40));
    let mut all = vec![k];
    for l in 0..layers {
        all.push(c_w * sums.one(all[l], |z| s.value(z) * s.value(z)));
    }
    all
}

/// `A`, `B` and `c` of numbers `A l + B ln l + c + (d ln l + e)/l` at five depths, each twice the one before.
fn law(l: usize, at: impl Fn(usize) -> f64) -> [f64; 3] {
    let depths: Vec<usize> = (0..5).map(|i| l << i).collect();
    let row = |l: &usize| {
        let (depth, log) = (*l as f64, libm::log(*l as f64));
        vec![depth, log, 1.0, log / depth, 1.0 / depth]
    };
    let found = solve(depths.iter().map(row).collect(), depths.iter().map(|l| at(*l)).collect());
    [found[0], found[1], found[2]]
}

const LEFT: &str = "terms of order (ln(l)/l)^2 remain";

fn tanh_law(effort: &Effort) -> Result<[f64; 3], LabError> {
    effort.once("tanh", || {
        let k = variances("tanh", 1.0, 1.0, 16 * 4000);
        Ok::<_, LabError>(law(4000, |l| 1.0 / k[l]))
    })
}

/// `A` and `B` from two terms of `K' = K - a K^2 + b K^3`, so that `1/K' = 1/K + a + (a^2 - b) K`.
fn tanh_decay(effort: &Effort) -> Result<Comparison, LabError> {
    let cubic =
        effort.slip("decay of tanh", "without the cubic term of the recursion", 17.0 / 3.0, 0.0);
    let square = effort.slip("square term of tanh", "1, as for sin, instead of 2", 2.0, 1.0);
    let [a, b, _] = tanh_law(effort)?;
    let what = "A and B of 1/K_l = A l + B ln l + c + ..., critical tanh from K = 1: a and (a^2 - b)/a with K' = K - a K^2 + b K^3, a = 2, b = 17/3, which is 2 and -5/6, and five depths from 4000 to 64 000 layers of Gauss-Hermite sums";
    let predicted = [square, (square * square - cubic) / square];
    Ok(Comparison::digits(&["T02.10/law"], what, &predicted, &[a, b]).within(1e-5, LEFT))
}

/// The constant of the same expansion where l counts iterations after K = 1, from theory's recursion and from sums.
fn tanh_constant(effort: &Effort, behind: Behind) -> Result<Comparison, LabError> {
    let layer = Layer::new(&named("tanh"), 1.0, 0.0);
    let mut pair = Pair::twin(1.0);
    let mut path = vec![pair.aa];
    // In pieces of 100 layers, of which the first is counted by the form.
    for piece in 0..80 {
        let next = if piece == 0 { behind } else { recursion::behind };
        pair = next(&layer, pair, 100)?;
        path.push(pair.aa);
    }
    let of_path = |l: usize| 1.0 / path[l / 100];
    let [_, _, predicted] = law(500, of_path);
    let [_, _, measured] = tanh_law(effort)?;
    let what = "c of the same expansion with l the number of layers behind K = 1, 1.1104 (and 2 less, -0.8896, where the first layer is l = 1): 8000 layers of quadrature, and 64 000 of Gauss-Hermite sums";
    Ok(Comparison::digits(&["T02.10/constant"], what, &[predicted], &[measured]).within(2e-4, LEFT))
}

fn decay_of_a_class(effort: &Effort) -> Result<Comparison, LabError> {
    let names = ["sin", "erf-raw", "1.5*tanh(x)+x^2/(4+x^2)"];
    let mut right = Vec::new();
    for name in names {
        right.push(critical(&named(name))?.a.unwrap_or(0.0));
    }
    let predicted =
        effort.slip("a of K ~ 1/(a l)", "-s'''/s' alone, without s''", right, vec![1.0, 2.0, 2.0]);
    let measured = effort.once("class", || {
        Ok::<_, LabError>(names.map(|name| {
            let slope = named(name).slope(0.0);
            let k = variances(name, 1.0 / (slope * slope), 0.5, 16 * 1000);
            law(1000, |l| 1.0 / k[l])[0]
        }))
    })?;
    let what = "a of K_l ~ 1/(a l) from three derivatives at zero, sin, erf and 1.5 tanh(x) + x^2/(4 + x^2) at C_b = 0, C_w = 1/s'(0)^2, and the growth of 1/K_l by five depths from 1000 to 16 000 layers of Gauss-Hermite sums";
    Ok(Comparison::digits(&["T02.11"], what, &predicted, &measured).within(1e-6, LEFT))
}

/// `1 - r_l` of critical ReLU by plain iteration, by the angle, where nothing cancels.
fn distances(r: f64, layers: usize) -> Vec<f64> {
    let next = |u: f64| {
        let angle = 2.0 * libm::asin((0.5 * u).sqrt());
        let (sin, cos) = libm::sincos(angle);
        u - (sin - angle * cos) / PI
    };
    let mut all = vec![1.0 - r];
    for l in 0..layers {
        all.push(next(all[l]));
    }
    all
}

fn relu_drift(effort: &Effort) -> Result<Comparison, LabError> {
    let limit =
        effort.slip("limit of l^2 (1 - r_l)", "9 pi^2, half the angle's square left out", 4.5, 9.0);
    let measured = [-0.9, 0.0, 0.5].map(|r| {
        // 1/sqrt(1 - r_l) grows in the same way.
        let path = distances(r, 16 * 500);
        let [a, ..] = law(500, |l| 1.0 / path[l].sqrt());
        1.0 / (a * a)
    });
    let what = "limit of l^2 (1 - r_l) of critical ReLU, 9 pi^2/2, and five depths from 500 to 8000 layers of the map from correlations -0.9, 0 and 0.5";
    Ok(Comparison::digits(&["T02.13"], what, &[limit * PI * PI; 3], &measured).within(1e-5, LEFT))
}

fn frozen(behind: Behind) -> Result<Comparison, LabError> {
    let layer = Layer::new(&named("tanh"), 1.0, 0.0);
    let (s, sums) = (named("tanh"), Sums::new(80));
    let mut path = vec![[1.0, 0.2]];
    for l in 0..10 {
        path.push(sums.layer(&s, [1.0, 0.0], path[l]));
    }
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for l in [3, 6, 10] {
        predicted.push(behind(&layer, Pair::correlated(1.0, 0.2), l)?.correlation());
        measured.push(path[l][1] / path[l][0]);
    }
    let what = "correlation of two inputs, 0.2 at K = 1, after 3, 6 and 10 critical tanh layers (0.1789, 0.1756, 0.1740): nested quadrature, and Gauss-Hermite sums";
    Ok(Comparison::digits(&["T02.14/ten"], what, &predicted, &measured))
}

/// The distance to the frozen correlation r falls as r (1 - r^2)/(6 l).
fn freezing(effort: &Effort) -> Result<Comparison, LabError> {
    // A layer subtracts (2/3) K^2 r (1 - r^2), from three terms of tanh.
    let scale = effort.slip("variance of critical tanh", "1/l instead of 1/(2 l)", 0.5, 1.0);
    let measured = effort.once("freezing", || {
        let (s, sums, l) = (named("tanh"), Sums::new(40), 50);
        let mut path = vec![[1.0, 0.2]];
        for i in 0..16 * l {
            path.push(sums.layer(&s, [1.0, 0.0], path[i]));
        }
        let r: Vec<f64> = path.iter().map(|[k, ab]| ab / k).collect();
        let end = (4.0 * r[16 * l] - r[4 * l]) / 3.0;
        let at = |l: usize| 4.0 / 3.0 * l as f64 * (r[l] - r[4 * l]);
        // Terms ln(l)/l and 1/l are eliminated.
        let [a, b, c] = [at(l), at(2 * l), at(4 * l)];
        let way = 2.0 * (2.0 * c - b) - (2.0 * b - a);
        Ok::<_, LabError>(way / (end * (1.0 - end * end)))
    })?;
    let what = "r_l - r_end of the same two inputs times l/(r_end (1 - r_end^2)): 1/6 where K_ab and K_aa fall at the same rate and K = 1/(2 l), and 800 layers of Gauss-Hermite sums";
    let predicted = 2.0 / 3.0 * scale * scale;
    Ok(Comparison::digits(&["T02.14/freezes"], what, &[predicted], &[measured])
        .within(2e-4, "terms of order ln(l)/l^2 remain at the deepest layer"))
}

/// The distances of two inputs fall as powers, not exponentially: the correlation drifts for ReLU, the variances fall for tanh.
fn no_exponential(effort: &Effort) -> Result<Comparison, LabError> {
    let power = effort.slip("exponent of 1 - r_l", "-1, as for the variance of tanh", -2.0, -1.0);
    let measured = [-0.5, 0.3, 0.9].map(|r| {
        let path = distances(r, 64_000);
        let exponent = |l: usize| libm::log(path[2 * l] / path[l]) / libm::log(2.0);
        let [a, b, c] = [8000, 16_000, 32_000].map(exponent);
        // Terms ln(l)/l and 1/l are eliminated.
        2.0 * (2.0 * c - b) - (2.0 * b - a)
    });
    let what = "exponent of 1 - r_l in the depth, critical ReLU from correlations -0.5, 0.3 and 0.9: -2 (under an exponential it would fall without bound), and 64 000 layers of the map";
    let relu = Comparison::digits(&["T02.18"], what, &[power; 3], &measured).within(1e-4, LEFT);
    let of_tanh = effort.slip("exponent of a squared distance", "-2, as for ReLU", -1.0, -2.0);
    let found = effort.once("apart", || {
        let (s, sums, l) = (named("tanh"), Sums::new(40), 50);
        let (mut pair, mut apart) = ([1.0, 0.9], vec![0.2]);
        for _ in 0..8 * l {
            pair = sums.layer(&s, [1.0, 0.0], pair);
            apart.push(2.0 * (pair[0] - pair[1]));
        }
        let exponent = |l: usize| libm::log2(apart[2 * l] / apart[l]);
        let [a, b, c] = [exponent(l), exponent(2 * l), exponent(4 * l)];
        Ok::<_, LabError>(2.0 * (2.0 * c - b) - (2.0 * b - a))
    })?;
    let what = "exponent in the depth of the squared distance of two preactivations, critical tanh from K = 1 and correlation 0.9: -1, as for the variance, and 400 layers of Gauss-Hermite sums";
    let tanh = Comparison::digits(&["T02.18"], what, &[of_tanh], &[found]);
    Ok(relu.and(tanh.within(1e-3, LEFT)))
}
