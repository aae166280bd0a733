//! Ratio R of the variational principle for weights on one site, and the loss at their best scale.
//!
//! ```math
//! R(w)=\frac{(E_1|\langle w,X\rangle|)^2}{w^\top(C_0+C_1)w},\qquad R(e_i)=\tfrac12(E|X_i|)^2,\qquad L=\tfrac14\big(1-\tfrac12R\big)
//! ```
//!
//! # Source
//! Derived; claim L000.38.
//!
//! # Symbols
//! * $`X_i`$: a site of `marginal`, of unit variance in both classes, so that no correlation length enters
//!
//! # Holds when
//! Every symmetric distribution of unit variance; labels 1 and 0, one unit, no output bias. $`1/\pi`$ for Gaussian
//! sites, 1/2 for signs. `kur` below k = 2.001 is refused.
//!
//! # Checked by
//! Reference values (`tests/oracle`); the dictator state; the loss of a Gaussian unit.

use super::loss;
use crate::form::{Control, Form, with};
use crate::site::{Site, SiteLaw};
use fovea_core::params::{Schema, above, any, at_least};
use fovea_core::{Params, Value, params};

/// The ratio of weights on one site of this distribution.
///
/// ```
/// use fovea_theory::site::Site;
/// let sign = fovea_theory::variational::r_site::r_site(Site::Nlgp { gain: f64::INFINITY });
/// assert!((sign - 0.5).abs() < 1e-15);
/// ```
pub fn r_site(site: Site) -> f64 {
    0.5 * site.abs_mean() * site.abs_mean()
}

params! {
    /// Arguments of `variational.r_site`.
    pub struct Args {
        /// Distribution of a site.
        marginal: SiteLaw = SiteLaw::Nlgp, any(), "";
        /// Gain of `nlgp`; `inf` is the sign.
        gain: f64 = 3.0, above(0.0), "";
        /// Exponent of `kur`.
        k: f64 = 10.0, at_least(2.001), "";
    }
}

impl Params for Args {}

impl Args {
    fn value(&self, factor: f64) -> Value {
        let ratio = factor * r_site(Site::new(self.marginal, self.gain, self.k));
        Value::table([("R", ratio.into()), ("loss", loss(ratio).into())])
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "variational.r_site",
    text: include_str!("r_site.rs"),
    control: Control {
        what: "the square over the variance of one class alone, twice as large",
        eval: |given| with(given, |a: Args| Ok(a.value(2.0))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(a.value(1.0))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dictator::fixed_point::fixed_point;
    use crate::gaussian_flow::GaussianFlow;

    #[test]
    fn the_loss_at_the_best_scale_is_that_of_the_flows() {
        let row = [1.0, 0.0, 0.0, 0.0];
        // Without correlation the dictator state is half a unit vector.
        let sign = r_site(Site::Nlgp { gain: f64::INFINITY });
        assert!((loss(sign) - fixed_point(&row, &row).loss).abs() < 1e-15);
        let flow = GaussianFlow::from_rows(&row, &row);
        let best = (1..4000).map(|i| flow.loss(&[f64::from(i) / 4000.0, 0.0, 0.0, 0.0]));
        let best = best.fold(f64::INFINITY, f64::min);
        assert!((best - loss(r_site(Site::Gaussian))).abs() < 1e-7, "{best}");
        for gain in [1e-8, 1e8] {
            let end = if gain < 1.0 { 1.0 / std::f64::consts::PI } else { 0.5 };
            assert!((r_site(Site::Nlgp { gain }) - end).abs() < 1e-7);
        }
    }
}
