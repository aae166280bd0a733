//! Which fields are best: the variational principle, where localization lives, and which marginals favour it (note 000).

use super::prelude::*;
use fovea_sim::expect::{self, expect};
use fovea_sim::lattice::Lattice;
use fovea_sim::probe::ipr::ipr;
use fovea_sim::sample::Sample;
use fovea_sim::stimulus::Stimulus;
use fovea_sim::stimulus::copula::{Copula, Shape};
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_theory::Spins;
use fovea_theory::ascent::{ascend, ratio};
use fovea_theory::copula::{Marginal, excess_kurtosis::excess_kurtosis};
use fovea_theory::dictator::fixed_point::{fixed_point, sign_cov};
use fovea_theory::site::Site;
use fovea_theory::variational::crossing_gain::crossing_gain;
use fovea_theory::variational::loss;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "best-field",
    summary: "The variational principle of one unit, where localization lives, and which laws favour it.",
    covers: &["L000.29", "L000.38", "L000.44", "L000.45"],
    run,
};

const RING: usize = 7;
const WEIGHTS: [f64; RING] = [1.0, -0.7, 0.4, 0.25, -0.9, 0.55, 0.15];

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![beyond_the_condition(effort)?, principle()?, in_space(), by_marginal(effort)?])
}

/// First row of `M` for a law of the sites.
fn sum_row(site: Site, n: usize, lengths: [f64; 2]) -> Vec<f64> {
    let [pos, neg] = lengths.map(|xi| site.cov_row(&kernel_row(n, xi, Kernel::Ring)));
    pos.iter().zip(&neg).map(|(pos, neg)| pos + neg).collect()
}

/// `R` of fixed weights from fresh samples of class `pos`.
fn sampled_ratio(
    stimulus: &dyn Stimulus,
    effort: &Effort,
    name: &str,
    (samples, sum, w): (usize, &[f64], &[f64]),
) -> Result<Estimate, LabError> {
    let stream = effort.streams.named(name);
    let size = expect(stimulus, &stream, samples, 1, |x, out| out[0] = expect::dot(w, x).abs())?[0];
    let power = dot(w, &circulant_apply(sum, w));
    // The square of a mean: its relative standard error is twice that of the mean.
    let (value, se) = (size.mean() * size.mean() / power, 2.0 * size.mean() * size.se() / power);
    Ok(Estimate::from_parts(value, se, size.count())?)
}

/// The best field of sign data at lengths where no site outvotes the others, and what one site alone predicts.
fn beyond_the_condition(effort: &Effort) -> Result<Comparison, LabError> {
    let (n, lengths) = (40, [3.0, 1.0]);
    let rows = lengths.map(|xi| sign_cov(&kernel_row(n, xi, Kernel::Ring)));
    let point = fixed_point(&rows[0], &rows[1]);
    let sum: Vec<f64> = rows[0].iter().zip(&rows[1]).map(|(pos, neg)| pos + neg).collect();
    let signs = Nlgp::on_ring(n, lengths[0], f64::INFINITY, Kernel::Ring).sampler()?;
    let sample = Sample::draw(&signs, &effort.streams.named("ascent"), effort.samples(100_000));
    let best = ascend(&sum, &point.w, 40, |w| sample.gated_mean(w)).w;
    let fresh = effort.samples(400_000);
    let measured = sampled_ratio(&signs, effort, "fresh", (fresh, &sum, &best))?;
    let predicted = 2.0 * (1.0 - 4.0 * point.loss);
    let what = "R of the best field of sign data at xi_pos = 3, xi_neg = 1, n = 40, climbed on one sample and measured on another, beside the gate on one site, from whose field the climb starts and whose condition fails there";
    Ok(Comparison::noise(&["L000.29"], what, &[(measured, predicted)]))
}

/// Loss, best scale and ascent by the ratio `R`, and by enumeration.
fn principle() -> Result<Comparison, LabError> {
    let couplings = [0.6, 0.2];
    let corners = couplings.map(|coupling| Corners::ising(RING, coupling));
    let spins = |coupling| Spins::ising(RING, coupling).map_err(FormError::from);
    let (pos, neg) = (spins(couplings[0])?, spins(couplings[1])?);
    let sum: Vec<f64> =
        pos.first_row().iter().zip(neg.first_row()).map(|(pos, neg)| pos + neg).collect();
    let enumerated = |w: &[f64]| {
        let error = |class: usize, label: f64| {
            corners[class].mean(|x| {
                let gap = dot(w, x).max(0.0) - label;
                gap * gap
            })
        };
        0.25 * (error(0, 1.0) + error(1, 0.0))
    };
    let scaled = |scale: f64| -> Vec<f64> { WEIGHTS.iter().map(|w| scale * w).collect() };
    let closed =
        |w: &[f64]| 0.25 * (1.0 + 0.5 * dot(w, &circulant_apply(&sum, w)) - pos.mean_abs(w));
    let mut predicted: Vec<f64> = [0.1, 0.5, 2.0].map(|scale| closed(&scaled(scale))).to_vec();
    let mut measured: Vec<f64> = [0.1, 0.5, 2.0].map(|scale| enumerated(&scaled(scale))).to_vec();
    let f = pos.gated_mean(&WEIGHTS);
    predicted.push(loss(ratio(&sum, &WEIGHTS, &f)));
    measured.push(least(|scale| enumerated(&scaled(scale)), 2.0));
    // Where the map from gate to least squares ends, the enumerated loss has no slope, and it never went down.
    let end = ascend(&sum, &WEIGHTS, 100, |w| pos.gated_mean(w));
    predicted.extend([loss(end.ratio()), 1.0]);
    measured.push(enumerated(&end.w));
    let climbs = end.ratios.windows(2).filter(|pair| pair[1] >= pair[0] * (1.0 - 1e-12)).count();
    measured.push(climbs as f64 / (end.ratios.len() - 1) as f64);
    // The gain at which one site beats flat weights.
    let rows = [2.0, 1.0].map(|xi| kernel_row(40, xi, Kernel::Ring));
    predicted.push(crossing_gain(&rows[0], &rows[1]).unwrap_or(f64::NAN));
    measured.push(crossing(&rows));
    let what = "loss at three scales, at its best scale, and after the map from gate to least squares, by E|S| and R and over all corners of two Ising rings; share of sweeps that climb; gain at which one site beats flat weights, 1.4573, and by quadrature";
    Ok(Comparison::digits(&["L000.38"], what, &predicted, &measured))
}

/// The least value on `[0, end]` of a function with one valley, by thirds.
fn least(f: impl Fn(f64) -> f64, end: f64) -> f64 {
    let (mut low, mut high) = (0.0, end);
    for _ in 0..200 {
        let [a, b] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
        if f(a) > f(b) {
            low = a;
        } else {
            high = b;
        }
    }
    f(0.5 * (low + high))
}

/// The crossing gain by bisection on quadratures.
fn crossing(rows: &[Vec<f64>; 2]) -> f64 {
    let lead = |gain: f64| {
        let mean = |g: &dyn Fn(f64) -> f64| normal_expectation(g, &[0.0]).value;
        let second = mean(&|z| libm::erf(gain * z) * libm::erf(gain * z));
        let size = mean(&|z| libm::erf(gain * z).abs()) / second.sqrt();
        let covariance = |rho: f64| {
            let given = |z: f64| {
                let left = 1.0 + 2.0 * gain * gain * (1.0 - rho * rho);
                libm::erf(gain * z) * libm::erf(gain * rho * z / left.sqrt())
            };
            mean(&given) / second
        };
        let top = |row: &[f64]| row.iter().map(|rho| covariance(*rho)).sum::<f64>();
        0.5 * size * size - FRAC_2_PI * top(&rows[0]) / (top(&rows[0]) + top(&rows[1]))
    };
    let (mut low, mut high) = (1.0, 2.0);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if lead(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// The participation of the localized state in space, where it is large, and of its Fourier vector, where it is not.
fn in_space() -> Comparison {
    let n = 40;
    let rows = [2.0, 1.0].map(|xi| sign_cov(&kernel_row(n, xi, Kernel::Ring)));
    let point = fixed_point(&rows[0], &rows[1]);
    let entry = |i: usize, j: usize| rows[0][distance(i, j, n)] + rows[1][distance(i, j, n)];
    let matrix: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
    let w = super::dense::solve(matrix, rows[0].clone());
    let what = "participation ratio of the localized state w* in space, from circulant eigenvalues and from elimination, at xi_pos = 2, xi_neg = 1, n = 40";
    Comparison::digits(&["L000.44"], what, &[point.ipr], &[ipr(&w)]).source(&[ipr(&to_fourier(&w))])
}

/// Whether a bump gains over Gaussian data of the same covariance: the sign of minus the kurtosis, and sampled.
fn by_marginal(effort: &Effort) -> Result<Comparison, LabError> {
    let (n, lengths) = (40, [2.0, 1.0]);
    let laws = [
        (Shape::Uniform, Marginal::Uniform),
        (Shape::Arcsine, Marginal::Arcsine),
        (Shape::Laplace, Marginal::Laplace),
    ];
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for (shape, marginal) in laws {
        let site = Site::Copula(marginal);
        let sum = sum_row(site, n, lengths);
        let row = site.cov_row(&kernel_row(n, lengths[0], Kernel::Ring));
        let lattice = Lattice { n, xi: lengths[0], ..Lattice::default() };
        let stimulus = Copula { lattice, marginal: shape, ..Copula::default() }.sampler()?;
        for width in [0.1, 1.0] {
            let w: Vec<f64> = (0..n)
                .map(|i| {
                    let d = distance(0, i, n) as f64 / width;
                    libm::exp(-0.5 * d * d)
                })
                .collect();
            let power = dot(&w, &circulant_apply(&sum, &w));
            let gaussian = FRAC_2_PI * dot(&w, &circulant_apply(&row, &w)) / power;
            let name = format!("{shape:?} {width}");
            // Not fewer in a hurry: the sign must be certain.
            let found = sampled_ratio(&stimulus, effort, &name, (60_000, &sum, &w))?;
            let certain = found.z(gaussian).abs() > 6.0;
            let sign = |x: f64| 1.0_f64.copysign(x);
            predicted.push(sign(-excess_kurtosis(marginal)));
            measured.push(if certain { sign(found.mean() - gaussian) } else { 0.0 });
        }
    }
    let what = "whether one site and a bump of width 1 gain over Gaussian data of their covariance, uniform, arcsine and Laplace marginals: sign of minus the kurtosis, and of sampled R beyond 6 standard errors";
    Ok(Comparison::digits(&["L000.45"], what, &predicted, &measured)
        .no_source("it calls the corners of the cube the key and names no number; the experiment `marginals` trains on each law"))
}
