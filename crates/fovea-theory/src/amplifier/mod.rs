//! The localization amplifier: the gated mean of one site when the rest of the preactivation is taken to be Gaussian.

use crate::Form;

fovea_core::registry! { "src/amplifier": Form; phi, taylor, flow, cubic_flow }
