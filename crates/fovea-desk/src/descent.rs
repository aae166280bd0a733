//! Online gradient descent at a constant learning rate: the settings that trainings on fresh samples share.

use fovea_core::params::{any, between, finite_above};
use fovea_core::streams::Streams;
use fovea_core::{Item, Value, params};
use fovea_sim::dynamics::Pace;
use fovea_sim::job::sgd;
use fovea_sim::probe::Probe;
use fovea_sim::train::Precision;
use fovea_sim::{Plan, Stage, TaskSpec, Times};
use std::sync::Arc;

params! {
    /// Online gradient descent on fresh samples.
    pub struct Descent {
        /// Learning rate of the loss with its factor 1/2; where a readout is a mean over K units, its 1/K included.
        lr: f64 = 0.02, finite_above(0.0), "";
        /// Fresh samples per step.
        batch: usize = 1000, between(1.0, 1e8), "samples";
        /// Training steps.
        steps: usize = 5000, between(1.0, 1e9), "steps";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

impl Copy for Descent {}

impl Descent {
    /// The plan of all its steps, recorded at this interval.
    pub fn plan(&self, record_every: usize, probes: &'static [&'static Probe]) -> Plan<'static> {
        self.plan_at(Times::Every(record_every as u64), probes)
    }

    /// The plan of all its steps, recorded at these times.
    pub fn plan_at(&self, times: Times, probes: &'static [&'static Probe]) -> Plan<'static> {
        Plan { precision: self.precision, ..Plan::new(self.steps, times, probes) }
    }

    /// Learning rate and batch in words, for the subtitle of a figure.
    pub fn in_words(&self) -> String {
        format!("learning rate {}, batch {}", Value::Real(self.lr), self.batch)
    }

    /// Training on a task: samples come from these streams.
    pub fn stage(&self, task: &Arc<TaskSpec>, plan: Plan<'static>, streams: Streams) -> Stage {
        Stage::online(task, (self.lr, self.batch), plan, streams)
    }
}

/// Descent on fresh samples at a rate that falls linearly to zero, so that its noise vanishes.
pub fn falling(lr: f64, batch: usize) -> Pace {
    Pace { schedule: Item::named("linear"), ..Pace::online(lr, batch) }
}

/// Training on a task at any pace: samples come from these streams.
pub fn stage(task: &Arc<TaskSpec>, pace: Pace, plan: Plan<'static>, streams: Streams) -> Stage {
    Stage { task: Arc::clone(task), dynamics: sgd(pace), plan, streams }
}
