//! The number types of this crate: single and double precision, and no other.
//!
//! Each kernel has a trait of its own beside it, whose methods the two types implement: the work behind them is compiled
//! here, once, and in no crate that calls it. This trait below them keeps others from adding a type.

/// A number type of the kernels.
pub trait Sealed {}

impl Sealed for f32 {}
impl Sealed for f64 {}
