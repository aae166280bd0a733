//! Excess kurtosis of preactivations.

use super::{Columns, Needs, Probe};

/// The registry entry.
pub const ENTRY: Probe = Probe {
    columns: Columns::Per("class"),
    needs: Needs::Preactivations,
    ..Probe::of_units(
        "kurtosis",
        "excess kurtosis of <w, x> on fresh samples or held-out rows, one per class in the task's order: 0 Gaussian, -2 two points; 0 for a zero field",
        |view| view.held_out.kurtosis.clone(),
    )
};
