//! Decay as the inverse of time.

use super::Schedule;
use fovea_core::params::finite_above;
use fovea_core::registry::resolve;
use fovea_core::{Entry, Params, params};

params! {
    /// `1 / (1 + step / scale)`, the decay under which stochastic gradients average out.
    pub struct InverseTime {
        /// Steps after which the factor is one half.
        scale: f64 = 1000.0, finite_above(0.0), "steps";
    }
}

impl Params for InverseTime {}

impl Schedule for InverseTime {
    fn factor(&self, step: u64, _: u64) -> f64 {
        1.0 / (1.0 + step as f64 / self.scale)
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Schedule>> = Entry {
    name: "inverse-time",
    summary: "1 / (1 + step / scale)",
    schema: <InverseTime as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<InverseTime>(values)?)),
};
