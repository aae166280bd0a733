//! Moments of data multiplied by one random number a sample.

use crate::Form;

fovea_core::registry! { "src/scaled": Form; excess_kurtosis }
