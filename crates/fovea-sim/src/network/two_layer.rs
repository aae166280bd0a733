//! Two-layer network: a committee with a readout and an output bias of its own.

use super::{Architecture, Bias, Hidden, Network, Units};
use fovea_core::activation;
use fovea_core::params::{any, between, finite};
use fovea_core::registry::resolve;
use fovea_core::streams::Streams;
use fovea_core::{Entry, Function, ParamError, Params, params};

fovea_core::choice! {
    /// Whether the readout is trained.
    pub enum Readout {
        /// Trained from its initial value.
        Trained = "trained",
        /// Kept at its initial value.
        Fixed = "fixed",
    }
}

params! {
    /// `y_o = (1/K) sum_k v_ok phi(<w_k, x> + b_k) + c_o`; a readout of ones is the mean of a committee.
    pub struct TwoLayer {
        ..hidden: Hidden;
        /// Activation of the hidden units: a registered one, or an expression in x.
        activation: Function = Function::Registered(&activation::relu::ENTRY), any(), "";
        /// Whether the readout is trained.
        readout: Readout = Readout::Trained, any(), "";
        /// Initial readout: one number for all units, or a list that repeats over them.
        readout_value: Vec<f64> = vec![1.0], finite(), "";
        /// Standard deviation of normal noise on the initial readout.
        readout_spread: f64 = 0.0, between(0.0, 1e6), "";
        /// Output biases.
        output_bias: Bias = Bias::Trainable, any(), "";
        /// Initial output bias.
        output_bias_value: f64 = 0.0, finite(), "";
    }
}

impl Params for TwoLayer {
    fn check(&self) -> Result<(), ParamError> {
        if self.output_bias == Bias::None && self.output_bias_value != 0.0 {
            return Err(ParamError::Inconsistent {
                what: "`output_bias_value` is given and `output_bias` is none".to_owned(),
                hint: "write output_bias=frozen to keep it or output_bias=trainable to train it"
                    .to_owned(),
            });
        }
        Ok(())
    }
}

impl Architecture for TwoLayer {
    fn network(
        &self,
        shape: &[usize],
        outputs: usize,
        streams: &Streams,
    ) -> Result<Network, ParamError> {
        let units = Units::Activation(self.activation.clone());
        let network = self.hidden.network(shape, units, 1, streams)?;
        let width = self.hidden.width;
        let mut readout = vec![0.0; outputs * width];
        streams.named("readout").normals(0, &mut readout);
        for (at, v) in readout.iter_mut().enumerate() {
            *v = self.readout_value[at % width % self.readout_value.len()]
                + self.readout_spread * *v;
        }
        let trained = self.readout == Readout::Trained;
        let biases = vec![self.output_bias_value; outputs];
        Ok(network.with_readout(readout, trained, biases, self.output_bias))
    }

    fn width(&self) -> usize {
        self.hidden.width
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Architecture>> = Entry {
    name: "two-layer",
    summary: "one hidden layer with a readout, trained or fixed, and an output bias",
    schema: <TwoLayer as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<TwoLayer>(values)?)),
};
