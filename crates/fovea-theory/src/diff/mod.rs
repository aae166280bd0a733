//! The difference of the two class covariances.

use crate::Form;

fovea_core::registry! { "src/diff": Form; leading_mode }
