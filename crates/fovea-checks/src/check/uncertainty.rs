//! Uncertainty of fields on the line: real Gabors, cosine-sine pairs, and Heisenberg's inequality (note 003, "Uncertainty principle").

use super::prelude::*;
use fovea_theory::uncertainty::gaussian::{self, gaussian};
use fovea_theory::uncertainty::real_gabor::{self, real_gabor};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "uncertainty",
    summary: "Spreads of time and frequency on the line: real Gabors, cosine-sine pairs, Gaussians and other fields.",
    covers: &[
        "L003.26/real",
        "L003.26/one-sided",
        "L003.63/real",
        "L003.64/gaussians",
        "L003.64/others",
    ],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    // In cycles the smallest product is 1/(4 pi).
    let least: fn(f64, f64) -> f64 = effort.form(
        &gaussian::ENTRY,
        |s, c| gaussian(s, c).product(),
        |s, c| gaussian(s, c).product() / TAU,
    );
    Ok(vec![real_fields(effort), pairs(least), gaussians(effort, least), others()])
}

/// The product of the spreads of a real Gabor, its frequency spread from the spectrum itself.
fn real_fields(effort: &Effort) -> Comparison {
    let product: fn(f64) -> f64 = effort.form(&real_gabor::ENTRY, real_gabor, |_| 0.5);
    let cases = [(1.0, 0.0), (2.0, 0.125), (0.5, 1.0), (1.0, 1.0), (0.4, 5.0)];
    let measured = cases.map(|(s, k)| {
        let field = |t: f64| libm::exp(-0.25 * t * t / (s * s)) * libm::cos(k * t);
        // The transform of exp(-t^2/4s^2) cos kt is a Gaussian of deviation 1/(s sqrt 2) around each of k and -k.
        let peak = |w: f64| libm::exp(-s * s * w * w);
        let spectrum = |w: f64| peak(w - k) + peak(w + k);
        second_moment(field, 14.0 * s).sqrt() * second_moment(spectrum, 12.0 / s + k).sqrt()
    });
    let predicted = cases.map(|(s, k)| product(k * k * s * s));
    let what = "s_t s_w of exp(-t^2/4s^2) cos kt at (s, k) = (1, 0), (2, 1/8), (1/2, 1), (1, 1), (2/5, 5): closed form, 1/2 at k = 0 alone, and integrals of the squared field and its squared transform";
    Comparison::digits(&["L003.26/real"], what, &predicted, &measured).source(&[0.5; 5])
}

/// The mean of the square of the argument under the squared function.
fn second_moment(f: impl Fn(f64) -> f64, reach: f64) -> f64 {
    let square = |x: f64| f(x) * f(x);
    let over =
        |g: &dyn Fn(f64) -> f64| adaptive_split(g, &[-reach, -1.0, 0.0, 1.0, reach], 1e-13).value;
    over(&|x| x * x * square(x)) / over(&square)
}

/// A cosine and a sine together reach one half.
fn pairs(least: fn(f64, f64) -> f64) -> Comparison {
    let all = [(1.0, 0.5), (0.4, 3.0), (2.0, 1.5)];
    let measured = all.map(|(s, k)| complex_product(s, [0.0, k, 0.0]));
    let alone = all.map(|(s, k)| real_gabor(k * k * s * s));
    let what = "s_t s_w of exp(-t^2/4s^2) (cos kt + i sin kt), one half, at (s, k) = (1, 0.5), (0.4, 3), (2, 1.5), and integrals of the squared field and its squared slope";
    let predicted = all.map(|(s, _)| least(s, 0.0));
    Comparison::digits(&["L003.26/one-sided", "L003.63/real"], what, &predicted, &measured)
        .against("the product of the cosine alone", &alone)
}

/// The product of the spreads of `exp(-(1 + ic) (t - t0)^2/4s^2 + i k t)`, the frequency from the slopes of both parts.
fn complex_product(s: f64, [c, k, t0]: [f64; 3]) -> f64 {
    let window = |t: f64| libm::exp(-0.25 * (t - t0) * (t - t0) / (s * s));
    let waves = |t: f64| libm::sincos(k * t - 0.25 * c * (t - t0) * (t - t0) / (s * s));
    let over = |f: &dyn Fn(f64) -> f64| adaptive(f, t0 - 13.0 * s, t0 + 13.0 * s, 1e-13).value;
    let norm = over(&|t| window(t) * window(t));
    let centre = over(&|t| t * window(t) * window(t)) / norm;
    let time = over(&|t| (t - centre) * (t - centre) * window(t) * window(t)) / norm;
    let slopes = |t: f64| {
        let (sin, cos) = waves(t);
        let (fall, turn) = (-0.5 * (t - t0) / (s * s), k - 0.5 * c * (t - t0) / (s * s));
        [window(t) * (fall * cos - turn * sin), window(t) * (fall * sin + turn * cos)]
    };
    let square = over(&|t| {
        let [re, im] = slopes(t);
        re * re + im * im
    }) / norm;
    // The mean frequency is the mean of Im(conj(f) f').
    let mean = over(&|t| {
        let ([re, im], (sin, cos)) = (slopes(t), waves(t));
        window(t) * (cos * im - sin * re)
    }) / norm;
    (time * (square - mean * mean)).sqrt()
}

/// Gaussians at other places and times plane waves, chirped ones, and Hermite functions, of which the first is a Gaussian.
fn gaussians(effort: &Effort, least: fn(f64, f64) -> f64) -> Comparison {
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    let cases = [
        (1.0, [0.0, 0.0, 0.0]),
        (0.5, [0.0, 2.0, -1.5]),
        (0.5, [1.0, -3.0, 0.7]),
        (3.0, [-2.0, 0.4, 2.0]),
    ];
    for (s, [c, k, t0]) in cases {
        predicted.push(least(s, c));
        measured.push(complex_product(s, [c, k, t0]));
    }
    let rest = effort.slip("product of the j-th Hermite function", "j + 1", 0.5, 1.0);
    // exp(-t^2/4) He_j(t), and its slope from He_j' = j He_(j-1).
    let hermite: [[f64; 4]; 4] =
        [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 1.0, 0.0], [0.0, -3.0, 0.0, 1.0]];
    for (j, powers) in hermite.iter().enumerate() {
        predicted.push(j as f64 + rest);
        measured.push(product(powers));
    }
    let what = "s_t s_w = sqrt(1 + c^2)/2 of Gaussians of width 1, 1/2, 1/2, 3 chirped by c = 0, 0, 1, -2, all except the first shifted and times a plane wave, and j + 1/2 of the Hermite functions j = 0 to 3, and integrals of the squared field and its squared slope";
    Comparison::digits(&["L003.64/gaussians"], what, &predicted, &measured)
}

/// Fields that are not Gaussian lie above one half.
fn others() -> Comparison {
    const CLEAR: f64 = 1e-6;
    let exceeds = |powers: &[f64; 4]| product(powers) > 0.5 + CLEAR;
    let steps = [-0.3, 0.0, 0.4];
    let grid = || steps.iter().flat_map(|a| steps.iter().map(move |b| (*a, *b)));
    let all: Vec<[f64; 4]> = grid()
        .flat_map(|(a, b)| steps.map(|c| [1.0, a, b, c]))
        .filter(|p| p[1..] != [0.0; 3])
        .collect();
    let count = |fields: &[[f64; 4]]| (fields.iter().filter(|p| exceeds(p)).count(), fields.len());
    let what = "fields exp(-t^2/4) (1 + a t + b t^2 + c t^3), a, b, c of -0.3, 0 and 0.4, not all 0: those with s_t s_w above 1/2 by more than 1e-6, by integrals of the squared field and its squared slope; a number without meaning would be exceeded by one in two";
    Comparison::all(&["L003.64/others"], what, count(&all), 0.5)
        .against_cases(
            "Gaussians exp(-t^2/4), of three heights",
            count(&[1.0, 0.2, -3.0].map(|h| [h, 0.0, 0.0, 0.0])),
        )
        .enumerated()
}

/// The product of the spreads of `exp(-t^2/4)` times a polynomial with these coefficients.
fn product(powers: &[f64; 4]) -> f64 {
    let [a, b, c, d] = *powers;
    let window = |t: f64| libm::exp(-0.25 * t * t);
    let field = |t: f64| window(t) * (a + t * (b + t * (c + t * d)));
    let slope = |t: f64| window(t) * (b + t * (2.0 * c + 3.0 * t * d)) - 0.5 * t * field(t);
    let over =
        |g: &dyn Fn(f64) -> f64| adaptive_split(g, &[-16.0, -3.0, 0.0, 3.0, 16.0], 1e-12).value;
    let norm = over(&|t| field(t) * field(t));
    let mean = over(&|t| t * field(t) * field(t)) / norm;
    let time = over(&|t| (t - mean) * (t - mean) * field(t) * field(t)) / norm;
    (time * over(&|t| slope(t) * slope(t)) / norm).sqrt()
}
