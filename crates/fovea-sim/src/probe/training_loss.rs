//! Loss on the training samples.

use super::{Needs, Of, Probe};

/// The registry entry.
pub const ENTRY: Probe = Probe {
    of: Of::Network,
    needs: Needs::TrainingLoss,
    ..Probe::of_units(
        "training-loss",
        "the mean loss on the training samples: the training rows of arrays, each once, or the samples of a fixed set",
        |view| vec![vec![view.on_training.loss]],
    )
};
