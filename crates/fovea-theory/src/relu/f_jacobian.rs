//! Jacobian of the gated mean of Gaussian data with respect to the weights.
//!
//! ```math
//! \frac{\partial f_i}{\partial w_j}=\frac1{\sqrt{2\pi}\,s}\Big(\Sigma-\frac{\Sigma ww^\top\Sigma}{s^2}\Big)_{ij}
//! =p_S(0)\,E[X_iX_j\,|\,S=0],\qquad s^2=w^\top\Sigma w
//! ```
//!
//! # Source
//! Note 000, "Extra fact", made explicit; claims L000.15, L000.16.
//!
//! # Symbols
//! * $`\Sigma`$: the covariance, circulant, from `n` and `xi`
//! * $`S`$: the preactivation $`\langle w,X\rangle`$
//! * $`p_S(0)`$: its density at 0, $`1/(\sqrt{2\pi}\,s)`$
//!
//! # Holds when
//! Gaussian data and $`w^\top\Sigma w>0`$, refused otherwise: the gate is undefined there. The matrix is symmetric,
//! positive semidefinite and annihilates `w`, because $`f`$ is the gradient of a function homogeneous of degree 1. It
//! is proportional to one over the size of `w`.
//!
//! # Checked by
//! Reference values (`tests/oracle`); difference quotients of `relu.f_gauss`; the annihilated direction.

use crate::form::{Control, Form, FormError, bump, matrix, one_entry_per_site, with};
use crate::pair::largest;
use fovea_core::params::{Schema, any, between, finite, finite_above};
use fovea_core::ring::{Kernel, RingKernel, circulant_apply, distance};
use fovea_core::{ParamError, Params, Value, params};
use std::f64::consts::TAU;

/// The Jacobian of the gated mean, row by row, for a covariance with this first row.
///
/// ```
/// let rows = fovea_theory::relu::f_jacobian::f_jacobian(&[1.0, 0.0], &[2.0, 0.0]).unwrap();
/// assert!(rows[0][0] == 0.0 && (rows[1][1] - 0.5 * 0.3989422804014327).abs() < 1e-15);
/// ```
///
/// # Errors
/// [`FormError::Undefined`] where $`\langle w,X\rangle`$ does not vary.
pub fn f_jacobian(first_row: &[f64], w: &[f64]) -> Result<Vec<Vec<f64>>, FormError> {
    projected(first_row, w, 1.0)
}

/// With `share` of the projection: 1 for the Jacobian, 0 for the scaled covariance alone.
fn projected(first_row: &[f64], w: &[f64], share: f64) -> Result<Vec<Vec<f64>>, FormError> {
    // At unit scale no square under- or overflows; the Jacobian is of degree -1.
    let (scale, n) = (largest(w), w.len());
    if scale <= 0.0 {
        return Err(FormError::Undefined);
    }
    let unit: Vec<f64> = w.iter().map(|x| x / scale).collect();
    let image = circulant_apply(first_row, &unit);
    let var: f64 = unit.iter().zip(&image).map(|(w, x)| w * x).sum();
    if var <= 0.0 {
        return Err(FormError::Undefined);
    }
    let factor = 1.0 / ((TAU * var).sqrt() * scale);
    let entry = |i: usize, j: usize| {
        factor * (first_row[distance(i, j, n)] - share * image[i] * image[j] / var)
    };
    Ok((0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect())
}

params! {
    /// Arguments of `relu.f_jacobian`.
    pub struct Args {
        /// Ring size.
        n: usize = 6, between(2.0, 1e3), "sites";
        /// Correlation length of the data.
        xi: f64 = 1.5, finite_above(0.0), "sites";
        /// Weights, one per site.
        w: Vec<f64> = bump(6), finite(), "";
        /// Covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        one_entry_per_site("w", self.w.len(), self.n)
    }
}

impl Args {
    fn value(&self, share: f64) -> Result<Value, FormError> {
        let row = RingKernel::new(self.n, self.xi, self.kernel)?.first_row;
        Ok(matrix(&projected(&row, &self.w, share)?))
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "relu.f_jacobian",
    text: include_str!("f_jacobian.rs"),
    control: Control {
        what: "the density at 0 times the covariance, not conditioned on S = 0",
        eval: |given| with(given, |a: Args| a.value(0.0)),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| a.value(1.0)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relu::f_gauss::f_gauss;
    use fovea_core::ring::kernel_row;

    #[test]
    fn difference_quotients_of_f_give_its_rows_and_the_weights_are_annihilated() {
        for (n, xi) in [(2, 0.7), (6, 1.5), (7, 0.8)] {
            let row = kernel_row(n, xi, Kernel::Ring);
            let w: Vec<f64> = (0..n).map(|i| (i * i % 5) as f64 - 1.3).collect();
            let jacobian = f_jacobian(&row, &w).unwrap();
            for j in 0..n {
                let f = |shift: f64| {
                    let mut w = w.clone();
                    w[j] += shift;
                    f_gauss(&row, &w)
                };
                let h = 1e-3;
                let [far, near, back, behind] = [2.0 * h, h, -h, -2.0 * h].map(f);
                for i in 0..n {
                    let slope = (8.0 * (near[i] - back[i]) - (far[i] - behind[i])) / (12.0 * h);
                    assert!((jacobian[i][j] - slope).abs() < 1e-10, "n={n} {i} {j}");
                    assert!((jacobian[i][j] - jacobian[j][i]).abs() < 1e-17);
                }
            }
            for row in &jacobian {
                let along: f64 = row.iter().zip(&w).map(|(a, b)| a * b).sum();
                assert!(along.abs() < 1e-15, "n={n}: {along:e}");
            }
        }
    }

    #[test]
    fn it_is_of_degree_minus_one_and_has_no_value_without_variance() {
        let row = kernel_row(6, 1.5, Kernel::Ring);
        let (w, large) = (bump(6), bump(6).iter().map(|x| 1e250 * x).collect::<Vec<f64>>());
        let (small, huge) = (f_jacobian(&row, &w).unwrap(), f_jacobian(&row, &large).unwrap());
        assert!((small[2][3] / huge[2][3] / 1e250 - 1.0).abs() < 1e-14);
        assert_eq!(f_jacobian(&row, &[0.0; 6]), Err(FormError::Undefined));
        // A singular covariance: the weights lie in its null space.
        assert_eq!(f_jacobian(&[1.0, 1.0], &[1.0, -1.0]), Err(FormError::Undefined));
    }
}
