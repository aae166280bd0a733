//! Gated means from characteristic functions, which notes 001 and 003 announce.

use super::prelude::*;
use fovea_theory::charfun::{Gated, f, scale_mixture, signs};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "characteristic-functions",
    summary: "Gated mean and mean size of the preactivation as integrals of the characteristic function.",
    covers: &["L000.51"],
    run,
};

const WEIGHTS: [[f64; 6]; 3] = [
    [1.0, -0.7, 0.4, 0.25, -0.9, 0.55],
    // One weight outvotes the others: the integral is constant.
    [3.0, 0.7, -0.4, 0.25, 0.9, 0.5],
    [1.0, 1.0, 1.0, 0.5, 0.5, -0.5],
];

/// `1 - E exp(-tV)` and `E V exp(-tV)` of an exponential.
type Scale = [fn(f64) -> f64; 2];

const FORM: &str = f::ENTRY.name;
const GAUSSIAN: &str = "the Gaussian gate of the same covariance";

/// The values from the characteristic function of independent signs.
type OfSigns = fn(&[f64]) -> Option<Gated>;

/// The same of a Gaussian times the root of an exponential, with this first row of its covariance.
type OfMixture = fn(&[f64], &[f64], Scale) -> Gated;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let cube = Corners::ising(6, 0.0);
    let row = kernel_row(6, 1.3, Kernel::Ring);
    let scale: Scale = effort.slip(
        "distribution of the scale",
        "an exponential of mean 2 in place of 1",
        [|t| t / (1.0 + t), |t| 1.0 / ((1.0 + t) * (1.0 + t))],
        [|t| 2.0 * t / (1.0 + 2.0 * t), |t| 2.0 / ((1.0 + 2.0 * t) * (1.0 + 2.0 * t))],
    );
    let of_signs: OfSigns =
        effort.slip(FORM, GAUSSIAN, signs, |w| Some(gaussian(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0], w)));
    let of_mixture: OfMixture = effort.slip(
        FORM,
        GAUSSIAN,
        |row, w, [rise, slope]| scale_mixture(row, w, rise, slope),
        |row, w, _| gaussian(row, w),
    );
    let all = |gated: Gated| [gated.f, vec![gated.mean_abs]].concat();
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for w in &WEIGHTS {
        // No sum of these weights is small: the integral has few terms.
        predicted.extend(all(of_signs(w).ok_or(FormError::Undefined)?));
        // Where ties count half they drop out: the mean of both conventions.
        let [with, without] = [true, false].map(|ties| cube.gated_mean(w, ties));
        measured.extend(with.iter().zip(&without).map(|(a, b)| 0.5 * (a + b)));
        measured.push(cube.mean(|x| dot(w, x).abs()));

        predicted.extend(all(of_mixture(&row, w, scale)));
        measured.extend(by_scale(&row, w));
    }
    let what = "gated mean f = E[X; S > 0] and E|S|, S = <w,X>, of independent signs and of a Gaussian times the root of an exponential of mean 1 (xi = 1.3), three fields w of 6 sites, in one of which one weight outvotes the others: integrals of the characteristic function over the frequency, and all corners (those with S = 0, two in the first field, counted half), or the mean over the scale";
    Ok(vec![Comparison::digits(&["L000.51"], what, &predicted, &measured)])
}

/// The gate on Gaussian data of this covariance.
fn gaussian(row: &[f64], w: &[f64]) -> Gated {
    let image = circulant_apply(row, w);
    let deviation = dot(w, &image).sqrt();
    let f = scaled(1.0 / (deviation * TAU.sqrt()), &image);
    Gated { f, mean_abs: deviation * FRAC_2_PI.sqrt() }
}

/// Gated mean and mean size given the scale, averaged over it: `E sqrt(V) = int sqrt(v) e^-v dv`.
fn by_scale(row: &[f64], w: &[f64]) -> Vec<f64> {
    let image = circulant_apply(row, w);
    let deviation = dot(w, &image).sqrt();
    // In the root of the scale the integrand is smooth.
    let root = adaptive(|r| 2.0 * r * r * libm::exp(-r * r), 0.0, 12.0, 1e-14).value;
    let f = image.iter().map(|x| root * x / (deviation * TAU.sqrt()));
    f.chain([root * deviation * FRAC_2_PI.sqrt()]).collect()
}
