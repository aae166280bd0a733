//! The learning rate unchanged.

use super::Schedule;
use fovea_core::Entry;
use fovea_core::registry::resolve;
use fovea_core::{Params, params};

params! {
    /// Always 1.
    pub struct Constant {}
}

impl Params for Constant {}

impl Schedule for Constant {
    fn factor(&self, _: u64, _: u64) -> f64 {
        1.0
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Schedule>> = Entry {
    name: "constant",
    summary: "the learning rate unchanged",
    schema: <Constant as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Constant>(values)?)),
};
