//! Fields on a torus of two dimensions, by the names that callers of old have for them.

pub use crate::panel::tiles::{grid, tiles as panel};
