//! Instruction sets, as the kernels here use them.

pub use fovea_core::simd::{Kernel, Level, Portable, Simd, dispatch, dispatch_at};
