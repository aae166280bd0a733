//! Mean and covariance of the process given some entries, by quadrature.

use super::Conditioned;
use crate::stimulus::{Covariance, Moments};
use fovea_core::quadrature::{adaptive, adaptive_split};
use fovea_core::special::normal_pdf;
use fovea_core::work::Listening;
use rayon::prelude::*;
use std::f64::consts::FRAC_2_PI;

impl Conditioned {
    pub(super) fn moments(&self) -> Moments {
        let (n, gain) = (self.centre.len(), self.params.gain);
        let sites = &self.params.sites;
        let var: Vec<f64> = (0..n).map(|i| self.latent(i, i).max(0.0)).collect();
        let mean = |i: usize| match sites.iter().position(|site| *site == i) {
            Some(place) => self.params.values[place],
            None => self.scale * mean_of_erf(gain, self.centre[i], var[i].sqrt()),
        };
        let cov = |i: usize, j: usize| {
            if sites.contains(&i) || sites.contains(&j) {
                return 0.0;
            }
            let latent = self.latent(i, j);
            let pair = [(self.centre[i], var[i]), (self.centre[j], var[j])];
            self.scale * self.scale * covariance_of_erfs(gain, pair, latent)
        };
        // Each pair once, the rest by symmetry.
        let here = Listening::here();
        let from = |i: usize| here.help(|| (i..n).map(|j| cov(i, j)).collect());
        let above: Vec<Vec<f64>> = (0..n).into_par_iter().map(from).collect();
        let entry = |at: usize| {
            let (i, j) = (at / n, at % n);
            above[i.min(j)][i.abs_diff(j)]
        };
        Moments {
            mean: (0..n).map(mean).collect(),
            covariance: Covariance::Full { n, entries: (0..n * n).map(entry).collect() },
        }
    }

    /// Latent covariance of two sites given the entries.
    fn latent(&self, i: usize, j: usize) -> f64 {
        let given = self.params.sites.iter().zip(&self.weights[i]);
        self.covariance.at(i, j)
            - given.map(|(site, weight)| weight * self.covariance.at(*site, j)).sum::<f64>()
    }
}

/// `E erf(gain z)` for a normal `z`.
fn mean_of_erf(gain: f64, centre: f64, std: f64) -> f64 {
    const REACH: f64 = 12.0;
    let mut points = vec![-REACH, -3.0, 3.0, REACH];
    // The step of the error function, with the width it has for this `z`.
    points.extend([-6.0, -1.0, 0.0, 1.0, 6.0].map(|step| (step / gain - centre) / std));
    points.retain(|w| w.abs() <= REACH);
    adaptive_split(|w| libm::erf(gain * (centre + std * w)) * normal_pdf(w), &points, 1e-13).value
}

/// The covariance of `erf(gain z)` of two jointly normal `z` with these means, variances and covariance.
///
/// `erf(gain z)` is the mean sign of `z` plus a normal of variance `1 / (2 gain^2)`, and the covariance of two signs grows
/// with that of the normals at four times their density at zero. Integrated up from independence, in the angle whose
/// sine is the correlation, nothing is singular at any gain.
pub(super) fn covariance_of_erfs(gain: f64, pair: [(f64, f64); 2], covariance: f64) -> f64 {
    let blur = 0.5 / (gain * gain);
    let [(a, var_a), (b, var_b)] = pair.map(|(mean, var)| (mean / (var + blur).sqrt(), var + blur));
    let angle = libm::asin((covariance / (var_a.sqrt() * var_b.sqrt())).clamp(-1.0, 1.0));
    let density = |angle: f64| {
        let (sin, cos) = libm::sincos(angle);
        // (a^2 - 2 a b sin + b^2) / cos^2 without the cancellation near a right angle.
        let square = if sin > 0.0 {
            (a - b) * (a - b) / (cos * cos) + 2.0 * a * b / (1.0 + sin)
        } else {
            (a + b) * (a + b) / (cos * cos) - 2.0 * a * b / (1.0 - sin)
        };
        libm::exp(-0.5 * square)
    };
    FRAC_2_PI * adaptive(density, 0.0, angle, 1e-12).value
}
