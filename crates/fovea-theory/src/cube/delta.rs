//! Least sum of the first k weights over all signs, and whether it outweighs the rest.
//!
//! ```math
//! \delta=\min_{x\in\{\pm1\}^k}\Big|\sum_{i\le k}w_ix_i\Big|,\qquad\delta_{\mathrm{INT}}=-\delta^2,\qquad
//! \sum_{i>k}|w_i|<\delta\;\Rightarrow\;\mathbf 1(\langle w,x\rangle\ge0)=\mathbf 1\Big(\sum_{i\le k}w_ix_i\ge0\Big)
//! ```
//!
//! # Source
//! Note 000 (13) and its section SDP; claims L000.28, L000.30, L000.31.
//!
//! # Symbols
//! * $`k`$: `k`, of the weights as they are given (the note sorts them by size first)
//! * $`\delta`$: `delta`
//! * $`\delta_{\mathrm{INT}}`$: `delta_int`
//! * `sdp_lower`: the bound of `cube.polygon`
//!
//! # Holds when
//! Always, with up to 44 weights, in time 2^(k/2). For `k < n` and a tail that is not 0 the condition is also necessary
//! over the whole cube; all `n` weights always decide the gate, whatever $`\delta`$ (erratum E.2).
//!
//! # Checked by
//! Reference values (`tests/oracle`); enumeration (`threshold`); the gate itself on all corners.

use super::polygon::polygon;
use super::summable;
use crate::form::{Control, Form, with};
use crate::threshold::least_sum;
use fovea_core::params::{Schema, at_least, finite};
use fovea_core::{ParamError, Params, Value, params};

/// The least sum of the first `k` weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delta {
    /// The least size of their sum.
    pub delta: f64,
    /// The integer program of note 000.
    pub delta_int: f64,
    /// Its lower bound by the relaxation to unit vectors.
    pub sdp_lower: f64,
    /// Whether the other weights together are smaller, so that they never change the gate.
    pub separated: bool,
}

impl From<Delta> for Value {
    fn from(delta: Delta) -> Self {
        Self::table([
            ("delta", delta.delta.into()),
            ("delta_int", delta.delta_int.into()),
            ("sdp_lower", delta.sdp_lower.into()),
            ("separated", Self::Bool(delta.separated)),
        ])
    }
}

/// The least sum of the first `k` of the weights `w`.
///
/// ```
/// let delta = fovea_theory::cube::delta::delta(&[3.0, 1.0, 0.5, 0.25], 2);
/// assert!(delta.delta == 2.0 && delta.separated);
/// ```
pub fn delta(w: &[f64], k: usize) -> Delta {
    let (head, tail) = w.split_at(k.min(w.len()));
    let delta = least_sum(head);
    Delta {
        delta,
        delta_int: -delta * delta,
        sdp_lower: polygon(head),
        separated: tail.iter().map(|w| w.abs()).sum::<f64>() < delta,
    }
}

params! {
    /// Arguments of `cube.delta`.
    pub struct Args {
        /// Weights.
        w: Vec<f64> = vec![3.0, 1.1, 0.7, 0.25], finite(), "";
        /// How many of them, from the first on, are used.
        k: usize = 3, at_least(1.0), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        summable(&self.w, 1)?;
        if self.k <= self.w.len() {
            return Ok(());
        }
        Err(ParamError::Inconsistent {
            what: format!("k = {} of {} weights", self.k, self.w.len()),
            hint: format!("choose k from 1 to {}", self.w.len()),
        })
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "cube.delta",
    text: include_str!("delta.rs"),
    control: Control {
        what: "note 000: delta_INT = -sqrt(delta)",
        eval: |given| {
            with(given, |a: Args| {
                let right = delta(&a.w, a.k);
                Ok(Delta { delta_int: -right.delta.sqrt(), ..right }.into())
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(Value::from(delta(&a.w, a.k)))),
};
