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
pub struct Bounds {
    /// The best mode, on Gaussian data of the same covariances.
    pub mode: f64,
    /// Its frequency.
    pub frequency: usize,
    /// A single site.
    pub site: f64,
    /// The regression under the gate of a single site.
    pub gate: f64,
}

/// The `R` of a field at its best scale with this loss.
pub fn gain_of(loss: f64) -> f64 {
    2.0 * (1.0 - 4.0 * loss)
}

impl Bounds {
    /// The bounds at one gain.
    ///
    /// # Errors
    /// A latent covariance is none.
    pub fn new(two: &TwoClass, gain: f64) -> Result<Self, LabError> {
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
