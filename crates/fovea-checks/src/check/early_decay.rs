//! Early in training the linear term dominates one unit: its size, its dependence on the data through their covariance alone, and what it
//! shrinks first (note 000, section 2, footnote 3).

use super::prelude::*;
use fovea_core::stats::Accumulator;
use fovea_sim::expect::expect;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_theory::nlgp::cov::{self, cov};
use fovea_theory::relu::f_gauss::{self, f_gauss};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "early-decay",
    summary: "The linear term of the flow at random weights: its size, that it depends on the covariance alone, and what it shrinks first.",
    covers: &["L000.9/ratio", "L000.9/law", "L000.9/low-first"],
    run,
};

/// Sites and correlation lengths of the two classes.
const N: usize = 40;
const LENGTHS: [f64; 2] = [2.0, 1.0];

/// Latent correlation and gain, and the covariance of two sites.
type Covariance = fn(f64, f64) -> f64;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let covariance: Covariance = effort.form(&cov::ENTRY, cov, |rho, _| rho);
    Ok(vec![ratio(effort)?, any_law(effort, covariance)?, low_first(covariance)])
}

fn latent() -> [Vec<f64>; 2] {
    LENGTHS.map(|xi| kernel_row(N, xi, Kernel::Ring))
}

/// Mean of `|f/2| / |M w/4|` over normal weights, by an integral and by sampling weights.
fn ratio(effort: &Effort) -> Result<Comparison, LabError> {
    let gated: fn(&[f64], &[f64]) -> Vec<f64> =
        effort.form(&f_gauss::ENTRY, f_gauss, |row, w| scaled(2.0, &f_gauss(row, w)));
    let decay = effort.slip("decay of L000.9", "note 000 (4): 1/2 in place of 1/4", 0.25, 0.5);
    let deviations = [1.0, (2.0 / (N as f64 + 1.0)).sqrt()];
    // The form gives the size of the gated mean at one site; every Gaussian gated mean has the direction S w.
    let [pos, neg] = latent();
    let mut site = vec![0.0; N];
    site[0] = 1.0;
    let size = |x: &[f64]| dot(x, x).sqrt();
    let constant = size(&gated(&pos, &site)) * pos[0].sqrt() / size(&pos);
    let shape = mean_shape(&pos, &neg);
    let predicted = deviations.map(|deviation| 0.5 * constant * shape / (decay * deviation));
    let measured = effort.once("ratio", || -> Result<Vec<Estimate>, LabError> {
        // Given S the mean of X is S w S/(w'Sw), and E max(Z, 0) is an integral over one normal variable.
        let half = normal_expectation(|z| z.max(0.0), &[0.0]).value;
        let sum: Vec<f64> = pos.iter().zip(&neg).map(|(pos, neg)| pos + neg).collect();
        let mut found = Vec::new();
        for (name, deviation) in ["normal", "glorot"].into_iter().zip(deviations) {
            let (stream, mut w) = (effort.streams.named(name), vec![0.0; N]);
            let mut ratios = Accumulator::new();
            for index in 0..effort.samples(60_000) {
                stream.normals(index as u64, &mut w);
                let w = scaled(deviation, &w);
                let image = circulant_apply(&pos, &w);
                let teacher = half * size(&image) / dot(&w, &image).sqrt();
                ratios.push(0.5 * teacher / (0.25 * size(&circulant_apply(&sum, &w))));
            }
            found.push(ratios.estimate()?);
        }
        Ok(found)
    })?;
    let pairs: Vec<(Estimate, f64)> = measured.into_iter().zip(predicted).collect();
    let what = "mean of |f/2| / |(S0+S1) w/4| over weights N(0,I), 0.0784, and N(0, 2/(n+1)), 0.3551, Gaussian data, n = 40, xi_pos = 2, xi_neg = 1: an integral over three variables, and 60000 random weights of each size";
    Ok(Comparison::noise(&["L000.9/ratio"], what, &pairs))
}

/// `E[ |S w| / (sqrt(w'Sw) |M w|) ]` over standard normal weights.
///
/// In the modes of the ring it is `E[A / sqrt(A B C)]` with `A`, `B`, `C` sums of squares of normal variables with weights `a`, `b`, `c`.
/// Each inverse root is `2/sqrt(pi)` times the integral of `exp(-x^2 A)` over `x > 0`, and the mean of `A` times the
/// exponential of such sums is elementary. An integral over an octant remains, by angles and radius.
fn mean_shape(pos: &[f64], neg: &[f64]) -> f64 {
    let [pos, neg] = [pos, neg].map(|row| unfold(&circulant_eigs(row), N));
    let modes: Vec<[f64; 3]> = pos
        .iter()
        .zip(&neg)
        .map(|(pos, neg)| [pos * pos, *pos, (pos + neg) * (pos + neg)])
        .collect();
    let (angles, radii) = (gauss_legendre(32), gauss_legendre(60));
    let quarter = |x: f64| 0.25 * PI * (1.0 + x);
    let along = |[x, y, z]: [f64; 3]| {
        let spread: Vec<f64> =
            modes.iter().map(|[a, b, c]| x * x * a + y * y * b + z * z * c).collect();
        // The radius in units in which the exponent is of order 1, mapped from (-1, 1) to the half line.
        let unit = 1.0 / spread.iter().sum::<f64>().sqrt();
        radii.integrate(|t| {
            let (radius, jacobian) =
                (unit * (1.0 + t) / (1.0 - t), 2.0 * unit / (1.0 - t) / (1.0 - t));
            let open = |s: &f64| 1.0 + 2.0 * radius * radius * s;
            let mass: f64 = spread.iter().map(|s| 1.0 / open(s).sqrt()).product();
            let mean: f64 = spread.iter().zip(&modes).map(|(s, [a, ..])| a / open(s)).sum();
            jacobian * radius * radius * mass * mean
        })
    };
    let octant = angles.integrate(|t| {
        let (sin, cos) = libm::sincos(quarter(t));
        let around = angles.integrate(|s| {
            let (up, side) = libm::sincos(quarter(s));
            along([sin * side, sin * up, cos])
        });
        sin * around
    });
    let measure = 0.25 * PI * 0.25 * PI;
    8.0 / libm::pow(PI, 1.5) * measure * octant
}

/// The linear term on sign data, mode by mode.
fn any_law(effort: &Effort, covariance: Covariance) -> Result<Comparison, LabError> {
    let mut w = vec![0.0; N];
    effort.streams.named("weights").normals(0, &mut w);
    let waves = [0, 1, 3, 7, 15];
    let vectors: Vec<Vec<f64>> = waves.iter().map(|j| basis_vector(*j, N)).collect();
    let half = effort.slip("E[1(S > 0) S X]", "without the factor 1/2 of the gate", 0.5, 1.0);
    let mut pairs = Vec::new();
    for (class, (xi, row)) in LENGTHS.into_iter().zip(latent()).enumerate() {
        let found = effort.once(["pos", "neg"][class], || -> Result<Vec<Estimate>, LabError> {
            let signs = Nlgp::on_ring(N, xi, f64::INFINITY, Kernel::Ring).sampler()?;
            let stream = effort.streams.named(["pos", "neg"][class]);
            // E[1(S >= 0) S <v_k, X>] for some cosines v_k.
            Ok(expect(&signs, &stream, effort.samples(1_600_000), waves.len(), |x, out| {
                let s = dot(&w, x);
                for (out, v) in out.iter_mut().zip(&vectors) {
                    *out = if s >= 0.0 { s * dot(v, x) } else { 0.0 };
                }
            })?)
        })?;
        let eigs =
            circulant_eigs(&row.iter().map(|r| covariance(*r, f64::INFINITY)).collect::<Vec<_>>());
        for ((found, j), v) in found.into_iter().zip(waves).zip(&vectors) {
            pairs.push((found, half * eigs[frequency_of(j, N)] * dot(v, &w)));
        }
    }
    let what = "E[1(S>0) S X] of signs along five Fourier modes, both classes, one set of standard normal weights, n = 40, xi_pos = 2, xi_neg = 1: half the eigenvalue of the covariance times the weight, and sampled";
    Ok(Comparison::noise(&["L000.9/law"], what, &pairs))
}

/// The rate at which the linear term shrinks each frequency, `(l_0 + l_1)_k / 4`.
fn low_first(covariance: Covariance) -> Comparison {
    let rates = |of: &dyn Fn(f64) -> f64| -> Vec<f64> {
        // The sum over lags, each with its cosine.
        let rows = latent().map(|row| row.into_iter().map(of).collect::<Vec<f64>>());
        let rate = |k: usize| {
            let wave = |d: usize| libm::cos(TAU * (k * d % N) as f64 / N as f64);
            rows.iter().map(|row| (0..N).map(|d| row[d] * wave(d)).sum::<f64>()).sum::<f64>() / 4.0
        };
        (0..=N / 2).map(rate).collect()
    };
    let falling = |rates: &[f64]| rates.windows(2).filter(|pair| pair[1] < pair[0]).count();
    let sign_product = |r: f64| {
        let sign = |z: f64| 2.0 * normal_cdf(r * z / (1.0 - r * r).sqrt()) - 1.0;
        if r >= 1.0 {
            return 1.0;
        }
        2.0 * normal_expectation(|z| if z > 0.0 { sign(z) } else { 0.0 }, &[0.0]).value
    };
    let [pos, neg] = latent().map(|row| {
        circulant_eigs(&row.iter().map(|r| covariance(*r, f64::INFINITY)).collect::<Vec<_>>())
    });
    let predicted = scaled(0.25, &combined(1.0, &pos, 1.0, &neg));
    let measured = rates(&sign_product);
    // Neighbours of opposite sign: the covariance alternates, and high frequencies shrink first.
    let alternating: Vec<f64> = (0..=N / 2)
        .map(|k| {
            let wave = |d: usize| libm::cos(TAU * (k * d % N) as f64 / N as f64);
            (0..N).map(|d| libm::pow(-0.5, d.min(N - d) as f64) * wave(d)).sum()
        })
        .collect();
    let ids = &["L000.9/low-first"];
    let what = "rate (l0 + l1)_k / 4 at which signs shrink frequency k = 0..20, n = 40, xi_pos = 2, xi_neg = 1: eigenvalues of the arcsine covariance, and cosine sums of covariances by quadrature";
    let order = "number of the 20 steps to the next frequency at which the summed rate falls";
    Comparison::digits(ids, what, &predicted, &measured).and(
        Comparison::all(ids, order, (falling(&measured), N / 2), 0.0).enumerated().against_cases(
            "a covariance that alternates from site to site",
            (falling(&alternating), N / 2),
        ),
    )
}
