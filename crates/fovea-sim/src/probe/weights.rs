//! The weights themselves.

use super::{Columns, Probe, per_unit};

/// The registry entry.
pub const ENTRY: Probe = Probe {
    columns: Columns::Per("site"),
    ..Probe::of_units("weights", "the weights of each unit", |view| per_unit(view, <[f64]>::to_vec))
};
