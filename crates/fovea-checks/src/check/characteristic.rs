//! Gated means from characteristic functions, which notes 001 and 003 announce.

use super::prelude::*;
use fovea_theory::charfun::{Gated, scale_mixture, signs};

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "characteristic-functions",
    summary: "Gated mean and mean size of the preactivation as integrals of the characteristic function.",
    covers: &["L000.51"],
    run,
};

const WEIGHTS: [[f64; 6]; 3] = [
    [1.0, -0.7, 0.4, 0.25, -0.9, 0.55],
    // One weight outvotes the others: the integral stands still.
    [3.0, 0.7, -0.4, 0.25, 0.9, 0.5],
    [1.0, 1.0, 1.0, 0.5, 0.5, -0.5],
];

fn run(_: &Effort) -> Result<Vec<Comparison>, LabError> {
    let cube = Corners::ising(6, 0.0);
    let row = kernel_row(6, 1.3, Kernel::Ring);
    let all = |gated: Gated| [gated.f, vec![gated.mean_abs]].concat();
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for w in &WEIGHTS {
        // No sum of these weights is small: the integral has few terms.
        predicted.extend(all(signs(w).ok_or(FormError::Undefined)?));
        // Where ties count half they drop out: the mean of both conventions.
        let [with, without] = [true, false].map(|ties| cube.gated_mean(w, ties));
        measured.extend(with.iter().zip(&without).map(|(a, b)| 0.5 * (a + b)));
        measured.push(cube.mean(|x| dot(w, x).abs()));

        let mixture = scale_mixture(&row, w, |t| t / (1.0 + t), |t| 1.0 / ((1.0 + t) * (1.0 + t)));
        predicted.extend(all(mixture));
        measured.extend(by_scale(&row, w));
    }
    let what = "f and E|S| of independent signs and of a Gaussian times the root of an exponential, three fields of 6 sites: integrals over the frequency, and all corners, or the mean over the scale";
    Ok(vec![Comparison::digits(&["L000.51"], what, &predicted, &measured)])
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
