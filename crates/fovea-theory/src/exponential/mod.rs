//! The exponential covariance, that of a Markov chain closed to a ring.

use crate::Form;

fovea_core::registry! { "src/exponential": Form; eigs }
