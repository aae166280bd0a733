//! Signs of Gaussians: the nonlinear Gaussian process at infinite gain.

use crate::Form;

fovea_core::registry! { "src/sign": Form; bumps, four, pmf4 }
