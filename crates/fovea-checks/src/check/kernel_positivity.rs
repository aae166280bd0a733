//! When the mean kernel of one hidden layer is positive definite, and what the convergence proof asks for (lectures, topics 12 and 13).

use super::averaged::by_angle;
use super::prelude::*;
use fovea_theory::ntk::gram::{Part, gram};
use fovea_theory::ntk::hermite::coefficients;
use fovea_theory::ntk::width::{may_move, moved_at_most, width};

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "kernel-positivity",
    summary: "Positive definiteness of the mean kernel of one hidden layer, and the width of the proof.",
    covers: &["T12.4", "T12.5", "T12.6", "T12.7", "T12.8", "T12.10", "T13.4", "T13.7"],
    run,
};

fn run(_: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![
        positive()?,
        antipodal()?,
        vanishing()?,
        volume()?,
        series()?,
        powers()?,
        sufficient_width(),
        frozen()?,
    ])
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
    let measured = [least(&relu)?, least(&smooth)?];
    let of = |name: &str| -> Result<f64, LabError> {
        Ok(least(&gram(&named(name), &angles, Part::Value)?)?)
    };
    let what = "least eigenvalue of E[s s] for unit inputs at angles 0, 1, 2.5, ReLU and tanh: closed form or nested quadrature, and integrals over the angle or Gauss-Hermite sums";
    Ok(Comparison::digits(&["T12.4"], what, &[of("relu")?, of("tanh")?], &measured))
}

/// Three antipodal pairs are six distinct inputs and have a singular kernel; five of them do not.
fn antipodal() -> Result<Comparison, LabError> {
    let pairs = [0.0, PI, 1.0, 1.0 + PI, 2.0, 2.0 + PI];
    let relu = named("relu");
    let of = |angles: &[f64]| -> Result<f64, LabError> {
        Ok(least(&gram(&relu, angles, Part::Value)?)?)
    };
    let by_hand = |angles: &[f64]| {
        let entry = |a: f64, b: f64| by_angle(libm::cos(a - b).clamp(-1.0, 1.0), 1, |x| x.max(0.0));
        let rows: Vec<Vec<f64>> =
            angles.iter().map(|a| angles.iter().map(|b| entry(*a, *b)).collect()).collect();
        least(&rows)
    };
    let predicted = [0.0, of(&pairs[..5])?, of(&[0.0, 1.0, 2.0])?];
    let measured = [by_hand(&pairs)?, by_hand(&pairs[..5])?, by_hand(&[0.0, 1.0, 2.0])?];
    let what = "least eigenvalue of E[relu relu] for three antipodal pairs, 0 though all six are distinct; for five of the six; and for one of each pair: closed form, and integrals over the angle";
    let ids = &["T12.5"];
    let singular = Comparison::digits(ids, what, &predicted, &measured);
    // The source says positive for distinct inputs: as many eigenvalues above zero as inputs.
    let rank = |name: &str, angles: &[f64]| -> Result<f64, LabError> {
        let values = eigenvalues(&gram(&named(name), angles, Part::Value)?)?;
        Ok(values.iter().filter(|e| **e > 1e-9 * values[0]).count() as f64)
    };
    let ranks =
        [rank("relu", &pairs)?, rank("relu", &pairs[..5])?, rank("erf-raw", &[0.4, 0.4 + PI])?];
    // Six rectified inputs have one linear relation, for relu(z) - relu(-z) = z and three vectors in the plane have one; an odd
    // activation does not tell x from -x but for the sign.
    let what = "eigenvalues above zero for the three pairs and for five of the six with ReLU, and for an input and its opposite with erf: 5, 5 and 1 by the relations between activations, where distinctness alone would give 6, 5 and 2; and counted";
    let counts = Comparison::digits(ids, what, &[5.0, 5.0, 1.0], &ranks).source(&[6.0, 5.0, 2.0]);
    Ok(singular.and(counts))
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
    let ids = &["T12.6"];
    let what = "normalised Hermite coefficients 0 to 6 of ReLU, the third and fifth of which vanish though it is no polynomial: quadrature, and closed form";
    let rectified = Comparison::digits(ids, what, &s, &measured);
    let t = coefficients(&named("tanh"), 6)?;
    // The polynomials written out; even ones against an odd activation vanish.
    let tanh =
        |he: fn(f64) -> f64, size: f64| trapezoids(1.0, |z| libm::tanh(z) * he(z)) / size.sqrt();
    let odd = [
        tanh(|z| z, 1.0),
        tanh(|z| z * (z * z - 3.0), 6.0),
        tanh(|z| z * (z * z * (z * z - 10.0) + 15.0), 120.0),
    ];
    let what = "the same of tanh, whose even ones vanish: quadrature, and trapezoids with the polynomials written out";
    let by_hand = [0.0, odd[0], 0.0, odd[1], 0.0, odd[2], 0.0];
    let smooth = Comparison::digits(ids, what, &t, &by_hand);
    // The source says that none vanishes.
    let counted = [&s, &t].map(|all| all.iter().filter(|c| c.abs() > 1e-9).count() as f64);
    let what = "how many of the seven do not vanish, 5 and 3 (all 7 by the source), and counted";
    let counts = Comparison::digits(ids, what, &[5.0, 3.0], &counted).source(&[7.0, 7.0]);
    Ok(rectified.and(smooth).and(counts))
}

/// The determinant of a Gram matrix is the squared volume of its columns.
fn volume() -> Result<Comparison, LabError> {
    let columns = [[1.0, 0.2, -0.4], [0.3, 1.5, 0.1], [-0.7, 0.6, 0.9]];
    let dot = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let rows: Vec<Vec<f64>> =
        columns.iter().map(|a| columns.iter().map(|b| dot(a, b)).collect()).collect();
    let predicted: f64 = eigenvalues(&rows)?.iter().product();
    let [a, b, c] = columns;
    let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
    let volume = dot(&a, &cross);
    let what = "determinant of a 3 x 3 Gram matrix as the product of its eigenvalues, and the squared volume of its columns by the triple product";
    Ok(Comparison::digits(&["T12.7"], what, &[predicted], &[volume * volume]))
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

/// Powers of the overlaps of three unit inputs become the identity; those of an input and its opposite do not.
fn powers() -> Result<Comparison, LabError> {
    let of = |angles: &[f64], k: i32| {
        let entry = |a: f64, b: f64| (0..k).fold(1.0, |power, _| power * libm::cos(a - b));
        let rows: Vec<Vec<f64>> =
            angles.iter().map(|a| angles.iter().map(|b| entry(*a, *b)).collect()).collect();
        least(&rows)
    };
    // The largest overlap, cos 2.5 = -0.8011, stands alone beside the next, cos 1 = 0.5403, at high powers.
    let ks = [30, 31, 60];
    let left = ks.into_iter().map(|k| {
        let gone = 1.0 - of(&[0.0, 1.0, 2.5], k)?;
        Ok(gone * libm::exp(-f64::from(k) * libm::log(libm::cos(2.5).abs())))
    });
    let opposite = [30, 31].into_iter().map(|k| Ok(of(&[0.7, 0.7 + PI], k)?));
    let measured = left.chain(opposite).collect::<Result<Vec<f64>, LabError>>()?;
    let what = "what the least eigenvalue of the overlaps to the power k lacks to 1, over |cos 2.5|^k, at k = 30, 31 and 60 for inputs at angles 0, 1, 2.5: 1; the least eigenvalue itself for an input and its opposite at k = 30 and 31: 0 at every power";
    // Were overlaps of size 1 allowed, they would tend to 0 with the rest.
    Ok(Comparison::digits(&["T12.10"], what, &[1.0, 1.0, 1.0, 0.0, 0.0], &measured)
        .against("the identity for an input and its opposite too", &[1.0; 5]))
}

/// The width at which the two bounds of the proof meet, by halving.
fn sufficient_width() -> Comparison {
    let cases = [(3_usize, 0.5, 0.2), (8, 1.3, 0.05)];
    // Widths differ by five decades: each against its own.
    let measured = cases.map(|(m, loss, l0)| {
        let (mut low, mut high) = (1.0_f64, 1e30_f64);
        for _ in 0..200 {
            let middle = (low * high).sqrt();
            let closes = moved_at_most(m, loss, l0, middle) < may_move(m, l0);
            *(if closes { &mut high } else { &mut low }) = middle;
        }
        high / width(m, loss, l0)
    });
    let printed = |(m, loss, l0): (usize, f64, f64)| 16.0 * (m * m) as f64 * loss / (l0 * l0);
    let source = cases.map(|case| printed(case) / width(case.0, case.1, case.2));
    let what = "width at which weights move less than they may, by halving on the two bounds, over 512 m^4 L(0)/lambda_0^4, for two settings: 1";
    Comparison::digits(&["T13.4"], what, &[1.0, 1.0], &measured).source(&source)
}

/// With the second layer frozen the kernel is the other part, a series in the coefficients of the slope.
fn frozen() -> Result<Comparison, LabError> {
    let angles = [0.0, 0.9, 2.0];
    let of = |part: Part| -> Result<f64, LabError> {
        Ok(least(&gram(&named("erf-raw"), &angles, part)?)? / 3.0)
    };
    // erf' = (2/sqrt pi) exp(-z^2) as an expression; its own Hermite coefficients.
    let b = coefficients(&named("2/sqrt(pi)*exp(-x^2)"), 80)?;
    let entry = |r: f64| r * b.iter().rev().fold(0.0, |sum, c| sum * r + c * c) / 3.0;
    let rows: Vec<Vec<f64>> =
        angles.iter().map(|a| angles.iter().map(|b| entry(libm::cos(a - b))).collect()).collect();
    let what = "least eigenvalue of the kernel with second-layer weights uniform on [-1, 1] and frozen, erf: E[s's'] x.x'/3 in closed form, and its series in the Hermite coefficients of the slope";
    Ok(Comparison::digits(&["T13.7"], what, &[of(Part::Slope)?], &[least(&rows)?])
        .source(&[3.0 * of(Part::Value)?]))
}
