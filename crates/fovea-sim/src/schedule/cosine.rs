//! Cosine decay.

use super::{Schedule, share_done};
use fovea_core::params::between;
use fovea_core::registry::resolve;
use fovea_core::{Entry, Params, params};

params! {
    /// From 1 to `end` along half a cosine.
    pub struct Cosine {
        /// Factor at the end of the run.
        end: f64 = 0.0, between(0.0, 1.0), "";
    }
}

impl Params for Cosine {}

impl Schedule for Cosine {
    fn factor(&self, step: u64, steps: u64) -> f64 {
        let done = share_done(step, steps).min(1.0);
        let height = 0.5 * (1.0 + libm::cos(std::f64::consts::PI * done));
        self.end + (1.0 - self.end) * height
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Schedule>> = Entry {
    name: "cosine",
    summary: "from 1 to `end` along half a cosine",
    schema: <Cosine as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Cosine>(values)?)),
};
