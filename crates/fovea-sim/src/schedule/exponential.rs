//! Exponential decay.

use super::Schedule;
use fovea_core::params::finite_above;
use fovea_core::registry::resolve;
use fovea_core::{Entry, Params, params};

params! {
    /// Halved every `half_life` steps.
    pub struct Exponential {
        /// Steps after which the factor is one half.
        half_life: f64 = 1000.0, finite_above(0.0), "steps";
    }
}

impl Params for Exponential {}

impl Schedule for Exponential {
    fn factor(&self, step: u64, _: u64) -> f64 {
        libm::exp2(-(step as f64) / self.half_life)
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Schedule>> = Entry {
    name: "exponential",
    summary: "2^(-step / half_life)",
    schema: <Exponential as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Exponential>(values)?)),
};
