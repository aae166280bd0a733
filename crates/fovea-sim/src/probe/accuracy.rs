//! Share of right answers on a held-out set.

use super::{Needs, Of, Probe};

/// The registry row.
pub const ENTRY: Probe = Probe {
    of: Of::Network,
    needs: Needs::Answers,
    ..Probe::of_units(
        "accuracy",
        "share of a held-out set whose answer is nearest to its own label (largest at its own class, where there is an output a class)",
        |view| vec![vec![view.held_out.accuracy]],
    )
};
