//! When the mean kernel of one hidden layer is positive definite, and what the convergence proof asks for (lectures, topics 12 and 13).

use super::averaged::{Sums, by_angle, named};
use super::{Check, Comparison, Effort};
use crate::error::LabError;
use fovea_core::symmetric::eigen;
use fovea_theory::ntk::gram::{Part, gram};
use fovea_theory::ntk::hermite::coefficients;
use fovea_theory::ntk::width::{may_move, moved_at_most, width};
use std::f64::consts::PI;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "kernel-positivity",
    summary: "Positive definiteness of the mean kernel of one hidden layer, and the width of the proof.",
    covers: &["T12.2", "T12.4", "T12.5", "T12.6", "T12.7", "T12.8", "T12.10", "T13.4", "T13.7"],
    run,
};

fn run(_: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![
        tail(),
        positive()?,
        antipodal()?,
        vanishing()?,
        volume(),
        series()?,
        powers(),
        sufficient_width(),
        frozen()?,
    ])
}

/// Probability that the mean of 100 signs is 0.2 or more in size, exactly, beside the two bounds.
fn tail() -> Comparison {
    // Chances of k heads by the ratio of neighbours, from the middle.
    let mut chances = vec![1.0_f64];
    for k in 0..100 {
        let last = chances[k];
        chances.push(last * (100.0 - k as f64) / (k as f64 + 1.0));
    }
    let total: f64 = chances.iter().sum();
    let beyond: f64 =
        (0..=100).filter(|k: &usize| k.abs_diff(50) >= 10).map(|k| chances[k] / total).sum();
    // Summands of size R = 1/100 and v = 1/100: the right bound holds, the printed one does not.
    let exponent = |t: f64| t * t / (0.01 + 0.01 * t / 3.0);
    let right = 2.0 * libm::exp(-0.5 * exponent(0.2));
    let printed = libm::exp(-exponent(0.2));
    let holds = |bound: f64| f64::from(u8::from(beyond <= bound));
    let what = "a mean of 100 signs is 0.2 or more in size with probability 0.0569, exactly; the bound 2 m exp(-(t^2/2)/(v + R t/3)) holds (1) and the printed one does not (0)";
    let exact = 2.0 * (0..=40).map(|k: usize| chances[k] / total).sum::<f64>();
    let measured = [holds(right), holds(printed), beyond];
    Comparison::digits(&["T12.2"], what, &[1.0, 0.0, exact], &measured).source(&[1.0, 1.0, exact])
}

/// Least eigenvalue of the mean kernel of three inputs that are not parallel.
fn positive() -> Result<Comparison, LabError> {
    let angles = [0.0, 1.0, 2.5];
    let sums = Sums::new(120);
    let tanh = named("tanh");
    let matrix = |f: &dyn Fn(f64) -> f64| -> Vec<Vec<f64>> {
        angles.iter().map(|a| angles.iter().map(|b| f(libm::cos(a - b))).collect()).collect()
    };
    let relu = matrix(&|r| by_angle(r.min(1.0), 1, |x| x.max(0.0)));
    let smooth = matrix(&|r| sums.two([1.0, 1.0, r], |z| tanh.value(z)));
    let measured = [eigen(&relu).values[0], eigen(&smooth).values[0]];
    let least = |name: &str| -> Result<f64, LabError> {
        Ok(eigen(&gram(&named(name), &angles, Part::Value)?).values[0])
    };
    let what = "least eigenvalue of E[s s] for unit inputs at angles 0, 1, 2.5, ReLU and tanh: closed form or nested quadrature, and integrals over the angle or Gauss-Hermite sums";
    Ok(Comparison::digits(&["T12.4"], what, &[least("relu")?, least("tanh")?], &measured))
}

/// Three antipodal pairs are six distinct inputs and have a singular kernel; five of them do not.
fn antipodal() -> Result<Comparison, LabError> {
    let pairs = [0.0, PI, 1.0, 1.0 + PI, 2.0, 2.0 + PI];
    let relu = named("relu");
    let least = |angles: &[f64]| -> Result<f64, LabError> {
        Ok(eigen(&gram(&relu, angles, Part::Value)?).values[0])
    };
    let by_hand = |angles: &[f64]| {
        let entry = |a: f64, b: f64| by_angle(libm::cos(a - b).clamp(-1.0, 1.0), 1, |x| x.max(0.0));
        let rows: Vec<Vec<f64>> =
            angles.iter().map(|a| angles.iter().map(|b| entry(*a, *b)).collect()).collect();
        eigen(&rows).values[0]
    };
    let predicted = [0.0, least(&pairs[..5])?, least(&[0.0, 1.0, 2.0])?];
    let measured = [by_hand(&pairs), by_hand(&pairs[..5]), by_hand(&[0.0, 1.0, 2.0])];
    let what = "least eigenvalue of E[relu relu] for three antipodal pairs, 0 though all six are distinct; for five of the six; and for one of each pair: closed form, and integrals over the angle";
    // The source says positive for distinct inputs: no less than the next eigenvalue would be.
    let next = eigen(&gram(&relu, &pairs, Part::Value)?).values[1];
    Ok(Comparison::digits(&["T12.5"], what, &predicted, &measured).source(&[
        next,
        predicted[1],
        predicted[2],
    ]))
}

/// ReLU has no third and no fifth coefficient; in closed form `s_k^2` of even k from the double factorial.
fn vanishing() -> Result<Comparison, LabError> {
    let s = coefficients(&named("relu"), 6)?;
    let root = (2.0 * PI).sqrt();
    // s_0 = 1/sqrt(2 pi), s_1 = 1/2, s_2 = 1/sqrt(4 pi), s_4 = -1/sqrt(48 pi), s_6 = 3/sqrt(1440 pi).
    let measured = [
        1.0 / root,
        0.5,
        1.0 / (root * 2.0_f64.sqrt()),
        0.0,
        -1.0 / (root * 24.0_f64.sqrt()),
        0.0,
        3.0 / (root * 720.0_f64.sqrt()),
    ];
    let source: Vec<f64> = s.iter().map(|c| if c.abs() < 1e-9 { 0.1 } else { *c }).collect();
    let what = "normalised Hermite coefficients 0 to 6 of ReLU, the third and fifth of which vanish though it is no polynomial: quadrature, and closed form";
    Ok(Comparison::digits(&["T12.6"], what, &s, &measured).source(&source))
}

/// The determinant of a Gram matrix is the squared volume of its columns.
fn volume() -> Comparison {
    let columns = [[1.0, 0.2, -0.4], [0.3, 1.5, 0.1], [-0.7, 0.6, 0.9]];
    let dot = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let rows: Vec<Vec<f64>> =
        columns.iter().map(|a| columns.iter().map(|b| dot(a, b)).collect()).collect();
    let predicted: f64 = eigen(&rows).values.iter().product();
    let [a, b, c] = columns;
    let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
    let volume = dot(&a, &cross);
    let what = "determinant of a 3 x 3 Gram matrix as the product of its eigenvalues, and the squared volume of its columns by the triple product";
    Comparison::digits(&["T12.7"], what, &[predicted], &[volume * volume])
}

/// The kernel of erf as a power series, and the inner product of two cubic polynomials.
fn series() -> Result<Comparison, LabError> {
    let r: f64 = 0.37;
    let s = coefficients(&named("erf-raw"), 60)?;
    let sum = s.iter().rev().fold(0.0, |sum, c| sum * r + c * c);
    let cubic = |z: f64| z * z * z - 3.0 * z;
    let rule = Sums::new(20);
    let predicted = [sum, 6.0 * r * r * r];
    let measured = [2.0 / PI * libm::asin(2.0 * r / 3.0), rule.two([1.0, 1.0, r], cubic)];
    // The same polynomials under exp(-x^2), a variance of one half.
    let source = [sum, rule.two([0.5, 0.5, 0.5 * r], cubic)];
    let what = "E[erf erf] at correlation 0.37 from 61 Hermite coefficients, and its arcsine; 3! r^3, and the mean product of two cubics";
    Ok(Comparison::digits(&["T12.8"], what, &predicted, &measured).source(&source))
}

/// Powers of the overlaps of three unit inputs become the identity: the least power with diagonal dominance.
fn powers() -> Comparison {
    let overlaps = [libm::cos(1.0), libm::cos(1.5), libm::cos(2.5)];
    let rows = |k: i32| {
        let p = overlaps.map(|r| libm::pow(r.abs(), f64::from(k)));
        [p[0] + p[2], p[0] + p[1], p[1] + p[2]]
    };
    let least = (1..200).find(|k| rows(*k).iter().all(|sum| *sum < 1.0)).unwrap_or(0);
    // By the angles 0, 1 and 2.5: the largest row is that of 0 and 2.5, with cos 2.5 = -0.8011 in it.
    let angles = [0.0_f64, 1.0, 2.5];
    let dominated = |k: i32| {
        angles.iter().all(|a| {
            let others = angles.iter().filter(|b| (*b - a).abs() > 1e-9);
            others.map(|b| libm::exp(f64::from(k) * libm::log(libm::cos(a - b).abs()))).sum::<f64>()
                < 1.0
        })
    };
    let counted = (1..200).take_while(|k| !dominated(*k)).count() + 1;
    let what = "least power at which the overlaps of inputs at angles 0, 1, 2.5 are dominated by the diagonal, by powers and by logarithms";
    Comparison::digits(&["T12.10"], what, &[f64::from(least)], &[counted as f64])
}

/// The width at which the two bounds of the proof meet, by halving.
fn sufficient_width() -> Comparison {
    let cases = [(3_usize, 0.5, 0.2), (8, 1.3, 0.05)];
    let predicted = cases.map(|(m, loss, l0)| width(m, loss, l0));
    let measured = cases.map(|(m, loss, l0)| {
        let (mut low, mut high) = (1.0_f64, 1e30_f64);
        for _ in 0..200 {
            let middle = (low * high).sqrt();
            let closes = moved_at_most(m, loss, l0, middle) < may_move(m, l0);
            *(if closes { &mut high } else { &mut low }) = middle;
        }
        high
    });
    let source = cases.map(|(m, loss, l0)| 16.0 * (m * m) as f64 * loss / (l0 * l0));
    let what = "width at which weights move less than they may, 512 m^4 L(0)/lambda_0^4, and halving on the two bounds";
    Comparison::digits(&["T13.4"], what, &predicted, &measured).source(&source)
}

/// With the second layer frozen the kernel is the other part, a series in the coefficients of the slope.
fn frozen() -> Result<Comparison, LabError> {
    let angles = [0.0, 0.9, 2.0];
    let least = |part: Part| -> Result<f64, LabError> {
        Ok(eigen(&gram(&named("erf-raw"), &angles, part)?).values[0] / 3.0)
    };
    // erf' = (2/sqrt pi) exp(-z^2) as an expression; its own Hermite coefficients.
    let b = coefficients(&named("2/sqrt(pi)*exp(-x^2)"), 80)?;
    let entry = |r: f64| r * b.iter().rev().fold(0.0, |sum, c| sum * r + c * c) / 3.0;
    let rows: Vec<Vec<f64>> =
        angles.iter().map(|a| angles.iter().map(|b| entry(libm::cos(a - b))).collect()).collect();
    let what = "least eigenvalue of the kernel with second-layer weights uniform on [-1, 1] and frozen, erf: E[s's'] x.x'/3 in closed form, and its series in the Hermite coefficients of the slope";
    Ok(Comparison::digits(&["T13.7"], what, &[least(Part::Slope)?], &[eigen(&rows).values[0]])
        .source(&[3.0 * least(Part::Value)?]))
}
