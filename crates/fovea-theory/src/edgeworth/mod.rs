//! The gated mean to first order in the fourth cumulants of the data.

use crate::Form;

fovea_core::registry! { "src/edgeworth": Form; f }
