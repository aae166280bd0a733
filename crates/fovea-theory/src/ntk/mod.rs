//! Tangent kernels of wide networks: their recursion, their least eigenvalue, and the width a proof asks for.

use crate::Form;

fovea_core::registry! { "src/ntk": Form; kernel, gram, hermite, width }
