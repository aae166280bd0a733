//! Gated means of elliptical data and of single pulses (note 000, section 2; note 001, section 1).

use super::prelude::*;
use fovea_theory::elliptical::Radial;
use fovea_theory::pulse::{Levels, gated::gated, single::single};
use fovea_theory::relu::f_elliptical::f_elliptical;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "elliptical-and-pulse",
    summary: "Gated means of elliptical pairs by polar integrals, and of pulses over all pulses.",
    covers: &["L000.11", "L001.2"],
    run,
};

fn run(_: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![elliptical(), pulse()])
}

/// A density of the radius.
type Density = fn(f64) -> f64;

/// Density of the radius of a pair, up to a factor, and how far it reaches.
fn radius(law: Radial) -> Option<(Density, f64)> {
    match law {
        // The scale matrix is the identity and dof = 6: (1 + r^2/6)^-4.
        Radial::Student { .. } => Some((|r| r * libm::pow(1.0 + r * r / 6.0, -4.0), 3000.0)),
        // A normal pair over the root of an exponential variable, by its own integral.
        Radial::Laplace => Some((laplace_density, 60.0)),
        Radial::Ball => Some((|r| r, 1.0)),
        Radial::Power { .. } => Some((|r| r * libm::exp(-0.5 * r), 120.0)),
        // 2 + artanh U has the density 1/cosh^2 beyond 2.
        Radial::HalfLogistic => Some((half_logistic_density, 40.0)),
        Radial::Shell => None,
    }
}

/// Density of `sqrt(E) rho`, `E` exponential and `rho` the radius of a normal pair.
fn laplace_density(r: f64) -> f64 {
    // Over the logarithm of E, down to where a radius of 1e-13 would still see it and up to where exp(-E) vanishes.
    let integrand = |x: f64| {
        let e = libm::exp(x);
        r * libm::exp(-e - 0.5 * r * r / e)
    };
    adaptive_split(integrand, &[-60.0, -30.0, -14.0, -6.0, -2.0, 0.0, 2.0, 5.0], 1e-12).value
}

/// Density of `2 + artanh U`.
fn half_logistic_density(r: f64) -> f64 {
    if r < 2.0 { 0.0 } else { 1.0 / (libm::cosh(r - 2.0) * libm::cosh(r - 2.0)) }
}

/// `ER / sqrt(ER^2 / 2)`, the mean radius of a pair whose covariance is the matrix.
fn mean_radius(law: Radial) -> f64 {
    let Some((density, reach)) = radius(law) else { return 2.0_f64.sqrt() };
    let moment = |power: i32| {
        let weight = |r: f64| (0..power).fold(density(r), |value, _| value * r);
        let points = [0.0, 0.25, 1.0, 2.0, 3.0, 10.0, 40.0, 200.0, 1000.0, 3000.0]
            .map(|r| f64::min(r, reach));
        adaptive_split(weight, &points, 1e-12).value
    };
    moment(1) / moment(0) / (0.5 * moment(2) / moment(0)).sqrt()
}

/// `f` of a pair by the angle of its direction, times the mean radius.
fn elliptical() -> Comparison {
    let laws = [
        Radial::Student { dof: 6.0 },
        Radial::Laplace,
        Radial::Shell,
        Radial::Ball,
        Radial::Power { beta: 0.5 },
        Radial::HalfLogistic,
    ];
    let (rho, w) = (0.6_f64, [1.0, -0.35]);
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for law in laws {
        predicted.extend(f_elliptical(law, &[1.0, rho], &w));
        // x = R A u with A A' = S: A = [[1, 0], [rho, sqrt(1 - rho^2)]].
        let lower = (1.0 - rho * rho).sqrt();
        let entry = |angle: f64| {
            let (sin, cos) = libm::sincos(angle);
            [cos, rho * cos + lower * sin]
        };
        // The gate is open on half the circle, around the direction of A'w.
        let middle = libm::atan2(lower * w[1], w[0] + rho * w[1]);
        for j in 0..2 {
            let half = adaptive(|a| entry(middle + a)[j], -0.25 * TAU, 0.25 * TAU, 1e-13).value;
            measured.push(mean_radius(law) * half / TAU);
        }
    }
    let what = "f(w) of elliptical pairs, correlation 0.6: closed form, and the half circle times the mean radius, both by quadrature, for Student (6 dof), Laplace, shell, ball, exp(-r/2) and half-logistic";
    Comparison::digits(&["L000.11"], what, &predicted, &measured)
}

/// Moments and gated means of pulses, over all pulses written out.
fn pulse() -> Comparison {
    let (n, lengths) = (11, [2, 5]);
    let w: Vec<f64> = (0..n).map(|i| libm::cos(1.0 + (i * i) as f64)).collect();
    let turned: Vec<f64> = w.iter().map(|w| -w).collect();
    let all: Vec<usize> = (lengths[0]..=lengths[1]).collect();
    let closed = single(n, lengths, Levels::PLAIN);
    let mut predicted = vec![closed.mean];
    predicted.extend(&closed.second);
    predicted.extend(gated(&w, &all));
    // f(w) + f(-w) is the mean: the law is not symmetric, and f(-w) is not -f(w).
    predicted.extend(gated(&w, &all).iter().map(|f| closed.mean - f));

    let pulses: Vec<Vec<f64>> = all
        .iter()
        .flat_map(|length| (0..n).map(move |start| (length, start)))
        .map(|(length, start)| {
            (0..n).map(|i| f64::from(u8::from((i + n - start) % n < *length))).collect()
        })
        .collect();
    let mean = |of: &dyn Fn(&[f64]) -> f64| {
        pulses.iter().map(|x| of(x)).sum::<f64>() / pulses.len() as f64
    };
    let open = |w: &[f64], x: &[f64]| w.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() >= 0.0;
    let through = |w: &[f64], j: usize| mean(&|x| if open(w, x) { x[j] } else { 0.0 });
    let mut measured = vec![mean(&|x| x[0])];
    measured.extend((0..n).map(|d| mean(&|x| x[0] * x[d])));
    measured.extend((0..n).map(|j| through(&w, j)));
    measured.extend((0..n).map(|j| through(&turned, j)));
    let what = "one pulse of length 2 to 5 on a ring of 11: mean, second moments, f(w) and mean - f(w) in closed form; the same and f(-w) over all 44 pulses";
    Comparison::digits(&["L001.2"], what, &predicted, &measured)
}
