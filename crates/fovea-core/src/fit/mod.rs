//! Nonlinear least squares: the parameters at which a model is closest to some numbers.
//!
//! ```math
//! \min_p \sum_i r_i(p)^2,\qquad l_j\le p_j\le u_j .
//! ```
//!
//! The iteration of Levenberg and Marquardt: the Jacobian's columns are scaled to length 1, and its singular values give the damped
//! step, the rank and the covariance. It is written by hand, in plain `f64` additions, products and square roots, because fitted
//! parameters end in records: a library's matrix routines choose their order of summation by machine, and the same bits everywhere
//! matter more here than speed at sizes (at most about six parameters) that no library is made for.

mod solve;
mod svd;

pub use solve::{best_of, least_squares};

/// Residuals and their derivatives as functions of the parameters.
pub struct Problem<'a> {
    /// Number of residuals.
    pub residuals: usize,
    /// The least and the largest value of every parameter, one pair per parameter.
    pub bounds: &'a [(f64, f64)],
    /// A sum of squares that counts as zero: what rounding leaves of a perfect fit.
    pub floor: f64,
    /// Writes the residuals at some parameters, and the Jacobian column by column: `d r_i / d p_j` at `j * residuals + i`.
    pub model: &'a Model<'a>,
}

/// A function that writes residuals and their Jacobian.
pub type Model<'a> = dyn Fn(&[f64], &mut [f64], &mut [f64]) + 'a;

/// The result of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The parameters.
    pub params: Vec<f64>,
    /// The sum of squared residuals.
    pub rss: f64,
    /// Covariance $`s^2 (J^\top J)^{+}`$ of the parameters, row by row, with $`s^2 = \mathrm{rss} / (m - \mathrm{rank})`$ for
    /// `m` residuals (zero without a residual to spare); directions that the residuals do not determine are left out of it.
    pub covariance: Vec<f64>,
    /// Whether each parameter can move without moving the residuals, to first order.
    pub undetermined: Vec<bool>,
    /// The number of steps tried.
    pub iterations: usize,
    /// Whether the fit ended because no step promised an improvement; otherwise the iterations ran out.
    pub converged: bool,
    /// The number of directions that the residuals determine.
    pub rank: usize,
}

impl Fit {
    /// The standard error of every parameter: the root of the covariance's diagonal.
    pub fn std_errors(&self) -> Vec<f64> {
        let p = self.params.len();
        (0..p).map(|j| self.covariance[j * p + j].max(0.0).sqrt()).collect()
    }

    /// Whether some direction of the parameters is undetermined.
    pub fn is_deficient(&self) -> bool {
        self.rank < self.params.len()
    }
}

#[cfg(test)]
mod tests;
