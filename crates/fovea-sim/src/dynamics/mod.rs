//! Training dynamics, one a file.

use fovea_core::{Entry, registry};

pub use sgd::{Diverged, Sgd};

registry! { "src/dynamics": Entry<Sgd>; sgd }
