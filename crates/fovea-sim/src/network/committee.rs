//! Soft committee machine: one hidden layer read out by its mean.

use super::Bias;
use fovea_core::activation::{self, Row};
use fovea_core::params::{any, between};
use fovea_core::registry::resolve;
use fovea_core::{Entry, ParamError, Params, params};

params! {
    /// `y_hat = (1/K) sum_k phi(<w_k, x> + b_k)`, the readout fixed.
    pub struct CommitteeSpec {
        /// Inputs.
        inputs: usize = 40, between(2.0, 16384.0), "sites";
        /// Hidden units, the K of the notes.
        width: usize = 1, between(1.0, 65536.0), "units";
        /// Activation of the hidden units.
        activation: &'static Row = &activation::relu::ENTRY, any(), "";
        /// Biases of the hidden units.
        bias: Bias = Bias::None, any(), "";
    }
}

impl Params for CommitteeSpec {}

/// A committee with its weights; rows of the weight matrix are units.
#[derive(Clone, Debug)]
pub struct Committee {
    inputs: usize,
    activation: &'static Row,
    bias: Bias,
    weights: Vec<f64>,
    biases: Vec<f64>,
}

impl Committee {
    /// A committee with all weights and biases zero.
    pub fn new(inputs: usize, width: usize, activation: &'static Row, bias: Bias) -> Self {
        Self {
            inputs,
            activation,
            bias,
            weights: vec![0.0; inputs * width],
            biases: vec![0.0; width],
        }
    }

    /// The same committee with these weights (row by row) and biases.
    ///
    /// # Errors
    /// The lengths do not fit, or a committee without biases is given some.
    pub fn with(mut self, weights: Vec<f64>, mut biases: Vec<f64>) -> Result<Self, ParamError> {
        if weights.len() != self.weights.len() || biases.len() != self.biases.len() {
            return Err(ParamError::Inconsistent {
                what: format!(
                    "{} weights and {} biases for a network of {} units on {} inputs",
                    weights.len(),
                    biases.len(),
                    self.width(),
                    self.inputs
                ),
                hint: format!(
                    "give {} weights and {} biases",
                    self.weights.len(),
                    self.biases.len()
                ),
            });
        }
        if self.bias == Bias::None {
            biases.fill(0.0);
        }
        (self.weights, self.biases) = (weights, biases);
        Ok(self)
    }

    /// Length of a sample.
    pub fn inputs(&self) -> usize {
        self.inputs
    }
    /// Hidden units.
    pub fn width(&self) -> usize {
        self.biases.len()
    }
    /// Activation of the hidden units.
    pub fn activation(&self) -> &'static Row {
        self.activation
    }
    /// What becomes of the biases.
    pub fn bias(&self) -> Bias {
        self.bias
    }
    /// Weights, row by row.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }
    /// Biases, all zero where there are none.
    pub fn biases(&self) -> &[f64] {
        &self.biases
    }

    /// Adds `factor * direction` to weights and biases, in the order of a gradient.
    pub fn shift(&mut self, factor: f64, direction: &[f64]) {
        for (theta, d) in self.weights.iter_mut().chain(&mut self.biases).zip(direction) {
            *theta += factor * d;
        }
    }

    /// `<w_k, x> + b_k` for every unit.
    pub fn preactivations(&self, x: &[f64]) -> Vec<f64> {
        let rows = self.weights.chunks(self.inputs).zip(&self.biases);
        rows.map(|(w, b)| w.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() + b).collect()
    }

    /// The network's answer to one sample.
    pub fn output(&self, x: &[f64]) -> f64 {
        let h = self.preactivations(x);
        h.iter().map(|h| (self.activation.value)(*h)).sum::<f64>() / self.width() as f64
    }
}

/// The registry row.
pub const ENTRY: Entry<Committee> = Entry {
    name: "committee",
    summary: "one hidden layer, mean readout fixed: (1/K) sum_k phi(<w_k,x> + b_k)",
    schema: <CommitteeSpec as fovea_core::params::Schema>::schema,
    build: |values| {
        let spec: CommitteeSpec = resolve(values)?;
        Ok(Committee::new(spec.inputs, spec.width, spec.activation, spec.bias))
    },
};
