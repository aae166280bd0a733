//! Moments of data multiplied by one random number per sample.

use crate::Form;

fovea_core::registry! { "src/scaled": Form; excess_kurtosis }
