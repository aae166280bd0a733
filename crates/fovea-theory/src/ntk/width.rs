//! Width from which the convergence proof for one hidden layer applies.
//!
//! ```math
//! n>\frac{512\,m^4L_0}{\lambda_0^4},\qquad\Delta=\frac{\lambda_0}{8m},\qquad\Delta^*=\frac{2\sqrt2\,m\sqrt{L_0}}{\lambda_0\sqrt n}
//! ```
//!
//! # Source
//! Lectures, topic 13, by combining its two bounds; claims T13.2 to T13.4. Printed: $`16m^2L_0/\lambda_0^2`$.
//!
//! # Symbols
//! * $`m`$: `m`, inputs
//! * $`L_0`$: `loss`, at the start
//! * $`\lambda_0`$: `lambda0`, the least eigenvalue of the mean kernel
//! * $`\Delta^*`$: `moved_at_most`
//! * $`\Delta`$: `may_move`
//!
//! # Holds when
//! One hidden layer, second layer frozen between -1 and 1, slope and curve of the activation at most 1 in size, unit
//! inputs, $`L=\tfrac1{2m}|z-y|^2`$.
//!
//! # Checked by
//! Reference values (`tests/oracle`); the two bounds are equal at the width; cases that attain them in the check
//! `convergence-proof`.

use crate::form::{Control, Form, with};
use fovea_core::params::{Schema, at_least, finite_above};
use fovea_core::{Params, Value, params};

/// The distance that weights may move before the kernel loses a quarter of its least eigenvalue.
pub fn may_move(m: usize, lambda0: f64) -> f64 {
    lambda0 / (8.0 * m as f64)
}

/// The largest distance they move under gradient flow while the kernel keeps half of it.
pub fn moved_at_most(m: usize, loss: f64, lambda0: f64, n: f64) -> f64 {
    2.0 * std::f64::consts::SQRT_2 * m as f64 * loss.sqrt() / (lambda0 * n.sqrt())
}

/// The width beyond which the second is less than the first.
pub fn width(m: usize, loss: f64, lambda0: f64) -> f64 {
    let square = m as f64 / lambda0 * (m as f64 / lambda0);
    512.0 * square * square * loss
}

params! {
    /// Arguments of `ntk.width`.
    pub struct Args {
        /// Inputs.
        m: usize = 3, at_least(1.0), "";
        /// Loss at the start.
        loss: f64 = 0.5, finite_above(0.0), "";
        /// Least eigenvalue of the mean kernel.
        lambda0: f64 = 0.2, finite_above(0.0), "";
        /// Width at which the movement is bounded.
        n: usize = 4000, at_least(1.0), "units";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "ntk.width",
    text: include_str!("width.rs"),
    control: Control {
        what: "the printed width 16 m^2 L_0 / lambda_0^2",
        eval: |given| {
            with(given, |a: Args| {
                let m = a.m as f64;
                Ok(Value::table([
                    ("width", (16.0 * m * m * a.loss / (a.lambda0 * a.lambda0)).into()),
                    ("may_move", may_move(a.m, a.lambda0).into()),
                    ("moved_at_most", moved_at_most(a.m, a.loss, a.lambda0, a.n as f64).into()),
                ]))
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| {
        with(given, |a: Args| {
            Ok(Value::table([
                ("width", width(a.m, a.loss, a.lambda0).into()),
                ("may_move", may_move(a.m, a.lambda0).into()),
                ("moved_at_most", moved_at_most(a.m, a.loss, a.lambda0, a.n as f64).into()),
            ]))
        })
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn at_the_width_the_two_bounds_meet() {
        for (m, loss, lambda0) in [(3, 0.5, 0.2), (8, 1.3, 0.05)] {
            let n = width(m, loss, lambda0);
            let ratio = moved_at_most(m, loss, lambda0, n) / may_move(m, lambda0);
            assert!((ratio - 1.0).abs() < 1e-14);
        }
    }
}
