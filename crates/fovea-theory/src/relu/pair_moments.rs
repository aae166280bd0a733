//! Probability that two Gaussian variables are both positive, and their second moments restricted to this.
//!
//! ```math
//! P=\frac{\pi-\theta}{2\pi},\quad E[S^2;S,T>0]=\frac{\rho_{ss}}{2\pi}(\pi-\theta+\sin\theta\cos\theta),\quad
//! E[ST;S,T>0]=\frac{\sqrt{\rho_{ss}\rho_{tt}}}{2\pi}(\sin\theta+(\pi-\theta)\cos\theta)
//! ```
//!
//! # Source
//! Note 001 (21)-(30) corrected; claims L001.14, L001.15. The note exchanges the variances in its density, so that its
//! (25) is the moment of $`T^2`$, and its (30) is wrong. The last moment is the arc-cosine kernel of cho2009.
//!
//! # Symbols
//! * $`\rho_{ss}`$: `var_s`, the note's $`\rho_{11}`$
//! * $`\rho_{tt}`$: `var_t`, the note's $`\rho_{kk}`$
//! * $`\rho_{st}`$: `cov`, the note's $`\rho_{1k}`$
//! * $`\theta`$: the angle whose cosine is their correlation, the note's $`\gamma`$
//!
//! # Holds when
//! `cov^2 <= var_s var_t`, refused otherwise; singular pairs included. The moments are unconditional, with the
//! indicator inside. A variable without variance opens no gate. Gaussian data and every elliptical distribution of the
//! same covariance, because each moment is homogeneous of degree 2 (or 0) in the data.
//!
//! # Checked by
//! Reference values (`tests/oracle`); polar quadrature; both singular limits; sampled moments.

use crate::form::{Control, Form, FormError, with};
use crate::pair::Pair;
use fovea_core::params::{Range, Schema, finite, finite_above};
use fovea_core::{ParamError, Params, Value, params};
use std::f64::consts::TAU;

/// The gated moments of two variables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairMoments {
    /// Probability that both are positive.
    pub prob: f64,
    /// Mean square of the first, restricted to both being positive.
    pub s2: f64,
    /// Mean square of the second, restricted to both being positive.
    pub t2: f64,
    /// Mean product, restricted to both being positive.
    pub st: f64,
}

impl From<PairMoments> for Value {
    fn from(both: PairMoments) -> Self {
        Self::table([
            ("prob", both.prob.into()),
            ("s2", both.s2.into()),
            ("t2", both.t2.into()),
            ("st", both.st.into()),
        ])
    }
}

/// The gated moments, if these are variances and a covariance.
///
/// ```
/// let both = fovea_theory::relu::pair_moments::pair_moments(1.0, 4.0, 2.0).unwrap();
/// assert!((both.prob - 0.5).abs() < 1e-15 && (both.st - 1.0).abs() < 1e-15);
/// ```
pub fn pair_moments(var_s: f64, var_t: f64, cov: f64) -> Option<PairMoments> {
    let pair = Pair::from_moments(var_s, var_t, cov)?;
    Some(PairMoments {
        prob: pair.probability(),
        s2: pair.square_s(),
        t2: pair.square_t(),
        st: pair.product(),
    })
}

/// At least 0, infinity excluded.
const VARIANCE: Range = Range { open_low: false, ..finite_above(0.0) };

params! {
    /// Arguments of `relu.pair_moments`.
    pub struct Args {
        /// Variance of the first variable.
        var_s: f64 = 2.0, VARIANCE, "";
        /// Variance of the second variable.
        var_t: f64 = 3.0, VARIANCE, "";
        /// Their covariance, at most the root of the product of the variances.
        cov: f64 = 1.0, finite(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        if Pair::from_moments(self.var_s, self.var_t, self.cov).is_some() {
            return Ok(());
        }
        let most = self.var_s.sqrt() * self.var_t.sqrt();
        Err(ParamError::Inconsistent {
            what: format!(
                "`cov` is {} between variances {} and {}",
                Value::Real(self.cov),
                Value::Real(self.var_s),
                Value::Real(self.var_t)
            ),
            hint: format!("choose cov between {} and {}", Value::Real(-most), Value::Real(most)),
        })
    }
}

impl Args {
    fn value(&self) -> Result<PairMoments, FormError> {
        pair_moments(self.var_s, self.var_t, self.cov).ok_or(FormError::Undefined)
    }

    /// Note 001 (25) and (30) as printed.
    fn source_form(&self) -> Result<PairMoments, FormError> {
        let right = self.value()?;
        let product = self.var_s * self.var_t;
        let gamma = (self.cov / product.sqrt()).clamp(-1.0, 1.0);
        let bend = self.cov / product * (product - self.cov * self.cov).max(0.0).sqrt();
        Ok(PairMoments {
            s2: self.var_t / TAU * (libm::acos(-gamma) + bend),
            t2: self.var_s / TAU * (libm::acos(-gamma) + bend),
            st: self.cov / TAU * (libm::asin(gamma) + bend),
            ..right
        })
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "relu.pair_moments",
    text: include_str!("pair_moments.rs"),
    control: Control {
        what: "note 001 (25) and (30): the variances exchanged, an arcsine in the product",
        eval: |given| with(given, |a: Args| Ok(a.source_form()?.into())),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(a.value()?.into())),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::agree::within;
    use fovea_core::quadrature::adaptive;

    /// The moments by the polar angle: with $`S=\sqrt{\rho_{ss}}R\cos\varphi`$ both gates are open on an arc, and $`ER^2=2`$.
    fn by_arc(var_s: f64, var_t: f64, cov: f64) -> [f64; 4] {
        let gamma = cov / (var_s * var_t).sqrt();
        let start = -libm::asin(gamma);
        let first = |phi: f64| var_s.sqrt() * libm::cos(phi);
        let second = |phi: f64| {
            let sine = ((1.0 - gamma) * (1.0 + gamma)).sqrt();
            var_t.sqrt() * (gamma * libm::cos(phi) + sine * libm::sin(phi))
        };
        let mean = |f: &dyn Fn(f64) -> f64| adaptive(f, start, TAU / 4.0, 1e-14).value / TAU;
        [
            mean(&|_| 1.0),
            2.0 * mean(&|phi| first(phi) * first(phi)),
            2.0 * mean(&|phi| second(phi) * second(phi)),
            2.0 * mean(&|phi| first(phi) * second(phi)),
        ]
    }

    #[test]
    fn polar_quadrature_finds_the_same_moments_and_not_those_of_the_note() {
        for gamma in [-0.95, -0.7, 0.0, 0.2, 0.5, 0.99] {
            let (var_s, var_t) = (2.0_f64, 0.3);
            let cov = gamma * (var_s * var_t).sqrt();
            let PairMoments { prob, s2, t2, st } = pair_moments(var_s, var_t, cov).unwrap();
            let want = by_arc(var_s, var_t, cov);
            for (got, want) in [prob, s2, t2, st].into_iter().zip(want) {
                within(got, want, 1e-12, 1e-15).unwrap();
            }
            let wrong = Args { var_s, var_t, cov }.source_form().unwrap();
            assert!((wrong.s2 - want[1]).abs() > 1e-3 * want[1]);
            assert!((wrong.st - want[3]).abs() > 1e-3 * want[3]);
        }
    }

    #[test]
    fn singular_pairs_are_limits() {
        let same = pair_moments(2.0, 8.0, 4.0).unwrap();
        for (got, want) in [(same.prob, 0.5), (same.s2, 1.0), (same.t2, 4.0), (same.st, 2.0)] {
            within(got, want, 1e-15, 0.0).unwrap();
        }
        let opposite = pair_moments(2.0, 8.0, -4.0).unwrap();
        assert_eq!(opposite, PairMoments { prob: 0.0, s2: 0.0, t2: 0.0, st: 0.0 });
        let error = Args { var_s: 1.0, var_t: 1.0, cov: 1.5 }.check().unwrap_err();
        assert!(error.hint().contains("between -1 and 1"));
    }
}
