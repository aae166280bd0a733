//! What can be said of the loss in closed form: of the Gaussian mode, of a single site, and of the regression under its gate.
//!
//! For every symmetric law `L = (1 - R/2)/4` at the best scale of a field, `R = (E_pos |<w,x>|)^2 / w'Mw`, `M = C_neg + C_pos`
//! (L000.38).
//!
//! * **A mode on Gaussian data** of the same covariances: `R = (2/pi)/(1 + q)`, largest where `q = lambda_neg/lambda_pos` is smallest
//!   (L003.16).
//! * **A single site**: `R = (E|x_i|)^2 / 2`, whatever the lengths.
//! * **The gate of a single site, the weights by regression**: since `E|<w,x>| >= 2 <w, f(v)>` for every gate `v`,
//!   `R >= 4 f' M^-1 f` with `f = f(e_i)` at the weights `2 M^-1 f`, so that the best field does at least as well; at infinite gain and
//!   with a positive margin these weights are the dictator state and the bound is exact there (L000.39). The product is symmetric in the two classes there: with `C_pos M^-1 C_pos =
//!   C_pos - C_pos M^-1 C_neg` and equal diagonals, swapping them changes nothing.

use fovea_desk::error::LabError;
use fovea_desk::two_class::TwoClass;
use fovea_theory::ascent::least_squares;
use fovea_theory::nlgp::cov::cov;
use fovea_theory::nlgp::f_site::f_site;
use fovea_theory::relu::stable_mode::stable_mode;
use fovea_theory::site::Site;
use fovea_theory::variational::r_site::r_site;
use std::f64::consts::FRAC_2_PI;

/// Values of `R` at one gain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// The best mode, on Gaussian data of the same covariances.
    pub(super) mode: f64,
    /// Its frequency.
    pub(super) frequency: usize,
    /// A single site.
    pub(super) site: f64,
    /// The regression under the gate of a single site.
    pub(super) gate: f64,
}

/// The `R` of a field at its best scale with this loss.
pub(super) fn gain_of(loss: f64) -> f64 {
    2.0 * (1.0 - 4.0 * loss)
}

impl Bounds {
    pub(super) fn new(two: &TwoClass, gain: f64) -> Result<Self, LabError> {
        let [pos, neg] = two.kernels()?;
        let flow = two.matched_gaussian_flow(gain)?;
        let best = stable_mode(&flow.eigs_pos, &flow.eigs_neg, 0.0);
        let f: Vec<f64> = pos.first_row.iter().map(|rho| f_site(*rho, gain)).collect();
        let sum: Vec<f64> = pos
            .first_row
            .iter()
            .zip(&neg.first_row)
            .map(|(p, n)| cov(*p, gain) + cov(*n, gain))
            .collect();
        // 4 f'M^-1 f = 2 <w, f> at w = 2 M^-1 f, the weights that regression gives to this gate.
        let w = least_squares(&sum, &f);
        let gate = 2.0 * w.iter().zip(&f).map(|(w, f)| w * f).sum::<f64>();
        let site = r_site(Site::Nlgp { gain });
        Ok(Self { mode: FRAC_2_PI / (1.0 + best.ratio), frequency: best.k, site, gate })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::agree::within;
    use fovea_core::ring::Kernel;
    use fovea_theory::variational::loss;

    fn at(xi_pos: f64, xi_neg: f64, gain: f64) -> Bounds {
        Bounds::new(&TwoClass { n: 40, xi_pos, xi_neg, kernel: Kernel::Ring }, gain).unwrap()
    }

    #[test]
    fn binary_data_give_the_dictator_loss_in_either_order() {
        let infinite = f64::INFINITY;
        let (there, back) = (at(2.0, 1.0, infinite), at(1.0, 2.0, infinite));
        within(loss(there.gate), 0.1829671681, 1e-9, 0.0).unwrap();
        within(there.gate, back.gate, 1e-13, 0.0).unwrap();
        within(there.site, 0.5, 1e-15, 0.0).unwrap();
        within(gain_of(loss(0.3)), 0.3, 1e-15, 0.0).unwrap();
    }

    #[test]
    fn a_gate_never_does_worse_than_its_site_and_gaussian_data_prefer_the_mode() {
        for gain in [0.01, 0.5, 1.0, 3.0, f64::INFINITY] {
            for (xi_pos, xi_neg) in [(2.0, 1.0), (1.0, 2.0)] {
                let bounds = at(xi_pos, xi_neg, gain);
                assert!(bounds.gate >= bounds.site, "{bounds:?}");
                // The covariance of signs falls off more slowly in frequency, so that the best mode is no longer the last.
                let wave = if gain.is_infinite() { 15 } else { 20 };
                assert_eq!(bounds.frequency, if xi_pos > xi_neg { 0 } else { wave });
            }
        }
        // L000.38: one over pi at gain 0, and the flat mode at .424.
        let gaussian = at(2.0, 1.0, 1e-6);
        within(gaussian.site, std::f64::consts::FRAC_1_PI, 1e-9, 0.0).unwrap();
        assert!((gaussian.mode - 0.4244).abs() < 1e-4 && gaussian.gate < gaussian.mode);
    }
}
