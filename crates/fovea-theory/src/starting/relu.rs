//! Four times the mean loss of a ReLU committee before training, for Gaussian fields and for signs.
//!
//! ```math
//! 4E_wL=1-\sqrt{\tfrac2\pi}\,s_wE\|X_1\|+s_w^2\big(E\|X_1\|^2+E\|X_0\|^2\big)\Big(\frac1{2K}+\frac{K-1}{2\pi K}\Big)
//! ```
//!
//! # Source
//! Note 002 (26), (27), completed; claim L002.21.
//!
//! # Symbols
//! * $`s_w`$: `std_w`, standard deviation of the weights
//! * $`K`$: `width`, the readout is $`1/K`$
//! * $`E\|X_1\|`$: `starting.norm`
//! * `fourL_gauss`, `fourL_hypercube`: the value for Gaussian fields and for signs, whose norm $`\sqrt n`$ is not
//!   random
//!
//! # Holds when
//! The nK weights are independent normals, there is no bias, the labels are 1 and 0, and both classes have unit
//! variance, $`E\|X\|^2=n`$; only the mean norm of class pos depends on its distribution.
//!
//! # Checked by
//! Reference values (`tests/oracle`); the integral over the weights; sampled losses.

use super::norm::norm;
use crate::form::{Control, Form, FormError, with};
use fovea_core::params::{Schema, any, at_least, between, finite_above};
use fovea_core::ring::{Kernel, RingKernel};
use fovea_core::{Params, Value, params};
use std::f64::consts::{FRAC_2_PI, PI};

/// The mean loss from the mean norm of class pos and the mean squared norm of each class.
///
/// ```
/// let loss = fovea_theory::starting::relu::relu(1, 0.0, 1.0, [1.0, 1.0]);
/// assert_eq!(loss, 0.25);
/// ```
pub fn relu(width: usize, std_w: f64, norm_pos: f64, power: [f64; 2]) -> f64 {
    let k = width as f64;
    // On a common sample each of two units is open half the time, and their product averages 1/2pi of the variance.
    let pairs = 0.5 / k + (k - 1.0) / (2.0 * PI * k);
    let square = std_w * std_w * (power[0] + power[1]) * pairs;
    0.25 * (1.0 - FRAC_2_PI.sqrt() * std_w * norm_pos + square)
}

params! {
    /// Arguments of `starting.relu`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
        /// Correlation length of class pos, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
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
    /// The mean norm, and four times the loss for Gaussian fields and for signs; `gate` is 1 where the gate passes half.
    fn value(&self, gate: f64) -> Result<Value, FormError> {
        let n = self.n as f64;
        let gaussian = norm(&RingKernel::new(self.n, self.xi_pos, self.kernel)?.eigs);
        let four = |norm: f64| 4.0 * relu(self.width, self.std_w, gate * norm, [n, n]);
        Ok(Value::table([
            ("E_norm", gaussian.into()),
            ("fourL_gauss", four(gaussian).into()),
            ("fourL_hypercube", four(n.sqrt()).into()),
        ]))
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "starting.relu",
    text: include_str!("relu.rs"),
    control: Control {
        what: "the mean of |S| instead of its gated half",
        eval: |given| with(given, |a: Args| a.value(2.0)),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| a.value(1.0)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::quadrature::gauss_hermite;

    #[test]
    fn an_integral_over_the_weights_finds_the_loss() {
        // On samples of given norms r the preactivations are independent N(0, s^2 r^2).
        let (s, r_pos, r_neg) = (0.7, 1.3, 2.1);
        let rule = gauss_hermite(80);
        for width in [1, 2] {
            let output = |r: f64, power: i32| {
                let unit = |z: f64| (s * r * z).max(0.0);
                match width {
                    1 => rule.integrate(|z| if power == 1 { unit(z) } else { unit(z) * unit(z) }),
                    _ => rule.integrate(|z| {
                        rule.integrate(|x| {
                            let y = 0.5 * (unit(z) + unit(x));
                            if power == 1 { y } else { y * y }
                        })
                    }),
                }
            };
            let four = 1.0 - 2.0 * output(r_pos, 1) + output(r_pos, 2) + output(r_neg, 2);
            let got = relu(width, s, r_pos, [r_pos * r_pos, r_neg * r_neg]);
            // The kink limits the rule to a few digits.
            assert!((got - 0.25 * four).abs() < 2e-3, "{width}: {got} {}", 0.25 * four);
            let single = relu(1, s, r_pos, [r_pos * r_pos, r_neg * r_neg]);
            assert!(width == 1 || (single - 0.25 * four).abs() > 0.05);
        }
    }

    #[test]
    fn the_loss_falls_from_gaussian_fields_to_signs_as_in_the_catalogue() {
        let value = Args::default().value(1.0).unwrap();
        let four = |key: &str| value.get(key).and_then(Value::as_real).unwrap();
        assert!((four("fourL_gauss") - 1.214287).abs() < 5e-7);
        assert!((four("fourL_hypercube") - 1.202116).abs() < 1e-6);
    }
}
