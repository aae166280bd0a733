//! Which class has the larger preactivation.

use crate::Form;

fovea_core::registry! { "src/dominance": Form; abs }
