//! A staircase.

use super::Schedule;
use fovea_core::params::between;
use fovea_core::registry::resolve;
use fovea_core::{Entry, Params, params};

params! {
    /// Multiplied by `factor` once every `every` steps.
    pub struct Steps {
        /// Steps between two drops.
        every: usize = 1000, between(1.0, 1e15), "steps";
        /// Multiplies the learning rate at each drop.
        factor: f64 = 0.1, between(0.0, 1.0), "";
    }
}

impl Params for Steps {}

impl Schedule for Steps {
    fn factor(&self, step: u64, _: u64) -> f64 {
        libm::pow(self.factor, (step / self.every as u64) as f64)
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Schedule>> = Entry {
    name: "steps",
    summary: "multiplied by `factor` once every `every` steps",
    schema: <Steps as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Steps>(values)?)),
};
