//! Share of right answers on what is trained on.

use super::{Needs, Of, Probe};

/// The registry row.
pub const ENTRY: Probe = Probe {
    of: Of::Network,
    needs: Needs::TrainingAnswers,
    ..Probe::of_units(
        "training-accuracy",
        "accuracy on what is trained on: the training rows of arrays, each once, or the samples of a fixed set",
        |view| vec![vec![view.on_training.accuracy]],
    )
};
