//! Uncertainty of fields on the line, on the circle and on the ring (note 003, "Uncertainty principle").

use super::prelude::*;
use fovea_core::fourier::cos_turns;
use fovea_theory::harper::{ground_state, spread};
use fovea_theory::uncertainty::breitenberger::breitenberger;
use fovea_theory::uncertainty::gaussian::gaussian;
use fovea_theory::uncertainty::maassen_uffink::maassen_uffink;
use fovea_theory::uncertainty::massar_spindel::massar_spindel;
use fovea_theory::uncertainty::measures::measures;
use fovea_theory::uncertainty::real_gabor::real_gabor;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "uncertainty",
    summary: "Spreads of place and frequency: real and complex Gabors, the circle, and the bounds on the ring.",
    covers: &["L003.26", "L003.27", "L003.63", "L003.64"],
    run,
};

fn run(_: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![real_fields(), ring(), obstacles(), line()])
}

/// The product of the spreads of a real Gabor, its frequency spread from the spectrum itself.
fn real_fields() -> Comparison {
    let kappas = [0.0625, 0.25, 1.0, 4.0];
    let measured = kappas.map(|kappa| {
        let k = f64::sqrt(kappa);
        let field = |t: f64| libm::exp(-0.25 * t * t) * libm::cos(k * t);
        // The transform of exp(-t^2/4) cos kt is a Gaussian of unit width around each of k and -k.
        let spectrum = |w: f64| libm::exp(-(w - k) * (w - k)) + libm::exp(-(w + k) * (w + k));
        second_moment(field, 14.0).sqrt() * second_moment(spectrum, 12.0 + k).sqrt()
    });
    let what = "s_t s_w of exp(-t^2/4s^2) cos kt at (ks)^2 = 1/16, 1/4, 1, 4: closed form, and integrals of the squared field and its squared transform";
    Comparison::digits(&["L003.26"], what, &kappas.map(real_gabor), &measured).source(&[0.5; 4])
}

/// The mean of the square of the argument under the squared function.
fn second_moment(f: impl Fn(f64) -> f64, reach: f64) -> f64 {
    let square = |x: f64| f(x) * f(x);
    let over =
        |g: &dyn Fn(f64) -> f64| adaptive_split(g, &[-reach, -1.0, 0.0, 1.0, reach], 1e-13).value;
    over(&|x| x * x * square(x)) / over(&square)
}

/// Entropies of points, combs, Gaussians and cosines; the least spread over frequencies; supports of combs.
fn ring() -> Comparison {
    let n = 40;
    let sum = |w: &[f64]| measures(w).map_or(f64::NAN, |m| m.entropy_place + m.entropy_frequency);
    let comb = |spacing: usize| -> Vec<f64> {
        (0..n).map(|i| f64::from(u8::from(i % spacing == 1 % spacing))).collect()
    };
    let wide: Vec<f64> = (0..200)
        .map(|i: i32| {
            let d = f64::from(i.min(200 - i)) / 5.0;
            libm::exp(-0.25 * d * d)
        })
        .collect();
    let wave: Vec<f64> = (0..n).map(|i| cos_turns(3 * i, n)).collect();
    let sums = maassen_uffink(n, 3);
    let mut predicted = vec![maassen_uffink(200, 1).gaussian, sums.cosine];
    let mut measured = vec![sum(&wide), sum(&wave)];
    for spacing in [1, 2, 4, 5, 8, 10, 20, 40] {
        let comb = comb(spacing);
        predicted.extend([sums.bound, n as f64]);
        measured.extend([sum(&comb), support_product(&comb)]);
    }
    for (a, b) in [(1.0, 1.0), (0.6, 0.8), (0.2, 1.0)] {
        // The place's spread of the state found by iteration goes in, its frequency's must come out.
        let state = by_iteration(n, a, b);
        let [place, frequency] =
            measures(&state).map_or([f64::NAN; 2], |m| [m.spread_place, m.spread_frequency]);
        predicted.push(massar_spindel(n, place).optimum);
        measured.push(frequency);
    }
    predicted.push(spread(ground_state(n, 1.0, 1.0).gap_place));
    measured.push(measures(&by_iteration(n, 1.0, 1.0)).map_or(f64::NAN, |m| m.spread_place));
    // The inequalities themselves, over fields of many shapes: how many of 60 obey all three.
    let a = libm::tan(std::f64::consts::PI / n as f64);
    let obeys = |w: &[f64]| {
        measures(w).is_some_and(|m| {
            let (u, v) = (m.spread_place, m.spread_frequency);
            m.entropy_place + m.entropy_frequency >= sums.bound - 1e-12
                && (1.0 + 2.0 * a) * u * v + a * a * (u + v) >= a * a - 1e-12
                && support_product(w) >= n as f64 - 1e-9
        })
    };
    let field = |shape: u32| -> Vec<f64> {
        let width = 0.3 + 0.2 * f64::from(shape);
        let wave = |i: usize| libm::cos(f64::from(shape % 7) * i as f64 + f64::from(shape));
        let bump = |i: usize| {
            libm::exp(-0.5 * (i.min(n - i) as f64 / width) * (i.min(n - i) as f64 / width))
        };
        (0..n).map(|i| bump(i) * wave(i) + 0.1 * f64::from(shape % 3) * wave(i * i)).collect()
    };
    predicted.push(60.0);
    measured.push((0..60).filter(|shape| obeys(&field(*shape))).count() as f64);
    let what = "n = 40: 60 of 60 fields obey the three bounds; H(w) + H(Fw) = ln n and |supp w| |supp Fw| = n of eight combs, H of a cosine and, at n = 200, of a Gaussian; least dV^2 at three dU^2 and at dU^2 = dV^2, by halving and by iterating Harper's operator on the whole ring";
    Comparison::digits(&["L003.27"], what, &predicted, &measured)
}

/// Sites of a field times frequencies of its transform that are not zero.
fn support_product(w: &[f64]) -> f64 {
    let n = w.len();
    let places = w.iter().filter(|w| w.abs() > 1e-12).count();
    let power = |k: usize| {
        let (mut re, mut im) = (0.0, 0.0);
        for (i, w) in w.iter().enumerate() {
            let (sin, cos) = libm::sincos(2.0 * PI * (k * i % n) as f64 / n as f64);
            re += w * cos;
            im += w * sin;
        }
        libm::hypot(re, im)
    };
    (places * (0..n).filter(|k| power(*k) > 1e-12).count()) as f64
}

/// The state of the largest eigenvalue of `a cos(place) + b cos(frequency)`, by applying it, shifted, again and again.
fn by_iteration(n: usize, a: f64, b: f64) -> Vec<f64> {
    let mut w = vec![1.0; n];
    for _ in 0..2000 {
        let image: Vec<f64> = (0..n)
            .map(|i| {
                let cos = libm::cos(2.0 * PI * i as f64 / n as f64);
                (a * cos + a + b) * w[i] + 0.5 * b * (w[(i + 1) % n] + w[(i + n - 1) % n])
            })
            .collect();
        let top = image.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        w = image.into_iter().map(|x| x / top).collect();
    }
    w
}

/// A cosine and a sine together reach one half; on the circle the von Mises family falls to a quarter.
fn obstacles() -> Comparison {
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for (s, k) in [(1.0, 0.0), (0.4, 3.0), (2.0, 1.5)] {
        predicted.push(gaussian(s, 0.0).product());
        measured.push(pair_product(s, k));
    }
    for kappa in [0.5, 5.0, 50.0] {
        predicted.push(breitenberger(kappa).product);
        measured.push(on_the_circle(kappa));
    }
    let what = "s_t s_w of a cosine and a sine Gabor taken together, one half, by integrals; Var(k)(1-m^2)/m^2 of von Mises fields, by Bessel functions and by integrals over the circle";
    Comparison::digits(&["L003.63"], what, &predicted, &measured)
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

/// `Var(k) (1 - m^2) / m^2` of the field whose square is a von Mises density, by integrals over half the circle.
fn on_the_circle(kappa: f64) -> f64 {
    let density = |x: f64| libm::exp(kappa * (libm::cos(x) - 1.0));
    let over = |f: &dyn Fn(f64) -> f64| adaptive_split(f, &[0.0, 0.1, 0.5, 1.5, PI], 1e-13).value;
    let norm = over(&density);
    let mean = over(&|x| libm::cos(x) * density(x)) / norm;
    // |w'|^2 = (kappa sin / 2)^2 w^2; one less the square of the mean by its half angle.
    let variance = over(&|x| {
        let slope = 0.5 * kappa * libm::sin(x);
        slope * slope * density(x)
    }) / norm;
    let gap = over(&|x| {
        let half = libm::sin(0.5 * x);
        2.0 * half * half * density(x)
    }) / norm;
    variance * gap * (1.0 + mean) / (mean * mean)
}

/// A real field on the line.
type Field = fn(f64) -> f64;

/// Chirped Gaussians by integrals, and five other fields, all above one half.
fn line() -> Comparison {
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for (s, c) in [(1.0, 0.0), (0.5, 1.0), (3.0, -2.0)] {
        let square = |t: f64| libm::exp(-0.5 * t * t / (s * s));
        let over = |f: &dyn Fn(f64) -> f64| adaptive(f, -13.0 * s, 13.0 * s, 1e-13).value;
        let norm = over(&square);
        let time = over(&|t| t * t * square(t)) / norm;
        let rate = |t: f64| libm::hypot(1.0, c) * 0.5 * t / (s * s);
        let frequency = over(&|t| rate(t) * rate(t) * square(t)) / norm;
        predicted.push(gaussian(s, c).product());
        measured.push((time * frequency).sqrt());
    }
    let others: [Field; 5] = [
        |t| 1.0 / libm::cosh(t),
        |t| t * libm::exp(-0.25 * t * t),
        |t| libm::exp(-t * t * t * t),
        |t| libm::exp(-0.25 * t * t) * (1.0 + 0.3 * t * t),
        |t| libm::exp(-0.25 * t * t) * libm::cos(t),
    ];
    let above = others.iter().filter(|f| product(f) > 0.5 + 1e-6).count();
    predicted.push(others.len() as f64);
    measured.push(above as f64);
    let what = "s_t s_w = sqrt(1 + c^2)/2 of chirped Gaussians, closed and by integrals; and of five real fields that are no Gaussian, how many exceed one half";
    Comparison::digits(&["L003.64"], what, &predicted, &measured)
}

/// The product of the spreads of a real field, the frequency's from a difference quotient.
fn product(f: &impl Fn(f64) -> f64) -> f64 {
    let h = 1e-5;
    let slope = |t: f64| (f(t + h) - f(t - h)) / (2.0 * h);
    let over =
        |g: &dyn Fn(f64) -> f64| adaptive_split(g, &[-30.0, -3.0, 0.0, 3.0, 30.0], 1e-10).value;
    let norm = over(&|t| f(t) * f(t));
    (over(&|t| t * t * f(t) * f(t)) * over(&|t| slope(t) * slope(t))).sqrt() / norm
}
