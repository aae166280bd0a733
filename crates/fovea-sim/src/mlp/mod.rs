//! Deep fully connected networks in double precision: initialization, forward pass, derivatives, training.
//!
//! ```text
//! z1 = W1 x + b1,   z(l+1) = W(l+1) s(z(l)) + b(l+1),   W = factor * theta,   b = factor_b * beta
//! ```
//!
//! A parametrisation says which part of the size of a weight is its own spread and which is a fixed factor in front of it. At the
//! start all but `mean-field` and `mup` are the same network, but gradients by `theta` differ. Every sum runs in a fixed order, so the
//! same seed gives the same bits everywhere.

mod draw;
mod fast;
mod forward;
mod gradient;
mod product;
mod tangent;
mod train;

pub use fast::{TangentElement, Tangents};
pub use forward::Pass;
pub use train::{Descent, Examples, Step};

use fovea_core::params::{any, at_least, between, finite_above};
use fovea_core::{Function, ParamError, Params, activation, choice, params};

choice! {
    /// How the size of a weight is split between its spread and a fixed factor.
    pub enum Parametrisation {
        /// Unit spread; the factor is the root of c_w over the number of inputs of the layer.
        Ntk = "ntk",
        /// The spread is the root of c_w over the number of inputs; no factor.
        Standard = "standard",
        /// As `ntk`, but the factor of the last layer is c_w over the number of its inputs, without the root.
        MeanField = "mean-field",
        /// As `standard`, but the spread of the last layer is divided by the number of its inputs, without the root; rates differ by layer.
        Mup = "mup",
    }
}

choice! {
    /// The distribution of weights and biases before they are scaled: mean 0, variance 1.
    pub enum WeightLaw {
        /// Normal.
        Gaussian = "gaussian",
        /// Uniform on an interval.
        Uniform = "uniform",
        /// Plus or minus one.
        Rademacher = "rademacher",
    }
}

params! {
    /// The shape of a network and the distribution of its parameters.
    pub struct Shape {
        /// Entries of the input.
        n_in: usize = 10, at_least(1.0), "";
        /// Hidden widths, in order.
        widths: Vec<usize> = vec![64, 64], between(1.0, 1e6), "units";
        /// Outputs.
        outputs: usize = 1, between(1.0, 1e6), "";
        /// Activation: a registered one, or an expression in x.
        activation: Function = Function::Registered(&activation::relu::ENTRY), any(), "";
        /// Variance of a weight times the number of inputs of its layer.
        c_w: f64 = 2.0, finite_above(0.0), "";
        /// Variance of a bias.
        c_b: f64 = 0.0, at_least(0.0), "";
        /// Parametrisation.
        parametrisation: Parametrisation = Parametrisation::Ntk, any(), "";
        /// Distribution of the weights.
        law: WeightLaw = WeightLaw::Gaussian, any(), "";
    }
}

/// More parameters than this, a gigabyte, are refused.
const MOST: f64 = 1.25e8;

impl Params for Shape {
    fn check(&self) -> Result<(), ParamError> {
        let sizes = self.sizes();
        let count: f64 = sizes.windows(2).map(|w| w[0] as f64 * w[1] as f64).sum();
        if count <= MOST {
            return Ok(());
        }
        Err(ParamError::Inconsistent {
            what: format!(
                "a network of {} hidden layers of up to {} units has {count:.2e} weights, more than {MOST:.2e}",
                self.widths.len(),
                self.widths.iter().max().unwrap_or(&0)
            ),
            hint: "choose smaller widths or fewer layers".to_owned(),
        })
    }
}

impl Shape {
    /// Entries of the input, hidden widths, outputs.
    pub fn sizes(&self) -> Vec<usize> {
        [self.n_in].into_iter().chain(self.widths.iter().copied()).chain([self.outputs]).collect()
    }

    /// Spread of the weights of a layer and the factor in front of them; layers count from 0.
    fn weight_scale(&self, layer: usize) -> (f64, f64) {
        let inputs = self.sizes()[layer] as f64;
        let last = layer == self.widths.len();
        let (root, whole) = ((self.c_w / inputs).sqrt(), self.c_w.sqrt() / inputs);
        match self.parametrisation {
            Parametrisation::Ntk => (1.0, root),
            Parametrisation::Standard => (root, 1.0),
            Parametrisation::MeanField => (1.0, if last { whole } else { root }),
            Parametrisation::Mup => (if last { whole } else { root }, 1.0),
        }
    }

    /// The factor on the learning rate of each layer. With these factors every layer moves the output by a similar amount at every
    /// width; `standard` has one rate for all layers, under which a layer moves the output in proportion to its number of inputs.
    ///
    /// Behind a hidden layer of width n with last weights of size 1/n, the squared derivatives of the output by the preactivations add up
    /// to 1/n: `mean-field` makes up for it by n in all layers, `mup` by n over the number of inputs of the layer.
    pub fn rates(&self) -> Vec<f64> {
        let sizes = self.sizes();
        let last = self.widths.len();
        let width = self.widths.last().map_or(1.0, |n| *n as f64);
        let rate = |layer: usize| match self.parametrisation {
            Parametrisation::Ntk | Parametrisation::Standard => 1.0,
            Parametrisation::MeanField => width,
            Parametrisation::Mup if layer == last => 1.0 / width,
            Parametrisation::Mup if layer == 0 => width,
            Parametrisation::Mup => width / sizes[layer] as f64,
        };
        (0..=last).map(rate).collect()
    }

    /// Spread of the biases of a layer and the factor in front of them: under the layer's rate they move the output as much as its weights do.
    fn bias_scale(&self, layer: usize) -> (f64, f64) {
        let root = self.c_b.sqrt();
        let fed = (self.sizes()[layer] as f64).sqrt();
        let last = layer == self.widths.len();
        match self.parametrisation {
            Parametrisation::MeanField if last => (fed, root / fed),
            Parametrisation::Ntk | Parametrisation::MeanField => (1.0, root),
            Parametrisation::Mup if layer > 0 => (root / fed, fed),
            Parametrisation::Standard | Parametrisation::Mup => (root, 1.0),
        }
    }
}

/// One layer of a network.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Number of inputs.
    pub inputs: usize,
    /// Number of units.
    pub units: usize,
    /// Weights before their factor, one row per unit.
    pub weights: Vec<f64>,
    /// Biases before their factor.
    pub biases: Vec<f64>,
    /// Factor on the weights.
    pub factor: f64,
    /// Factor on the biases; 0 where there are none.
    pub bias_factor: f64,
}

/// A deep network.
#[derive(Clone, Debug)]
pub struct Mlp {
    /// Its activation.
    pub activation: Function,
    /// Its layers, the output last.
    pub layers: Vec<Layer>,
}

impl Mlp {
    /// Number of parameters.
    pub fn parameters(&self) -> usize {
        self.layers.iter().map(|layer| layer.weights.len() + layer.biases.len()).sum()
    }
}

#[cfg(test)]
mod tests;
