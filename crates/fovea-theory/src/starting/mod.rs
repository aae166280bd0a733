//! The loss before training, for random or given weights.
//!
//! $`L=\tfrac12E(\hat y-Y)^2`$ over balanced classes; note 002 writes $`4\mathcal L`$, which is the sum over the classes.

use crate::Form;

fovea_core::registry! { "src/starting": Form; norm, relu, erf, erf_gauss, erf_site }
