//! Mean of erf(g Z_j) given the latent value of another site, and restricted to that site being positive.
//!
//! ```math
//! E[\mathrm{erf}(gZ_j)\,|\,Z_i=z]=\mathrm{erf}\Big(\frac{g\,r\,z}{\sqrt{1+2g^2(1-r^2)}}\Big),\qquad
//! E[\mathrm{erf}(gZ_j);Z_i>0]=\frac{\arcsin(\sqrt{\rho_g}\,r)}\pi
//! ```
//!
//! # Source
//! Note 003 (69)-(73) with the second constant corrected: the note has $`2/\sqrt\pi`$ for $`1/\pi`$; claims L003.50,
//! L003.51.
//!
//! # Symbols
//! * $`r`$: `rho`, the latent correlation
//! * $`g`$: `gain`
//! * $`\rho_g`$: $`2g^2/(1+2g^2)`$
//! * $`E[\mathrm{erf}(gZ_j)|Z_i=z]`$: `cond`, before the site is normalised
//! * $`E[\mathrm{erf}(gZ_j);Z_i>0]`$: `half` (over the root of `nlgp.normalizer` it is `nlgp.f_site`)
//!
//! # Holds when
//! `|rho| <= 1`, every gain > 0, `inf` included: there it is the mean of a sign, which jumps at 0 if `|rho| = 1`.
//!
//! # Checked by
//! Reference values (`tests/oracle`); quadrature; both limits of the gain.

use crate::form::{Control, Form, with};
use fovea_core::params::{Schema, above, between, finite};
use fovea_core::special::erf;
use fovea_core::{Params, Value, params};
use std::f64::consts::{FRAC_2_SQRT_PI, PI, SQRT_2};

/// The two means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CondMean {
    /// Given the latent value of the other site.
    pub cond: f64,
    /// Where the other site is positive.
    pub half: f64,
}

impl From<CondMean> for Value {
    fn from(means: CondMean) -> Self {
        Self::table([("cond", means.cond.into()), ("half", means.half.into())])
    }
}

/// The means of a site whose latent correlation with the other is `rho`, the other's latent value being `z`.
///
/// ```
/// let means = fovea_theory::nlgp::cond_mean::cond_mean(0.5, f64::INFINITY, 0.0);
/// assert!(means.cond == 0.0 && (means.half - 1.0 / 6.0).abs() < 1e-15);
/// ```
pub fn cond_mean(rho: f64, gain: f64, z: f64) -> CondMean {
    // g r z / sqrt(1 + 2 g^2 (1-r^2)), and likewise the arcsine; scaled by the larger of 1 and g, so that nothing overflows.
    let (gain, unit) = if gain <= 1.0 { (gain, 1.0) } else { (1.0, 1.0 / gain) };
    let width = (unit * unit + 2.0 * gain * gain * (1.0 - rho) * (1.0 + rho)).sqrt();
    let half = libm::atan2(SQRT_2 * gain * rho, width) / PI;
    // Without a width the site is the sign of the other, and 0/0 is the sign of 0.
    let argument = gain * rho * z / width;
    let cond = if argument.is_nan() { 0.0 } else { erf(argument) };
    CondMean { cond, half }
}

params! {
    /// Arguments of `nlgp.cond_mean`.
    pub struct Args {
        /// Correlation of the two latent sites.
        rho: f64 = -0.4, between(-1.0, 1.0), "";
        /// Gain of the nonlinearity; `inf` is the sign.
        gain: f64 = 3.0, above(0.0), "";
        /// Latent value of the given site.
        z: f64 = 1.3, finite(), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "nlgp.cond_mean",
    text: include_str!("cond_mean.rs"),
    control: Control {
        what: "note 003 (73): 2/sqrt(pi) instead of 1/pi, and no conditional variance",
        eval: |given| {
            with(given, |a: Args| {
                let right = cond_mean(a.rho, a.gain, a.z);
                let cond = erf(a.gain * a.rho * a.z);
                Ok(CondMean { cond, half: FRAC_2_SQRT_PI * PI * right.half }.into())
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(cond_mean(a.rho, a.gain, a.z).into())),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nlgp::f_site::f_site;
    use crate::nlgp::normalizer::normalizer;
    use fovea_core::agree::within;
    use fovea_core::quadrature::normal_expectation;

    #[test]
    fn quadrature_finds_both_means() {
        for (rho, gain, z) in
            [(-0.4, 3.0, 1.3), (0.9, 0.2, -2.0), (0.999, 20.0, 0.1), (0.0, 1.0, 1.0)]
        {
            let left = (1.0_f64 - rho * rho).sqrt();
            let site = |noise: f64| erf(gain * (rho * z + left * noise));
            let means = cond_mean(rho, gain, z);
            let kink = [if left > 0.0 { -rho * z / left } else { 0.0 }];
            within(means.cond, normal_expectation(site, &kink).value, 1e-12, 1e-13).unwrap();
            let positive = |z: f64| if z > 0.0 { cond_mean(rho, gain, z).cond } else { 0.0 };
            within(means.half, normal_expectation(positive, &[0.0]).value, 1e-12, 1e-14).unwrap();
        }
    }

    #[test]
    fn every_end_is_a_limit() {
        for (rho, z, sign) in [(1.0, 0.2, 1.0), (-1.0, 0.2, -1.0), (1.0, 0.0, 0.0)] {
            let cond = cond_mean(rho, f64::INFINITY, z).cond;
            assert!((cond - sign).abs() < 1e-15, "{rho} {z}: {cond}");
        }
        assert!(
            (cond_mean(0.3, 1e200, 1.0).cond - cond_mean(0.3, f64::INFINITY, 1.0).cond).abs()
                < 1e-15
        );
        let tiny = cond_mean(0.3, 1e-200, 1.0);
        assert!((tiny.cond / (0.3 * FRAC_2_SQRT_PI * 1e-200) - 1.0).abs() < 1e-14);
        assert!((tiny.half / (SQRT_2 * 0.3e-200 / PI) - 1.0).abs() < 1e-14);
        for gain in [1e-3, 3.0, f64::INFINITY] {
            let site = f_site(0.7, gain) * normalizer(gain).sqrt();
            within(cond_mean(0.7, gain, 0.0).half, site, 1e-14, 0.0).unwrap();
        }
    }
}
