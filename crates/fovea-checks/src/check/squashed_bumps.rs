//! Gated means of the nonlinear Gaussian process: one bump, two bumps, signs, and as half a gradient (note 000, section 2).

use super::prelude::*;
use fovea_core::special::{erf, inv_erf};
use fovea_sim::expect::gated_mean;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_theory::Spins;
use fovea_theory::nlgp::cov::cov;
use fovea_theory::nlgp::f_site::{self, f_site};
use fovea_theory::nlgp::f_two_bumps::{self, f_two_bumps};
use fovea_theory::relu::f_gauss::f_gauss;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "squashed-bumps",
    summary: "Gated means of the nonlinear Gaussian process for one bump, two bumps and any weights on signs.",
    covers: &["L000.17/one-bump", "L000.17/two-bumps", "L000.17/signs", "L000.17/slope", "L000.26"],
    run,
};

/// The ring of the bumps: sites, correlation length, gain.
const RING: (usize, f64, f64) = (6, 1.2, 2.0);

/// Weight of site 0, with weight 1 at site 1: one that outvotes it, one that does not.
const WEIGHTS: [f64; 2] = [1.25, -0.6];

/// Latent correlation and gain, and the gated mean of a site.
type OneBump = fn(f64, f64) -> f64;

/// Latent covariance, gain, weight of site 0.
type TwoBumps = fn(&[f64], f64, f64) -> Vec<f64>;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let one: OneBump = effort.form(&f_site::ENTRY, f_site, cov);
    let half: OneBump = |rho, gain| 0.5 * cov(rho, gain);
    let one = effort.slip("gated mean of one bump", "half the covariance at every gain", one, half);
    let two: TwoBumps = effort.form(&f_two_bumps::ENTRY, f_two_bumps, |row, _, alpha| {
        f_two_bumps(row, f64::INFINITY, alpha)
    });
    let mut comparisons = vec![one_bump(effort, one)?, two_bumps(effort, two)?];
    comparisons.extend(any_weights(effort)?);
    comparisons.push(at_gains(one));
    Ok(comparisons)
}

/// Variance of `erf(gain Z)`.
fn variance(gain: f64) -> f64 {
    let steep = [-3.0, -1.0, 0.0, 1.0, 3.0].map(|t| t / gain);
    normal_expectation(|z| erf(gain * z) * erf(gain * z), &steep).value
}

/// `E[X_j; Z_i > 0]` over `Z_i`, from the conditional mean of `erf(gain Z_j)`.
fn given_sign(rho: f64, gain: f64) -> f64 {
    let mean = |z: f64| erf(gain * rho * z / (1.0 + 2.0 * gain * gain * (1.0 - rho * rho)).sqrt());
    let open = |z: f64| if z > 0.0 { mean(z) } else { 0.0 };
    normal_expectation(open, &[0.0]).value / variance(gain).sqrt()
}

/// Gated means of sampled data behind `alpha e_0 + e_1`.
fn sampled(effort: &Effort, alpha: f64) -> Result<Vec<Estimate>, LabError> {
    let (n, xi, gain) = RING;
    let name = format!("alpha {alpha}");
    effort.once(&name, || {
        let stimulus = Nlgp::on_ring(n, xi, gain, Kernel::Ring).sampler()?;
        let mut w = vec![0.0; n];
        (w[0], w[1]) = (alpha, 1.0);
        Ok(gated_mean(&stimulus, &effort.streams.named(&name), effort.samples(1_000_000), &w)?)
    })
}

/// A bump on one site.
fn one_bump(effort: &Effort, one: OneBump) -> Result<Comparison, LabError> {
    let (n, xi, gain) = RING;
    let row = kernel_row(n, xi, Kernel::Ring);
    let predicted: Vec<f64> = (0..n).map(|j| one(row[distance(1, j, n)], gain)).collect();
    let measured: Vec<f64> = (0..n).map(|j| given_sign(row[distance(1, j, n)], gain)).collect();
    let pairs: Vec<_> = sampled(effort, 0.0)?.into_iter().zip(predicted.clone()).collect();
    let ids = &["L000.17/one-bump"];
    let what = "f of one bump at g = 2, n = 6, xi = 1.2: asin(sqrt(rho) r)/(pi sqrt(Z)), r the latent correlation, and the mean of X_j given Z_i integrated over Z_i > 0";
    let other = "the same arcsine, and gated means of a million samples";
    Ok(Comparison::digits(ids, what, &predicted, &measured)
        .and(Comparison::noise(ids, other, &pairs)))
}

/// Bumps on two neighbouring sites.
fn two_bumps(effort: &Effort, two: TwoBumps) -> Result<Comparison, LabError> {
    let (n, xi, gain) = RING;
    let row = kernel_row(n, xi, Kernel::Ring);
    let (mut predicted, mut measured, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
    for alpha in WEIGHTS {
        let told = two(&row, gain, alpha);
        pairs.extend(sampled(effort, alpha)?.into_iter().zip(told.clone()));
        predicted.extend(told);
        measured.extend(effort.once(&format!("by planes {alpha}"), || {
            Ok::<_, LabError>((0..n).map(|j| over_plane(&row, alpha, j)).collect::<Vec<f64>>())
        })?);
    }
    let ids = &["L000.17/two-bumps"];
    let what = "f of 1.25 e_0 + e_1 and of -0.6 e_0 + e_1 at g = 2, n = 6, xi = 1.2: f of the site with the larger weight less an integral along the line where the gate changes, and the mean of X_j given (Z_0, Z_1) integrated over the part of their plane where the gate is open";
    let other = "the same, and gated means of a million samples";
    Ok(Comparison::digits(ids, what, &predicted, &measured)
        .and(Comparison::noise(ids, other, &pairs)))
}

/// `E[X_j; alpha X_0 + X_1 > 0]` over the plane of `(Z_0, Z_1)`: the other site is normal given them.
fn over_plane(row: &[f64], alpha: f64, j: usize) -> f64 {
    let gain = RING.2;
    let (r, left) = (row[1], (1.0 - row[1] * row[1]).sqrt());
    let (a, b) = (row[distance(0, j, row.len())], row[distance(1, j, row.len())]);
    // Regression of Z_j on the two, and the remaining variance.
    let [c0, c1] = [(a - r * b) / (left * left), (b - r * a) / (left * left)];
    let rest = 1.0 - c0 * a - c1 * b;
    let width = (1.0 + 2.0 * gain * gain * rest).sqrt();
    let inner = |x: f64| {
        // Z_1 = r x + left y is above the value where the gate opens.
        let level = -alpha * erf(gain * x);
        let opens = if level.abs() < 1.0 { inv_erf(level) / gain } else { level * f64::INFINITY };
        let y = (opens - r * x) / left;
        let mean = |y: f64| erf(gain * (c0 * x + c1 * (r * x + left * y)) / width);
        normal_expectation(|at| if at > y { mean(at) } else { 0.0 }, &[y]).value
    };
    // Where |alpha| > 1 the first site alone decides beyond this value.
    let alone = if alpha.abs() > 1.0 { inv_erf(1.0 / alpha.abs()) / gain } else { f64::INFINITY };
    normal_expectation(inner, &[-alone, 0.0, alone]).value / variance(gain).sqrt()
}

/// Any weights on signs: by enumeration of orthants, and as half the gradient of `E|<w,X>|`.
fn any_weights(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    const W: [f64; 5] = [1.0, -0.7, 0.4, 0.25, -0.9];
    // One list without symmetry, one where a site decides, and one with ties.
    const LISTS: [[f64; 5]; 3] = [W, [3.0, 0.5, -0.75, 0.5, 1.0], [1.0, 0.5, 0.5, 0.25, -0.25]];
    let row = kernel_row(5, 1.0, Kernel::Ring);
    let latent: Vec<Vec<f64>> =
        (0..5).map(|i| (0..5).map(|j| row[distance(i, j, 5)]).collect()).collect();
    let spins = Spins::signs(&latent).map_err(FormError::from)?;
    let (right, signs) = (spins.gated_mean(&W), spins.first_row());
    let every = |of: &dyn Fn(&[f64]) -> Vec<f64>| LISTS.map(|w| of(&w)).concat();
    let f = effort.slip(
        "gated mean of signs",
        "that of Gaussian data with the covariance of the signs",
        every(&|w| spins.gated_mean(w)),
        every(&|w| f_gauss(&signs, w)),
    );
    let share = effort.slip("slope of E|<w,X>|", "f is all of it, not half", 1.0, 2.0);
    let (summed, slope) = effort.once("signs", || {
        let law = Corners::signs(5, 1.0);
        let slope = gradient(&W, 1e-3, |w| 0.5 * law.mean(|x| dot(w, x).abs()));
        Ok::<_, LabError>((every(&|w| law.gated_mean(w, true)), slope))
    })?;
    let what = "f(w) of signs, n = 5, xi = 1, three lists of weights, one where a site decides and one with ties: orthants from moments of two and of four signs, and orthants by quadrature of the latent density, summed where the gate is open";
    let other = "f(w) of signs, n = 5, xi = 1, one list of weights, in the same way, and half the difference quotient of E|<w,X>| over orthants by quadrature of the latent density";
    Ok(vec![
        Comparison::digits(&["L000.17/signs"], what, &f, &summed),
        Comparison::digits(&["L000.17/slope"], other, &scaled(share, &right), &slope),
    ])
}

/// The arcsine at many gains.
fn at_gains(one: OneBump) -> Comparison {
    let rhos = [-0.5, 0.1, 0.6, 0.95];
    let cases =
        || [0.3, 1.0, 3.0, 30.0].into_iter().flat_map(move |gain| rhos.map(move |rho| (rho, gain)));
    let predicted: Vec<f64> = cases().map(|(rho, gain)| one(rho, gain)).collect();
    let measured: Vec<f64> = cases().map(|(rho, gain)| given_sign(rho, gain)).collect();
    let what = "f(e_i)_j at gains 0.3, 1, 3, 30 and latent correlations r = -0.5, 0.1, 0.6, 0.95: asin(sqrt(rho) r)/(pi sqrt(Z)), and the mean of X_j given Z_i integrated over Z_i > 0";
    Comparison::digits(&["L000.26"], what, &predicted, &measured)
}
