//! Sign data and one ReLU unit that listens to a single site.

use crate::Form;

fovea_core::registry! { "src/dictator": Form; dominance, edge, fixed_point, path, labels, output_bias }
