//! A covariance that oscillates: the wrapped Gaussian times a cosine.

use crate::Form;

fovea_core::registry! { "src/cosine": Form; eigs }
