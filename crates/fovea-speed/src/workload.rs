//! The training runs that are timed: small rings and wide ones, one unit and a hundred.
//!
//! They span what the experiments do: sampling takes nearly all of the time of `a` and half of that of `c`, the network most of that of `d`.

use fovea_core::activation::{self, Entry as Activation};
use fovea_core::ring::Kernel;
use fovea_core::streams::Streams;
use fovea_desk::error::LabError;
use fovea_desk::runs::committee;
use fovea_sim::stimulus::{nlgp::Nlgp, single_pulse::SinglePulse};
use fovea_sim::train::Precision;
use fovea_sim::{Bias, Labels, Network, Sgd, Stimulus, Task};

/// The samples of the two classes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Data {
    /// Nonlinear Gaussian processes that differ in their correlation length.
    Nlgp {
        /// Gain of both.
        gain: f64,
        /// Correlation length of class `pos`.
        xi_pos: f64,
        /// Correlation length of class `neg`.
        xi_neg: f64,
    },
    /// Pulses of 1 on 0, exchanged in half of the samples, that differ in their length.
    Pulse {
        /// Shortest and longest pulse of class `pos`.
        pos: [usize; 2],
        /// Shortest and longest pulse of class `neg`.
        neg: [usize; 2],
    },
}

/// One training run: a committee by plain descent on balanced classes, fresh samples at every step.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// Its name in rows.
    pub name: &'static str,
    /// Ring size.
    pub n: usize,
    /// Units.
    pub width: usize,
    /// Their activation.
    pub activation: &'static Activation,
    /// Whether they have trained biases.
    pub bias: Bias,
    /// Learning rate of the loss with its factor 1/2.
    pub lr: f64,
    /// Samples of a step.
    pub batch: usize,
    /// The data.
    pub data: Data,
    /// Number type of samples and gradients.
    pub precision: Precision,
    /// Steps of one repeat where several programs take turns: some tenths of a second for the slowest.
    pub turn: u64,
}

pub(super) const SMALL: Workload = Workload {
    name: "a",
    n: 40,
    width: 1,
    activation: &activation::relu::ENTRY,
    bias: Bias::None,
    lr: 0.02,
    batch: 10_000,
    data: Data::Nlgp { gain: 0.01, xi_pos: 2.0, xi_neg: 1.0 },
    precision: Precision::Single,
    turn: 150,
};
const WIDE: Workload = Workload {
    name: "c-relu",
    width: 100,
    bias: Bias::Trainable,
    lr: 2.0,
    batch: 1000,
    data: Data::Nlgp { gain: 3.0, xi_pos: 2.0, xi_neg: 1.0 },
    turn: 1000,
    ..SMALL
};
const LARGE: Workload = Workload {
    name: "d",
    n: 400,
    data: Data::Nlgp { gain: 3.0, xi_pos: 20.0, xi_neg: 10.0 },
    turn: 100,
    ..WIDE
};

/// Every workload.
pub const ALL: [Workload; 7] = [
    SMALL,
    Workload { name: "b", width: 12, turn: 120, ..SMALL },
    WIDE,
    Workload { name: "c-sigmoid", activation: &activation::sigmoid::ENTRY, lr: 20.0, ..WIDE },
    LARGE,
    Workload { name: "d-sigmoid", activation: &activation::sigmoid::ENTRY, lr: 20.0, ..LARGE },
    Workload {
        name: "e",
        bias: Bias::None,
        lr: 4.0,
        data: Data::Pulse { pos: [9, 10], neg: [3, 4] },
        turn: 1200,
        ..WIDE
    },
];

impl Workload {
    /// The task it trains on.
    ///
    /// # Errors
    /// None for the workloads of this file: their stimuli are valid.
    pub fn task(&self) -> Result<Task, LabError> {
        let pair = |pos, neg| Task::pair(pos, neg, 0.0, Labels::Balanced);
        Ok(match self.data {
            Data::Nlgp { gain, xi_pos, xi_neg } => {
                let class = |xi| Nlgp::on_ring(self.n, xi, gain, Kernel::Ring).sampler();
                pair(Box::new(class(xi_pos)?), Box::new(class(xi_neg)?))?
            }
            Data::Pulse { pos, neg } => {
                let class = |[min_length, max_length]: [usize; 2]| {
                    let on_zero = SinglePulse { complement: 0.5, ..SinglePulse::default() };
                    SinglePulse { n: self.n, min_length, max_length, ..on_zero }.sampler()
                };
                pair(Box::new(class(pos)?), Box::new(class(neg)?))?
            }
        })
    }

    /// An untrained network with Glorot weights.
    ///
    /// # Errors
    /// None for the workloads of this file.
    pub fn network(&self, streams: &Streams) -> Result<Network, LabError> {
        let item = committee(self.width, self.activation, self.bias, 1.0);
        Ok(item.build("network")?.network(&[self.n], 1, streams)?)
    }

    /// How it is trained.
    pub fn sgd(&self) -> Sgd {
        Sgd::online(self.lr, self.batch)
    }

    /// The same task with other samples instead of its own.
    ///
    /// # Errors
    /// None for the workloads of this file.
    pub(super) fn task_of(
        &self,
        class: impl Fn(&dyn Stimulus) -> Box<dyn Stimulus>,
    ) -> Result<Task, LabError> {
        let task = self.task()?;
        let [pos, neg] = [0, 1].map(|index| class(task.classes()[index].stimulus.as_ref()));
        Ok(Task::pair(pos, neg, 0.0, Labels::Balanced)?)
    }

    /// Floating-point operations of the two matrix products of a step.
    pub fn flop(&self) -> f64 {
        4.0 * (self.n * self.width * self.batch) as f64
    }

    /// Numbers sampled in a step.
    pub fn entries(&self) -> f64 {
        (self.n * self.batch) as f64
    }

    /// The workload in one line.
    pub fn about(&self) -> String {
        let Self { n, width, batch, .. } = self;
        let units = if *width == 1 { "unit" } else { "units" };
        let bias = if self.bias == Bias::None { "" } else { " with bias" };
        let data = match self.data {
            Data::Nlgp { gain, .. } => format!("nlgp, gain {gain}"),
            Data::Pulse { .. } => "pulses".to_owned(),
        };
        format!("{n} sites ({data}), {width} {} {units}{bias}, batch {batch}", self.activation.name)
    }
}
