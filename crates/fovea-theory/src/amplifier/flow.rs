//! Velocity of one ReLU unit under the localization amplifier, for any distribution of a site.
//!
//! ```math
//! \dot w=\tfrac14\Big[\varphi\Big(\frac{C_1w}{\sqrt{w^\top C_1w}}\Big)-(C_0+C_1)\,w\Big]
//! ```
//!
//! # Source
//! Equation (5) of lufkin2024, in the clock of the loss L = 1/2 E(yhat - y)^2. Their figure's program subtracts half of
//! $`(C_0+C_1)w`$.
//!
//! # Symbols
//! * $`C_1`$: covariance of the sites of class pos, not of the latent field
//! * $`C_0`$: the same of class neg
//! * $`\varphi`$: `amplifier.phi`
//! * $`t`$: steps times learning rate (a loss without its 1/2 runs twice as fast)
//!
//! # Holds when
//! Where `amplifier.phi` is the gated mean: early in training, while many weights contribute to the preactivation, and
//! for weak dependence. Exact for Gaussian data.
//!
//! # Checked by
//! The Gaussian flow and the doubled fields of the published program (`amplifier_flow`); trained networks.

use super::phi::phi;
use super::{class_rows, through};
use crate::form::{Control, Form, FormError, bump, one_entry_per_site, with};
use crate::site::{Site, SiteLaw};
use crate::unit_flow::ClassRows;
use fovea_core::params::{Schema, above, any, at_least, between, finite, finite_above};
use fovea_core::ring::{Kernel, RingKernel, circulant_apply};
use fovea_core::{ParamError, Params, Value, params};

/// The velocity at the weights `w`.
///
/// ```
/// use fovea_theory::{site::Site, unit_flow::ClassRows};
/// let rows = ClassRows { pos: vec![1.0, 0.0], neg: vec![1.0, 0.0] };
/// let v = fovea_theory::amplifier::flow::velocity(Site::Nlgp { gain: f64::INFINITY }, &rows, &[0.5, 0.0]);
/// assert_eq!(v, [0.0, 0.0]);
/// ```
pub fn velocity(site: Site, rows: &ClassRows, w: &[f64]) -> Vec<f64> {
    rows.velocity(&through(&rows.pos, w, |a| phi(site, a)), w)
}

params! {
    /// Arguments of `amplifier.flow`.
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
        k: f64 = 10.0, at_least(2.001), "";
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
    /// The distribution and the covariances.
    pub(super) fn data(&self) -> Result<(Site, ClassRows), FormError> {
        let site = Site::new(self.marginal, self.gain, self.k);
        let row = |xi| RingKernel::new(self.n, xi, self.kernel).map(|kernel| kernel.first_row);
        Ok((site, class_rows(site, &row(self.xi_pos)?, &row(self.xi_neg)?)))
    }

    /// The published program's step, with half of the decay.
    fn published(&self) -> Result<Value, FormError> {
        let (site, rows) = self.data()?;
        let decay = circulant_apply(&rows.sum(), &self.w);
        let right = velocity(site, &rows, &self.w);
        let wrong: Vec<f64> = right.iter().zip(decay).map(|(v, d)| v + 0.125 * d).collect();
        Ok(Value::reals(&wrong))
    }

    fn value(&self) -> Result<Value, FormError> {
        let (site, rows) = self.data()?;
        Ok(Value::reals(&velocity(site, &rows, &self.w)))
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "amplifier.flow",
    text: include_str!("flow.rs"),
    control: Control {
        what: "the published program, which subtracts half of (C0+C1)w",
        eval: |given| with(given, |a: Args| a.published()),
    },
    schema: Args::schema,
    moves: Some("w"),
    eval: |given| with(given, |a: Args| a.value()),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relu::flow_single;

    #[test]
    fn gaussian_sites_have_the_gaussian_velocity() {
        for n in [2, 3, 12] {
            let w: Vec<f64> = (0..n).map(|i| (i * i % 7) as f64 - 2.5).collect();
            let args = Args { n, w, xi_pos: 0.9, marginal: SiteLaw::Gaussian, ..Args::default() };
            let (site, rows) = args.data().unwrap();
            let want = flow_single::velocity(&rows.pos, &rows.neg, &args.w);
            for (got, want) in velocity(site, &rows, &args.w).iter().zip(want) {
                assert!((got - want).abs() < 1e-15, "n={n}: {got} {want}");
            }
        }
    }
}
