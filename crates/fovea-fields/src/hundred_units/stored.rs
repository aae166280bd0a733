//! The stored networks: how each was trained, and what its weights come to.

use fovea_core::activation::{self, Row};
use fovea_sim::Bias;

/// Where the samples come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Data {
    /// Two processes of lengths 1 and 2, the longer one with label 1.
    Process,
    /// The same with the labels exchanged.
    Swapped,
    /// Single pulses of 3 to 4 and 9 to 10 sites, the longer ones with label 1.
    LongPulse,
    /// The same with the labels exchanged.
    ShortPulse,
}

impl Data {
    pub(super) fn pulses(self) -> bool {
        matches!(self, Self::LongPulse | Self::ShortPulse)
    }
}

/// What is known of the weights of one stored network.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stored {
    /// 25 %, 50 % and 75 % of its IPRs.
    pub(super) quartiles: [f64; 3],
    /// Share of units with IPR above 0.1.
    pub(super) share: f64,
    /// Accuracy, where it was stored.
    pub(super) accuracy: Option<f64>,
}

/// One way of training.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recipe {
    pub(super) name: &'static str,
    pub(super) data: Data,
    pub(super) activation: &'static Row,
    pub(super) bias: Bias,
    /// The stored network's learning rate, of a loss without the 1/2.
    pub(super) lr: f64,
    /// Steps after which there is a stored network, the last one ending the training.
    pub(super) steps: &'static [u64],
    /// Those networks; none where only a range over many files is known.
    pub(super) stored: &'static [Stored],
}

const fn stored(quartiles: [f64; 3], share: f64) -> Stored {
    Stored { quartiles, share, accuracy: None }
}

const RELU: &Row = &activation::relu::ENTRY;
const LOGISTIC: &Row = &activation::sigmoid::ENTRY;
const TANH: &Row = &activation::tanh::ENTRY;
const WITH: Bias = Bias::Trainable;

const fn recipe(
    name: &'static str,
    (data, activation, bias): (Data, &'static Row, Bias),
    (lr, steps): (f64, &'static [u64]),
    stored: &'static [Stored],
) -> Recipe {
    Recipe { name, data, activation, bias, lr, steps, stored }
}

/// Every recipe; those of up to 1000 steps first.
pub(super) const RECIPES: [Recipe; 11] = [
    recipe(
        "relu_no_bias",
        (Data::Process, RELU, Bias::None),
        (10.0, &[1000]),
        &[stored([0.124, 0.204, 0.232], 0.76)],
    ),
    recipe("pulses_short_relu", (Data::ShortPulse, RELU, WITH), (2.0, &[1000]), &[]),
    recipe(
        "pulses_short_relu_no_bias",
        (Data::ShortPulse, RELU, Bias::None),
        (2.0, &[1000, 5000]),
        &[],
    ),
    recipe("pulses_long_relu", (Data::LongPulse, RELU, WITH), (2.0, &[1000]), &[]),
    recipe("pulses_long_logistic", (Data::LongPulse, LOGISTIC, WITH), (5.0, &[1000]), &[]),
    recipe(
        "logistic",
        (Data::Process, LOGISTIC, WITH),
        (100.0, &[1000, 10_000]),
        &[stored([0.067, 0.125, 0.291], 0.51), stored([0.061, 0.291, 0.294], 0.51)],
    ),
    recipe(
        "relu_slow",
        (Data::Process, RELU, WITH),
        (1.0, &[10_000]),
        &[stored([0.090, 0.166, 0.234], 0.71)],
    ),
    recipe(
        "relu",
        (Data::Process, RELU, WITH),
        (10.0, &[10_000]),
        &[stored([0.235, 0.247, 0.252], 1.00)],
    ),
    recipe(
        "relu_swapped",
        (Data::Swapped, RELU, WITH),
        (10.0, &[10_000]),
        &[stored([0.053, 0.061, 0.068], 0.01)],
    ),
    recipe(
        "logistic_no_bias",
        (Data::Process, LOGISTIC, Bias::None),
        (100.0, &[10_000]),
        &[Stored { quartiles: [0.060, 0.068, 0.080], share: 0.08, accuracy: Some(0.48) }],
    ),
    recipe(
        "tanh",
        (Data::Process, TANH, WITH),
        (1.0, &[10_000]),
        &[stored([0.069, 0.313, 0.317], 0.57)],
    ),
];

/// The least and largest typical IPR, share and accuracy of the stored networks trained on single pulses.
pub(super) const PULSE_IPR: [f64; 2] = [0.03, 0.066];
pub(super) const PULSE_SHARE: [f64; 2] = [0.0, 0.08];
pub(super) const PULSE_ACCURACY: [f64; 2] = [1.0, 1.0];
