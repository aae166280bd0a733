//! Gated mean to first order in the fourth cumulants of the data.
//!
//! ```math
//! f(w)=\frac1{\sqrt{2\pi}}\Big\{\Big(1+\frac{\kappa_4[w^4]}{8s^4}\Big)\frac{Cw}s-\frac{\kappa_4[w,w,w,\cdot]}{6s^3}\Big\},\qquad
//! s^2=w^\top Cw
//! ```
//!
//! # Source
//! Derived: half the gradient of $`E|S|=\sqrt{2/\pi}\,s\,(1-\kappa_4[w^4]/24s^4)`$, the first term of the Edgeworth
//! series of $`S=\langle w,X\rangle`$. It connects the tensor of ingrosso2022 with the amplifier of lufkin2024, whose
//! third order has $`4(Cw)_i^3`$ where the weak process has $`(Cw)_i^3+3(C(w\circ(Cw)^2))_i`$, and no radial term.
//!
//! # Symbols
//! * $`C`$: covariance of the data
//! * $`\kappa_4`$: fourth cumulants, by `law`: `nlgp` (exact at any gain), `weak` (their leading order
//!   $`-2g^2\sum_a\prod_{b\ne a}r_{ab}`$ with the latent covariance, which to that order is $`C`$), `ising` (those of
//!   the Ising ring)
//!
//! # Holds when
//! The preactivation is close to Gaussian: cumulants of sixth order and squares of the fourth are dropped. Exact for
//! Gaussian data. The value does not depend on the scale of `w`.
//!
//! # Checked by
//! The gradient of the mean absolute value (`edgeworth_flow`); all states of a ring of spins.

use crate::cumulants::Cumulants;
use crate::edgeworth_flow;
use crate::form::{Control, Form, FormError, bump, one_entry_per_site, with};
use crate::ising;
use crate::relu::f_gauss::f_gauss;
use crate::site::Site;
use fovea_core::params::{Schema, above, any, between, finite, finite_above};
use fovea_core::ring::{Kernel, RingKernel, unfold};
use fovea_core::{ParamError, Params, Value, params};

fovea_core::choice! {
    /// The data of the cumulants.
    pub enum Law {
        /// The nonlinear Gaussian process.
        Nlgp = "nlgp",
        /// The nonlinear Gaussian process at weak gain, to leading order.
        Weak = "weak",
        /// The Ising ring.
        Ising = "ising",
    }
}

/// The gated mean of data with this first row of the covariance and these cumulants.
///
/// ```
/// use fovea_theory::{cumulants::Cumulants, edgeworth::f::f};
/// let signs = Cumulants::ising(3, 0.0);
/// let got = f(&[1.0, 0.0, 0.0], &signs, &[0.0, 2.0, 0.0]);
/// assert!((got[1] - 0.3989422804014327 * 13.0 / 12.0).abs() < 1e-15);
/// ```
pub fn f(row: &[f64], cumulants: &Cumulants, w: &[f64]) -> Vec<f64> {
    edgeworth_flow::gated_mean(row, |w| cumulants.contract(w), w)
}

params! {
    /// Arguments of `edgeworth.f`.
    pub struct Args {
        /// Data whose cumulants are used.
        law: Law = Law::Nlgp, any(), "";
        /// Ring size.
        n: usize = 12, between(2.0, 64.0), "sites";
        /// Correlation length of `nlgp` and `weak`.
        xi: f64 = 2.0, finite_above(0.0), "sites";
        /// Gain of `nlgp` and `weak`; `inf` is the sign, for `nlgp` only.
        gain: f64 = 3.0, above(0.0), "";
        /// Coupling of `ising`.
        coupling: f64 = 0.7, between(-5.0, 5.0), "";
        /// Weights, one per site.
        w: Vec<f64> = bump(12), finite(), "";
        /// Covariance kernel of the latent Gaussian.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        if self.law == Law::Weak && self.gain.is_infinite() {
            return Err(ParamError::Inconsistent {
                what: "`gain` is inf and `law` is weak, the leading order in a small gain"
                    .to_owned(),
                hint: "choose law=nlgp, or a gain below 1".to_owned(),
            });
        }
        one_entry_per_site("w", self.w.len(), self.n)
    }
}

impl Args {
    /// First row of the covariance, and the cumulants.
    fn data(&self) -> Result<(Vec<f64>, Cumulants), FormError> {
        let latent =
            || RingKernel::new(self.n, self.xi, self.kernel).map(|kernel| kernel.first_row);
        Ok(match self.law {
            Law::Nlgp => {
                let latent = latent()?;
                let row = Site::Nlgp { gain: self.gain }.cov_row(&latent);
                (row, Cumulants::nlgp(&latent, self.gain))
            }
            Law::Weak => {
                let latent = latent()?;
                let cumulants = Cumulants::weak(&latent, self.gain);
                (latent, cumulants)
            }
            Law::Ising => {
                let row = unfold(&ising::cov::cov(self.n, self.coupling), self.n);
                (row, Cumulants::ising(self.n, self.coupling))
            }
        })
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "edgeworth.f",
    text: include_str!("f.rs"),
    control: Control {
        what: "the Gaussian gated mean, without the cumulants",
        eval: |given| with(given, |a: Args| Ok(Value::reals(&f_gauss(&a.data()?.0, &a.w)))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| {
        with(given, |a: Args| {
            let (row, cumulants) = a.data()?;
            Ok(Value::reals(&f(&row, &cumulants, &a.w)))
        })
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ising::enumerated;
    use fovea_core::special::normal_quantile;

    /// Relative distance of an approximate gated mean from that of all states.
    fn distance_from_all_states(n: usize, coupling: f64, w: &[f64], got: &[f64]) -> f64 {
        let gate = |x: &[f64]| {
            let s: f64 = x.iter().zip(w).map(|(x, w)| x * w).sum();
            if s > 0.0 { 1.0 } else { 0.0 }
        };
        let exact: Vec<f64> = (0..n).map(|i| enumerated(n, coupling, |x| gate(x) * x[i])).collect();
        let norm = |v: &mut dyn Iterator<Item = f64>| v.map(|x| x * x).sum::<f64>().sqrt();
        norm(&mut got.iter().zip(&exact).map(|(a, b)| a - b)) / norm(&mut exact.iter().copied())
    }

    #[test]
    fn it_is_nearer_to_all_states_of_a_ring_than_the_gaussian_mean() {
        let n = 12;
        for coupling in [0.0, 0.3] {
            let row = unfold(&ising::cov::cov(n, coupling), n);
            let cumulants = Cumulants::ising(n, coupling);
            let (mut edgeworth, mut gaussian) = (0.0, 0.0);
            for start in 0..12 {
                // Normal quantiles at a scrambled golden sequence.
                let place =
                    |i: usize| (0.618_033_988_7 * ((i * i + 17 * start + 1) as f64)).fract();
                let w: Vec<f64> = (0..n).map(|i| normal_quantile(place(i))).collect();
                let gap = |f: &[f64]| distance_from_all_states(n, coupling, &w, f);
                edgeworth += gap(&f(&row, &cumulants, &w)) / 12.0;
                gaussian += gap(&f_gauss(&row, &w)) / 12.0;
            }
            assert!(edgeworth < 0.7 * gaussian, "J={coupling}: {edgeworth} {gaussian}");
        }
    }
}
