//! Mean and covariance of the nonlinear Gaussian process given the values of some sites.
//!
//! ```math
//! E[X_j|X_I]=\frac{\mathrm{erf}(g\mu_j)}{\sqrt{\mathcal Z}},\qquad
//! \mathrm{Cov}[X_j,X_k|X_I]=\frac2{\pi\mathcal Z}\int_0^{\varphi_{jk}}\exp\Big[-g^2\frac{(\mu_j-\mu_k)^2}{\cos^2\varphi}-\frac{2g^2\mu_j\mu_k}{1+\sin\varphi}\Big]d\varphi
//! ```
//!
//! ```math
//! \mu_j=\frac{m_j}{\sqrt{D_j}},\qquad D_j=1+2g^2S_{jj},\qquad\sin\varphi_{jk}=\frac{2g^2S_{jk}}{\sqrt{D_jD_k}}
//! ```
//!
//! # Source
//! Derived: $`Z_I=\mathrm{erf}^{-1}(\sqrt{\mathcal Z}X_I)/g`$ is known, $`Z`$ given $`Z_I`$ is Gaussian, and
//! $`\partial E[f(Z_j)f(Z_k)]/\partial S_{jk}=E[f'f']`$ (plackett1954) is integrated from $`S_{jk}=0`$, where the
//! covariance vanishes.
//!
//! # Symbols
//! * $`g`$: `gain`
//! * $`I`$: `sites`
//! * $`X_I`$: `values`
//! * $`\mathcal Z`$: `nlgp.normalizer`
//! * $`m, S`$: mean and covariance of $`Z`$ given $`Z_I`$ (the variance of a site is the covariance with a copy of it)
//!
//! # Holds when
//! Finite gain, because a sign determines only the sign of $`Z`$. Every `|value|` is below $`1/\sqrt{\mathcal Z}`$, the
//! range of the process, and no given site is determined by the others; refused otherwise. At small gain it is
//! Gaussian regression.
//!
//! # Checked by
//! Quadrature; the decomposition of the total covariance; small gain; sampled moments.

use super::Conditional;
use crate::form::{Control, Form, FormError, matrix, sites, with};
use crate::nlgp::cov::cov;
use crate::nlgp::normalizer::normalizer;
use fovea_core::params::{Schema, any, at_least, between, finite, finite_above};
use fovea_core::quadrature::adaptive;
use fovea_core::ring::{Kernel, RingKernel, distance};
use fovea_core::special::inv_erf;
use fovea_core::{ParamError, Params, Value, params};
use std::f64::consts::FRAC_2_PI;

impl From<Conditional> for Value {
    fn from(given: Conditional) -> Self {
        Self::table([("mean", Self::reals(&given.mean)), ("cov", matrix(&given.cov))])
    }
}

/// Below this gain the process is its latent Gaussian to rounding, and $`g^2`$ would eventually underflow.
const LINEAR: f64 = 1e-8;

/// Mean and covariance of every site of the process with this first row of its latent covariance, given `values` at `sites`.
///
/// ```
/// use fovea_theory::conditional::nlgp::nlgp;
/// let given = nlgp(&[1.0, 0.0, 0.0], 3.0, &[1], &[0.5]).unwrap();
/// assert!(given.mean == [0.0, 0.5, 0.0] && (given.cov[0][0] - 1.0).abs() < 1e-14);
/// ```
///
/// # Errors
/// A value outside the range of the process, or a site that the others determine.
pub fn nlgp(
    first_row: &[f64],
    gain: f64,
    sites: &[usize],
    values: &[f64],
) -> Result<Conditional, FormError> {
    let (n, root) = (first_row.len(), normalizer(gain).sqrt());
    let latent = |x: &f64| if gain < LINEAR { *x } else { inv_erf(x * root) / gain };
    let z: Vec<f64> = values.iter().map(latent).collect();
    if let Some(at) = z.iter().position(|z| !z.is_finite()) {
        return Err(ParamError::Inconsistent {
            what: format!(
                "a site cannot be {}: its size is below {}",
                Value::Real(values[at]),
                Value::Real(1.0 / root)
            ),
            hint: "bring the values closer to 0, or lower the gain".to_owned(),
        }
        .into());
    }
    let entry = |i: usize, j: usize| first_row[distance(i, j, n)];
    let gaussian = Conditional::gaussian(entry, n, sites, &z).ok_or_else(determined)?;
    if gain < LINEAR {
        return Ok(gaussian);
    }
    // g mu = m / sqrt(1/g^2 + 2 S): with the inverse of the gain nothing overflows.
    let noise = 1.0 / gain / gain;
    let scaled = |j: usize| gaussian.mean[j] / (noise + 2.0 * gaussian.cov[j][j]).sqrt();
    let mu: Vec<f64> = (0..n).map(scaled).collect();
    let mut mean: Vec<f64> = mu.iter().map(|mu| libm::erf(*mu) / root).collect();
    for (&i, &value) in sites.iter().zip(values) {
        mean[i] = value;
    }
    let mut cov = vec![vec![0.0; n]; n];
    for j in 0..n {
        for k in 0..=j {
            let s = [gaussian.cov[j][j], gaussian.cov[k][k], gaussian.cov[j][k]];
            cov[j][k] = FRAC_2_PI / (root * root) * path([mu[j], mu[k]], s, noise);
            cov[k][j] = cov[j][k];
        }
    }
    Ok(Conditional { mean, cov })
}

/// The integral over $`\varphi`$ for scaled means $`g\mu`$, variances and covariance `s`, and $`1/g^2`$.
fn path([mu_j, mu_k]: [f64; 2], [s_j, s_k, s]: [f64; 3], noise: f64) -> f64 {
    if s_j.min(s_k) <= 0.0 {
        return 0.0;
    }
    // D_j D_k cos^2 = 1 + 2 g^2 (s_j + s_k) + 4 g^4 (s_j s_k - s^2), without the difference of two near 1, over g^4.
    let cos = noise * (noise + 2.0 * (s_j + s_k)) + 4.0 * (s_j * s_k - s * s).max(0.0);
    let end = libm::atan2(2.0 * s, cos.sqrt());
    let (apart, along) = (mu_j - mu_k, 2.0 * mu_j * mu_k);
    let rate = |phi: f64| {
        let (sin, cos) = libm::sincos(phi);
        libm::exp(-(apart / cos) * (apart / cos) - along / (1.0 + sin))
    };
    end * adaptive(|t| rate(end * t), 0.0, 1.0, 1e-13).value
}

fn determined() -> FormError {
    ParamError::Inconsistent {
        what: "one of the given sites is determined by the others".to_owned(),
        hint: "give fewer sites, further apart, or a smaller xi".to_owned(),
    }
    .into()
}

params! {
    /// Arguments of `conditional.nlgp`.
    pub struct Args {
        /// Ring size.
        n: usize = 12, between(2.0, 400.0), "sites";
        /// Correlation length.
        xi: f64 = 2.0, finite_above(0.0), "sites";
        /// Gain of the nonlinearity.
        gain: f64 = 3.0, finite_above(0.0), "";
        /// The sites whose values are given, counted from 0.
        sites: Vec<f64> = vec![0.0, 3.0], at_least(0.0), "sites";
        /// Their values.
        values: Vec<f64> = vec![0.9, -0.5], finite(), "";
        /// Covariance kernel of the latent Gaussian.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        sites("sites", &self.sites, self.n)?;
        if self.sites.len() == self.values.len() {
            return Ok(());
        }
        let (sites, values) = (self.sites.len(), self.values.len());
        Err(ParamError::Inconsistent {
            what: format!("`sites` has {sites} entries and `values` has {values}"),
            hint: "give one value per site".to_owned(),
        })
    }
}

impl Args {
    fn value(&self, regression: bool) -> Result<Value, FormError> {
        let row = RingKernel::new(self.n, self.xi, self.kernel)?.first_row;
        let at = sites("sites", &self.sites, self.n)?;
        let given = nlgp(&row, self.gain, &at, &self.values)?;
        if !regression {
            return Ok(given.into());
        }
        let entry = |i: usize, j: usize| cov(row[distance(i, j, self.n)], self.gain);
        Conditional::gaussian(entry, self.n, &at, &self.values)
            .map(Value::from)
            .ok_or_else(determined)
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "conditional.nlgp",
    text: include_str!("nlgp.rs"),
    control: Control {
        what: "linear regression on the values with the covariance of the process, as for a Gaussian",
        eval: |given| with(given, |a: Args| a.value(true)),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| a.value(false)),
};
