//! Loss on samples that are not trained on.

use super::{Needs, Of, Probe};

/// The registry entry.
pub const ENTRY: Probe = Probe {
    of: Of::Network,
    needs: Needs::Loss,
    ..Probe::of_units(
        "loss",
        "the mean loss on fresh samples or held-out rows, the same at every record",
        |view| vec![vec![view.held_out.loss]],
    )
};
