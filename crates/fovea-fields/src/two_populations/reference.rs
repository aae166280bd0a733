//! The stored distributions of an independent program.

use fovea_core::activation::{self, Row};
use fovea_core::stats::Estimate;
use fovea_desk::error::LabError;
use fovea_sim::Bias;
use serde_json::Value;

/// Numbers of single units (of seeds for loss and accuracy) and how they spread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pooled {
    pub(super) mean: f64,
    pub(super) std: f64,
    /// Minimum, 10 %, 25 %, median, 75 %, 90 %, maximum.
    pub(super) quantiles: [f64; 7],
}

/// One network of the reference.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    /// Such as `k12_sigmoid`.
    pub(super) name: String,
    pub(super) width: usize,
    pub(super) activation: &'static Row,
    /// Whether its units are sigmoids; all others are ReLU.
    pub(super) sigmoid: bool,
    pub(super) bias: Bias,
    /// Its learning rate, of a loss without the 1/2.
    pub(super) lr: f64,
    pub(super) seeds: usize,
    /// Share of localized units of every seed.
    pub(super) shares: Vec<f64>,
    /// Its loss, without the 1/2.
    pub(super) loss: Pooled,
    pub(super) accuracy: Pooled,
    pub(super) ipr: Pooled,
    pub(super) location_entropy: Pooled,
    /// Share of units with most power at each frequency.
    pub(super) frequencies: Vec<(usize, f64)>,
    /// Excess kurtosis of preactivations in class `pos`, then `neg`.
    pub(super) kurtosis: [Pooled; 2],
    /// Biases of localized units, then of the others.
    pub(super) biases: Option<[Pooled; 2]>,
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("the stored reference holds numbers")
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("the stored reference holds lists").iter().map(number).collect()
}

/// Counts by frequency as shares of all units.
fn shares_of(value: &Value) -> Vec<(usize, f64)> {
    let counts = value.as_object().expect("the stored reference counts frequencies");
    let total: f64 = counts.values().map(number).sum();
    let frequency = |key: &str| key.parse().expect("a frequency is a whole number");
    counts.iter().map(|(key, count)| (frequency(key), number(count) / total)).collect()
}

impl Pooled {
    fn read(value: &Value) -> Self {
        let mut quantiles = [0.0; 7];
        quantiles.copy_from_slice(&numbers(&value["q"]));
        Self { mean: number(&value["mean"]), std: number(&value["std"]), quantiles }
    }
}

impl Reference {
    fn read(row: &Value) -> Self {
        let of = |key: &str| Pooled::read(&row[key]);
        let (sigmoid, biased) = (row["activation"] != "relu", row["bias"] == true);
        let activation =
            if sigmoid { &activation::sigmoid::ENTRY } else { &activation::relu::ENTRY };
        let width = number(&row["width"]) as usize;
        let word = activation.name;
        Self {
            name: format!("k{width}_{word}{}", if biased { "" } else { "_no_bias" }),
            width,
            activation,
            sigmoid,
            bias: if biased { Bias::Trainable } else { Bias::None },
            lr: number(&row["lr"]),
            seeds: number(&row["seeds"]) as usize,
            shares: numbers(&row["localized_per_seed"]),
            loss: of("loss"),
            accuracy: of("accuracy"),
            ipr: of("ipr"),
            location_entropy: of("location_entropy"),
            frequencies: shares_of(&row["top_frequency_counts"]),
            kurtosis: [of("kurtosis_pos"), of("kurtosis_neg")],
            biases: biased.then(|| [of("bias_localized"), of("bias_other")]),
        }
    }

    /// A mean over its seeds, from their own spread.
    pub(super) fn over_seeds(&self, of: &Pooled) -> Result<Estimate, LabError> {
        Ok(Estimate::from_parts(of.mean, of.std / (self.seeds as f64).sqrt(), self.seeds)?)
    }

    /// A mean over pooled units, from the spread that our seeds show for the same quantity.
    ///
    /// The units of one network are not independent, and of these quantities only the pooled units are stored. Both
    /// programs draw their seeds from the same law if they agree at all, so that our spread is the best guess of theirs.
    pub(super) fn pooled(&self, of: &Pooled, ours: &Estimate) -> Result<Estimate, LabError> {
        let sd = ours.se() * (ours.count() as f64).sqrt();
        Ok(Estimate::from_parts(of.mean, sd / (self.seeds as f64).sqrt(), ours.count())?)
    }
}

/// Every row of the stored reference.
pub(super) fn references() -> Vec<Reference> {
    let text = include_str!("../../data/reference_populations.json");
    let root: Value = serde_json::from_str(text).expect("the stored reference is JSON");
    root["runs"]
        .as_array()
        .expect("the stored reference has runs")
        .iter()
        .map(Reference::read)
        .collect()
}
