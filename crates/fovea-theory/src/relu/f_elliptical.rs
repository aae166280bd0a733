//! Gated mean of elliptical data, the teacher term of a ReLU unit.
//!
//! ```math
//! f(w)=E\big[\mathbf 1(\langle w,X\rangle\ge0)\,X\big]=c\,\frac{\Sigma w}{\sqrt{w^\top\Sigma w}},\qquad c=\tfrac12E|\tilde X_1|
//! ```
//!
//! # Source
//! Note 000 after (5), "some scalar function g", made exact; claim L000.11. The note's $`g(x)`$ is $`c/\sqrt x`$ for
//! every distribution.
//!
//! # Symbols
//! * $`\Sigma`$: the covariance, circulant, from `n` and `xi`
//! * $`\tilde X_1`$: one site at unit variance
//! * $`c`$: `elliptical.constant`
//!
//! # Holds when
//! Elliptical data, $`X=R\,\Sigma^{1/2}U`$ with $`U`$ uniform on the sphere and $`R`$ independent, that have a
//! covariance: `dof > 2` for `student`. The moment is of degree 1 in the data, so that only the mean of $`R`$ enters.
//! Where $`w^\top\Sigma w`$ vanishes f is taken to be 0.
//!
//! # Checked by
//! `relu.f_gauss` at the Gaussian member of the power family; sampled gated means.

use super::f_gauss::f_gauss;
use crate::committee_flow::GAUSSIAN;
use crate::elliptical::half_mean_abs::half_mean_abs;
use crate::elliptical::{Law, Radial};
use crate::form::{Control, Form, FormError, bump, one_entry_per_site, with};
use fovea_core::params::{Schema, any, between, finite, finite_above};
use fovea_core::ring::{Kernel, RingKernel};
use fovea_core::{ParamError, Params, Value, params};

/// The gated mean of elliptical data whose circulant covariance has this first row.
///
/// ```
/// use fovea_theory::{elliptical::Radial, relu::f_elliptical::f_elliptical};
/// let f = f_elliptical(Radial::Laplace, &[1.0, 0.0, 0.0], &[0.0, 5.0, 0.0]);
/// assert!((f[1] - 0.3535533905932738).abs() < 1e-15);
/// ```
pub fn f_elliptical(law: Radial, first_row: &[f64], w: &[f64]) -> Vec<f64> {
    // The Gaussian mean with another constant.
    let factor = half_mean_abs(law, first_row.len()) / GAUSSIAN;
    f_gauss(first_row, w).into_iter().map(|f| factor * f).collect()
}

params! {
    /// Arguments of `relu.f_elliptical`.
    pub struct Args {
        /// Ring size.
        n: usize = 12, between(2.0, 1e4), "sites";
        /// Correlation length of the data.
        xi: f64 = 2.0, finite_above(0.0), "sites";
        /// Weights, one per site.
        w: Vec<f64> = bump(12), finite(), "";
        /// Radial distribution; before scaling `power` has density exp(-r^(2 beta)/2), and `half-logistic` is 2 + artanh U with U uniform.
        radius: Law = Law::Student, any(), "";
        /// Degrees of freedom of `student`.
        dof: f64 = 5.0, finite_above(2.0), "";
        /// Half the power of the radius in the exponent of `power`.
        beta: f64 = 0.5, finite_above(0.0), "";
        /// Covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        one_entry_per_site("w", self.w.len(), self.n)
    }
}

impl Args {
    fn row(&self) -> Result<Vec<f64>, FormError> {
        Ok(RingKernel::new(self.n, self.xi, self.kernel)?.first_row)
    }

    fn law(&self) -> Radial {
        Radial::new(self.radius, self.dof, self.beta)
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "relu.f_elliptical",
    text: include_str!("f_elliptical.rs"),
    control: Control {
        what: "the Gaussian constant, whatever the radius",
        eval: |given| with(given, |a: Args| Ok(Value::reals(&f_gauss(&a.row()?, &a.w)))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(Value::reals(&f_elliptical(a.law(), &a.row()?, &a.w)))),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gaussian_member_of_the_power_family_has_the_gaussian_mean() {
        let a = Args { n: 7, w: vec![1.0, -2.0, 0.5, 0.0, 3.0, 1.0, -1.0], ..Args::default() };
        let row = a.row().unwrap();
        let gaussian = f_gauss(&row, &a.w);
        let power = f_elliptical(Radial::Power { beta: 1.0 }, &row, &a.w);
        assert!(power.iter().zip(&gaussian).all(|(p, g)| (p - g).abs() < 1e-14));
        let shell = f_elliptical(Radial::Shell, &row, &a.w);
        assert!(shell.iter().zip(&gaussian).any(|(p, g)| (p - g).abs() > 1e-3));
        assert_eq!(f_elliptical(Radial::Laplace, &row, &[0.0; 7]), [0.0; 7]);
    }
}
