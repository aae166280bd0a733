//! Rates at which one ReLU unit approaches or leaves its stationary point at frequency k.
//!
//! ```math
//! \nu_j=-\tfrac14\lambda^1_j(q_j-q_k)\;\;(j\ne k),\qquad\nu_k=0,\qquad\nu_{\mathrm{radial}}=-\tfrac14(\lambda^0_k+\lambda^1_k),\qquad
//! q_j=\frac{\lambda^0_j}{\lambda^1_j}
//! ```
//!
//! # Source
//! The question after note 003 (31), answered by claim L003.16; the times of claim L003.59.
//!
//! # Symbols
//! * $`\lambda^1`$: class pos
//! * $`\lambda^0`$: class neg
//! * $`q_j`$: their ratio, neg over pos
//! * $`\nu`$: `rates`, eigenvalues of the Jacobian of the flow by frequency, with the multiplicity of the mode (a
//!   relaxation time is one over the size of a rate)
//! * $`\nu_{\mathrm{radial}}`$: `radial`, the rate of the norm (at $`k`$ itself the phase is free, with rate 0)
//!
//! # Holds when
//! As `relu.steady`: class pos has variance at `k`. A mode without variance in class pos decays at
//! $`\tfrac14\lambda^0_j`$. Elliptical data have the same rates, because their constant only scales the stationary
//! point.
//!
//! # Checked by
//! The catalogue's times; eigenvalues of a numerical Jacobian (`tests/relu_flow`).

use crate::form::{Control, Form, FormError, with};
use crate::gaussian_flow::GaussianFlow;
use fovea_core::params::{Schema, any, at_least, between, finite_above};
use fovea_core::ring::Kernel;
use fovea_core::{ParamError, Params, Value, params};

/// The eigenvalues of the Jacobian at a stationary point.
#[derive(Clone, Debug, PartialEq)]
pub struct Relaxation {
    /// Rate of each frequency `0..=n/2`, negative where it decays; 0 at the frequency of the point.
    pub rates: Vec<f64>,
    /// Rate of the norm.
    pub radial: f64,
    /// The longest time of the decaying rates, that of the norm included.
    pub slowest: f64,
    /// The largest rate of growth, 0 at a stable point.
    pub growth: f64,
}

impl From<Relaxation> for Value {
    fn from(point: Relaxation) -> Self {
        Self::table([
            ("rates", Self::reals(&point.rates)),
            ("radial", point.radial.into()),
            ("slowest", point.slowest.into()),
            ("growth", point.growth.into()),
        ])
    }
}

/// The rates at the stationary point of frequency `k`, if class pos has variance there; eigenvalues are listed for `k = 0..n`.
///
/// ```
/// let point = fovea_theory::relu::relaxation::relaxation(&[2.0, 1.0], &[1.0, 1.0], 0).unwrap();
/// assert!((point.rates[1] + 0.125).abs() < 1e-15 && (point.radial + 0.75).abs() < 1e-15);
/// ```
pub fn relaxation(eigs_pos: &[f64], eigs_neg: &[f64], k: usize) -> Option<Relaxation> {
    let (pos, neg) = (eigs_pos[k], eigs_neg[k]);
    if pos <= 0.0 {
        return None;
    }
    // L003.16 multiplied by lambda^1_j, so that a mode without variance in class pos has a rate.
    let rate = |j: usize| {
        if j == k { 0.0 } else { -0.25 * (eigs_neg[j] - eigs_pos[j] * (neg / pos)) }
    };
    let rates: Vec<f64> = (0..=eigs_pos.len() / 2).map(rate).collect();
    let radial = -0.25 * (pos + neg);
    let decaying = rates.iter().copied().filter(|rate| *rate < 0.0);
    let slowest = -1.0 / decaying.fold(radial, f64::max);
    let growth = rates.iter().copied().fold(0.0, f64::max);
    Some(Relaxation { rates, radial, slowest, growth })
}

params! {
    /// Arguments of `relu.relaxation`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
        /// Correlation length of class pos, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class neg, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Frequency of the stationary point, at most n/2.
        k: usize = 0, at_least(0.0), "cycles";
        /// Covariance kernel.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        let highest = self.n / 2;
        if self.k <= highest {
            return Ok(());
        }
        Err(ParamError::Inconsistent {
            what: format!("`k` is {} on a ring of n = {} sites", self.k, self.n),
            hint: format!("choose k <= {highest}"),
        })
    }
}

impl Args {
    fn value(&self) -> Result<(GaussianFlow, Relaxation), FormError> {
        let flow = GaussianFlow::on_ring(self.n, self.xi_pos, self.xi_neg, self.kernel)?;
        let point = relaxation(&flow.eigs_pos, &flow.eigs_neg, self.k);
        Ok((flow, point.ok_or(FormError::NoSteadyState { k: self.k })?))
    }

    /// The decay by the second term alone, "the largest eigenvalues are shrunk fastest" (note 001 after (147)).
    fn without_teacher(&self) -> Result<Relaxation, FormError> {
        let (flow, point) = self.value()?;
        let rate = |j: usize| -0.25 * (flow.eigs_pos[j] + flow.eigs_neg[j]);
        let rates: Vec<f64> = (0..=self.n / 2).map(rate).collect();
        let slowest = -1.0 / rates.iter().copied().fold(point.radial, f64::max);
        Ok(Relaxation { rates, slowest, growth: 0.0, ..point })
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "relu.relaxation",
    text: include_str!("relaxation.rs"),
    control: Control {
        what: "note 001 after (147): the decay by the input-input term alone",
        eval: |given| with(given, |a: Args| Ok(a.without_teacher()?.into())),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(a.value()?.1.into())),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_times_are_those_of_the_catalogue() {
        // L003.59, n = 40, (2, 1): 123.7 at |k| = 1, 32.4 at |k| = 2, 0.75 for the norm.
        let (_, point) = Args::default().value().unwrap();
        assert!((-1.0 / point.rates[1] - 123.7).abs() < 0.05);
        assert!((-1.0 / point.rates[2] - 32.4).abs() < 0.05);
        assert!((-1.0 / point.radial - 0.75).abs() < 0.005);
        assert!((point.slowest + 1.0 / point.rates[1]).abs() < 1e-9);
        assert!(point.growth == 0.0 && point.rates[0] == 0.0);
    }

    #[test]
    fn a_mode_without_variance_in_class_pos_decays_and_the_point_itself_needs_some() {
        let point = relaxation(&[2.0, 0.0], &[1.0, 3.0], 0).unwrap();
        assert!((point.rates[1] + 0.75).abs() < 1e-15);
        assert!(relaxation(&[2.0, 0.0], &[1.0, 3.0], 1).is_none());
        let away = relaxation(&[2.0, 1.0], &[1.0, 1.0], 1).unwrap();
        assert!(away.growth > 0.0 && (away.slowest - 2.0).abs() < 1e-15);
    }
}
