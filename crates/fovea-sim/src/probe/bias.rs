//! Biases of the hidden units.

use super::{Needs, Probe};

/// The registry entry.
pub const ENTRY: Probe = Probe {
    needs: Needs::Network,
    ..Probe::of_units("bias", "the bias of each unit, zero where there is none", |view| {
        view.network.biases().iter().map(|b| vec![*b]).collect()
    })
};
