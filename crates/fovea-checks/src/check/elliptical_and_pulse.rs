//! Gated means of elliptical data and of single pulses (note 000, section 2; note 001, section 1).

use super::prelude::*;
use fovea_desk::elliptical;
use fovea_sim::expect::gated_mean;
use fovea_sim::lattice::Lattice;
use fovea_theory::elliptical::Radial;
use fovea_theory::elliptical::half_mean_abs::half_mean_abs;
use fovea_theory::pulse::Levels;
use fovea_theory::pulse::gated::{self, gated};
use fovea_theory::pulse::single::{self, Single, single};
use fovea_theory::relu::f_elliptical::{self, f_elliptical};
use fovea_theory::relu::f_gauss::f_gauss;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "elliptical-and-pulse",
    summary: "Gated means of elliptical pairs by polar integrals, and of pulses over all pulses.",
    covers: &["L000.11/gated-mean", "L001.2"],
    run,
};

/// A distribution, a covariance's first row, weights, and the gated mean there.
type GatedMean = fn(Radial, &[f64], &[f64]) -> Vec<f64>;

const LAWS: [Radial; 6] = [
    Radial::Student { dof: 6.0 },
    Radial::Laplace,
    Radial::Shell,
    Radial::Ball,
    Radial::Power { beta: 0.5 },
    Radial::HalfLogistic,
];

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let f: GatedMean = effort.form(&f_elliptical::ENTRY, f_elliptical, |_, row, w| f_gauss(row, w));
    Ok(vec![elliptical(f).and(sampled(effort, f)?), pulse(effort)])
}

/// A density of the radius.
type Density = fn(f64) -> f64;

/// Density of the radius of a pair, up to a factor, and its range.
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
    // Over the logarithm of E, from below where it matters at a radius of 1e-13 up to where exp(-E) vanishes.
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
fn elliptical(f: GatedMean) -> Comparison {
    let (rho, w) = (0.6_f64, [1.0, -0.35]);
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for law in LAWS {
        predicted.extend(f(law, &[1.0, rho], &w));
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
    let what = "f(w) of elliptical pairs, correlation 0.6, Student (6 dof), Laplace, shell, ball, exp(-r/2) and half-logistic: closed form, and the half circle times the mean radius, both by quadrature";
    Comparison::digits(&["L000.11/gated-mean"], what, &predicted, &measured)
}

/// The same on six sites, where the constants of shell, ball, power and half-logistic differ from those of a pair.
fn sampled(effort: &Effort, f: GatedMean) -> Result<Comparison, LabError> {
    let w = [1.0, 0.75, -0.25, -0.95, -0.7, 0.2];
    let row = kernel_row(w.len(), 1.2, Kernel::Ring);
    let constant: fn(Radial, usize) -> f64 = effort.slip(
        "constant of an elliptical distribution",
        "that of a pair, whatever the number of sites",
        |_, _| 1.0,
        |law, n| half_mean_abs(law, 2) / half_mean_abs(law, n),
    );
    let samples = effort.samples(800_000);
    let law_on_ring = |law| elliptical::sampled(law, Lattice::ring(w.len(), 1.2, Kernel::Ring));
    let measured = effort.once("elliptical", || -> Result<Vec<Estimate>, LabError> {
        let mut all = Vec::new();
        for (index, law) in LAWS.into_iter().enumerate() {
            let stream = effort.streams.replica(index as u64).named("elliptical");
            all.extend(gated_mean(&law_on_ring(law).sampler()?, &stream, samples, &w)?);
        }
        Ok(all)
    })?;
    let predicted =
        LAWS.into_iter().flat_map(|law| scaled(constant(law, w.len()), &f(law, &row, &w)));
    let pairs: Vec<(Estimate, f64)> = measured.into_iter().zip(predicted).collect();
    let what = "f(w) of the same distributions on a ring of 6, xi = 1.2: closed form, and gated means of sampled data";
    Ok(Comparison::noise(&["L000.11/gated-mean"], what, &pairs))
}

/// The moments of a pulse on the open line, without the way round the ring.
fn open_line(n: usize, [least, most]: [usize; 2], levels: Levels) -> Single {
    let starts = ((most - least + 1) * n) as f64;
    let second =
        |d: usize| (least..=most).map(|l| l.saturating_sub(d)).sum::<usize>() as f64 / starts;
    Single { second: (0..n).map(second).collect(), ..single(n, [least, most], levels) }
}

/// Those with only the shorter distance on the ring, which is right up to half the ring.
fn shorter_way(n: usize, lengths: [usize; 2], levels: Levels) -> Single {
    let open = open_line(n, lengths, levels);
    Single { second: (0..n).map(|d| open.second[d.min(n - d)]).collect(), ..open }
}

/// Moments and gated means of pulses, by enumeration of all pulses.
fn pulse(effort: &Effort) -> Comparison {
    // Some longer than half the ring: a pulse can cover two sites either way round.
    let (n, lengths) = (11, [2, 8]);
    let moments: fn(usize, [usize; 2], Levels) -> Single =
        effort.form(&single::ENTRY, single, open_line);
    let moments =
        effort.slip("pulse.single", "only the shorter way round the ring", moments, shorter_way);
    // f(w) + f(-w) is the mean: the distribution is not symmetric, and f(-w) is not -f(w).
    let turned_over: fn(f64, f64) -> f64 =
        effort.form(&gated::ENTRY, |mean, f| mean - f, |_, f| -f);
    let w: Vec<f64> = (0..n).map(|i| libm::cos(1.0 + (i * i) as f64)).collect();
    let turned: Vec<f64> = w.iter().map(|w| -w).collect();
    let all: Vec<usize> = (lengths[0]..=lengths[1]).collect();
    let closed = moments(n, lengths, Levels::PLAIN);
    let mut predicted = vec![closed.mean];
    predicted.extend(&closed.second);
    predicted.extend(gated(&w, &all));
    predicted.extend(gated(&w, &all).iter().map(|f| turned_over(closed.mean, *f)));

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
    let through = |w: &[f64], j: usize| mean(&|x| if dot(w, x) >= 0.0 { x[j] } else { 0.0 });
    let mut measured = vec![mean(&|x| x[0])];
    measured.extend((0..n).map(|d| mean(&|x| x[0] * x[d])));
    measured.extend((0..n).map(|j| through(&w, j)));
    measured.extend((0..n).map(|j| through(&turned, j)));
    let what = "one pulse of length 2 to 8 on a ring of 11: mean and second moments in closed form, f(w) by starts and lengths and mean - f(w), and the same with f(-w) by enumeration of all 77 pulses";
    Comparison::digits(&["L001.2"], what, &predicted, &measured)
}
