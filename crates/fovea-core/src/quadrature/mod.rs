//! Numerical integration with an error estimate.
//!
//! [`gauss_legendre`] and [`gauss_hermite`] give fixed rules; [`adaptive`] and its relatives refine until a tolerance is met and
//! return the expected error. It is not a library, because the normaliser of the simulated stimuli is computed here and every
//! record depends on it: only `libm` and `+ - * / sqrt` are used, so nodes, weights and integrals have the same bits on every
//! platform.

mod adaptive;
mod gauss;
mod normal;

pub use adaptive::{Integral, adaptive, adaptive_split};
pub use gauss::{Rule, gauss_hermite, gauss_legendre};
pub use normal::{normal_expectation, normal_pdf};
