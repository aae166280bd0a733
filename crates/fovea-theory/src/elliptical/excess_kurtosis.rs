//! Excess kurtosis of one site of elliptical data.
//!
//! ```math
//! \kappa=3\Big[\frac{n\,ER^4}{(n+2)(ER^2)^2}-1\Big]:\qquad \frac6{\nu-4}\ (\text{student}),\quad3\ (\text{laplace}),\quad
//! -\frac6{n+2}\ (\text{shell}),\quad-\frac6{n+4}\ (\text{ball}),\quad
//! 3\Big[\frac n{n+2}\frac{\Gamma(\frac{n+4}{2\beta})\,\Gamma(\frac n{2\beta})}{\Gamma(\frac{n+2}{2\beta})^2}-1\Big]\ (\text{power})
//! ```
//!
//! # Source
//! Derived: one coordinate of a point of the sphere has $`EU_1^4=3/[n(n+2)]`$; the distributions are those of claim
//! L000.11.
//!
//! # Symbols
//! * $`R`$: the radius
//! * $`\nu`$: `dof`
//! * $`\beta`$: `beta`, in the density $`e^{-r^{2\beta}/2}`$
//!
//! # Holds when
//! The fourth moment exists: for `student` where `dof > 4`, refused otherwise; for the others always. Student and
//! Laplace data have the kurtosis of their Gaussian mixture at every `n`; the others become Gaussian as `n` grows;
//! `power` is Gaussian at `beta = 1`.
//!
//! # Checked by
//! Quadrature over the radius; Gaussian limits; sampled fourth moments.

use super::{Law, Radial};
use crate::form::{Control, Form, FormError, with};
use fovea_core::params::{Schema, any, between, finite_above};
use fovea_core::{Params, params};

/// Excess kurtosis of one of `n` sites.
///
/// ```
/// use fovea_theory::elliptical::{Radial, excess_kurtosis::excess_kurtosis};
/// assert!((excess_kurtosis(Radial::Student { dof: 7.0 }, 40) - 2.0).abs() < 1e-15);
/// ```
pub fn excess_kurtosis(law: Radial, n: usize) -> f64 {
    3.0 * law.excess_factor(n)
}

params! {
    /// Arguments of `elliptical.excess_kurtosis`.
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

impl Args {
    fn factor(&self) -> Result<f64, FormError> {
        Radial::new(self.radius, self.dof, self.beta).finite_excess_factor(self.n)
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "elliptical.excess_kurtosis",
    text: include_str!("excess_kurtosis.rs"),
    control: Control {
        what: "the kurtosis of the radius itself, without the direction",
        eval: |given| {
            with(given, |a: Args| {
                let n = a.n as f64;
                Ok(((1.0 + a.factor()?) * (n + 2.0) / n - 3.0).into())
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| a.factor().map(|factor| (3.0 * factor).into())),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::quadrature::adaptive;

    /// $`ER^4/(ER^2)^2`$ from the density of the radius, integrated to where it is negligible.
    fn ratio(density: impl Fn(f64) -> f64, far: f64) -> f64 {
        let moment = |p: f64| adaptive(|r| libm::pow(r, p) * density(r), 0.0, far, 1e-13).value;
        moment(4.0) * moment(0.0) / (moment(2.0) * moment(2.0))
    }

    #[test]
    fn quadrature_over_the_radius_finds_the_same_kurtosis() {
        for n in [1, 2, 5, 40] {
            let shell = move |r: f64| libm::pow(r, n as f64 - 1.0);
            let kurtosis = |ratio: f64| 3.0 * (ratio * n as f64 / (n as f64 + 2.0) - 1.0);
            for (beta, far) in [(0.5, 400.0), (1.0, 30.0), (2.5, 6.0)] {
                let found = ratio(|r| shell(r) * libm::exp(-0.5 * libm::pow(r, 2.0 * beta)), far);
                let got = excess_kurtosis(Radial::Power { beta }, n);
                assert!((got - kurtosis(found)).abs() < 1e-11, "n={n} beta={beta}");
                // The control: the kurtosis of the radius alone, which is that of the site if there is only one.
                assert!(n == 1 || (got - (found - 3.0)).abs() > 1e-3, "n={n} beta={beta}");
            }
            let ball = excess_kurtosis(Radial::Ball, n);
            assert!((ball - kurtosis(ratio(shell, 1.0))).abs() < 1e-12, "n={n}");
        }
    }

    #[test]
    fn a_power_law_runs_from_heavy_tails_through_the_gaussian_to_the_ball() {
        for n in [1, 2, 40, 10_000] {
            assert!(excess_kurtosis(Radial::Power { beta: 1.0 }, n).abs() < 1e-11, "n={n}");
            let flat = excess_kurtosis(Radial::Power { beta: 1e7 }, n);
            assert!((flat - excess_kurtosis(Radial::Ball, n)).abs() < 1e-6, "n={n}");
        }
        // One site of the shell is a sign, of the ball uniform.
        assert!((excess_kurtosis(Radial::Shell, 1) + 2.0).abs() < 1e-15);
        assert!((excess_kurtosis(Radial::Ball, 1) + 1.2).abs() < 1e-15);
        // n = 1, beta = 1/2 is the Laplace distribution of one variable.
        assert!((excess_kurtosis(Radial::Power { beta: 0.5 }, 1) - 3.0).abs() < 1e-13);
    }

    #[test]
    fn a_distribution_without_a_fourth_moment_is_refused() {
        let given = vec![("dof".to_owned(), 4.0.into())];
        assert!(ENTRY.at(&given).unwrap_err().hint().contains("dof > 4"));
        assert!(excess_kurtosis(Radial::Student { dof: 4.0 }, 40).is_infinite());
    }
}
