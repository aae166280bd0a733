//! Constant of the gated mean of elliptical data, for the covariance and for the scale matrix.
//!
//! ```math
//! f(w)=c\,\frac{\Sigma w}{\sqrt{w^\top\Sigma w}},\qquad c_{\mathrm{cov}}=\tfrac12\frac{E|X_1|}{\sqrt{EX_1^2}},\qquad
//! c_{\mathrm{scale}}=\tfrac12E|X_1|
//! ```
//!
//! # Source
//! Note 000 after (5), which has the direction without the constant; claim L000.11.
//!
//! # Symbols
//! * $`c_{\mathrm{cov}}`$: `c_cov`, with $`\Sigma`$ the covariance
//! * $`c_{\mathrm{scale}}`$: `c_scale`, with $`\Sigma`$ the matrix in the definition of the distribution: the scale matrix of
//!   `student`, $`(x^\top\Sigma^{-1}x)^\beta`$ in the exponent of `power`, the ellipsoid $`x^\top\Sigma^{-1}x\le n`$ of
//!   `ball` and its surface for `shell`, the covariance for `laplace`
//! * $`\nu`$: `dof`
//! * $`\beta`$: `beta`
//!
//! # Holds when
//! The covariance exists: for `student` where `dof > 2`, for the others always. Gaussian: $`1/\sqrt{2\pi}`$ for both.
//!
//! # Checked by
//! Reference values (`tests/oracle`); one site by quadrature.

use super::half_mean_abs::half_mean_abs;
use super::{Law, Radial};
use crate::committee_flow::GAUSSIAN;
use crate::form::{Control, Form, with};
use fovea_core::params::{Schema, any, between, finite_above};
use fovea_core::special::ln_gamma;
use fovea_core::{Params, Value, params};

/// The constant, for both meanings of the matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    /// With the covariance.
    pub c_cov: f64,
    /// With the matrix in the definition of the distribution.
    pub c_scale: f64,
}

impl From<Constant> for Value {
    fn from(c: Constant) -> Self {
        Self::table([("c_cov", c.c_cov.into()), ("c_scale", c.c_scale.into())])
    }
}

/// The constant of a distribution of `n` sites.
///
/// ```
/// use fovea_theory::elliptical::{Radial, constant::constant};
/// let c = constant(Radial::Student { dof: 5.0 }, 40);
/// assert!((c.c_scale - 0.47450836227811805).abs() < 1e-15);
/// ```
pub fn constant(law: Radial, n: usize) -> Constant {
    let c_cov = half_mean_abs(law, n);
    Constant { c_cov, c_scale: c_cov * variance(law, n as f64).sqrt() }
}

/// The variance of a site when the matrix of the definition is the identity.
fn variance(law: Radial, n: f64) -> f64 {
    match law {
        Radial::Student { dof } => dof / (dof - 2.0),
        Radial::Laplace | Radial::Shell => 1.0,
        Radial::Ball => n / (n + 2.0),
        Radial::HalfLogistic => super::half_logistic_moments()[1] / n,
        // E R^2 / n = 2^(1/b) G((n+2)/2b) / (n G(n/2b)).
        Radial::Power { beta } => {
            let (a, h) = (0.5 * n / beta, 1.0 / beta);
            libm::exp2(h) * libm::exp(ln_gamma(a + h) - ln_gamma(a)) / n
        }
    }
}

params! {
    /// Arguments of `elliptical.constant`.
    pub struct Args {
        /// Radial distribution; before scaling `power` has density exp(-r^(2 beta)/2), and `half-logistic` is 2 + artanh U with U uniform.
        radius: Law = Law::Student, any(), "";
        /// Number of sites.
        n: usize = 40, between(1.0, 1e6), "sites";
        /// Degrees of freedom of `student`.
        dof: f64 = 5.0, finite_above(2.0), "";
        /// Half the power of the radius in the exponent of `power`.
        beta: f64 = 0.5, finite_above(0.0), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "elliptical.constant",
    text: include_str!("constant.rs"),
    control: Control {
        what: "the Gaussian constant 1/sqrt(2 pi), whatever the radius",
        eval: |given| {
            with(given, |_: Args| Ok(Constant { c_cov: GAUSSIAN, c_scale: GAUSSIAN }.into()))
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| {
        with(given, |a: Args| Ok(constant(Radial::new(a.radius, a.dof, a.beta), a.n).into()))
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::agree::agrees_to_digits;
    use fovea_core::quadrature::adaptive;

    #[test]
    fn one_site_of_the_power_law_is_an_integral() {
        for (beta, far) in [(0.5, 100.0), (1.0, 30.0), (3.0, 4.0)] {
            let weight = |x: f64| libm::exp(-0.5 * libm::pow(x, 2.0 * beta));
            let moment = |p: f64| adaptive(|x| libm::pow(x, p) * weight(x), 0.0, far, 1e-14).value;
            let c = constant(Radial::Power { beta }, 1);
            agrees_to_digits(c.c_scale, 0.5 * moment(1.0) / moment(0.0), 12.5).unwrap();
            let std = (moment(2.0) / moment(0.0)).sqrt();
            agrees_to_digits(c.c_cov, c.c_scale / std, 12.5).unwrap();
        }
    }

    #[test]
    fn the_gaussian_member_has_one_constant() {
        for n in [1, 7, 1000] {
            let c = constant(Radial::Power { beta: 1.0 }, n);
            assert!((c.c_cov - GAUSSIAN).abs() < 1e-13 && (c.c_scale - GAUSSIAN).abs() < 1e-12);
        }
    }
}
