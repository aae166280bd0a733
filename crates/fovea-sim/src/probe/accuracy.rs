//! Share of right answers on samples that are held out.

use super::{Needs, Of, Probe};

/// The registry row.
pub const ENTRY: Probe = Probe {
    of: Of::Network,
    needs: Needs::Answers,
    ..Probe::of_units(
        "accuracy",
        "share of fresh samples or held-out rows whose answer is nearest to its own label (largest at its own class, where there is an output a class)",
        |view| vec![vec![view.held_out.accuracy]],
    )
};
