//! Uncertainty of fields on the line: real Gabors, cosine-sine pairs, and Heisenberg's inequality (note 003, "Uncertainty principle").

use super::prelude::*;
use fovea_theory::uncertainty::gaussian::{self, gaussian};
use fovea_theory::uncertainty::real_gabor::{self, real_gabor};

/// The row of this check.
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
    // In cycles the least product is 1/(4 pi).
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
    let kappas = [0.0, 0.0625, 0.25, 1.0, 4.0];
    let measured = kappas.map(|kappa| {
        let k = f64::sqrt(kappa);
        let field = |t: f64| libm::exp(-0.25 * t * t) * libm::cos(k * t);
        // The transform of exp(-t^2/4) cos kt is a Gaussian of unit width around each of k and -k.
        let spectrum = |w: f64| libm::exp(-(w - k) * (w - k)) + libm::exp(-(w + k) * (w + k));
        second_moment(field, 14.0).sqrt() * second_moment(spectrum, 12.0 + k).sqrt()
    });
    let what = "s_t s_w of exp(-t^2/4s^2) cos kt at s = 1, k^2 = 0, 1/16, 1/4, 1, 4: closed form, 1/2 at 0 alone, and integrals of the squared field and its squared transform";
    Comparison::digits(&["L003.26/real"], what, &kappas.map(product), &measured).source(&[0.5; 5])
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
    let measured = all.map(|(s, k)| pair_product(s, k));
    let alone = all.map(|(s, k)| real_gabor(k * k * s * s));
    let what = "s_t s_w of exp(-t^2/4s^2) (cos kt + i sin kt), one half, at (s, k) = (1, 0.5), (0.4, 3), (2, 1.5), and integrals of the squared field and its squared slope";
    let predicted = all.map(|(s, _)| least(s, 0.0));
    Comparison::digits(&["L003.26/one-sided", "L003.63/real"], what, &predicted, &measured)
        .against("the product of the cosine alone", &alone)
}

/// The product of the spreads of `exp(-t^2/4s^2) (cos kt + i sin kt)`, the frequency from the slopes of both parts.
fn pair_product(s: f64, k: f64) -> f64 {
    let window = |t: f64| libm::exp(-0.25 * t * t / (s * s));
    let slope = |t: f64| -0.5 * t / (s * s);
    let over = |f: &dyn Fn(f64) -> f64| adaptive(f, -13.0 * s, 13.0 * s, 1e-13).value;
    let norm = over(&|t| window(t) * window(t));
    let time = over(&|t| t * t * window(t) * window(t)) / norm;
    let parts = |t: f64| {
        let (sin, cos) = libm::sincos(k * t);
        [window(t) * (slope(t) * cos - k * sin), window(t) * (slope(t) * sin + k * cos)]
    };
    let square = over(&|t| {
        let [re, im] = parts(t);
        re * re + im * im
    }) / norm;
    // The mean frequency is the mean of Im(conj(f) f').
    let mean = over(&|t| {
        let ([re, im], (sin, cos)) = (parts(t), libm::sincos(k * t));
        window(t) * (cos * im - sin * re)
    }) / norm;
    (time * (square - mean * mean)).sqrt()
}

/// Chirped Gaussians and Hermite functions, of which the first is a Gaussian.
fn gaussians(effort: &Effort, least: fn(f64, f64) -> f64) -> Comparison {
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for (s, c) in [(1.0, 0.0), (0.5, 1.0), (3.0, -2.0)] {
        let square = |t: f64| libm::exp(-0.5 * t * t / (s * s));
        let over = |f: &dyn Fn(f64) -> f64| adaptive(f, -13.0 * s, 13.0 * s, 1e-13).value;
        let norm = over(&square);
        let time = over(&|t| t * t * square(t)) / norm;
        let rate = |t: f64| libm::hypot(1.0, c) * 0.5 * t / (s * s);
        let frequency = over(&|t| rate(t) * rate(t) * square(t)) / norm;
        predicted.push(least(s, c));
        measured.push((time * frequency).sqrt());
    }
    let rest = effort.slip("product of the j-th Hermite function", "j + 1", 0.5, 1.0);
    // exp(-t^2/4) He_j(t), and its slope from He_j' = j He_(j-1).
    let hermite: [[f64; 4]; 4] =
        [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 1.0, 0.0], [0.0, -3.0, 0.0, 1.0]];
    for (j, powers) in hermite.iter().enumerate() {
        predicted.push(j as f64 + rest);
        measured.push(product(powers));
    }
    let what = "s_t s_w = sqrt(1 + c^2)/2 of Gaussians of width 1, 1/2, 3 chirped by c = 0, 1, -2, and j + 1/2 of the Hermite functions j = 0 to 3, and integrals of the squared field and its squared slope";
    Comparison::digits(&["L003.64/gaussians"], what, &predicted, &measured)
}

/// Fields that are no Gaussian lie above one half.
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
    let what = "fields exp(-t^2/4) (1 + a t + b t^2 + c t^3), a, b, c of -0.3, 0 and 0.4, not all 0: those with s_t s_w above 1/2 by more than 1e-6, by integrals of the squared field and its squared slope; a number without meaning would be exceeded by every other";
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
