//! Susceptibilities of a layer to the variance and to the distance of close inputs.
//!
//! ```math
//! \chi_\parallel=C_wE_K[ss''+s'^2],\qquad\chi_\perp=C_wE_K[s'^2]
//! ```
//!
//! # Source
//! Lectures, topic 2, the Fourier step (its last display lacks a square); claims T02.6, T02.9, T02.19.
//!
//! # Symbols
//! * $`K`$: `k`, the variance
//! * $`\chi_\parallel-\chi_\perp`$: `gap`, which is $`C_wE[ss'']`$
//!
//! # Holds when
//! Any activation with finite Gaussian averages, kinks included: $`\chi_\parallel`$ is computed as $`C_wE[z\,ss']/K`$
//! unless that cancels.
//!
//! # Checked by
//! Reference values (`tests/oracle`); difference quotients of the recursion (`averages`).

use crate::form::{Control, Form, with};
use crate::layer::{Layer, LayerArgs};
use fovea_core::params::{Schema, at_least};
use fovea_core::{Params, Value, params};

params! {
    /// Arguments of `criticality.chi`.
    pub struct Args {
        ..layer: LayerArgs;
        /// Variance of the preactivation.
        k: f64 = 1.0, at_least(0.0), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "criticality.chi",
    text: include_str!("chi.rs"),
    control: Control {
        what: "without the term s s'', so that both are equal",
        eval: |given| {
            with(given, |a: Args| {
                let chi = Layer::from(&a.layer).chi_perp(a.k)?;
                Ok(Value::table([
                    ("chi_par", chi.into()),
                    ("chi_perp", chi.into()),
                    ("gap", 0.0.into()),
                ]))
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| {
        with(given, |a: Args| {
            let layer = Layer::from(&a.layer);
            let (par, perp) = (layer.chi_par(a.k)?, layer.chi_perp(a.k)?);
            // Near variance zero both are nearly equal: the difference is a separate average.
            let small = a.k < 1e-3 * layer.averages.narrowest().min(1.0);
            let gap = if small { layer.c_w * layer.averages.bend(a.k)? } else { par - perp };
            Ok(Value::table([
                ("chi_par", par.into()),
                ("chi_perp", perp.into()),
                ("gap", gap.into()),
            ]))
        })
    },
};
