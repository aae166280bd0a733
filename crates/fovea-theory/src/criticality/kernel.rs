//! Variances and covariance of two preactivations behind one layer.
//!
//! ```math
//! K'_{ab}=C_b+C_wE_K[s(z_a)s(z_b)]
//! ```
//!
//! # Source
//! Lectures, topic 1, the recursion, in which the notes print the same symbol for both constants; claims T01.4, T02.4,
//! T02.8.
//!
//! # Symbols
//! * $`C_w, C_b`$: `c_w`, `c_b`
//! * $`K`$: `k_aa`, `k_bb`, `k_ab`, variances and covariance before the layer
//! * $`s`$: `activation` (the lectures' erf is `erf-raw`)
//!
//! # Holds when
//! A layer of infinite width: weights centred and independent, of variance $`C_w/n`$ over `n` inputs. Any activation
//! with finite Gaussian averages: closed forms for `identity`, `relu`, `leaky-relu`, `sin`, `erf` and `erf-raw`,
//! quadrature on every scale for everything else. `|k_ab| <= sqrt(k_aa k_bb)`.
//!
//! # Checked by
//! Reference values (`tests/oracle`); closed forms against quadrature (`averages`); sampled networks.

use crate::averages::Pair;
use crate::criticality::{PairArgs, check_pair};
use crate::form::{Control, Form, with};
use crate::layer::{Layer, LayerArgs};
use fovea_core::params::Schema;
use fovea_core::{ParamError, Params, Value, params};

params! {
    /// Arguments of `criticality.kernel`.
    pub struct Args {
        ..layer: LayerArgs;
        ..pair: PairArgs;
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        check_pair(self.pair.pair())
    }
}

/// Variances and covariance as a table.
pub(super) fn table(pair: Pair) -> Value {
    Value::table([("k_aa", pair.aa.into()), ("k_bb", pair.bb.into()), ("k_ab", pair.ab.into())])
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "criticality.kernel",
    text: include_str!("kernel.rs"),
    control: Control {
        what: "both constants the same, as printed: C_w for C_b as well",
        eval: |given| {
            with(given, |a: Args| {
                let layer = Layer { c_b: a.layer.c_w, ..Layer::from(&a.layer) };
                Ok(table(layer.next_pair(a.pair.pair())?))
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(table(Layer::from(&a.layer).next_pair(a.pair.pair())?))),
};
