//! Convolutional committee: circular filters, each applied at every shift; the output is the mean.
//!
//! It is the committee whose fields tile the torus exactly, a reference to compare a committee's fields with.

use super::{Architecture, Hidden, Network, Units, one_output};
use fovea_core::activation;
use fovea_core::params::any;
use fovea_core::registry::resolve;
use fovea_core::streams::Streams;
use fovea_core::{Entry, Function, ParamError, Params, params};

params! {
    /// `y_hat = (1/(K N)) sum_k sum_s phi(sum_i w_ki x_(i+s) + b_k)` over all `N` shifts `s`; `width` counts filters.
    pub struct ConvCommittee {
        ..hidden: Hidden;
        /// Activation of the hidden units: a registered one, or an expression in x.
        activation: Function = Function::Registered(&activation::relu::ENTRY), any(), "";
    }
}

impl Params for ConvCommittee {}

impl Architecture for ConvCommittee {
    fn network(
        &self,
        shape: &[usize],
        outputs: usize,
        streams: &Streams,
    ) -> Result<Network, ParamError> {
        one_output("conv-committee", outputs)?;
        let shifts = shape.iter().product();
        let units = Units::Activation(self.activation.clone());
        Ok(self.hidden.network(shape, units, shifts, streams)?.with_shared_rows())
    }

    fn width(&self) -> usize {
        self.hidden.width
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Architecture>> = Entry {
    name: "conv-committee",
    summary: "circular filters applied at every shift, mean readout fixed",
    schema: <ConvCommittee as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<ConvCommittee>(values)?)),
};
