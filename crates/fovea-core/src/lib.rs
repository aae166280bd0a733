//! DEFINE: the arithmetic and the definitions that theory and simulation share.
//!
//! Nothing here draws a conclusion: random streams, the ring and its Fourier basis, special functions,
//! quadrature, ODE steppers, least squares, statistics, activations, and the schema every parameter carries.
//! A closed form lives in `fovea-theory`, a training step in `fovea-sim`.

pub mod activation;
pub mod agree;
pub mod fit;
pub mod fourier;
pub mod function;
pub mod item;
pub mod lanes;
pub mod matrix;
pub mod ode;
pub mod params;
pub mod quadrature;
pub mod registry;
pub mod ring;
pub mod simd;
pub mod special;
pub mod stats;
pub mod streams;
pub mod symmetric;
pub mod value;
pub mod vector;
pub mod work;

pub use function::Function;
pub use item::{Family, Item};
pub use matrix::Matrix;
pub use params::{Field, Kind, ParamError, Params, Range};
pub use registry::Entry;
pub use value::Value;
