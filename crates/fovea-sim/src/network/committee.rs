//! Soft committee machine: one hidden layer whose output is the mean of its units.

use super::{Architecture, Hidden, Network, Units, one_output};
use fovea_core::activation;
use fovea_core::params::any;
use fovea_core::registry::resolve;
use fovea_core::streams::Streams;
use fovea_core::{Entry, Function, ParamError, Params, params};

params! {
    /// `y_hat = (1/K) sum_k phi(<w_k, x> + b_k)`, the readout fixed.
    pub struct Committee {
        ..hidden: Hidden;
        /// Activation of the hidden units: a registered one, or an expression in x.
        activation: Function = Function::Registered(&activation::relu::ENTRY), any(), "";
    }
}

impl Params for Committee {}

impl Architecture for Committee {
    fn network(
        &self,
        shape: &[usize],
        outputs: usize,
        streams: &Streams,
    ) -> Result<Network, ParamError> {
        one_output("committee", outputs)?;
        self.hidden.network(shape, Units::Activation(self.activation.clone()), 1, streams)
    }

    fn width(&self) -> usize {
        self.hidden.width
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Architecture>> = Entry {
    name: "committee",
    summary: "one hidden layer, mean readout fixed: (1/K) sum_k phi(<w_k,x> + b_k)",
    schema: <Committee as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Committee>(values)?)),
};
