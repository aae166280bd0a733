//! The exponential covariance, the one of a Markov chain closed to a ring.

use crate::Form;

fovea_core::registry! { "src/exponential": Form; eigs }
