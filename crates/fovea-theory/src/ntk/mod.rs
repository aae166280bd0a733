//! Tangent kernels of wide networks: their recursion, their least eigenvalue, descent with them, and the width that a proof needs.

use crate::Form;

fovea_core::registry! { "src/ntk": Form; kernel, gram, hermite, linearised, width, concentration }
