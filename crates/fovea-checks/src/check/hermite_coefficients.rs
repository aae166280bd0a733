//! Activations in Hermite polynomials, as in the proof that the mean kernel is positive (lectures, topic 12).

use super::averaged::by_angle;
use super::prelude::*;
use fovea_core::Function;
use fovea_theory::ntk::hermite::{self, coefficients};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "hermite-coefficients",
    summary: "Hermite coefficients of activations, which of them vanish, and the power series of the kernel.",
    covers: &["T12.6/some", "T12.8/series", "T12.8/weight"],
    run,
};

/// An activation and the last coefficient, and all of them.
type Coefficients = fn(&Function, usize) -> Result<Vec<f64>, FormError>;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let of: Coefficients = effort.form(&hermite::ENTRY, coefficients, |s, up_to| {
        let mut all = coefficients(s, up_to)?;
        let mut factor = 1.0;
        for (k, c) in all.iter_mut().enumerate().skip(1) {
            factor *= (k as f64).sqrt();
            *c *= factor;
        }
        Ok(all)
    });
    Ok(vec![vanishing(of)?, series(of)?, weight(effort)])
}

/// ReLU has no third and no fifth coefficient; tanh has no even one.
fn vanishing(of: Coefficients) -> Result<Comparison, LabError> {
    let root = (2.0 * PI).sqrt();
    // s_0 = 1/sqrt(2 pi), s_1 = 1/2, s_2 = 1/sqrt(4 pi), s_4 = -1/sqrt(48 pi), s_6 = 3/sqrt(1440 pi).
    let relu = [
        1.0 / root,
        0.5,
        1.0 / (root * 2.0_f64.sqrt()),
        0.0,
        -1.0 / (root * 24.0_f64.sqrt()),
        0.0,
        3.0 / (root * 720.0_f64.sqrt()),
    ];
    // The explicit polynomials.
    let tanh =
        |he: fn(f64) -> f64, size: f64| trapezoids(1.0, |z| libm::tanh(z) * he(z)) / size.sqrt();
    let smooth = [
        tanh(|_| 1.0, 1.0),
        tanh(|z| z, 1.0),
        tanh(|z| z * z - 1.0, 2.0),
        tanh(|z| z * (z * z - 3.0), 6.0),
        tanh(|z| z * z * (z * z - 6.0) + 3.0, 24.0),
        tanh(|z| z * (z * z * (z * z - 10.0) + 15.0), 120.0),
        tanh(|z| z * z * (z * z * (z * z - 15.0) + 45.0) - 15.0, 720.0),
    ];
    let predicted = [of(&named("relu"), 6)?, of(&named("tanh"), 6)?].concat();
    // In the source none vanishes: the zeros are replaced by the size of the coefficient before.
    let zeros = [3, 5, 7, 9, 11, 13];
    let mut source = predicted.clone();
    for at in zeros {
        source[at] = predicted[if at == 7 { 8 } else { at - 1 }];
    }
    let what = "normalised Hermite coefficients 0 to 6 of ReLU, whose third and fifth vanish, and of tanh, whose even ones vanish: quadrature with the recursion, and ReLU by double factorials, tanh by trapezoids with explicit polynomials; in the source none vanishes: there each zero is replaced by a neighbouring coefficient";
    Ok(Comparison::digits(&["T12.6/some"], what, &predicted, &[relu, smooth].concat())
        .source(&source))
}

/// The kernel of erf as a power series, and that of ReLU, whose coefficients fall as a power.
fn series(of: Coefficients) -> Result<Comparison, LabError> {
    let rs = [0.37, -0.6, 0.8];
    let sum = |s: &[f64], r: f64| s.iter().rev().fold(0.0, |sum, c| sum * r + c * c);
    let erf = of(&named("erf-raw"), 60)?;
    let predicted = rs.map(|r| sum(&erf, r));
    let measured = rs.map(|r| 2.0 / PI * libm::asin(2.0 * r / 3.0));
    let ids = &["T12.8/series"];
    let what = "E[s s] of erf at correlations 0.37, -0.6 and 0.8: the sum of s_k^2 r^k over 61 Hermite coefficients, and (2/pi) asin(2r/3)";
    // Under the weight exp(-x^2) the preactivations have variance 1/2.
    let half = rs.map(|r| 2.0 / PI * libm::asin(0.5 * r));
    let smooth = Comparison::digits(ids, what, &predicted, &measured)
        .against("the series of coefficients for the weight exp(-x^2)", &half);
    let relu = of(&named("relu"), 60)?;
    let kink = [sum(&relu, 0.37)];
    let what =
        "the same sum for ReLU at 0.37, and E[s s] by an integral over the angle of the pair";
    let angle = by_angle(0.37, 1, |x| x.max(0.0));
    let kink = Comparison::digits(ids, what, &kink, &[angle])
        .against("the series of coefficients for the weight exp(-x^2)", &[0.5 * angle]);
    Ok(smooth.and(kink))
}

/// Mean products of polynomials, and of sums of two, whose mixed products vanish, under both weight functions.
fn weight(effort: &Effort) -> Comparison {
    let r: f64 = 0.37;
    let he: [fn(f64) -> f64; 6] = [
        |z| z,
        |z| z * z - 1.0,
        |z| z * z * z - 3.0 * z,
        |z| z + z * z - 1.0,
        |z| z + z * z * z - 3.0 * z,
        |z| z * z - 1.0 + z * z * z - 3.0 * z,
    ];
    let rule = Sums::new(20);
    let factorial = effort.slip("norm of He_j", "1 in place of j!", [1.0, 2.0, 6.0], [1.0; 3]);
    let [one, two, three] = [r * factorial[0], r * r * factorial[1], r * r * r * factorial[2]];
    let mixed = effort.slip("orthogonality", "E[He_1(z) He_3(z')] = r^2", 0.0, r * r);
    let predicted = [one, two, three, one + two, one + three + 2.0 * mixed, two + three];
    let at = |variance: f64| he.map(|he| rule.two([variance, variance, r * variance], he));
    let what = "E[p(z) p(z')] of the first three probabilists' polynomials and of the sums of two of them at correlation 0.37: j! r^j, added since mixed products vanish, and Gauss-Hermite sums under exp(-x^2/2); the source's weight exp(-x^2) has a variance of one half";
    Comparison::digits(&["T12.8/weight"], what, &predicted, &at(1.0)).source(&at(0.5))
}
