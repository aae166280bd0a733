//! Learning rates: the limit of descent, its speed, and the variance left by noise.

use crate::Form;

fovea_core::registry! { "src/rates": Form; contraction, noise_floor, schedule, gradient_norm }
