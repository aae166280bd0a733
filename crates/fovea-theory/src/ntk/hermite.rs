//! Coefficients of an activation in the normalised Hermite polynomials.
//!
//! ```math
//! s_k=\frac1{\sqrt{k!}}E[s(z)He_k(z)],\qquad E[s(z_a)s(z_b)]=\sum_ks_k^2r^k
//! ```
//!
//! # Source
//! Lectures, topic 12, with the probabilists' polynomials instead of the weight $`e^{-x^2}`$; claims T12.6, T12.8.
//!
//! # Symbols
//! * $`s_k`$: the list, from k = 0 to `up_to`
//! * $`r`$: correlation of two unit normals
//!
//! # Holds when
//! Square integrable activations. If $`s`$ is not a polynomial the list does not end, but single coefficients may
//! vanish: ReLU has $`s_3=s_5=0`$, and all even ones of tanh are 0.
//!
//! # Checked by
//! The kernel of ReLU from its coefficients; orthogonality; closed forms in the check `kernel-positivity`.

use crate::averages::Averages;
use crate::form::FormError;
use crate::form::{Control, Form, with};
use crate::mehler::normalised;
use fovea_core::params::{Schema, any, between};
use fovea_core::{Function, Params, Value, activation, params};

/// The coefficients `0..=up_to`.
///
/// # Errors
/// A Gaussian average is not finite.
pub fn coefficients(activation: &Function, up_to: usize) -> Result<Vec<f64>, FormError> {
    let averages = Averages::by_quadrature(activation);
    (0..=up_to).map(|k| averages.average(1.0, |z| activation.value(z) * normalised(k, z))).collect()
}

params! {
    /// Arguments of `ntk.hermite`.
    pub struct Args {
        /// Activation: a registered one, or an expression in x.
        activation: Function = Function::Registered(&activation::relu::ENTRY), any(), "";
        /// Last coefficient.
        up_to: usize = 6, between(0.0, 120.0), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "ntk.hermite",
    text: include_str!("hermite.rs"),
    control: Control {
        what: "without the factor 1/sqrt(k!)",
        eval: |given| {
            with(given, |a: Args| {
                let mut all = coefficients(&a.activation, a.up_to)?;
                let mut factor = 1.0;
                for (k, c) in all.iter_mut().enumerate().skip(1) {
                    factor *= (k as f64).sqrt();
                    *c *= factor;
                }
                Ok(Value::reals(&all))
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(Value::reals(&coefficients(&a.activation, a.up_to)?))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::correlated::relu_correlation;

    #[test]
    fn the_series_sums_to_the_kernel_and_odd_coefficients_of_the_rectifier_vanish() {
        let relu = Function::parse("relu").unwrap();
        let s = coefficients(&relu, 60).unwrap();
        assert!(s[3].abs() < 1e-14 && s[5].abs() < 1e-14 && s[2].abs() > 0.1);
        let r: f64 = 0.5;
        let sum: f64 = s.iter().rev().fold(0.0, |sum, c| sum * r + c * c);
        assert!((sum - 0.5 * relu_correlation(r)).abs() < 1e-14);
        // E He_3(z_a) He_3(z_b) = 3! r^3.
        let cubic = coefficients(&Function::parse("x^3-3*x").unwrap(), 5).unwrap();
        assert!((cubic[3] * cubic[3] * 0.37 * 0.37 * 0.37 - 0.303_918).abs() < 1e-12);
        assert!(cubic[5].abs() < 1e-13 && cubic[1].abs() < 1e-13);
    }
}
