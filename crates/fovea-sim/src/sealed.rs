//! The number types of this crate: single and double precision, and no other.
//!
//! Each kind of work has a trait of its own, whose methods the two types implement: the code behind them is compiled
//! here, once, and not in every crate that calls it. This trait below them keeps others from adding a type.

/// A number type of this crate.
pub trait Sealed {}

impl Sealed for f32 {}
impl Sealed for f64 {}
