//! Limits of the variance and the correlation at large depth, and the phase.
//!
//! ```math
//! K^*=C_b+C_wE_{K^*}[s^2],\qquad r^*K^*=C_b+C_wE[s(z_a)s(z_b)],\qquad \chi_\perp\lessgtr1
//! ```
//!
//! # Source
//! Lectures, topic 2, off criticality; claims T02.5, T02.15.
//!
//! # Symbols
//! * $`K^*, r^*`$: `k_star`, `r_star`
//! * $`K^{(1)}`$: `start`, the variance at the first layer
//!
//! # Holds when
//! Layers of infinite width, one start. The phases are `ordered` ($`\chi_\perp<1`$, all inputs become equal), `chaotic`
//! ($`\chi_\perp>1`$, $`r^*<1`$), `critical`, and `exploding` (`k_star = inf`), in which the variance grows until the
//! averages diverge, or beyond 1e300. Of several fixed points the value is the one reached from `start`, if the
//! recursion increases with its argument.
//!
//! # Checked by
//! Reference values (`tests/oracle`); the phases of tanh and ReLU (`phase`).

use crate::form::{Control, Form, with};
use crate::layer::{Layer, LayerArgs};
use crate::phase::{Fate, Phase, fate};
use fovea_core::params::{Schema, finite_above};
use fovea_core::{Params, params};

params! {
    /// Arguments of `criticality.phase`.
    pub struct Args {
        ..layer: LayerArgs;
        /// Variance at the first layer.
        start: f64 = 1.0, finite_above(0.0), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "criticality.phase",
    text: include_str!("phase.rs"),
    control: Control {
        what: "half the variance and half of chi_perp, and r = 1",
        eval: |given| {
            with(given, |a: Args| {
                let found = fate(&Layer::from(&a.layer), a.start)?;
                let phase = Phase::Ordered;
                Ok(Fate {
                    k: 0.5 * found.k,
                    chi_perp: 0.5 * found.chi_perp,
                    r: 1.0,
                    phase,
                    ..found
                }
                .into())
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(fate(&Layer::from(&a.layer), a.start)?.into())),
};
