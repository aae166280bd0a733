//! The settings that the architectures share: number of units, initial weights, biases.

use super::{Bias, Network, Units};
use crate::init::Initializer;
use fovea_core::params::{any, between, finite};
use fovea_core::streams::Streams;
use fovea_core::{Item, ParamError, Params, params};

/// The largest number of weights of a network, counting shared ones at every shift.
const LARGEST: usize = 1 << 26;

params! {
    /// The hidden layer.
    pub struct Hidden {
        /// Hidden units (K in the notes); filters in a conv-committee.
        width: usize = 1, between(1.0, 65536.0), "units";
        /// Rule for the initial weights.
        init: Item<Box<dyn Initializer>> = Item::named("glorot"), any(), "";
        /// Biases of the hidden units.
        bias: Bias = Bias::None, any(), "";
        /// Initial biases: one number for all, or a list that repeats over the units.
        bias_value: Vec<f64> = vec![0.0], finite(), "";
    }
}

impl Params for Hidden {}

impl Hidden {
    /// The hidden layer on inputs of this shape; `copies` is how often a row of weights is applied.
    ///
    /// # Errors
    /// The layer is too large, initial weights do not fit, or biases are given for units without any.
    pub fn network(
        &self,
        shape: &[usize],
        units: Units,
        copies: usize,
        streams: &Streams,
    ) -> Result<Network, ParamError> {
        let inputs: usize = shape.iter().product();
        let weights = self.width.saturating_mul(inputs).saturating_mul(copies);
        if weights > LARGEST {
            return Err(ParamError::Inconsistent {
                what: format!(
                    "`width` is {} on {inputs} inputs: {weights} weights, and at most {LARGEST} fit",
                    self.width
                ),
                hint: format!("choose a width <= {}", (LARGEST / inputs / copies).max(1)),
            });
        }
        let start = self.init.build("init")?.start(shape, self.width, streams)?;
        let given = start.biases.unwrap_or_else(|| self.initial_biases());
        if self.bias == Bias::None && given.iter().any(|b| *b != 0.0) {
            return Err(ParamError::Inconsistent {
                what: "initial biases are given and `bias` is none".to_owned(),
                hint: "write bias=frozen to keep them or bias=trainable to train them".to_owned(),
            });
        }
        Network::new(shape, self.width, units, self.bias).with(&start.weights, &given)
    }

    fn initial_biases(&self) -> Vec<f64> {
        self.bias_value.iter().copied().cycle().take(self.width).collect()
    }
}
