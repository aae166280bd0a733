//! Initial weights, one rule a file.

use fovea_core::streams::Streams;
use fovea_core::{Entry, ParamError, registry};

/// A rule for the weights a network starts from.
pub trait Initializer: Send + Sync {
    /// Weights of `width` units on `n` inputs, row by row.
    ///
    /// # Errors
    /// The rule does not fit this shape.
    fn weights(&self, n: usize, width: usize, streams: &Streams) -> Result<Vec<f64>, ParamError>;
}

registry! { "src/init": Entry<Box<dyn Initializer>>; explicit, glorot }
