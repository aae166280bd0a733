//! Gated linear network: fixed half-space gates in front of linear units.

use super::{Architecture, Hidden, Network, Units, one_output};
use crate::init::Initializer;
use fovea_core::params::{any, finite};
use fovea_core::registry::resolve;
use fovea_core::streams::Streams;
use fovea_core::{Entry, Item, ParamError, Params, params};

params! {
    /// `y_hat = (1/K) sum_k 1(<v_k, x> + c_k >= 0) (<w_k, x> + b_k)`, the gates `v_k, c_k` fixed.
    pub struct Gated {
        ..hidden: Hidden;
        /// Rule for the gate vectors; `explicit` takes them from given weights, for instance those of a trained network.
        gates: Item<Box<dyn Initializer>> = Item::named("basis"), any(), "";
        /// Gate offsets: one number for all, or a list that repeats over the units.
        gate_bias: Vec<f64> = vec![0.0], finite(), "";
    }
}

impl Params for Gated {}

impl Architecture for Gated {
    fn network(
        &self,
        shape: &[usize],
        outputs: usize,
        streams: &Streams,
    ) -> Result<Network, ParamError> {
        one_output("gated network", outputs)?;
        // Gates have a stream of their own; otherwise they would equal weights drawn by the same rule.
        let gates = self.gates.build("gates")?;
        let gates = gates.start(shape, self.hidden.width, &streams.replica(GATES));
        let gates = gates.map_err(|error| error.inside("gates"))?;
        let repeated = || self.gate_bias.iter().copied().cycle().take(self.hidden.width).collect();
        let offsets = gates.biases.unwrap_or_else(repeated);
        let units = Units::Gated { gates: gates.weights, offsets };
        self.hidden.network(shape, units, 1, streams)
    }

    fn width(&self) -> usize {
        self.hidden.width
    }
}

/// Which replica of a run's streams the gates are sampled from.
const GATES: u64 = 0x6761_7465;

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Architecture>> = Entry {
    name: "gated",
    summary: "linear units behind fixed half-space gates, mean readout fixed",
    schema: <Gated as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Gated>(values)?)),
};
