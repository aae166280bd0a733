//! Readout weights.

use super::{Columns, Needs, Probe};

/// The registry entry.
pub const ENTRY: Probe = Probe {
    columns: Columns::Per("output"),
    needs: Needs::Network,
    ..Probe::of_units(
        "readout",
        "the readout weights of each unit, one per output; ones where the readout is the plain mean",
        |view| {
            let units = view.network.hidden();
            let weight =
                |o: usize, k: usize| view.network.readout().map_or(1.0, |v| v[o * units + k]);
            (0..units)
                .map(|k| (0..view.network.outputs()).map(|o| weight(o, k)).collect())
                .collect()
        },
    )
};
