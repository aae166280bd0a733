//! The critical point of an activation: the variance that is kept and the variances of weights and biases that keep it, or why there is none.
//!
//! ```math
//! E_{K^*}[ss'']=0,\quad C_w=1/E_{K^*}[s'^2],\quad C_b=K^*-C_wE_{K^*}[s^2]\ge0
//! ```
//!
//! # Source
//! Lectures, topic 2, made a solver; claims T02.7, T02.8, T02.11, T02.12. Published points of SWISH (`silu`) and GELU.
//!
//! # Symbols
//! $`K^*`$ is `k_star`; `a` is that of $`K'=K-aK^2+\dots`$ at zero, where $`K_l\sim1/(al)`$, and minus half the second derivative of the recursion at a half-stable point.
//!
//! # Holds when
//! Classes: `scale-invariant` (linear on each side of zero, every $`K`$ is kept), `zero` ($`K^*=0`$ attracts), `half-stable` ($`K^*>0`$ attracts
//! from one side), `unstable-zero` ($`K^*=0`$ repels) and `none`, with the reason. Variances are searched from 1e-3 to 1e3.
//!
//! # Checked by
//! `tests/oracle`; classes and published points in `critical`.

use crate::critical::critical;
use crate::form::{Control, Form, with};
use fovea_core::params::{Schema, any};
use fovea_core::{Function, Params, Value, activation, params};

params! {
    /// Arguments of `criticality.solve`.
    pub struct Args {
        /// Activation: a registered one, or an expression in x.
        activation: Function = Function::Registered(&activation::gelu::ENTRY), any(), "";
    }
}

impl Params for Args {}

/// The row of this form.
pub const ENTRY: Form = Form {
    name: "criticality.solve",
    summary: "Critical point of an activation: K*, C_b, C_w and its class, or why there is none.",
    equation: r"E[ss'']=0,\ C_w=1/E[s'^2],\ C_b=K^*-C_wE[s^2]",
    source: "lectures topic 2; T02.12",
    symbols: &[(r"K^*", "k_star"), (r"C_w, C_b", "c_w, c_b")],
    holds: "K* = 0, or between 1e-3 and 1e3; C_b is not negative",
    checks: "reference values; published points; both susceptibilities are 1",
    control: Control {
        what: "He initialization, C_w = 2 and C_b = 0, whatever the activation",
        eval: |given| {
            with(given, |a: Args| {
                let mut found = critical(&a.activation)?;
                (found.c_w, found.c_b) = (found.c_w.map(|_| 2.0), found.c_b.map(|_| 0.0));
                Ok(Value::from(&found))
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(Value::from(&critical(&a.activation)?))),
};
