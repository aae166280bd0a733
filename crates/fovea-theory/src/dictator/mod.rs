//! Sign data and one ReLU unit whose gate depends on a single site.

use crate::Form;

fovea_core::registry! { "src/dictator": Form; dominance, edge, fixed_point, path, labels, output_bias }
