//! Share of correct answers on samples that are not trained on.

use super::{Needs, Of, Probe};

/// The registry entry.
pub const ENTRY: Probe = Probe {
    of: Of::Network,
    needs: Needs::Answers,
    ..Probe::of_units(
        "accuracy",
        "share of fresh samples or held-out rows whose answer is nearest to its own label (where there is one output per class: largest at its own class)",
        |view| vec![vec![view.held_out.accuracy]],
    )
};
