//! Output biases.

use super::{Needs, Of, Probe};

/// The registry entry.
pub const ENTRY: Probe = Probe {
    of: Of::Output,
    needs: Needs::Network,
    ..Probe::of_units("output-bias", "the bias of each output, zero where there is none", |view| {
        let bias = |o: usize| view.network.output_biases().get(o).copied().unwrap_or(0.0);
        (0..view.network.outputs()).map(|o| vec![bias(o)]).collect()
    })
};
