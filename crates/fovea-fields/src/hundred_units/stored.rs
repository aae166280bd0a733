//! The stored networks: how each was trained, and the numbers of its units.

use Data::{LongPulse, Process, ShortPulse, Swapped};
use fovea_core::activation::{self, Entry};
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
        matches!(self, LongPulse | ShortPulse)
    }
}

/// What is known of the units of a stored network, and the unit it is rounded to; the accuracy was not always stored.
pub(super) const NUMBERS: [(&str, f64); 5] = [
    ("IPR, 25 %", 0.001),
    ("IPR, median", 0.001),
    ("IPR, 75 %", 0.001),
    ("share above 0.1", 0.01),
    ("accuracy", 0.01),
];

/// One way of training.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recipe {
    pub(super) name: &'static str,
    pub(super) data: Data,
    pub(super) activation: &'static Entry,
    pub(super) bias: Bias,
    /// The stored network's learning rate, of a loss without the 1/2.
    pub(super) lr: f64,
    /// Steps after which there is a stored network, the last one ending the training.
    pub(super) steps: &'static [u64],
    /// The [`NUMBERS`] of those networks; none where only a range over many files is known.
    pub(super) stored: &'static [&'static [f64]],
}

const RELU: &Entry = &activation::relu::ENTRY;
const LOGISTIC: &Entry = &activation::sigmoid::ENTRY;
const TANH: &Entry = &activation::tanh::ENTRY;
const WITH: Bias = Bias::Trainable;
const WITHOUT: Bias = Bias::None;

const fn recipe(
    name: &'static str,
    (data, activation, bias): (Data, &'static Entry, Bias),
    (lr, steps): (f64, &'static [u64]),
    stored: &'static [&'static [f64]],
) -> Recipe {
    Recipe { name, data, activation, bias, lr, steps, stored }
}

/// Every recipe; those of up to 1000 steps first.
pub(super) const RECIPES: [Recipe; 11] = [
    recipe(
        "relu_no_bias",
        (Process, RELU, WITHOUT),
        (10.0, &[1000]),
        &[&[0.124, 0.204, 0.232, 0.76]],
    ),
    recipe("pulses_short_relu", (ShortPulse, RELU, WITH), (2.0, &[1000]), &[]),
    recipe("pulses_short_relu_no_bias", (ShortPulse, RELU, WITHOUT), (2.0, &[1000, 5000]), &[]),
    recipe("pulses_long_relu", (LongPulse, RELU, WITH), (2.0, &[1000]), &[]),
    recipe("pulses_long_logistic", (LongPulse, LOGISTIC, WITH), (5.0, &[1000]), &[]),
    recipe(
        "logistic",
        (Process, LOGISTIC, WITH),
        (100.0, &[1000, 10_000]),
        &[&[0.067, 0.125, 0.291, 0.51], &[0.061, 0.291, 0.294, 0.51]],
    ),
    recipe("relu_slow", (Process, RELU, WITH), (1.0, &[10_000]), &[&[0.090, 0.166, 0.234, 0.71]]),
    recipe("relu", (Process, RELU, WITH), (10.0, &[10_000]), &[&[0.235, 0.247, 0.252, 1.00]]),
    recipe(
        "relu_swapped",
        (Swapped, RELU, WITH),
        (10.0, &[10_000]),
        &[&[0.053, 0.061, 0.068, 0.01]],
    ),
    recipe(
        "logistic_no_bias",
        (Process, LOGISTIC, WITHOUT),
        (100.0, &[10_000]),
        &[&[0.060, 0.068, 0.080, 0.08, 0.48]],
    ),
    recipe("tanh", (Process, TANH, WITH), (1.0, &[10_000]), &[&[0.069, 0.313, 0.317, 0.57]]),
];

/// Of the [`NUMBERS`], the least and largest of the stored networks trained on single pulses: typical IPR, share and accuracy.
pub(super) const PULSES: [(usize, [f64; 2]); 3] =
    [(1, [0.03, 0.066]), (3, [0.0, 0.08]), (4, [1.0, 1.0])];
