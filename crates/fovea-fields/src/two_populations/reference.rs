//! The stored distributions of an independent program.

use fovea_core::activation::{self, Entry};
use fovea_core::stats::Estimate;
use fovea_desk::error::LabError;
use fovea_sim::Bias;
use serde_json::Value;

/// One network of the reference.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    /// Such as `k12_sigmoid`.
    pub(super) name: String,
    pub(super) width: usize,
    pub(super) activation: &'static Entry,
    pub(super) bias: Bias,
    /// Its learning rate, of a loss without the 1/2.
    pub(super) lr: f64,
    pub(super) seeds: usize,
    /// Share of localized units of every seed.
    pub(super) shares: Vec<f64>,
    /// The rest: numbers of single units (of seeds for loss and accuracy) and how they spread.
    row: Value,
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("the stored reference holds numbers")
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("the stored reference holds lists").iter().map(number).collect()
}

impl Reference {
    fn read(row: &Value) -> Self {
        let biased = row["bias"] == true;
        let width = number(&row["width"]) as usize;
        let [relu, sigmoid] = [&activation::relu::ENTRY, &activation::sigmoid::ENTRY];
        let activation = if row["activation"] == "relu" { relu } else { sigmoid };
        let suffix = if biased { "" } else { "_no_bias" };
        Self {
            name: format!("k{width}_{}{suffix}", activation.name),
            width,
            activation,
            bias: if biased { Bias::Trainable } else { Bias::None },
            lr: number(&row["lr"]),
            seeds: number(&row["seeds"]) as usize,
            shares: numbers(&row["localized_per_seed"]),
            row: row.clone(),
        }
    }

    /// The mean of a quantity; of the `loss`, without the 1/2.
    pub(super) fn mean(&self, key: &str) -> f64 {
        number(&self.row[key]["mean"])
    }

    /// Minimum, 10 %, 25 %, median, 75 %, 90 % and maximum of a quantity.
    pub(super) fn quantiles(&self, key: &str) -> Vec<f64> {
        numbers(&self.row[key]["q"])
    }

    /// Share of units with most power at each frequency.
    pub(super) fn frequencies(&self) -> Vec<(usize, f64)> {
        let counts = &self.row["top_frequency_counts"];
        let counts = counts.as_object().expect("the stored reference counts frequencies");
        let total: f64 = counts.values().map(number).sum();
        let frequency = |key: &str| key.parse().expect("a frequency is a whole number");
        counts.iter().map(|(key, count)| (frequency(key), number(count) / total)).collect()
    }

    pub(super) fn sigmoid(&self) -> bool {
        self.activation.name == "sigmoid"
    }

    /// A mean over its seeds, from their own spread.
    pub(super) fn over_seeds(&self, key: &str) -> Result<Estimate, LabError> {
        let se = number(&self.row[key]["std"]) / (self.seeds as f64).sqrt();
        Ok(Estimate::from_parts(self.mean(key), se, self.seeds)?)
    }

    /// A mean over pooled units, from the spread that our seeds show for the same quantity.
    ///
    /// The units of one network are not independent, and of these quantities only the pooled units are stored. Both
    /// programs have the same distribution over seeds if they agree at all, so that our spread is the best guess of theirs.
    pub(super) fn pooled(&self, key: &str, ours: &Estimate) -> Result<Estimate, LabError> {
        let sd = ours.se() * (ours.count() as f64).sqrt();
        Ok(Estimate::from_parts(self.mean(key), sd / (self.seeds as f64).sqrt(), ours.count())?)
    }
}

/// Every row of the stored reference.
pub(super) fn references() -> Vec<Reference> {
    let text = include_str!("../../data/reference_populations.json");
    let root: Value = serde_json::from_str(text).expect("the stored reference is JSON");
    let runs = root["runs"].as_array().expect("the stored reference has runs");
    runs.iter().map(Reference::read).collect()
}
