//! Eigenvalues of the Gram matrix of an activation for unit inputs in the plane.
//!
//! ```math
//! G_{ab}=E[s(w\cdot x_a)s(w\cdot x_b)],\qquad w\sim N(0,I)
//! ```
//!
//! # Source
//! Lectures, topic 12, where the convergence proof needs the least eigenvalue; claims T12.4, T12.5, T13.7. Distinct
//! inputs are not enough: no two may be parallel or opposite.
//!
//! # Symbols
//! * $`x_a`$: $`(\cos\alpha_a,\sin\alpha_a)`$ for the `angles`
//! * $`s`$: `activation` (`part = slope` has $`E[s's']\,x_a\cdot x_b`$, the kernel when the second layer is frozen)
//!
//! # Holds when
//! Unit inputs. Positive if no two are parallel or opposite and the activation (its slope) is not a polynomial.
//! `condition` is the largest over the least eigenvalue, `inf` if the least is below rounding.
//!
//! # Checked by
//! Reference values (`tests/oracle`); antipodal pairs are singular; integrals over the angle in the check
//! `kernel-positivity`; sampled kernels.

use crate::averages::{Averages, Pair};
use crate::form::FormError;
use crate::form::{Control, Form, with};
use fovea_core::params::{Schema, any, finite};
use fovea_core::{Function, Params, Value, activation, choice, params, symmetric};

choice! {
    /// Which part of the tangent kernel of one hidden layer.
    pub enum Part {
        /// The part of the second layer: averages of the activation.
        Value = "value",
        /// The part of the first layer: averages of the slope times the product of the inputs.
        Slope = "slope",
    }
}

/// The matrix for unit inputs at these angles in the plane.
///
/// # Errors
/// A Gaussian average is not finite.
pub fn gram(activation: &Function, angles: &[f64], part: Part) -> Result<Vec<Vec<f64>>, FormError> {
    let averages = Averages::of(activation);
    let entry = |a: &f64, b: &f64| {
        let r = libm::cos(a - b);
        let pair = Pair::correlated(1.0, r);
        match part {
            Part::Value => averages.product(pair),
            Part::Slope => Ok(r * averages.slope_product(pair)?),
        }
    };
    angles.iter().map(|a| angles.iter().map(|b| entry(a, b)).collect()).collect()
}

impl Args {
    fn value(&self, scale: f64) -> Result<Value, FormError> {
        let rows = gram(&self.activation, &self.angles, self.part)?;
        let values: Vec<f64> =
            symmetric::eigenvalues(&rows)?.into_iter().map(|x| scale * x).collect();
        let (least, most) = (values[values.len() - 1], values[0]);
        let resolved = least > 1e-14 * most;
        let condition = if resolved { most / least } else { f64::INFINITY };
        Ok(Value::table([
            ("least", least.into()),
            ("condition", condition.into()),
            ("eigenvalues", Value::reals(&values)),
        ]))
    }
}

params! {
    /// Arguments of `ntk.gram`.
    pub struct Args {
        /// Activation: a registered one, or an expression in x.
        activation: Function = Function::Registered(&activation::relu::ENTRY), any(), "";
        /// Angles of the inputs.
        angles: Vec<f64> = vec![0.0, 1.0, 2.5], finite(), "rad";
        /// Part of the tangent kernel.
        part: Part = Part::Value, any(), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "ntk.gram",
    text: include_str!("gram.rs"),
    control: Control {
        what: "weights with density exp(-x^2), of variance one half, as in the Hermite step of the lectures",
        eval: |given| with(given, |a: Args| a.value(0.5)),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| a.value(1.0)),
};

#[cfg(test)]
mod tests {
    use super::*;
    fn least(text: &str, angles: &[f64], part: Part) -> f64 {
        let rows = gram(&Function::parse(text).unwrap(), angles, part).unwrap();
        symmetric::least(&rows).unwrap()
    }

    #[test]
    fn antipodal_pairs_are_distinct_and_singular() {
        let pairs: Vec<f64> =
            [0.0, 1.0, 2.0].iter().flat_map(|a| [*a, a + std::f64::consts::PI]).collect();
        assert!(least("relu", &pairs, Part::Value).abs() < 1e-9);
        assert!(least("relu", &pairs[..5], Part::Value) > 1e-4, "one of them left out");
        // With an odd activation even one input and its opposite are singular.
        assert!(least("erf-raw", &pairs[..2], Part::Value).abs() < 1e-15);
        assert!(least("erf-raw", &[0.0, 1.0], Part::Value) > 0.1);
    }

    #[test]
    fn both_parts_are_positive_for_inputs_that_are_not_parallel() {
        for part in [Part::Value, Part::Slope] {
            for text in ["relu", "erf-raw"] {
                assert!(least(text, &[0.0, 0.8, 1.9], part) > 1e-3, "{text} {part:?}");
            }
        }
    }
}
