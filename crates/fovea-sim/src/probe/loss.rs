//! Loss on a held-out set.

use super::Probe;

/// The registry row.
pub const ENTRY: Probe = Probe {
    name: "loss",
    summary: "the mean loss on a held-out set, the same at every record",
    observe: |view| vec![vec![view.loss]],
};
