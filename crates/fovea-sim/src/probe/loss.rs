//! Loss on a held-out set.

use super::{Needs, Of, Probe};

/// The registry row.
pub const ENTRY: Probe = Probe {
    of: Of::Network,
    needs: Needs::Loss,
    ..Probe::of_units("loss", "the mean loss on a held-out set, the same at every record", |view| {
        vec![vec![view.held_out.loss]]
    })
};
