//! Biases of the hidden units.

use super::Probe;

/// The registry row.
pub const ENTRY: Probe = Probe {
    name: "bias",
    summary: "the bias of each unit, zero where there is none",
    observe: |view| view.network.biases().iter().map(|b| vec![*b]).collect(),
};
