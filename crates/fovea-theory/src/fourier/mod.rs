//! The Fourier basis in which every circulant covariance is diagonal.

use crate::Form;

fovea_core::registry! { "src/fourier": Form; basis }
