//! Tangent kernels of wide networks: their recursion, their least eigenvalue, what descent makes of them, and the width a proof asks for.

use crate::Form;

fovea_core::registry! { "src/ntk": Form; kernel, gram, hermite, linearised, width, concentration }
