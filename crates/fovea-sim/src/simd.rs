//! Instruction sets, as this crate uses them.

pub use fovea_core::simd::{
    Body, Level, Portable, Simd, adds_beside_products, dispatch, dispatch_at,
};
