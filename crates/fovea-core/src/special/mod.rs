//! Special functions: the error function and its relatives, the normal distribution of one and of two variables, Student's t,
//! chi square, and a ratio of Bessel functions.
//!
//! Everything is built from the `libm` crate and `+ - * / sqrt`, so a value has the same bits on every
//! platform. An argument outside the domain of a function gives NaN, like `sqrt(-1.0)`; an end of the domain
//! gives the limit.

mod bessel;
mod beta;
mod bivariate;
mod chi_square;
mod erf;
mod normal;
mod owen;
mod student;

pub use crate::quadrature::normal_pdf;
pub use bessel::{bessel_ratio, bessel_ratio_gap};
pub use beta::{beta_inc, ln_beta, ln_gamma};
pub use bivariate::{
    bivariate_normal_cdf, bivariate_normal_sf, bivariate_normal_sf_at_angle, orthant,
};
pub use chi_square::chi_square_tails;
pub use erf::{erf, erfc, inv_erf, inv_erfc};
pub use normal::{normal_cdf, normal_quantile, normal_sf};
pub use owen::owen_t;
pub use student::{student_t_cdf, student_t_quantile_two_sided, student_t_tail};

/// Evaluates a polynomial by Horner's rule, the highest coefficient first.
fn horner(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().fold(0.0, |sum, c| sum * x + c)
}
