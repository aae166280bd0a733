//! Output biases.

use super::Probe;

/// The registry row.
pub const ENTRY: Probe = Probe {
    name: "output-bias",
    summary: "the bias of each output, zero where there is none",
    observe: |view| {
        let bias = |o: usize| view.network.output_biases().get(o).copied().unwrap_or(0.0);
        (0..view.network.outputs()).map(|o| vec![bias(o)]).collect()
    },
};
