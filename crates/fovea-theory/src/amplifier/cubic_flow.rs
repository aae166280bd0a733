//! Velocity of one ReLU unit under the amplifier to third order, by the kurtosis of a site.
//!
//! ```math
//! \dot w=\tfrac14\Big[\sqrt{\tfrac2\pi}\Big(a-\frac{\kappa}{6}a^3\Big)-(C_0+C_1)\,w\Big],\qquad
//! a=\frac{C_1w}{\sqrt{w^\top C_1w}}
//! ```
//!
//! # Source
//! Claim 3.2 of lufkin2024, put into its equation (5). Their program has the cubic term without $`\sqrt{2/\pi}`$.
//!
//! # Symbols
//! * $`C_1`$: covariance of the sites of class pos, as in `amplifier.flow`
//! * $`C_0`$: the same of class neg
//! * $`\kappa`$: excess kurtosis of a site, their kurtosis minus 3
//!
//! # Holds when
//! As `amplifier.flow`: early in training and for weak dependence. In addition every `|a_i|` must be small, and the
//! distribution must have a fourth moment.
//!
//! # Checked by
//! `amplifier.flow` at weights of small `a`; the Gaussian flow (`amplifier_flow`).

use super::taylor::{published, taylor};
use super::{class_rows, through};
use crate::form::{Control, Form, FormError, bump, one_entry_per_site, with};
use crate::site::{Site, SiteLaw};
use crate::unit_flow::ClassRows;
use fovea_core::params::{Schema, above, any, between, finite, finite_above};
use fovea_core::ring::{Kernel, RingKernel};
use fovea_core::{ParamError, Params, Value, params};

/// The velocity at the weights `w` for sites of this excess kurtosis.
///
/// ```
/// use fovea_theory::unit_flow::ClassRows;
/// let rows = ClassRows { pos: vec![1.0, 0.0], neg: vec![1.0, 0.0] };
/// let v = fovea_theory::amplifier::cubic_flow::velocity(0.0, &rows, &[0.0, 0.0]);
/// assert_eq!(v, [0.0, 0.0]);
/// ```
pub fn velocity(excess_kurtosis: f64, rows: &ClassRows, w: &[f64]) -> Vec<f64> {
    rows.velocity(&through(&rows.pos, w, |a| taylor(excess_kurtosis, a)), w)
}

params! {
    /// Arguments of `amplifier.cubic_flow`.
    pub struct Args {
        /// Ring size.
        n: usize = 12, between(2.0, 1e3), "sites";
        /// Correlation length of class pos, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class neg, label 0.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Weights, one per site.
        w: Vec<f64> = bump(12), finite(), "";
        /// Distribution of a site.
        marginal: SiteLaw = SiteLaw::Nlgp, any(), "";
        /// Gain of `nlgp`; `inf` is the sign.
        gain: f64 = 3.0, above(0.0), "";
        /// Exponent of `kur`.
        k: f64 = 10.0, above(2.0), "";
        /// Covariance kernel of the latent Gaussian.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        one_entry_per_site("w", self.w.len(), self.n)
    }
}

impl Args {
    fn value(&self, third_order: fn(f64, f64) -> f64) -> Result<Value, FormError> {
        let site = Site::with_fourth_moment(self.marginal, self.gain, self.k)?;
        let row = |xi| RingKernel::new(self.n, xi, self.kernel).map(|kernel| kernel.first_row);
        let rows = class_rows(site, &row(self.xi_pos)?, &row(self.xi_neg)?);
        let kurtosis = site.excess_kurtosis();
        let f = through(&rows.pos, &self.w, |a| third_order(kurtosis, a));
        Ok(Value::reals(&rows.velocity(&f, &self.w)))
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "amplifier.cubic_flow",
    text: include_str!("cubic_flow.rs"),
    control: Control {
        what: "the cubic term without sqrt(2/pi), as in the published program",
        eval: |given| with(given, |a: Args| a.value(published)),
    },
    schema: Args::schema,
    moves: Some("w"),
    eval: |given| with(given, |a: Args| a.value(taylor)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amplifier::flow;
    use crate::nlgp::excess_kurtosis::excess_kurtosis;

    #[test]
    fn it_is_the_amplifier_where_many_weights_share_the_preactivation() {
        let n = 400;
        let mut row = vec![0.0; n];
        row[0] = 1.0;
        let rows = ClassRows { pos: row.clone(), neg: row };
        let w: Vec<f64> = (0..n).map(|i| (i * i % 7) as f64 - 2.5).collect();
        let whole = flow::velocity(Site::Nlgp { gain: 1.0 }, &rows, &w);
        let third = velocity(excess_kurtosis(1.0), &rows, &w);
        for (a, b) in whole.iter().zip(third) {
            // a is at most 0.09; the next term is of order a^5.
            assert!((a - b).abs() < 1e-6, "{a} {b}");
        }
    }
}
