//! The variational principle of one ReLU unit: stationary points are critical points of a ratio of moments.

use crate::Form;

fovea_core::registry! { "src/variational": Form; r_site, crossing_gain }

/// The loss at the best scale of weights with this ratio, $`\tfrac14(1-\tfrac12R)`$.
///
/// ```
/// assert_eq!(fovea_theory::variational::loss(0.5), 0.1875);
/// ```
pub fn loss(ratio: f64) -> f64 {
    0.25 * (1.0 - 0.5 * ratio)
}
