//! Loss on a held-out set.

use super::Probe;

/// The registry row.
pub const ENTRY: Probe = Probe {
    name: "loss",
    summary: "1/2 mean (y_hat - y)^2 on a held-out set, the same at every record",
    observe: |view| vec![vec![view.loss]],
};
