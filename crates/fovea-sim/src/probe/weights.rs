//! The weights themselves.

use super::{Probe, per_unit};

/// The registry row.
pub const ENTRY: Probe = Probe {
    name: "weights",
    summary: "the weights of each unit",
    observe: |view| per_unit(view, <[f64]>::to_vec),
};
