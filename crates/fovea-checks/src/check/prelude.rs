//! What nearly every check uses: its own types, the arithmetic that both sides may share, and plain computations.
//!
//! No closed form and nothing of the simulator: each check imports these itself, so that its head shows what it compares.

pub(super) use super::averaged::{Sums, critical_by_sums, named, trapezoids};
pub(super) use super::by_hand::{combined, dot, form, gradient, scaled, slope};
pub(super) use super::corners::Corners;
pub(super) use super::{Check, Comparison, Effort};
pub(super) use fovea_core::fourier::{basis_vector, frequency_of, to_fourier};
pub(super) use fovea_core::quadrature::{
    adaptive, adaptive_split, gauss_legendre, normal_expectation,
};
pub(super) use fovea_core::ring::{
    Kernel, circulant_apply, circulant_eigs, distance, kernel_row, unfold,
};
pub(super) use fovea_core::special::{normal_cdf, normal_pdf};
pub(super) use fovea_core::stats::Estimate;
pub(super) use fovea_core::streams::Streams;
pub(super) use fovea_core::symmetric::{eigen, eigenvalues, least, operator_norm};
pub(super) use fovea_desk::error::LabError;
pub(super) use fovea_theory::FormError;
pub(super) use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, PI, TAU};
