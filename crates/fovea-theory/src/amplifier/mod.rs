//! The localization amplifier: the gated mean of one site when the rest of the preactivation is taken to be Gaussian.

use crate::Form;
use crate::site::Site;
use crate::unit_flow::{ClassRows, Preactivation};

fovea_core::registry! { "src/amplifier": Form; phi, taylor, flow, cubic_flow }

/// The covariances of two classes with one distribution of a site, from those of their latent Gaussians.
pub fn class_rows(site: Site, latent_pos: &[f64], latent_neg: &[f64]) -> ClassRows {
    ClassRows { pos: site.cov_row(latent_pos), neg: site.cov_row(latent_neg) }
}

/// $`\tfrac12\varphi(a)`$ site by site.
pub(crate) fn through(row: &[f64], w: &[f64], phi: impl Fn(f64) -> f64) -> Vec<f64> {
    let Some(state) = Preactivation::of(row, w) else { return vec![0.0; w.len()] };
    state.image.iter().map(|x| 0.5 * phi(x / state.deviation)).collect()
}
