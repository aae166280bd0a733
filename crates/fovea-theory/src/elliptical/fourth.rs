//! Moment and cumulant of four sites of elliptical data.
//!
//! ```math
//! E\,X_iX_jX_kX_l=\frac{n\,ER^4}{(n+2)(ER^2)^2}\,\big(c_{ij}c_{kl}+c_{ik}c_{jl}+c_{il}c_{jk}\big)
//! ```
//!
//! # Source
//! Derived; the distributions are those of claim L000.11.
//!
//! # Symbols
//! * $`c`$: covariances of the ring, from `n` and `xi`
//! * $`R`$: the radius (the factor is 1 plus a third of `elliptical.excess_kurtosis`)
//!
//! # Holds when
//! The fourth moment exists: for `student` where `dof > 4`, refused otherwise; for the others always. Uncorrelated
//! sites are not independent: their cumulant $`E\,X_i^2X_j^2-1`$ is the factor minus 1.
//!
//! # Checked by
//! `elliptical.excess_kurtosis`; the constant radius of the shell; sampled moments.

use super::{Law, Radial};
use crate::form::{Control, Form, FormError, Fourth, four_sites, with};
use fovea_core::params::{Schema, any, at_least, between, finite_above};
use fovea_core::ring::{Kernel, RingKernel, distance};
use fovea_core::{ParamError, Params, Value, params};

/// Moment and cumulant of four of `n` sites with these covariances.
///
/// ```
/// use fovea_theory::elliptical::{Radial, fourth::fourth};
/// let four = fourth(Radial::Laplace, 40, &[[1.0; 4]; 4]);
/// assert_eq!((four.moment, four.cumulant), (6.0, 3.0));
/// ```
pub fn fourth(law: Radial, n: usize, cov: &[[f64; 4]; 4]) -> Fourth {
    scaled(law.excess_factor(n), cov)
}

fn scaled(excess_factor: f64, cov: &[[f64; 4]; 4]) -> Fourth {
    let pairings = Fourth::pairings([0, 1, 2, 3], |a, b| cov[a][b]);
    let cumulant = excess_factor * pairings;
    Fourth { moment: pairings + cumulant, cumulant }
}

params! {
    /// Arguments of `elliptical.fourth`.
    pub struct Args {
        /// Radial distribution; before scaling `power` has density exp(-r^(2 beta)/2), and `half-logistic` is 2 + artanh U with U uniform.
        radius: Law = Law::Student, any(), "";
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
        /// Correlation length.
        xi: f64 = 2.0, finite_above(0.0), "sites";
        /// Four sites, counted from 0; repeats are allowed.
        sites: Vec<f64> = vec![0.0, 1.0, 2.0, 3.0], at_least(0.0), "sites";
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
        four_sites("sites", &self.sites, self.n).map(drop)
    }
}

impl Args {
    fn value(&self) -> Result<Fourth, FormError> {
        let factor = Radial::new(self.radius, self.dof, self.beta).finite_excess_factor(self.n)?;
        let row = RingKernel::new(self.n, self.xi, self.kernel)?.first_row;
        let at = four_sites("sites", &self.sites, self.n)?;
        Ok(scaled(factor, &at.map(|i| at.map(|j| row[distance(i, j, self.n)]))))
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "elliptical.fourth",
    text: include_str!("fourth.rs"),
    control: Control {
        what: "without the factor, as if the sites were Gaussian",
        eval: |given| with(given, |a: Args| Ok(a.value()?.gaussian().into())),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(Value::from(a.value()?))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elliptical::excess_kurtosis::excess_kurtosis;

    fn covariances(i: usize, j: usize) -> [[f64; 4]; 4] {
        let at = [i, i, j, j];
        at.map(|a| at.map(|b| f64::from(u8::from(a == b))))
    }

    #[test]
    fn four_equal_sites_have_the_kurtosis_of_one() {
        for law in [Radial::Student { dof: 9.0 }, Radial::Laplace, Radial::Shell, Radial::Ball] {
            let four = fourth(law, 12, &covariances(0, 0));
            assert!((four.cumulant - excess_kurtosis(law, 12)).abs() < 1e-15);
            assert!((four.moment - 3.0 - four.cumulant).abs() < 1e-15);
        }
    }

    #[test]
    fn the_radius_of_the_shell_does_not_vary() {
        // With covariance I: E(sum_i X_i^2)^2 = n^2 exactly; a Gaussian has n^2 + 2n.
        for n in [1, 2, 7, 40] {
            let pair = |i: usize, j: usize| fourth(Radial::Shell, n, &covariances(i, j));
            let sum = |of: fn(Fourth) -> f64| -> f64 {
                (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).map(|(i, j)| of(pair(i, j))).sum()
            };
            let square = (n * n) as f64;
            assert!((sum(|four| four.moment) - square).abs() < 1e-11 * square, "n={n}");
            assert!((sum(|four| four.gaussian().moment) - square).abs() > 1.0, "n={n}");
        }
    }
}
