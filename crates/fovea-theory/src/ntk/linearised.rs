//! Errors of a linearised network under gradient descent, from its tangent kernel.
//!
//! ```math
//! r_t=\Big(1-\frac\gamma mK\Big)^tr_0,\qquad z_t(x)=z_0(x)-K(x,X)\,K^{-1}\Big(1-\Big(1-\frac\gamma mK\Big)^t\Big)r_0
//! ```
//!
//! # Source
//! Lectures, topic 11, printed without the $`1/m`$ of the averaged loss; claims T11.2, T11.4.
//!
//! # Symbols
//! * $`K`$: `kernel`
//! * $`r_0`$: `errors`, $`z-y`$ on the $`m`$ examples at the start
//! * $`\gamma`$: `lr`
//! * $`t`$: `steps`
//!
//! # Holds when
//! A kernel that does not change: a model linear in its parameters, or a network of infinite width in the NTK
//! parametrisation; the loss is averaged, $`L=\tfrac1{2m}|r|^2`$. Errors in the null space of a singular kernel do not
//! change. `condition` is the largest over the least eigenvalue, `inf` if the least is below rounding; errors are
//! `inf` if they overflow.
//!
//! # Checked by
//! Descent of linear models in the check `learning-rates`; wide networks trained in the experiment `ntk-flow`.

use crate::form::FormError;
use crate::form::{Control, Form, with};
use fovea_core::matrix::Matrix;
use fovea_core::params::{Schema, at_least, finite, finite_above};
use fovea_core::symmetric::{Eigen, SymmetricError, eigen};
use fovea_core::{ParamError, Params, Value, params};

/// Below this share of the largest an eigenvalue counts as zero.
const ROUNDING: f64 = 1e-14;

/// A network replaced by its tangent at the start.
#[derive(Clone, Debug)]
pub struct Linearised {
    eigen: Eigen,
    /// The initial errors along the eigenvectors.
    along: Vec<f64>,
}

impl Linearised {
    /// From the tangent kernel on the examples and the initial errors.
    ///
    /// # Errors
    /// The kernel is not square, finite and symmetric, or its eigenvalues cannot be found.
    pub fn new(kernel: &[Vec<f64>], errors: &[f64]) -> Result<Self, SymmetricError> {
        let eigen = eigen(kernel)?;
        let dot = |v: &Vec<f64>| v.iter().zip(errors).map(|(v, r)| v * r).sum();
        let along = eigen.vectors.iter().map(dot).collect();
        Ok(Self { eigen, along })
    }

    /// The least and the largest eigenvalue of the kernel.
    pub fn ends(&self) -> [f64; 2] {
        [self.eigen.least(), self.eigen.most()]
    }

    /// The largest over the least eigenvalue; infinite if the least is below rounding.
    pub fn condition(&self) -> f64 {
        let [least, most] = self.ends();
        if least > ROUNDING * most { most / least } else { f64::INFINITY }
    }

    /// The learning rate beyond which errors grow, $`2m/\lambda_{\max}`$.
    pub fn limit(&self) -> f64 {
        2.0 * self.along.len() as f64 / self.ends()[1]
    }

    /// The errors after this many steps.
    pub fn errors(&self, lr: f64, steps: f64) -> Vec<f64> {
        let share = lr / self.along.len() as f64;
        let mut errors = vec![0.0; self.along.len()];
        for ((value, vector), along) in self.modes() {
            let kept = along * power(1.0 - share * value, steps);
            errors.iter_mut().zip(vector).for_each(|(r, v)| *r += kept * v);
        }
        errors
    }

    /// The change of the output at an input whose tangent kernel with the examples is `row`.
    pub fn change(&self, row: &[f64], lr: f64, steps: f64) -> f64 {
        let share = lr / self.along.len() as f64;
        let one = |((value, vector), along): ((&f64, &Vec<f64>), &f64)| {
            let seen: f64 = vector.iter().zip(row).map(|(v, k)| v * k).sum();
            // (1 - (1 - share lambda)^t)/lambda, whose limit at lambda = 0 is share t.
            let tiny = value.abs() <= ROUNDING * self.ends()[1];
            let gone = if tiny {
                share * steps
            } else {
                (1.0 - power(1.0 - share * value, steps)) / value
            };
            -seen * along * gone
        };
        self.modes().map(one).sum()
    }

    fn modes(&self) -> impl Iterator<Item = ((&f64, &Vec<f64>), &f64)> {
        self.eigen.values.iter().zip(&self.eigen.vectors).zip(&self.along)
    }
}

/// An integer power of any base.
fn power(base: f64, steps: f64) -> f64 {
    let size = libm::pow(base.abs(), steps);
    // The base is negative beyond the limit of the rate, so even and odd numbers of steps differ.
    if base < 0.0 && libm::fmod(steps, 2.0) > 0.5 { -size } else { size }
}

params! {
    /// Arguments of `ntk.linearised`.
    pub struct Args {
        /// Tangent kernel on the examples, row by row.
        kernel: Matrix = Matrix::new(2, vec![2.0, 0.5, 0.5, 2.0]), finite(), "";
        /// Outputs minus targets at the start.
        errors: Vec<f64> = vec![1.0, -0.5], finite(), "";
        /// Learning rate.
        lr: f64 = 0.5, finite_above(0.0), "";
        /// Steps.
        steps: usize = 10, at_least(0.0), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        let m = self.errors.len();
        let square = self.kernel.rows() == m && self.kernel.cols() == m;
        let entry = |i: usize, j: usize| self.kernel.row(i)[j];
        let largest = self.kernel.numbers().iter().fold(0.0_f64, |top, x| top.max(x.abs()));
        let even = |i: usize, j: usize| (entry(i, j) - entry(j, i)).abs() <= 1e-9 * largest;
        if square && largest.is_finite() && (0..m).all(|i| (0..i).all(|j| even(i, j))) {
            return Ok(());
        }
        let (rows, cols) = (self.kernel.rows(), self.kernel.cols());
        Err(ParamError::Inconsistent {
            what: format!(
                "`kernel` has {rows} rows of {cols} numbers for {m} errors, or is not symmetric"
            ),
            hint: "give one row and one column per error, the same above and below the diagonal"
                .to_owned(),
        })
    }
}

impl Args {
    fn value(&self, lr: f64) -> Result<Value, FormError> {
        let rows: Vec<Vec<f64>> =
            (0..self.kernel.rows()).map(|i| self.kernel.row(i).to_vec()).collect();
        let line = Linearised::new(&rows, &self.errors)?;
        let errors = line.errors(lr, self.steps as f64);
        let loss = errors.iter().map(|r| r * r).sum::<f64>() / (2.0 * errors.len() as f64);
        Ok(Value::table([
            ("errors", Value::reals(&errors)),
            ("loss", loss.into()),
            ("condition", line.condition().into()),
            ("limit", line.limit().into()),
        ]))
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "ntk.linearised",
    text: include_str!("linearised.rs"),
    control: Control {
        what: "the rate without 1/m, as printed",
        eval: |given| with(given, |a: Args| a.value(a.lr * a.errors.len() as f64)),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| a.value(a.lr)),
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Descent on `x w` with two weights, on the examples and elsewhere.
    #[test]
    fn a_linear_model_is_its_own_linearisation_at_any_rate() {
        let x = [[1.0, 0.3], [-0.4, 1.2], [0.9, 0.8]];
        let dot = |a: &[f64; 2], b: &[f64; 2]| a[0] * b[0] + a[1] * b[1];
        let kernel: Vec<Vec<f64>> =
            x.iter().map(|a| x.iter().map(|b| dot(a, b)).collect()).collect();
        let y = [0.7, -0.2, 1.1];
        let away = [0.2, -1.5];
        let row: Vec<f64> = x.iter().map(|a| dot(a, &away)).collect();
        // Three examples and two weights: the kernel is singular.
        for lr in [0.4, 3.1] {
            let start = [0.1, -0.6];
            let mut w = start;
            let errors = |w: &[f64; 2]| -> Vec<f64> {
                x.iter().zip(&y).map(|(x, y)| dot(x, w) - y).collect()
            };
            let line = Linearised::new(&kernel, &errors(&start)).unwrap();
            assert!(line.condition().is_infinite());
            for step in 0..7 {
                for (found, r) in line.errors(lr, f64::from(step)).iter().zip(errors(&w)) {
                    assert!((found - r).abs() < 1e-12, "{found} {r}");
                }
                let change = line.change(&row, lr, f64::from(step));
                assert!((change - dot(&away, &w) + dot(&away, &start)).abs() < 1e-12);
                let r = errors(&w);
                for i in 0..2 {
                    w[i] -= lr / 3.0 * (0..3).map(|a| x[a][i] * r[a]).sum::<f64>();
                }
            }
        }
    }
}
