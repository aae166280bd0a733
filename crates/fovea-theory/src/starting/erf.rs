//! Mean loss of an erf committee before training, for Gaussian fields and for signs.
//!
//! ```math
//! E_wL=\tfrac12+\frac1{4K}\sum_cE_c\,h(s_w^2\|X\|^2),\qquad h(v)=\tfrac2\pi\arcsin\frac v{1+v}
//! ```
//!
//! ```math
//! E\,h=1-\tfrac4\pi\int_0^{\pi/4}E_G\prod_i\Big(1+\frac{s_w^2\lambda_iG^2}{\cos^2\varphi}\Big)^{-1/2}d\varphi\quad\text{for a Gaussian field}
//! ```
//!
//! # Source
//! Note 002 (19)-(25), whose last line is blank, completed; claim L002.20. The mean over the weights is derived here
//! from $`\mathrm{erf}^2x=1-\tfrac4\pi\int_0^1e^{-x^2(1+t^2)}\tfrac{dt}{1+t^2}`$ with $`t=\tan\varphi`$.
//!
//! # Symbols
//! * $`s_w`$: `std_w`, standard deviation of the weights
//! * $`K`$: `width`, the readout is $`1/K`$
//! * $`G`$: standard normal
//! * `loss_hypercube`: the loss for signs, whose norm $`\sqrt n`$ is not random
//!
//! # Holds when
//! The nK weights are independent normals, there is no bias, the labels are 1 and -1, the activation is erf(h/sqrt 2),
//! and both classes have unit variance.
//!
//! # Checked by
//! The catalogue's numbers; the chi distribution; sampled losses.

use crate::form::{Control, Form, FormError, with};
use fovea_core::params::{Schema, any, at_least, between, finite_above};
use fovea_core::quadrature::{adaptive_split, gauss_legendre};
use fovea_core::ring::{Kernel, RingKernel};
use fovea_core::special::normal_pdf;
use fovea_core::{Params, Value, params, work};
use std::f64::consts::{FRAC_2_PI, FRAC_PI_4};

/// The loss from the mean squared output of one unit in each class.
///
/// ```
/// use fovea_theory::starting::erf::{erf, unit_power_at_norm};
/// let signs = unit_power_at_norm(1.0);
/// assert!((erf(1, [signs, signs]) - 2.0 / 3.0).abs() < 1e-15);
/// ```
pub fn erf(width: usize, unit_power: [f64; 2]) -> f64 {
    0.5 + 0.25 * (unit_power[0] + unit_power[1]) / width as f64
}

/// The mean squared output of one unit on samples whose preactivation has the variance `var`, $`\tfrac2\pi\arcsin\tfrac v{1+v}`$.
pub fn unit_power_at_norm(var: f64) -> f64 {
    if var > 1e300 {
        return 1.0;
    }
    // As an arctangent it keeps its digits for large variances.
    FRAC_2_PI * libm::atan2(var, (1.0 + 2.0 * var).sqrt())
}

/// The mean squared output of one unit over weights of variance `var_w` and a Gaussian field with these eigenvalues.
pub fn unit_power_of_gaussian(eigs: &[f64], var_w: f64) -> f64 {
    // The product in G decays where the power of the field reaches 1; panels on that scale and on that of the normal density.
    let power: f64 = var_w * eigs.iter().sum::<f64>();
    let turn = 1.0 / power.max(f64::MIN_POSITIVE).sqrt();
    // The integral is at most of order turn ln(1/turn), if a single eigenvalue has all the power.
    if turn < 1e-20 {
        return 1.0;
    }
    let points: Vec<f64> = [0.0, 0.5, 1.0, 3.0, 6.0, 12.0, 38.0, turn, 3.0 * turn, 10.0 * turn]
        .map(|p| f64::min(p, 38.0))
        .to_vec();
    let angles = gauss_legendre(24);
    let kept = |g: f64| {
        // A logarithm for every eigenvalue and angle, a few hundredths of a microsecond each.
        work::spend(3 * eigs.len());
        let at = |node: f64| {
            let cos = libm::cos(0.5 * FRAC_PI_4 * (1.0 + node));
            let rate = var_w * g * g / (cos * cos);
            let exponent: f64 = eigs.iter().map(|eig| libm::log1p(rate * eig)).sum();
            libm::exp(-0.5 * exponent)
        };
        // The mean over an eighth of a turn; 4/pi times its length is 1.
        0.5 * angles.integrate(at)
    };
    1.0 - 2.0 * adaptive_split(|g| kept(g) * normal_pdf(g), &points, 1e-12).value
}

params! {
    /// Arguments of `starting.erf`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
        /// Correlation length of class pos, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class neg, label -1.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Standard deviation of a weight.
        std_w: f64 = 0.15811388300841897, finite_above(0.0), "";
        /// Number of hidden units.
        width: usize = 1, at_least(1.0), "units";
        /// Covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {}

impl Args {
    fn value(&self, factor: f64) -> Result<Value, FormError> {
        let var_w = factor * self.std_w * self.std_w;
        let unit = |xi| {
            RingKernel::new(self.n, xi, self.kernel)
                .map(|kernel| unit_power_of_gaussian(&kernel.eigs, var_w))
        };
        let gaussian = [unit(self.xi_pos)?, unit(self.xi_neg)?];
        let signs = [unit_power_at_norm(var_w * self.n as f64); 2];
        Ok(Value::table([
            ("loss_gauss", erf(self.width, gaussian).into()),
            ("loss_hypercube", erf(self.width, signs).into()),
        ]))
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "starting.erf",
    text: include_str!("erf.rs"),
    control: Control {
        what: "erf(h) without its sqrt 2, twice the variance",
        eval: |given| with(given, |a: Args| a.value(2.0)),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| a.value(1.0)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::quadrature::adaptive;
    use fovea_core::special::ln_gamma;

    #[test]
    fn the_numbers_are_those_of_the_catalogue() {
        let value = Args::default().value(1.0).unwrap();
        let loss = |key: &str| value.get(key).and_then(Value::as_real).unwrap();
        // The catalogue's .66324 is a mean over draws, good to four digits.
        assert!((loss("loss_gauss") - 0.66324).abs() < 1e-4, "{}", loss("loss_gauss"));
        assert!((loss("loss_hypercube") - 2.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn independent_sites_agree_with_the_chi_distribution_of_their_norm() {
        for (n, var_w) in [(3_usize, 0.4), (12, 0.05), (12, 30.0)] {
            // The density of Q = |X|^2, and h at s^2 Q.
            let half = 0.5 * n as f64;
            let density = |q: f64| {
                libm::exp((half - 1.0) * libm::log(0.5 * q) - 0.5 * q - ln_gamma(half)) * 0.5
            };
            let direct =
                adaptive(|q| density(q) * unit_power_at_norm(var_w * q), 0.0, 200.0, 1e-13).value;
            let got = unit_power_of_gaussian(&vec![1.0; n], var_w);
            assert!((got - direct).abs() < 1e-11, "n={n} {var_w}: {got} {direct}");
        }
    }

    #[test]
    fn tiny_and_huge_weights_are_linear_and_saturated() {
        let eigs = [2.0, 1.0, 0.5, 0.0];
        let small = unit_power_of_gaussian(&eigs, 1e-9);
        assert!((small / (FRAC_2_PI * 3.5e-9) - 1.0).abs() < 1e-4, "{small:e}");
        let large = unit_power_of_gaussian(&eigs, 1e12);
        assert!(large > 0.9999 && large <= 1.0, "{large}");
        // With all the power in one mode the decay is slowest: 1 - power is of order turn ln(1/turn).
        let single = |var_w: f64| unit_power_of_gaussian(&[1.0], var_w);
        assert!(1.0 - single(1e30) < 1e-13, "{:e}", 1.0 - single(1e30));
        assert_eq!([single(1e41), single(f64::INFINITY)].map(f64::to_bits), [1.0_f64.to_bits(); 2]);
        assert!(
            unit_power_at_norm(0.0) == 0.0 && unit_power_of_gaussian(&[0.0; 3], 1.0).abs() < 1e-12
        );
    }
}
