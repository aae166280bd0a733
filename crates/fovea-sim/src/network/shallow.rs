//! The general form of every architecture.

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

/// What a block of parameters is to a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Weights of the hidden units, a row per unit or filter.
    Weights,
    /// Biases of the rows of weights.
    Biases,
    /// Weights of the readout, a row per output.
    Readout,
    /// Biases of the outputs.
    OutputBiases,
}

impl Role {
    /// The name in records and checkpoints.
    pub fn name(self) -> &'static str {
        match self {
            Self::Weights => "weights",
            Self::Biases => "biases",
            Self::Readout => "readout",
            Self::OutputBiases => "output_biases",
        }
    }
}

/// A block of parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is to the network.
    pub role: Role,
    /// Rows of the block.
    pub rows: usize,
    /// Numbers of a row.
    pub cols: usize,
    /// Whether training moves it.
    pub trained: bool,
    /// Where it is stored among all parameters, row by row.
    pub at: Range<usize>,
}

/// `y_o = (1/K) sum_k v_ok u_k(<w_k, x> + b_k) + c_o`: one hidden layer with its weights.
#[derive(Clone, Debug)]
pub struct Network {
    shape: Vec<usize>,
    units: Units,
    /// Whether every row of weights is a filter applied at all shifts of the torus.
    shared: bool,
    outputs: usize,
    /// Weights and biases are always there and come first.
    parts: Vec<Part>,
    theta: Vec<f64>,
}

impl Network {
    /// A network with zero weights and biases: `width` rows of weights, and no readout but the mean.
    pub fn new(shape: &[usize], width: usize, units: Units, bias: Bias) -> Self {
        let inputs = shape.iter().product();
        let (parts, theta) = (Vec::new(), Vec::new());
        Self { shape: shape.to_vec(), units, shared: false, outputs: 1, parts, theta }
            .with_part(Role::Weights, (width, inputs), true, vec![0.0; width * inputs])
            .with_part(Role::Biases, (width, 1), bias == Bias::Trainable, vec![0.0; width])
    }

    /// The same network with one more block after those it has.
    fn with_part(
        mut self,
        role: Role,
        (rows, cols): (usize, usize),
        trained: bool,
        numbers: Vec<f64>,
    ) -> Self {
        let start = self.theta.len();
        self.theta.extend(numbers);
        self.parts.push(Part { role, rows, cols, trained, at: start..self.theta.len() });
        self
    }

    /// A committee on a ring of `n` sites, with all weights zero.
    pub fn committee(n: usize, width: usize, activation: impl Into<Function>, bias: Bias) -> Self {
        Self::new(&[n], width, Units::Activation(activation.into()), bias)
    }

    /// The same network with every row of weights applied at all shifts.
    #[must_use]
    pub fn with_shared_rows(mut self) -> Self {
        self.shared = true;
        self
    }

    /// The same network with a readout (one row per output) and output biases.
    #[must_use]
    pub fn with_readout(
        mut self,
        readout: Vec<f64>,
        readout_trained: bool,
        output_biases: Vec<f64>,
        output_bias: Bias,
    ) -> Self {
        let outputs = output_biases.len();
        self.outputs = outputs;
        self.parts.retain(|part| matches!(part.role, Role::Weights | Role::Biases));
        self.theta.truncate(self.at(Role::Biases).end);
        let (cols, trained) = (readout.len() / outputs, output_bias == Bias::Trainable);
        let whole = self.with_part(Role::Readout, (outputs, cols), readout_trained, readout);
        whole.with_part(Role::OutputBiases, (outputs, 1), trained, output_biases)
    }

    /// The same network with these weights (row by row) and biases.
    ///
    /// # Errors
    /// The lengths do not fit.
    pub fn with(mut self, weights: &[f64], biases: &[f64]) -> Result<Self, ParamError> {
        let (rows, cols) = (self.width(), self.inputs());
        if weights.len() != rows * cols || biases.len() != rows {
            let (w, b) = (weights.len(), biases.len());
            return Err(ParamError::Inconsistent {
                what: format!("{w} weights and {b} biases for {rows} units on {cols} inputs"),
                hint: format!("give {} weights and {rows} biases", rows * cols),
            });
        }
        for (role, numbers) in [(Role::Weights, weights), (Role::Biases, biases)] {
            let at = self.at(role);
            self.theta[at].copy_from_slice(numbers);
        }
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
    /// Number of outputs.
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
    /// The block of this role, where the network has one.
    pub fn part(&self, role: Role) -> Option<&Part> {
        self.parts.iter().find(|part| part.role == role)
    }
    /// Where the block of this role is stored among all parameters; an empty range at their end if there is none.
    pub fn at(&self, role: Role) -> Range<usize> {
        self.part(role).map_or(self.theta.len()..self.theta.len(), |part| part.at.clone())
    }
    /// Whether training moves the block of this role.
    pub fn trains(&self, role: Role) -> bool {
        self.part(role).is_some_and(|part| part.trained)
    }
    /// Weights, row by row.
    pub fn weights(&self) -> &[f64] {
        &self.theta[self.at(Role::Weights)]
    }
    /// Biases of the rows, all zero where there are none.
    pub fn biases(&self) -> &[f64] {
        &self.theta[self.at(Role::Biases)]
    }
    /// The readout, one row per output; `None` is the plain mean.
    pub fn readout(&self) -> Option<&[f64]> {
        self.part(Role::Readout).map(|part| &self.theta[part.at.clone()])
    }
    /// Output biases; none with the plain mean.
    pub fn output_biases(&self) -> &[f64] {
        &self.theta[self.at(Role::OutputBiases)]
    }

    /// Notes on its construction.
    pub fn notes(&self) -> Vec<String> {
        match &self.units {
            Units::Activation(Function::Typed(_)) => vec![
                "the activation was typed: it is not vectorised, so training is slower".to_owned(),
            ],
            _ => Vec::new(),
        }
    }

    /// Swaps the parameters with `theta`, in their order.
    ///
    /// # Panics
    /// There are not as many.
    pub fn exchange(&mut self, theta: &mut Vec<f64>) {
        assert_eq!(theta.len(), self.theta.len(), "as many parameters as before");
        std::mem::swap(&mut self.theta, theta);
    }
}
