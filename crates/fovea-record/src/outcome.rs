//! What an experiment returns: numbers, arrays, claims, figures and words.

use crate::claim::Claim;
use fovea_page::figure::Figure;
use fovea_page::report::Report;

/// How a run of an experiment ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Everything was done.
    Completed,
    /// It was stopped from outside.
    Interrupted,
    /// Training diverged.
    Diverged {
        /// Which of its runs.
        curve: String,
        /// At which step.
        step: u64,
    },
}

impl Status {
    /// The word in `run.toml`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Interrupted => "interrupted",
            Self::Diverged { .. } => "diverged",
        }
    }
}

/// Probe readings over time in long format: one row per reading.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// Which run of the experiment.
    pub curve: Vec<String>,
    /// Training step.
    pub step: Vec<i64>,
    /// `step * lr`; under a schedule, the learning rates of all steps before, added up.
    pub time: Vec<f64>,
    /// Which probe.
    pub probe: Vec<String>,
    /// Which hidden unit.
    pub unit: Vec<i32>,
    /// The reading.
    pub value: Vec<f64>,
}

impl Series {
    /// Adds the rows of another.
    pub fn extend(&mut self, other: Self) {
        self.curve.extend(other.curve);
        self.step.extend(other.step);
        self.time.extend(other.time);
        self.probe.extend(other.probe);
        self.unit.extend(other.unit);
        self.value.extend(other.value);
    }

    /// Adds one reading of a curve at this step and time.
    pub fn push(
        &mut self,
        curve: &str,
        (step, time): (i64, f64),
        probe: impl Into<String>,
        unit: usize,
        value: f64,
    ) {
        self.curve.push(curve.to_owned());
        self.step.push(step);
        self.time.push(time);
        self.probe.push(probe.into());
        self.unit.push(unit as i32);
        self.value.push(value);
    }
}

/// A named array of doubles in row-major order.
#[derive(Clone, Debug)]
pub struct Array {
    /// File name without its ending.
    pub name: String,
    /// Length of every axis.
    pub shape: Vec<usize>,
    /// The entries.
    pub data: Vec<f64>,
}

impl Array {
    /// An array whose rows have equal length.
    pub fn of_rows(name: impl Into<String>, rows: &[Vec<f64>]) -> Self {
        let shape = vec![rows.len(), rows.first().map_or(0, Vec::len)];
        Self { name: name.into(), shape, data: rows.concat() }
    }

    /// An array of one axis.
    pub fn of_entries(name: impl Into<String>, entries: &[f64]) -> Self {
        Self { name: name.into(), shape: vec![entries.len()], data: entries.to_vec() }
    }
}

/// Everything a run of an experiment produced.
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// Number type of sampling and training.
    pub dtype: &'static str,
    /// Readings over time.
    pub series: Series,
    /// Weights, spectra and their predictions.
    pub arrays: Vec<Array>,
    /// Theory against simulation.
    pub claims: Vec<Claim>,
    /// Figures by file name.
    pub figures: Vec<(&'static str, Figure)>,
    /// The report.
    pub report: Report,
    /// The lines printed at the end of a run.
    pub summary: Vec<String>,
}
