//! Normal variables cut off at 0: the moments that note 001 (63)-(76) needs, each beside an integral.

use super::prelude::*;
use fovea_core::special::erf;
use fovea_theory::truncated::{
    folded_mean::folded_mean, mean::mean, second_given::second_given, second_parts::second_parts,
};

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "truncated-moments",
    summary: "Normal variables cut off at 0: conditional second moments, their parts, and means.",
    covers: &["L001.26", "L001.28", "L001.29", "L001.30", "L001.31", "L001.32"],
    run,
};

const CORRELATIONS: [f64; 4] = [-0.6, -0.2, 0.6, 0.95];

fn run(_: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![second(), whole(), plain(), with_erf(), with_square(), means()])
}

/// `E[f(T'); T' > 0]`.
fn half(f: impl Fn(f64) -> f64) -> f64 {
    normal_expectation(|t| if t > 0.0 { f(t) } else { 0.0 }, &[0.0]).value
}

/// `1 - rho^2`.
fn left(rho: f64) -> f64 {
    (1.0 - rho) * (1.0 + rho)
}

/// The error function of note 001 (65).
fn bend(rho: f64, t: f64) -> f64 {
    erf(rho * t / (2.0 * left(rho)).sqrt())
}

/// One number for every correlation.
fn each(f: impl Fn(f64) -> f64) -> Vec<f64> {
    CORRELATIONS.iter().map(|rho| f(*rho)).collect()
}

/// The second moment of `S'` given `S' > 0` and `T'`; note 001 (63) has that of `|S'|`.
fn second() -> Comparison {
    let cases = [(0.6, 0.8), (-0.9, 1.5), (0.3, -2.0)];
    let predicted = cases.map(|(rho, t)| {
        let open = normal_cdf(rho * t / left(rho).sqrt());
        second_given(rho, t) / open
    });
    let measured = cases.map(|(rho, t)| {
        let (mu, std) = (rho * t, left(rho).sqrt());
        let moment = |p: f64| {
            let integrand = |x: f64| libm::pow(x, p) * normal_pdf((x - mu) / std);
            adaptive(integrand, 0.0, 12.0, 1e-14).value
        };
        moment(2.0) / moment(0.0)
    });
    let source = cases.map(|(rho, t)| rho * rho * t * t + left(rho));
    let what = "E[S'^2 | S' > 0, T' = t] in closed form and by integrating the conditional density";
    Comparison::digits(&["L001.26"], what, &predicted, &measured).source(&source)
}

/// The quadrant moment with its boundary term, over the polar angle; note 001 (67) leaves the boundary out.
fn whole() -> Comparison {
    let predicted = each(|rho| second_parts(rho).total).into_iter();
    let predicted: Vec<f64> = predicted.chain(each(|rho| second_parts(rho).boundary)).collect();
    let total = |rho: f64| {
        let start = libm::acos(rho) - FRAC_PI_2;
        let square = |phi: f64| libm::cos(phi) * libm::cos(phi);
        2.0 * adaptive(square, start, FRAC_PI_2, 1e-14).value / TAU
    };
    let boundary = |rho: f64| {
        let std = left(rho).sqrt();
        half(|t| rho * t * std * normal_pdf(rho * t / std))
    };
    let measured: Vec<f64> = each(total).into_iter().chain(each(boundary)).collect();
    let printed =
        |rho: f64| 0.5 * half(|t| (1.0 + (t * t - 1.0) * rho * rho) * (1.0 + bend(rho, t)));
    let source: Vec<f64> = each(printed).into_iter().chain(each(|_| 0.0)).collect();
    let what = "E[S'^2; S',T' > 0] over the polar angle, its boundary term by quadrature, and the closed forms";
    Comparison::digits(&["L001.28"], what, &predicted, &measured).source(&source)
}

/// `E[1 + (T'^2 - 1) rho^2; T' > 0] = 1/2`; note 001 (70) has `1 - rho^2/2`.
fn plain() -> Comparison {
    let measured = each(|rho| half(|t| 1.0 + (t * t - 1.0) * rho * rho));
    let what = "E[1 + (T'^2 - 1) rho^2; T' > 0] and its integral over the half line";
    Comparison::digits(&["L001.29"], what, &each(|rho| second_parts(rho).plain), &measured)
        .source(&each(|rho| 1.0 - 0.5 * rho * rho))
}

/// `(1 - rho^2) asin(rho) / pi`; note 001 (72) is on one branch.
fn with_erf() -> Comparison {
    let measured = each(|rho| left(rho) * half(|t| bend(rho, t)));
    let printed =
        |rho: f64| 0.5 * left(rho) * (1.0 - FRAC_2_PI * libm::atan(left(rho).sqrt() / rho));
    let what = "(1 - rho^2) E[erf; T' > 0] at correlations of both signs, and its integral";
    Comparison::digits(&["L001.30"], what, &each(|rho| second_parts(rho).erf), &measured)
        .source(&each(printed))
}

/// `rho^2 (asin(rho) + rho sqrt(1 - rho^2)) / pi`; note 001 has (74), and (75), which is another number.
fn with_square() -> Comparison {
    let right = each(|rho| second_parts(rho).erf_square);
    let measured = each(|rho| rho * rho * half(|t| t * t * bend(rho, t)));
    let arctangent = |rho: f64| libm::atan(left(rho).sqrt() / rho);
    let first = |rho: f64| {
        let last = rho / (2.0 * left(rho)).sqrt() / (0.5 * (rho * rho / left(rho) + 0.5));
        rho * rho / (TAU.sqrt() * 2.0 * PI.sqrt()) * (8.0_f64.sqrt() * arctangent(rho) - last)
    };
    let second = |rho: f64| {
        let last = 8.0_f64.sqrt() * rho * left(rho).sqrt() / (3.0 * rho * rho + 1.0);
        rho * rho / (2.0 * TAU.sqrt()) * (8.0_f64.sqrt() * arctangent(rho) - last)
    };
    let what = "rho^2 E[T'^2 erf; T' > 0] and its integral, against both of note 001 (74) and (75)";
    Comparison::digits(&["L001.31"], what, &right.repeat(2), &measured.repeat(2))
        .source(&[each(first), each(second)].concat())
}

/// The means of a truncated and of a folded normal variable; note 001 (76) is neither.
fn means() -> Comparison {
    let cases = [(0.6, 0.8), (-0.5, 1.4)];
    let (mut predicted, mut measured, mut source) = (Vec::new(), Vec::new(), Vec::new());
    for (rho, t) in cases {
        let (mu, std) = (rho * t, left(rho).sqrt());
        predicted.extend([mean(mu, std), folded_mean(mu, std)]);
        let density = |x: f64| normal_pdf((x - mu) / std);
        let integral = |p: f64| adaptive(|x| libm::pow(x, p) * density(x), 0.0, 12.0, 1e-14).value;
        let folded = normal_expectation(|z| (mu + std * z).abs(), &[-mu / std]).value;
        measured.extend([integral(1.0) / integral(0.0), folded]);
        let printed = FRAC_2_PI.sqrt() * left(rho) * libm::exp(-0.5 * mu * mu / left(rho).sqrt())
            + mu * bend(rho, t);
        source.extend([printed, printed]);
    }
    let what =
        "means of S' given S' > 0 and of |S'|, both given T', in closed form and by quadrature";
    Comparison::digits(&["L001.32"], what, &predicted, &measured).source(&source)
}
