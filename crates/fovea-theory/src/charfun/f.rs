//! Gated mean and mean absolute preactivation from the characteristic function of the data.
//!
//! ```math
//! f_j(w)=\frac1\pi\int_0^\infty E[X_j\sin(\eta\langle w,X\rangle)]\frac{d\eta}\eta,\qquad
//! E|\langle w,X\rangle|=\frac2\pi\int_0^\infty\big(1-\mathrm{Re}\,\varphi_X(\eta w)\big)\frac{d\eta}{\eta^2}
//! ```
//!
//! # Source
//! Claim L000.51, derived; the introductions of notes 001 and 003 promise it.
//!
//! # Symbols
//! * $`\eta`$: the frequency
//! * $`X`$: data of `law`, with `xi` or `dof`: `signs` (independent, +1 or -1), `gaussian`, `laplace` and `student` (a
//!   Gaussian times $`\sqrt V`$, with $`V`$ exponential or inverse-gamma of mean 1)
//!
//! # Holds when
//! Every symmetric distribution. For independent signs $`E[X_j\sin\eta S]=\sin(\eta w_j)\prod_{i\ne j}\cos(\eta w_i)`$,
//! an integral of Borwein's kind: it is constant once one weight exceeds the sum of the others. For mixtures
//! $`E[X_j\sin\eta S]=\eta(\Sigma w)_jE[Ve^{-\eta^2s^2V/2}]`$. The integrand for signs does not decay. Damped by
//! $`e^{-\varepsilon^2\eta^2/2}`$ it belongs to a gate smoothed over $`\varepsilon`$, which differs from the gate at no
//! preactivation when $`\varepsilon`$ is a ninth of the smallest sum of `+-w_i` that is not 0, and the trapezoidal sum
//! of a band-limited integrand is its integral. The number of terms grows as the sum of `|w_i|` over that smallest sum:
//! at most 24 signs, and `n` times that ratio at most 1e6, are allowed; others are refused.
//!
//! # Checked by
//! All states of up to ten signs; closed forms of the mixtures; a dominant weight.

use super::{Gated, inverse_gamma, scale_mixture, signs, sums};
use crate::form::{Control, Form, FormError, bump, one_entry_per_site, with};
use fovea_core::params::{Schema, any, between, finite, finite_above};
use fovea_core::ring::{Kernel, RingKernel};
use fovea_core::{ParamError, Params, params};

fovea_core::choice! {
    /// Name of a distribution with a known characteristic function.
    pub enum Law {
        /// Independent signs.
        Signs = "signs",
        /// Gaussian.
        Gaussian = "gaussian",
        /// A Gaussian times the root of an exponential variable.
        Laplace = "laplace",
        /// Multivariate t.
        Student = "student",
    }
}

params! {
    /// Arguments of `charfun.f`.
    pub struct Args {
        /// Distribution of the data.
        law: Law = Law::Signs, any(), "";
        /// Ring size; at most 24 for `signs`.
        n: usize = 12, between(2.0, 1e3), "sites";
        /// Correlation length, not used by `signs`, which are independent.
        xi: f64 = 2.0, finite_above(0.0), "sites";
        /// Weights, one per site.
        w: Vec<f64> = bump(12), finite(), "";
        /// Degrees of freedom of `student`.
        dof: f64 = 5.0, between(2.1, 1e3), "";
        /// Covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        one_entry_per_site("w", self.w.len(), self.n)?;
        if self.law != Law::Signs || self.n <= 24 {
            return Ok(());
        }
        let what = format!("`n` is {}; the smallest sum is found for at most 24 signs", self.n);
        Err(ParamError::Inconsistent { what, hint: "choose n <= 24".to_owned() })
    }
}

impl Args {
    /// The error that some sum of the weights is too small.
    fn too_close(&self, w: &[f64]) -> ParamError {
        let reach: f64 = w.iter().map(|w| w.abs()).sum();
        let ratio = self.n as f64 * reach / sums(w).smallest;
        ParamError::Inconsistent {
            what: format!(
                "n times the sum of |w_i| is {ratio:.3e} times the smallest |sum of +-w_i| that is not 0; at most 1e6 times is allowed"
            ),
            hint: "round the weights, so that sums of them are equal or far apart".to_owned(),
        }
    }

    fn value(&self) -> Result<Gated, FormError> {
        // Only the direction matters; at unit scale no square under- or overflows.
        let scale = self.w.iter().fold(0.0, |top: f64, x| top.max(x.abs()));
        let w: Vec<f64> =
            self.w.iter().map(|x| if scale > 0.0 { x / scale } else { 0.0 }).collect();
        let row = || RingKernel::new(self.n, self.xi, self.kernel).map(|kernel| kernel.first_row);
        let gated = match self.law {
            Law::Signs => signs(&w).ok_or_else(|| self.too_close(&w))?,
            Law::Gaussian => scale_mixture(&row()?, &w, |t| -libm::expm1(-t), |t| libm::exp(-t)),
            Law::Laplace => {
                scale_mixture(&row()?, &w, |t| t / (1.0 + t), |t| 1.0 / ((1.0 + t) * (1.0 + t)))
            }
            Law::Student => {
                let rise = |t: f64| inverse_gamma(self.dof, |v| -libm::expm1(-t * v));
                let slope = |t: f64| inverse_gamma(self.dof, |v| v * libm::exp(-t * v));
                scale_mixture(&row()?, &w, rise, slope)
            }
        };
        Ok(Gated { mean_abs: scale * gated.mean_abs, ..gated })
    }

    /// The Gaussian gate of the same covariance.
    fn gaussian(&self) -> Result<Gated, FormError> {
        let mut args = self.clone();
        if self.law == Law::Signs {
            // Independent sites: a length at which no two are correlated.
            args.xi = 1e-3;
        }
        if self.law == Law::Gaussian {
            let right = self.value()?;
            let f = right.f.iter().map(|f| 2.0 * f).collect();
            return Ok(Gated { f, mean_abs: right.mean_abs });
        }
        Self { law: Law::Gaussian, ..args }.value()
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "charfun.f",
    text: include_str!("f.rs"),
    control: Control {
        what: "the Gaussian gate of the same covariance (for Gaussian data the conditional mean, twice as large)",
        eval: |given| with(given, |a: Args| Ok(a.gaussian()?.into())),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(a.value()?.into())),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elliptical::Radial;
    use crate::elliptical::half_mean_abs::half_mean_abs;
    use crate::ising::enumerated;
    use crate::relu::f_gauss::f_gauss;
    use std::f64::consts::PI;

    #[test]
    fn all_states_of_independent_signs_agree() {
        for w in [
            vec![1.0, 0.4],
            vec![1.0, 1.0],
            vec![0.9, -0.5, 0.3, 0.15],
            vec![3.0, 1.0, 1.0, -0.5, 0.25],
            (0..10).map(|i| libm::sin(1.0 + f64::from(i * i))).collect(),
        ] {
            let sum = |x: &[f64]| x.iter().zip(&w).map(|(x, w)| x * w).sum::<f64>();
            let gated = signs(&w).unwrap();
            let half_sign = |s: f64| if s.abs() < 1e-12 { 0.0 } else { 0.5_f64.copysign(s) };
            for (i, f) in gated.f.iter().enumerate() {
                let exact = enumerated(w.len(), 0.0, |x| half_sign(sum(x)) * x[i]);
                assert!((f - exact).abs() < 1e-13, "{w:?} {i}: {f} {exact}");
            }
            let exact = enumerated(w.len(), 0.0, |x| sum(x).abs());
            assert!((gated.mean_abs / exact - 1.0).abs() < 1e-13, "{w:?}");
            let euler: f64 = gated.f.iter().zip(&w).map(|(f, w)| 2.0 * f * w).sum();
            assert!((gated.mean_abs / euler - 1.0).abs() < 1e-12, "{w:?}");
        }
    }

    #[test]
    fn scale_mixtures_have_their_closed_constants() {
        let value = |law: Law, dof: f64| {
            let args = Args { law, dof, ..Args::default() };
            let row = RingKernel::new(12, 2.0, Kernel::Ring).unwrap().first_row;
            let unit = f_gauss(&row, &args.w).iter().map(|f| f * (2.0 * PI).sqrt()).collect();
            (args.value().unwrap(), args.w, unit)
        };
        let gaussian = 1.0 / (2.0 * PI).sqrt();
        for (law, dof, constant) in [
            (Law::Gaussian, 5.0, gaussian),
            (Law::Laplace, 5.0, half_mean_abs(Radial::Laplace, 12)),
            (Law::Student, 5.0, half_mean_abs(Radial::Student { dof: 5.0 }, 12)),
            (Law::Student, 2.1, half_mean_abs(Radial::Student { dof: 2.1 }, 12)),
            (Law::Student, 2.5, half_mean_abs(Radial::Student { dof: 2.5 }, 12)),
            (Law::Student, 200.0, half_mean_abs(Radial::Student { dof: 200.0 }, 12)),
        ] {
            let (gated, w, unit): (Gated, Vec<f64>, Vec<f64>) = value(law, dof);
            for (f, unit) in gated.f.iter().zip(unit) {
                assert!(
                    (f - constant * unit).abs() < 1e-12,
                    "{law:?} {dof}: {f} {}",
                    constant * unit
                );
            }
            let euler: f64 = gated.f.iter().zip(&w).map(|(f, w)| 2.0 * f * w).sum();
            assert!(
                (gated.mean_abs / euler - 1.0).abs() < 1e-12,
                "{law:?} {dof}: {}",
                gated.mean_abs
            );
        }
    }

    #[test]
    fn a_dominant_weight_freezes_the_mean_and_a_tiny_sum_is_refused() {
        for lead in [1.75, 2.5, 40.0] {
            let gated = signs(&[lead, 0.5, -0.75, 0.25]).unwrap();
            assert!((gated.f[0] - 0.5).abs() < 1e-13 && gated.f[1].abs() < 1e-13, "{lead}");
        }
        let args = Args { n: 2, w: vec![1.0, 1.0 + 1e-9], ..Args::default() };
        assert!(args.value().unwrap_err().hint().contains("round the weights"));
        let none = Args { n: 2, w: vec![0.0, 0.0], ..Args::default() };
        assert_eq!(none.value().unwrap().f, [0.0, 0.0]);
    }
}
