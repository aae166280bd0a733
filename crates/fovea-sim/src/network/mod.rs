//! Networks, one a file.

use fovea_core::{Entry, registry};

fovea_core::choice! {
    /// What becomes of the hidden units' biases.
    pub enum Bias {
        /// There are none.
        None = "none",
        /// Trained from their initial value.
        Trainable = "trainable",
        /// Kept at their initial value.
        Frozen = "frozen",
    }
}

pub use committee::Committee;

registry! { "src/network": Entry<Committee>; committee }
