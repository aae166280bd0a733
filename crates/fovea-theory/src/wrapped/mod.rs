//! The wrapped covariance, which is one for every correlation length.

use crate::Form;

fovea_core::registry! { "src/wrapped": Form; eigs }
