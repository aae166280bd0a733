//! Linear decay.

use super::{Schedule, share_done};
use fovea_core::params::between;
use fovea_core::registry::resolve;
use fovea_core::{Entry, Params, params};

params! {
    /// From 1 to `end` in a straight line.
    pub struct Linear {
        /// Factor at the end of the run.
        end: f64 = 0.0, between(0.0, 1.0), "";
    }
}

impl Params for Linear {}

impl Schedule for Linear {
    fn factor(&self, step: u64, steps: u64) -> f64 {
        let done = share_done(step, steps).min(1.0);
        1.0 + (self.end - 1.0) * done
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Schedule>> = Entry {
    name: "linear",
    summary: "from 1 to `end` in a straight line",
    schema: <Linear as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Linear>(values)?)),
};
