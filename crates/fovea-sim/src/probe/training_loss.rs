//! Loss on what is trained on.

use super::{Needs, Of, Probe};

/// The registry row.
pub const ENTRY: Probe = Probe {
    of: Of::Network,
    needs: Needs::TrainingLoss,
    ..Probe::of_units(
        "training-loss",
        "the mean loss on what is trained on: the training rows of arrays, each once, or the samples of a fixed set",
        |view| vec![vec![view.on_training.loss]],
    )
};
