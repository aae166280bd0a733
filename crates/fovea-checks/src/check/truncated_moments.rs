//! Normal variables cut off at 0: the moments that note 001 (63)-(76) needs, each against an integral.

use super::prelude::*;
use fovea_core::special::erf;
use fovea_theory::truncated::folded_mean::{self, folded_mean};
use fovea_theory::truncated::mean::{self, mean};
use fovea_theory::truncated::second_given::{self, second_given};
use fovea_theory::truncated::second_parts::{self, SecondParts, second_parts};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "truncated-moments",
    summary: "Normal variables cut off at 0: conditional second moments, their parts, and means.",
    covers: &["L001.26", "L001.28", "L001.29", "L001.30", "L001.31", "L001.32"],
    run,
};

const CORRELATIONS: [f64; 4] = [-0.6, -0.2, 0.6, 0.95];

/// The pieces of the quadrant moment at a correlation.
type Parts = fn(f64) -> SecondParts;

/// Mean and standard deviation, or correlation and partner, and a moment there.
type Moment = fn(f64, f64) -> f64;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let parts: Parts = effort.form(&second_parts::ENTRY, second_parts, printed_parts);
    Ok(vec![
        second(effort),
        whole(parts),
        plain(parts),
        with_erf(parts),
        with_square(parts),
        means(effort),
    ])
}

/// Note 001 (70), (72), (74) and their half sum (68), as printed.
fn printed_parts(rho: f64) -> SecondParts {
    let arctangent = libm::atan(left(rho).sqrt() / rho);
    let plain = 1.0 - 0.5 * rho * rho;
    let erf = 0.5 * left(rho) * (1.0 - FRAC_2_PI * arctangent);
    let last = rho / (2.0 * left(rho)).sqrt() / (0.5 * (rho * rho / left(rho) + 0.5));
    let outside = rho * rho / (TAU.sqrt() * 2.0 * PI.sqrt());
    let erf_square = outside * (8.0_f64.sqrt() * arctangent - last);
    SecondParts { plain, erf, erf_square, boundary: 0.0, total: 0.5 * (plain + erf + erf_square) }
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

/// The second moment of `S'` where it is positive, given `T'`; note 001 (63) has that of `|S'|`.
fn second(effort: &Effort) -> Comparison {
    let folded: Moment =
        |rho, t| (rho * rho * t * t + left(rho)) * normal_cdf(rho * t / left(rho).sqrt());
    let gated: Moment = effort.form(&second_given::ENTRY, second_given, folded);
    let cases = [(0.6, 0.8), (-0.9, 1.5), (0.3, -2.0)];
    let both = |moment: Moment| -> Vec<f64> {
        let open = |(rho, t): (f64, f64)| normal_cdf(rho * t / left(rho).sqrt());
        cases.iter().flat_map(|at| [moment(at.0, at.1), moment(at.0, at.1) / open(*at)]).collect()
    };
    let measured = cases.iter().flat_map(|(rho, t)| {
        let (mu, std) = (rho * t, left(*rho).sqrt());
        let moment = |p: f64| {
            let integrand = |x: f64| libm::pow(x, p) * normal_pdf((x - mu) / std) / std;
            adaptive(integrand, 0.0, 12.0, 1e-14).value
        };
        [moment(2.0), moment(2.0) / moment(0.0)]
    });
    let what = "E[S'^2; S' > 0 | T' = t] and E[S'^2 | S' > 0, T' = t] at (rho, t) = (0.6, 0.8), (-0.9, 1.5), (0.3, -2): closed form, and the conditional density integrated over S' > 0";
    Comparison::digits(&["L001.26"], what, &both(gated), &measured.collect::<Vec<f64>>())
        .source(&both(folded))
}

/// The quadrant moment with its boundary term; note 001 (67) omits the boundary.
fn whole(parts: Parts) -> Comparison {
    let predicted = [each(|rho| parts(rho).total), each(|rho| parts(rho).boundary)].concat();
    let total = |rho: f64| {
        let start = libm::acos(rho) - FRAC_PI_2;
        let square = |phi: f64| libm::cos(phi) * libm::cos(phi);
        2.0 * adaptive(square, start, FRAC_PI_2, 1e-14).value / TAU
    };
    let boundary = |rho: f64| {
        let std = left(rho).sqrt();
        half(|t| rho * t * std * normal_pdf(rho * t / std))
    };
    let measured = [each(total), each(boundary)].concat();
    let printed =
        |rho: f64| 0.5 * half(|t| (1.0 + (t * t - 1.0) * rho * rho) * (1.0 + bend(rho, t)));
    let source = [each(printed), each(|_| 0.0)].concat();
    let what = "E[S'^2; S',T' > 0] and its boundary term at rho = -0.6, -0.2, 0.6, 0.95: closed forms, and integrals over the polar angle of (S',T') and over T' > 0";
    Comparison::digits(&["L001.28"], what, &predicted, &measured).source(&source)
}

/// `E[1 + (T'^2 - 1) rho^2; T' > 0] = 1/2`; note 001 (70) has `1 - rho^2/2`.
fn plain(parts: Parts) -> Comparison {
    let measured = each(|rho| half(|t| 1.0 + (t * t - 1.0) * rho * rho));
    let what = "E[1 + (T'^2 - 1) rho^2; T' > 0] at rho = -0.6, -0.2, 0.6, 0.95: one half, and the integral over T' > 0";
    Comparison::digits(&["L001.29"], what, &each(|rho| parts(rho).plain), &measured)
        .source(&each(|rho| 1.0 - 0.5 * rho * rho))
}

/// `(1 - rho^2) asin(rho) / pi`; note 001 (72) is on one branch.
fn with_erf(parts: Parts) -> Comparison {
    let measured = each(|rho| left(rho) * half(|t| bend(rho, t)));
    let printed =
        |rho: f64| 0.5 * left(rho) * (1.0 - FRAC_2_PI * libm::atan(left(rho).sqrt() / rho));
    let what = "(1 - rho^2) E[erf(rho T'/sqrt(2 (1 - rho^2))); T' > 0] at rho = -0.6, -0.2, 0.6, 0.95: an arcsine, and the integral over T' > 0";
    Comparison::digits(&["L001.30"], what, &each(|rho| parts(rho).erf), &measured)
        .source(&each(printed))
}

/// `rho^2 (asin(rho) + rho sqrt(1 - rho^2)) / pi`; note 001 has (74), and (75), which is another number.
fn with_square(parts: Parts) -> Comparison {
    let right = each(|rho| parts(rho).erf_square);
    let measured = each(|rho| rho * rho * half(|t| t * t * bend(rho, t)));
    let second = |rho: f64| {
        let arctangent = libm::atan(left(rho).sqrt() / rho);
        let last = 8.0_f64.sqrt() * rho * left(rho).sqrt() / (3.0 * rho * rho + 1.0);
        rho * rho / (2.0 * TAU.sqrt()) * (8.0_f64.sqrt() * arctangent - last)
    };
    let what = "rho^2 E[T'^2 erf(rho T'/sqrt(2 (1 - rho^2))); T' > 0] at rho = -0.6, -0.2, 0.6, 0.95: closed form, and the integral over T' > 0, against note 001 (74)";
    let other = "the same against note 001 (75)";
    Comparison::digits(&["L001.31"], what, &right, &measured)
        .source(&each(|rho| printed_parts(rho).erf_square))
        .and(Comparison::digits(&["L001.31"], other, &right, &measured).source(&each(second)))
}

/// The means of a truncated and of a folded normal variable; note 001 (76) is neither.
fn means(effort: &Effort) -> Comparison {
    let printed: Moment = |mu, std| {
        let bump = FRAC_2_PI.sqrt() * std * std * libm::exp(-0.5 * mu * mu / std);
        bump + mu * erf(mu / (2.0_f64.sqrt() * std))
    };
    let truncated: Moment = effort.form(&mean::ENTRY, mean, folded_mean);
    let folded: Moment = effort.form(&folded_mean::ENTRY, folded_mean, printed);
    let cases = [(0.6, 0.8), (-0.5, 1.4)];
    let (mut predicted, mut measured, mut source) = (Vec::new(), Vec::new(), Vec::new());
    for (rho, t) in cases {
        let (mu, std) = (rho * t, left(rho).sqrt());
        predicted.extend([truncated(mu, std), folded(mu, std)]);
        let density = |x: f64| normal_pdf((x - mu) / std);
        let integral = |p: f64| adaptive(|x| libm::pow(x, p) * density(x), 0.0, 12.0, 1e-14).value;
        let absolute = normal_expectation(|z| (mu + std * z).abs(), &[-mu / std]).value;
        measured.extend([integral(1.0) / integral(0.0), absolute]);
        source.extend([printed(mu, std), printed(mu, std)]);
    }
    let what = "means of S' given S' > 0 and of |S'|, both given T' = t, at (rho, t) = (0.6, 0.8) and (-0.5, 1.4): closed forms, and quadrature of the conditional density";
    Comparison::digits(&["L001.32"], what, &predicted, &measured).source(&source)
}
