//! Wide networks at initialization as Gaussian processes, and corrections at finite width.

use crate::Form;

fovea_core::registry! { "src/nngp": Form; covariance, kurtosis, variance }
