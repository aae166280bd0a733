//! Wide networks at initialization as Gaussian processes, and what finite width adds.

use crate::Form;

fovea_core::registry! { "src/nngp": Form; covariance, kurtosis, variance }
