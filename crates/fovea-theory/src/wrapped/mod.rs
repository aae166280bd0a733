//! The wrapped kernel, which is a covariance for every correlation length.

use crate::Form;

fovea_core::registry! { "src/wrapped": Form; eigs }
