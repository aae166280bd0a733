//! Constant of the gated mean of a mixture of Gaussians that differ in scale.
//!
//! ```math
//! X=\sqrt V\,\Sigma^{1/2}G,\qquad c_{\mathrm{scale}}=\frac{E\sqrt V}{\sqrt{2\pi}},\qquad c_{\mathrm{cov}}=\frac{E\sqrt V}{\sqrt{2\pi\,EV}}
//! ```
//!
//! # Source
//! Claim L000.11, "any Gaussian scale mixture".
//!
//! # Symbols
//! * $`V`$: `variances`, with the shares of `weights`
//! * $`G`$: standard normal
//! * $`c_{\mathrm{cov}}`$: `c_cov`, of $`f(w)=c\,\Sigma w/\sqrt{w^\top\Sigma w}`$ with the covariance, $`\Sigma EV`$,
//!   instead of $`\Sigma`$
//! * $`c_{\mathrm{scale}}`$: `c_scale`, the same with $`\Sigma`$
//!
//! # Holds when
//! No variance is negative and one with a share is positive; weights are shares of their sum. One variance:
//! $`c_{\mathrm{cov}}=1/\sqrt{2\pi}`$. By Jensen's inequality `c_cov` is never larger.
//!
//! # Checked by
//! The Student and Laplace distributions as mixtures.

use super::constant::Constant;
use crate::committee_flow::GAUSSIAN;
use crate::form::{Control, Form, FormError, with};
use fovea_core::params::{Range, Schema, finite_above};
use fovea_core::{ParamError, Params, Value, params};

/// The constant of the mixture; `None` if it has no variance.
///
/// ```
/// use fovea_theory::elliptical::scale_mixture::scale_mixture;
/// let c = scale_mixture(&[1.0, 9.0], &[1.0, 1.0]).unwrap();
/// assert!((c.c_scale - 2.0 * 0.3989422804014327).abs() < 1e-15);
/// ```
pub fn scale_mixture(variances: &[f64], weights: &[f64]) -> Option<Constant> {
    let total: f64 = weights.iter().sum();
    let mean = |f: fn(f64) -> f64| -> f64 {
        variances.iter().zip(weights).map(|(v, weight)| f(*v) * (weight / total)).sum()
    };
    let (root, variance) = (mean(f64::sqrt), mean(|v| v));
    let c_scale = GAUSSIAN * root;
    (variance > 0.0).then(|| Constant { c_cov: c_scale / variance.sqrt(), c_scale })
}

/// At least 0, infinity excluded.
const SHARE: Range = Range { open_low: false, ..finite_above(0.0) };

params! {
    /// Arguments of `elliptical.scale_mixture`.
    pub struct Args {
        /// Variances of the Gaussians.
        variances: Vec<f64> = vec![0.5, 4.0], SHARE, "";
        /// Their shares, in any unit.
        weights: Vec<f64> = vec![3.0, 1.0], SHARE, "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        let (variances, weights) = (self.variances.len(), self.weights.len());
        if variances == weights {
            return Ok(());
        }
        Err(ParamError::Inconsistent {
            what: format!("`variances` has {variances} entries and `weights` has {weights}"),
            hint: "give one weight per variance".to_owned(),
        })
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "elliptical.scale_mixture",
    text: include_str!("scale_mixture.rs"),
    control: Control {
        what: "the Gaussian constant of the mean variance",
        eval: |given| {
            with(given, |_: Args| Ok(Constant { c_cov: GAUSSIAN, c_scale: GAUSSIAN }.into()))
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| {
        with(given, |a: Args| -> Result<Value, FormError> {
            Ok(scale_mixture(&a.variances, &a.weights).ok_or(FormError::Undefined)?.into())
        })
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elliptical::{Radial, constant::constant};
    use fovea_core::agree::agrees_to_digits;
    use fovea_core::quadrature::gauss_legendre;

    #[test]
    fn laplace_and_student_are_mixtures() {
        // V exponential, and V = dof over a chi-squared variable, each as 400 points of a Gauss rule.
        let rule = gauss_legendre(400);
        let on = |end: f64, value: &dyn Fn(f64) -> f64, density: &dyn Fn(f64) -> f64| {
            let points: Vec<f64> = rule.nodes.iter().map(|z| 0.5 * end * (1.0 + z)).collect();
            let weights: Vec<f64> =
                points.iter().zip(&rule.weights).map(|(x, w)| w * density(*x)).collect();
            let variances: Vec<f64> = points.iter().map(|x| value(*x)).collect();
            scale_mixture(&variances, &weights).unwrap()
        };
        // By the square root of V, so that the root is smooth at 0.
        let laplace = on(7.0, &|x| x * x, &|x| 2.0 * x * libm::exp(-x * x));
        agrees_to_digits(laplace.c_cov, constant(Radial::Laplace, 3).c_cov, 12.0).unwrap();
        let dof = 9.0;
        let chi = |x: f64| libm::pow(x, 0.5 * dof - 1.0) * libm::exp(-0.5 * x);
        let student = on(120.0, &|x| dof / x, &chi);
        let want = constant(Radial::Student { dof }, 3);
        agrees_to_digits(student.c_cov, want.c_cov, 6.0).unwrap();
        agrees_to_digits(student.c_scale, want.c_scale, 6.0).unwrap();
    }

    #[test]
    fn one_scale_is_gaussian_and_none_is_refused() {
        let one = scale_mixture(&[4.0, 7.0], &[2.0, 0.0]).unwrap();
        assert!(
            (one.c_cov - GAUSSIAN).abs() < 1e-16 && (one.c_scale - 2.0 * GAUSSIAN).abs() < 1e-15
        );
        assert!(scale_mixture(&[0.0], &[1.0]).is_none() && scale_mixture(&[1.0], &[0.0]).is_none());
    }
}
