//! Variance and excess kurtosis of a preactivation of the nonlinear Gaussian process.
//!
//! ```math
//! E S^2=w^\top Cw,\qquad\kappa=\frac{\sum_{ijkl}\kappa_{ijkl}\,w_iw_jw_kw_l}{(w^\top Cw)^2},\qquad S=\langle w,X\rangle
//! ```
//!
//! # Source
//! Note 003, made exact; claim L003.40. The cumulants are those of L000.21.
//!
//! # Symbols
//! * $`S`$: the preactivation of weights `w`
//! * $`\kappa_{ijkl}`$: `nlgp.fourth`, the cumulant of four sites
//! * $`C`$: covariance of the process
//!
//! # Holds when
//! Every gain > 0, `inf` included; a preactivation without variance is refused. The kurtosis does not depend on the
//! scale of `w`. It is that of one site for $`w=e_i`$ and near 0 for weights spread over many correlation lengths.
//!
//! # Checked by
//! Reference values (`tests/oracle`); one site; both ends of the gain; sampled preactivations.

use super::cov::cov_row;
use super::excess_kurtosis::excess_kurtosis;
use crate::cumulants::Cumulants;
use crate::form::{Control, Form, FormError, bump, one_entry_per_site, with};
use crate::unit_flow::Preactivation;
use fovea_core::params::{Schema, above, any, between, finite, finite_above};
use fovea_core::ring::{Kernel, RingKernel};
use fovea_core::{ParamError, Params, Value, params};

/// Variance and excess kurtosis of a preactivation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PreactKurtosis {
    /// Variance.
    pub variance: f64,
    /// Fourth cumulant over the squared variance.
    pub excess_kurtosis: f64,
}

impl From<PreactKurtosis> for Value {
    fn from(pre: PreactKurtosis) -> Self {
        Self::table([
            ("variance", pre.variance.into()),
            ("excess_kurtosis", pre.excess_kurtosis.into()),
        ])
    }
}

/// Those of the weights `w` on data with this covariance row and these cumulants; `None` without variance.
///
/// ```
/// use fovea_theory::{cumulants::Cumulants, nlgp::preact_kurtosis::preact_kurtosis};
/// let signs = Cumulants::ising(2, 0.0);
/// let pre = preact_kurtosis(&[1.0, 0.0], &signs, &[1.0, 1.0]).unwrap();
/// assert!((pre.variance - 2.0).abs() < 1e-15 && (pre.excess_kurtosis + 1.0).abs() < 1e-15);
/// ```
pub fn preact_kurtosis(row: &[f64], cumulants: &Cumulants, w: &[f64]) -> Option<PreactKurtosis> {
    let state = Preactivation::of(row, w)?;
    let scale = w.iter().fold(0.0, |top: f64, x| top.max(x.abs()));
    let quartic: f64 = cumulants.contract(&state.w).iter().zip(&state.w).map(|(k, w)| k * w).sum();
    let variance = state.deviation * state.deviation;
    Some(PreactKurtosis {
        variance: scale * scale * variance,
        excess_kurtosis: quartic / (variance * variance),
    })
}

params! {
    /// Arguments of `nlgp.preact_kurtosis`.
    pub struct Args {
        /// Ring size.
        n: usize = 12, between(2.0, 64.0), "sites";
        /// Correlation length.
        xi: f64 = 2.0, finite_above(0.0), "sites";
        /// Gain of the nonlinearity; `inf` is the sign.
        gain: f64 = 3.0, above(0.0), "";
        /// Weights, one per site.
        w: Vec<f64> = bump(12), finite(), "";
        /// Covariance kernel of the latent Gaussian.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        one_entry_per_site("w", self.w.len(), self.n)
    }
}

impl Args {
    fn value(&self) -> Result<PreactKurtosis, FormError> {
        let latent = RingKernel::new(self.n, self.xi, self.kernel)?.first_row;
        let row = cov_row(&latent, self.gain);
        let cumulants = Cumulants::nlgp(&latent, self.gain);
        preact_kurtosis(&row, &cumulants, &self.w).ok_or_else(|| {
            let what = "`w` gives a preactivation without variance".to_owned();
            let hint = "give `w` an entry that is not 0".to_owned();
            ParamError::Inconsistent { what, hint }.into()
        })
    }

    /// The value for independent sites of the same marginal.
    fn independent(&self) -> Result<PreactKurtosis, FormError> {
        let squares: f64 = self.w.iter().map(|w| w * w).sum();
        let fourths: f64 = self.w.iter().map(|w| w * w * w * w).sum();
        let kurtosis = excess_kurtosis(self.gain);
        let variance = self.value()?.variance;
        Ok(PreactKurtosis { variance, excess_kurtosis: kurtosis * fourths / (squares * squares) })
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "nlgp.preact_kurtosis",
    text: include_str!("preact_kurtosis.rs"),
    control: Control {
        what: "the kurtosis of independent sites of the same marginal",
        eval: |given| with(given, |a: Args| Ok(a.independent()?.into())),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(a.value()?.into())),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::Site;

    #[test]
    fn one_site_and_both_ends_of_the_gain_are_exact() {
        for gain in [1e-8, 0.3, 3.0, 1e8, f64::INFINITY] {
            for n in [2, 5] {
                let mut w = vec![0.0; n];
                w[1] = -1e100;
                let pre = Args { n, xi: 1.0, gain, w, ..Args::default() }.value().unwrap();
                let site = Site::Nlgp { gain }.excess_kurtosis();
                assert!((pre.excess_kurtosis / site - 1.0).abs() < 1e-11, "{gain} n={n}");
                assert!((pre.variance / 1e200 - 1.0).abs() < 1e-14);
            }
        }
        let weak = Args { gain: 1e-8, ..Args::default() }.value().unwrap();
        assert!(weak.excess_kurtosis.abs() < 1e-14);
        let none = Args { w: vec![0.0; 12], ..Args::default() };
        assert!(none.value().unwrap_err().hint().contains("not 0"));
    }
}
