//! The form every architecture takes.

use super::Bias;
use fovea_core::{Function, ParamError};
use std::ops::Range;

/// What hidden units do with their preactivation.
#[derive(Clone, Debug)]
pub enum Units {
    /// An activation function.
    Activation(Function),
    /// Pass it on where a fixed half-space gate is open: `<v_k, x> + c_k >= 0`.
    Gated {
        /// Gate vectors, row by row.
        gates: Vec<f64>,
        /// Gate offsets.
        offsets: Vec<f64>,
    },
}

/// A named block of parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The name in records and checkpoints.
    pub name: &'static str,
    /// Rows of the block.
    pub rows: usize,
    /// Numbers of a row.
    pub cols: usize,
    /// Whether training moves it.
    pub trained: bool,
}

/// `y_o = (1/K) sum_k v_ok u_k(<w_k, x> + b_k) + c_o`: one hidden layer with its weights.
#[derive(Clone, Debug)]
pub struct Network {
    shape: Vec<usize>,
    units: Units,
    /// Whether every row of weights is a filter applied at all shifts of the torus.
    shared: bool,
    outputs: usize,
    parts: Vec<Part>,
    theta: Vec<f64>,
}

impl Network {
    /// A network with zero weights and biases: `width` rows of weights, and no readout but the mean.
    pub fn new(shape: &[usize], width: usize, units: Units, bias: Bias) -> Self {
        let inputs = shape.iter().product();
        let parts = vec![
            Part { name: "weights", rows: width, cols: inputs, trained: true },
            Part { name: "biases", rows: width, cols: 1, trained: bias == Bias::Trainable },
        ];
        let theta = vec![0.0; width * (inputs + 1)];
        Self { shape: shape.to_vec(), units, shared: false, outputs: 1, parts, theta }
    }

    /// A committee on a ring of `n` sites, all weights zero.
    pub fn committee(n: usize, width: usize, activation: impl Into<Function>, bias: Bias) -> Self {
        Self::new(&[n], width, Units::Activation(activation.into()), bias)
    }

    /// The same network with every row of weights applied at all shifts.
    #[must_use]
    pub fn with_shared_rows(mut self) -> Self {
        self.shared = true;
        self
    }

    /// The same network with a readout (a row an output) and output biases.
    #[must_use]
    pub fn with_readout(
        mut self,
        readout: Vec<f64>,
        readout_trained: bool,
        output_biases: Vec<f64>,
        output_bias: Bias,
    ) -> Self {
        self.outputs = output_biases.len();
        let cols = readout.len() / self.outputs;
        let trained = output_bias == Bias::Trainable;
        self.parts.truncate(2);
        self.theta.truncate(self.end(1));
        self.parts.push(Part {
            name: "readout",
            rows: self.outputs,
            cols,
            trained: readout_trained,
        });
        self.parts.push(Part { name: "output_biases", rows: self.outputs, cols: 1, trained });
        self.theta.extend(readout);
        self.theta.extend(output_biases);
        self
    }

    /// The same network with these weights (row by row) and biases.
    ///
    /// # Errors
    /// The lengths do not fit.
    pub fn with(mut self, weights: &[f64], biases: &[f64]) -> Result<Self, ParamError> {
        let (rows, cols) = (self.parts[0].rows, self.parts[0].cols);
        if weights.len() != rows * cols || biases.len() != rows {
            let (w, b) = (weights.len(), biases.len());
            return Err(ParamError::Inconsistent {
                what: format!("{w} weights and {b} biases for {rows} units on {cols} inputs"),
                hint: format!("give {} weights and {rows} biases", rows * cols),
            });
        }
        self.theta[..rows * cols].copy_from_slice(weights);
        self.theta[rows * cols..rows * (cols + 1)].copy_from_slice(biases);
        Ok(self)
    }

    /// The same network with these parameters, in the order of [`Network::parts`].
    ///
    /// # Errors
    /// There are more or fewer of them.
    pub fn with_theta(mut self, theta: Vec<f64>) -> Result<Self, ParamError> {
        if theta.len() != self.theta.len() {
            return Err(ParamError::Inconsistent {
                what: format!("{} parameters for a network of {}", theta.len(), self.theta.len()),
                hint: "give the parameters of a network of the same shape".to_owned(),
            });
        }
        self.theta = theta;
        Ok(self)
    }

    /// Sides of the torus the inputs sit on.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }
    /// Entries of a sample.
    pub fn inputs(&self) -> usize {
        self.parts[0].cols
    }
    /// Rows of weights: units, or filters where they are shared.
    pub fn width(&self) -> usize {
        self.parts[0].rows
    }
    /// Whether every row of weights is applied at all shifts.
    pub fn shared(&self) -> bool {
        self.shared
    }
    /// Hidden units, the K of the mean over them; a shared filter is one unit at every shift.
    pub fn hidden(&self) -> usize {
        if self.shared { self.width() * self.inputs() } else { self.width() }
    }
    /// Numbers it answers with.
    pub fn outputs(&self) -> usize {
        self.outputs
    }
    /// What the hidden units do.
    pub fn units(&self) -> &Units {
        &self.units
    }
    /// The blocks of parameters, in the order they are stored.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }
    /// All parameters.
    pub fn theta(&self) -> &[f64] {
        &self.theta
    }
    /// Where part `index` is stored.
    pub fn range(&self, index: usize) -> Range<usize> {
        self.end(index) - self.parts[index].rows * self.parts[index].cols..self.end(index)
    }
    fn end(&self, index: usize) -> usize {
        self.parts[..=index].iter().map(|part| part.rows * part.cols).sum()
    }
    /// Weights, row by row.
    pub fn weights(&self) -> &[f64] {
        &self.theta[self.range(0)]
    }
    /// Biases of the rows, all zero where there are none.
    pub fn biases(&self) -> &[f64] {
        &self.theta[self.range(1)]
    }
    /// The readout, a row an output; `None` is the plain mean.
    pub fn readout(&self) -> Option<&[f64]> {
        (self.parts.len() > 2).then(|| &self.theta[self.range(2)])
    }
    /// Output biases; none beside the plain mean.
    pub fn output_biases(&self) -> &[f64] {
        if self.parts.len() > 2 { &self.theta[self.range(3)] } else { &[] }
    }

    /// What is to be known of its construction.
    pub fn notes(&self) -> Vec<String> {
        match &self.units {
            Units::Activation(Function::Typed(_)) => vec![
                "the activation was typed: its units take the plain path, one number at a time, and not that of whole vectors"
                    .to_owned(),
            ],
            _ => Vec::new(),
        }
    }

    /// Takes over other parameters, in their order, and leaves the present ones in their place.
    ///
    /// # Panics
    /// There are not as many.
    pub fn exchange(&mut self, theta: &mut Vec<f64>) {
        assert_eq!(theta.len(), self.theta.len(), "as many parameters as before");
        std::mem::swap(&mut self.theta, theta);
    }
}
