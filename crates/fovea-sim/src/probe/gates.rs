//! How often a unit's gate `<w, x> + b >= 0` is unchanged.

use super::{Columns, Needs, Probe};

/// The registry entry.
pub const ENTRY: Probe = Probe {
    columns: Columns::Named(&["since_last", "all_along"]),
    needs: Needs::Gates,
    ..Probe::of_units(
        "gates",
        "share of fresh samples or held-out rows on the same side of the gate <w, x> + b >= 0 as at the record before (p), and as at every record so far (p_unif)",
        |view| view.held_out.same_gate.iter().map(|same| same.to_vec()).collect(),
    )
};
