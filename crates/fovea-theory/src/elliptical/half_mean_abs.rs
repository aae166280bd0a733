//! Half the mean absolute value of one site, the constant of the gated mean of elliptical data.
//!
//! ```math
//! f(w)=c\,\frac{\Sigma w}{\sqrt{w^\top\Sigma w}},\qquad
//! c=\tfrac12E|X_1|=\frac{\sqrt n}{2\pi}\,B\Big(\frac n2,\frac12\Big)\frac{ER}{\sqrt{ER^2}}
//! ```
//!
//! ```math
//! c=\frac{\sqrt{\nu-2}}{(\nu-1)B(\frac\nu2,\frac12)}\ (\text{student}),\quad\frac1{2\sqrt2}\ (\text{laplace}),\quad
//! \frac{\sqrt n\,B(\frac n2,\frac12)}{2\pi}\ (\text{shell}),\quad
//! \frac{\sqrt{n(n+2)}}{n+1}\,\frac{\sqrt n\,B(\frac n2,\frac12)}{2\pi}\ (\text{ball})
//! ```
//!
//! # Source
//! Note 000 after (5), which has the direction without the constant; claim L000.11.
//!
//! # Symbols
//! * $`c`$: the value, written with beta functions instead of ratios of gammas
//! * $`\Sigma`$: the covariance (with the scale matrix of a Student distribution $`c`$ is larger by $`\sqrt{\nu/(\nu-2)}`$)
//! * $`\nu`$: `dof`
//!
//! # Holds when
//! The covariance exists: for `student` where `dof > 2`, for the others always. Gaussian: $`1/\sqrt{2\pi}`$.
//!
//! # Checked by
//! Reference values; Gaussian limits; sampled gated means.

use super::{Law, Radial, half_logistic_moments, ln_gamma_bend};
use crate::form::{Control, Form, number};
use fovea_core::params::{Schema, any, between, finite_above};
use fovea_core::special::ln_beta;
use fovea_core::{Params, params};
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Half the mean absolute value of one of `n` sites of unit variance.
///
/// ```
/// use fovea_theory::elliptical::{Radial, half_mean_abs::half_mean_abs};
/// assert!((half_mean_abs(Radial::Laplace, 40) - 0.3535533905932738).abs() < 1e-15);
/// ```
pub fn half_mean_abs(law: Radial, n: usize) -> f64 {
    let n = n as f64;
    // E|U_1| sqrt(n) / 2, with G(n/2)/G((n+1)/2) = B(n/2, 1/2)/sqrt(pi).
    let shell = n.sqrt() * libm::exp(ln_beta(0.5 * n, 0.5)) / (2.0 * PI);
    let ball = shell * (n * (n + 2.0)).sqrt() / (n + 1.0);
    match law {
        Radial::Student { dof } => {
            (dof - 2.0).sqrt() / ((dof - 1.0) * libm::exp(ln_beta(0.5 * dof, 0.5)))
        }
        Radial::Laplace => 0.5 * FRAC_1_SQRT_2,
        Radial::Shell => shell,
        Radial::Ball => ball,
        Radial::HalfLogistic => {
            let [first, second, _] = half_logistic_moments();
            shell * first / second.sqrt()
        }
        // E R / sqrt(E R^2) over that of the ball: G(1+a+h) / sqrt(G(1+a) G(1+a+2h)), a = n/2b, h = 1/2b.
        Radial::Power { beta } => {
            ball * libm::exp(-0.5 * ln_gamma_bend(0.5 * n / beta, 0.5 / beta))
        }
    }
}

params! {
    /// Arguments of `elliptical.half_mean_abs`.
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
    name: "elliptical.half_mean_abs",
    text: include_str!("half_mean_abs.rs"),
    control: Control {
        what: "the Gaussian constant 1/sqrt(2 pi), whatever the radius",
        eval: |given| number(given, |_: Args| Ok(1.0 / (2.0 * PI).sqrt())),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| {
        number(given, |a: Args| Ok(half_mean_abs(Radial::new(a.radius, a.dof, a.beta), a.n)))
    },
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_values_hold() {
        // Oracle O115, O117, O119.
        let student = half_mean_abs(Radial::Student { dof: 5.0 }, 7);
        assert!((student - 0.36755259694786135).abs() < 1e-15);
        assert!((student * (5.0_f64 / 3.0).sqrt() - 0.47450836227811805).abs() < 1e-15);
        assert!((half_mean_abs(Radial::Laplace, 7) - 0.3535533905932738).abs() < 1e-15);
        assert!((half_mean_abs(Radial::Shell, 40) - 0.4014432165930553).abs() < 1e-15);
        assert!((half_mean_abs(Radial::Ball, 40) - 0.4013237927568286).abs() < 1e-15);
    }

    #[test]
    fn gaussian_limits_and_one_site_are_exact() {
        let gaussian = 1.0 / (2.0 * PI).sqrt();
        assert!((half_mean_abs(Radial::Student { dof: 1e15 }, 3) - gaussian).abs() < 1e-14);
        for n in [1, 2, 40, 1000] {
            assert!((half_mean_abs(Radial::Power { beta: 1.0 }, n) - gaussian).abs() < 1e-13);
            let flat = half_mean_abs(Radial::Power { beta: 1e7 }, n);
            assert!((flat - half_mean_abs(Radial::Ball, n)).abs() < 1e-6, "n={n}");
        }
        assert!((half_mean_abs(Radial::Shell, 1_000_000) - gaussian).abs() < 1e-6);
        assert!((half_mean_abs(Radial::Shell, 1) - 0.5).abs() < 1e-15);
        // Uniform on [-sqrt 3, sqrt 3] and the Laplace distribution of one variable.
        assert!((half_mean_abs(Radial::Ball, 1) - 0.25 * 3.0_f64.sqrt()).abs() < 1e-15);
        let laplace = half_mean_abs(Radial::Power { beta: 0.5 }, 1);
        assert!((laplace - 0.5 * FRAC_1_SQRT_2).abs() < 1e-14);
    }
}
