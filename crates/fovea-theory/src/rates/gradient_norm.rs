//! Mean squared norm of the gradient of an output with respect to all weights, in the standard parametrisation.
//!
//! ```math
//! E\,|\nabla_Wz|^2=\frac{|x|^2}{n_0}\sum_{l=0}^Ln_l
//! ```
//!
//! # Source
//! Lectures, topic 4; claims T04.5, T04.6. It requires learning rates of order one over width and depth, not the printed
//! one over the root of the width.
//!
//! # Symbols
//! * $`n_0`$: `n_in`
//! * $`|x|^2`$: `x2`
//! * $`n_1,\dots,n_L`$: `widths`, the hidden ones
//!
//! # Holds when
//! ReLU, standard parametrisation (weights of variance 2 over the number of inputs), no biases, one output. Exact at
//! every width. The limit of the learning rate for one example is 2 over the value.
//!
//! # Checked by
//! Reference values (`tests/oracle`); Jacobians of networks in the check `drawn-gradients`.

use crate::form::{Control, Form, with};
use fovea_core::params::{Schema, at_least, finite_above};
use fovea_core::{Params, Value, params};

/// $`E\,|\nabla_Wz|^2`$.
///
/// ```
/// let norm = fovea_theory::rates::gradient_norm::gradient_norm(10, 10.0, &[64, 64, 64]);
/// assert!((norm - 202.0).abs() < 1e-12);
/// ```
pub fn gradient_norm(n_in: usize, x2: f64, widths: &[usize]) -> f64 {
    let units: f64 = widths.iter().map(|n| *n as f64).sum();
    x2 / n_in as f64 * (n_in as f64 + units)
}

fn table(norm: f64) -> Value {
    Value::table([("norm", norm.into()), ("limit", (2.0 / norm).into())])
}

params! {
    /// Arguments of `rates.gradient_norm`.
    pub struct Args {
        /// Entries of the input.
        n_in: usize = 10, at_least(1.0), "";
        /// Squared length of the input.
        x2: f64 = 10.0, finite_above(0.0), "";
        /// Hidden widths, in order.
        widths: Vec<usize> = vec![64, 64, 64], at_least(1.0), "units";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "rates.gradient_norm",
    text: include_str!("gradient_norm.rs"),
    control: Control {
        what: "roots of the widths, as the printed rate implies",
        eval: |given| {
            with(given, |a: Args| {
                let units: f64 = a.widths.iter().map(|n| (*n as f64).sqrt()).sum();
                let first = (a.n_in as f64).sqrt();
                Ok(table(a.x2 / a.n_in as f64 * (first + units)))
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(table(gradient_norm(a.n_in, a.x2, &a.widths)))),
};
