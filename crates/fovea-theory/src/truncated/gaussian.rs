//! Mean and covariance of a Gaussian beyond a hyperplane, given that a.X >= b.
//!
//! ```math
//! E[X\,|\,\langle a,X\rangle\ge b]=\lambda v,\qquad \mathrm{Cov}[X\,|\,\langle a,X\rangle\ge b]=\Sigma-\lambda(\lambda-\tau)\,vv^\top
//! ```
//!
//! ```math
//! v=\frac{\Sigma a}s,\qquad s^2=a^\top\Sigma a,\qquad\tau=\frac bs,\qquad\lambda=\frac{\varphi(\tau)}{1-\Phi(\tau)}
//! ```
//!
//! # Source
//! Derived: given $`S=\langle a,X\rangle`$ the remainder is Gaussian and independent, and $`\lambda`$,
//! $`1-\lambda(\lambda-\tau)`$ are the mean and the variance of $`S/s`$ beyond $`\tau`$.
//!
//! # Symbols
//! * $`a, b`$: `a`, `b`
//! * $`\Sigma`$: the covariance, circulant, given by its first row, from `n` and `xi`
//!
//! # Holds when
//! $`a^\top\Sigma a>0`$, refused otherwise; every `b`. The moments are conditional; the expectations of the notes,
//! $`E[X;S\ge0]`$, are unconditional and smaller by the factor `probability`. Where $`\varphi(\tau)`$ and
//! $`1-\Phi(\tau)`$ both underflow a continued fraction is used; for a very negative $`\tau`$ the Gaussian is unchanged.
//!
//! # Checked by
//! Quadrature over the half-line; both limits of $`\tau`$; sampled moments.

use super::Tail;
use crate::form::{Control, Form, FormError, bump, matrix, one_entry_per_site, with};
use fovea_core::params::{Schema, any, between, finite, finite_above};
use fovea_core::ring::{Kernel, RingKernel, circulant_apply, distance};
use fovea_core::{ParamError, Params, Value, params};

/// The moments beyond the hyperplane.
#[derive(Clone, Debug, PartialEq)]
pub struct Truncated {
    /// Probability of the half-space.
    pub probability: f64,
    /// Mean of each site.
    pub mean: Vec<f64>,
    /// Covariance, row by row.
    pub cov: Vec<Vec<f64>>,
}

impl From<Truncated> for Value {
    fn from(beyond: Truncated) -> Self {
        Self::table([
            ("probability", beyond.probability.into()),
            ("mean", Self::reals(&beyond.mean)),
            ("cov", matrix(&beyond.cov)),
        ])
    }
}

/// The moments of a Gaussian with this first row of its covariance, given $`\langle a,X\rangle\ge b`$.
///
/// ```
/// let half = fovea_theory::truncated::gaussian::gaussian(&[1.0, 0.0], &[2.0, 0.0], 0.0).unwrap();
/// assert!((half.mean[0] - (2.0 / std::f64::consts::PI).sqrt()).abs() < 1e-15);
/// ```
///
/// # Errors
/// [`FormError::Undefined`] where $`\langle a,X\rangle`$ does not vary.
pub fn gaussian(first_row: &[f64], a: &[f64], b: f64) -> Result<Truncated, FormError> {
    // The half-space does not change when a and b are scaled together; at unit scale no square under- or overflows.
    let scale = a.iter().fold(0.0, |top: f64, x| top.max(x.abs()));
    let a: Vec<f64> = a.iter().map(|x| x / scale).collect();
    let image = circulant_apply(first_row, &a);
    let var: f64 = a.iter().zip(&image).map(|(a, x)| a * x).sum();
    // The comparison is false for NaN, the result of a = 0.
    let (s, n) = (var.sqrt(), first_row.len());
    let tau = b / scale / s;
    if !(var > 0.0 && tau < f64::INFINITY) {
        return Err(FormError::Undefined);
    }
    let tail = Tail::beyond(tau);
    let v: Vec<f64> = image.iter().map(|x| x / s).collect();
    let entry = |i: usize, j: usize| first_row[distance(i, j, n)] - tail.lost * v[i] * v[j];
    Ok(Truncated {
        probability: tail.probability,
        mean: v.iter().map(|v| tail.mean * v).collect(),
        cov: (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect(),
    })
}

params! {
    /// Arguments of `truncated.gaussian`.
    pub struct Args {
        /// Ring size.
        n: usize = 12, between(2.0, 1e3), "sites";
        /// Correlation length.
        xi: f64 = 2.0, finite_above(0.0), "sites";
        /// Normal of the hyperplane, one number per site.
        a: Vec<f64> = bump(12), finite(), "";
        /// Where the half-space begins.
        b: f64 = 1.0, finite(), "";
        /// Covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        one_entry_per_site("a", self.a.len(), self.n)
    }
}

impl Args {
    fn value(&self) -> Result<Truncated, FormError> {
        gaussian(&RingKernel::new(self.n, self.xi, self.kernel)?.first_row, &self.a, self.b)
    }
}

/// The moments with the indicator inside the expectation, not divided by the probability.
fn unconditional(beyond: Truncated) -> Truncated {
    let Truncated { probability, mean, cov } = beyond;
    let entry = |i: usize, j: usize| probability * (cov[i][j] + mean[i] * mean[j]);
    let cov = (0..mean.len()).map(|i| (0..mean.len()).map(|j| entry(i, j)).collect()).collect();
    Truncated { probability, cov, mean: mean.iter().map(|x| probability * x).collect() }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "truncated.gaussian",
    text: include_str!("gaussian.rs"),
    control: Control {
        what: "the unconditional moments E[X; <a,X> >= b] and E[XX'; <a,X> >= b] of the notes",
        eval: |given| with(given, |a: Args| Ok(unconditional(a.value()?).into())),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(a.value()?.into())),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::quadrature::adaptive;
    use fovea_core::ring::kernel_row;

    #[test]
    fn quadrature_over_the_half_line_finds_the_same_tail() {
        for tau in [-9.0, -3.0, -0.5, 0.0, 1.0, 3.9, 4.1, 8.0, 30.0, 200.0] {
            // The density relative to its value at the nearest point of the half-line, so that nothing underflows.
            let from = f64::max(tau, 0.0);
            let weight = |x: f64| libm::exp(-0.5 * (x - from) * (x + from));
            let end = from + 40.0 / (1.0 + from);
            let moment = |f: &dyn Fn(f64) -> f64| adaptive(|x| f(x) * weight(x), tau, end, 1e-13);
            let mass = moment(&|_| 1.0).value;
            let mean = moment(&|x| x - from).value / mass;
            let var = moment(&|x| (x - from - mean) * (x - from - mean)).value / mass;
            let tail = Tail::beyond(tau);
            assert!((tail.mean - from - mean).abs() < 1e-12, "{tau}: {} {mean}", tail.mean);
            assert!((1.0 - tail.lost - var).abs() < 1e-12, "{tau}: {} {var}", tail.lost);
            let wrong = unconditional(gaussian(&[1.0, 0.0], &[1.0, 0.0], tau).unwrap());
            assert!(tau < -5.0 || (wrong.cov[0][0] - var).abs() > 1e-3 * var, "{tau}");
        }
    }

    #[test]
    fn the_ends_of_the_line_are_limits() {
        let row = kernel_row(5, 1.0, Kernel::Ring);
        let a = [1.0, -0.5, 0.0, 0.0, 0.25];
        let whole = gaussian(&row, &a, -1e300).unwrap();
        assert!(whole.mean.iter().all(|x| x.abs() < 1e-300) && whole.probability > 1.0 - 1e-15);
        assert!((whole.cov[0][1] - row[1]).abs() < 1e-15);
        // Far out the half-space is a hyperplane: the variance along a is gone, and <a, mean> = b.
        let [far, scaled] =
            [1.0, 1e200].map(|c| gaussian(&row, &a.map(|a| c * a), 1e6 * c).unwrap());
        let along: f64 = far.mean.iter().zip(a).map(|(x, a)| x * a).sum();
        assert!((along / 1e6 - 1.0).abs() < 1e-11);
        let var: f64 =
            (0..5).map(|i| (0..5).map(|j| a[i] * far.cov[i][j] * a[j]).sum::<f64>()).sum();
        assert!(var.abs() < 1e-11, "{var:e}");
        assert!((far.mean[2] - scaled.mean[2]).abs() < 1e-9 * far.mean[2].abs());
        assert_eq!(gaussian(&row, &[0.0; 5], 1.0), Err(FormError::Undefined));
    }
}
