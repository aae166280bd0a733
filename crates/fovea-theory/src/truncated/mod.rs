//! Moments of data cut off by a half-space.

use crate::Form;

fovea_core::registry! { "src/truncated": Form; gaussian }
