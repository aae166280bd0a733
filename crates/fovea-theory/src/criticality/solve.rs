//! Critical point of an activation: K*, C_b, C_w and its class, or why there is none.
//!
//! ```math
//! E_{K^*}[ss'']=0,\quad C_w=1/E_{K^*}[s'^2],\quad C_b=K^*-C_wE_{K^*}[s^2]\ge0
//! ```
//!
//! # Source
//! Lectures, topic 2, made a solver; claims T02.7, T02.8, T02.11, T02.12. Published points of SWISH (`silu`) and GELU.
//!
//! # Symbols
//! * $`K^*`$: `k_star`
//! * $`C_w, C_b`$: `c_w`, `c_b`
//! * $`a`$: `a`, of $`K'=K-aK^2+\dots`$ at zero, where $`K_l\sim1/(al)`$ (at a half-stable point minus half the second
//!   derivative of the recursion)
//!
//! # Holds when
//! The fixed variance is 0 or between 1e-3 and 1e3, where it is searched, and C_b is not negative. Classes:
//! `scale-invariant` (linear on each side of zero, every K is kept), `zero` (K* = 0 attracts), `half-stable` (K* > 0
//! attracts from one side), `unstable-zero` (K* = 0 repels) and `none`, with the reason.
//!
//! # Checked by
//! Reference values (`tests/oracle`); classes and published points (`critical`); both susceptibilities are 1.

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

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "criticality.solve",
    text: include_str!("solve.rs"),
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
