//! Learning rates: where descent ends, how fast it is, and what noise leaves.

use crate::Form;

fovea_core::registry! { "src/rates": Form; contraction, noise_floor, schedule, gradient_norm }
