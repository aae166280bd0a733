//! Fourth moment of an output over that of a Gaussian, at finite width.
//!
//! ```math
//! \frac{E z^4}{3(Ez^2)^2}=\prod_l\Big(1+\frac{c}{n_l}\Big),\qquad c=\frac{6(1+a^4)}{(1+a^2)^2}-1
//! ```
//!
//! # Source
//! Lectures, topic 3, made exact; claim T03.5. Hanin and Nica have the same products for the squared norm of a
//! gradient.
//!
//! # Symbols
//! * $`n_l`$: `widths`, the hidden ones
//! * $`a`$: `leak`, the slope below zero: 0 is ReLU with c = 5, 1 is linear with c = 2
//!
//! # Holds when
//! No biases, the critical $`C_w=2/(1+a^2)`$ and an activation linear on each side of zero; any widths, exactly. The
//! ratio does not depend on the input.
//!
//! # Checked by
//! Reference values (`tests/oracle`); sampled chains in the check `drawn-networks`.

use crate::form::{Control, Form, number, with};
use fovea_core::params::{Schema, at_least, between};
use fovea_core::{Params, params};

/// $`E z^4/3(Ez^2)^2`$ of an output.
///
/// ```
/// let ratio = fovea_theory::nngp::kurtosis::ratio(&[8, 8, 8], 0.0);
/// assert!((ratio - 4.291015625).abs() < 1e-14);
/// ```
pub fn ratio(widths: &[usize], leak: f64) -> f64 {
    let square = 1.0 + leak * leak;
    let c = 6.0 * (1.0 + leak * leak * leak * leak) / (square * square) - 1.0;
    widths.iter().map(|n| 1.0 + c / *n as f64).product()
}

params! {
    /// Arguments of `nngp.kurtosis`.
    pub struct Args {
        /// Hidden widths, in order.
        widths: Vec<usize> = vec![8, 8, 8], at_least(1.0), "units";
        /// Slope of the activation below zero: 0 is ReLU, 1 the identity.
        leak: f64 = 0.0, between(-1.0, 1.0), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "nngp.kurtosis",
    text: include_str!("kurtosis.rs"),
    control: Control {
        what: "the first order alone, 1 + c sum 1/n",
        eval: |given| {
            with(given, |a: Args| {
                let each = a.widths.iter().map(|n| ratio(&[*n], a.leak) - 1.0);
                Ok((1.0 + each.sum::<f64>()).into())
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| Ok(ratio(&a.widths, a.leak))),
};
