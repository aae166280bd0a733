//! Contraction of gradient descent on a quadratic loss, and its limits.
//!
//! ```math
//! \rho=\max_i|1-\eta\lambda_i|,\qquad\eta<\frac2{\lambda_{\max}},\qquad\eta_*=\frac2{\lambda_{\min}+\lambda_{\max}},\quad\rho_*=\frac{\kappa-1}{\kappa+1}
//! ```
//!
//! # Source
//! Lectures, topic 4; claims T04.1, T04.2. The printed factor $`1-\eta\lambda_{\min}`$ needs $`\eta\le\eta_*`$.
//!
//! # Symbols
//! * $`\lambda_i`$: `eigs`, eigenvalues of the Hessian, which are those of the tangent kernel (over $`m`$ for an
//!   averaged loss)
//! * $`\eta`$: `lr`
//! * $`\rho`$: `factor`
//!
//! # Holds when
//! Quadratic loss; other losses near a minimum. Errors shrink if `factor` is below 1, that is, `lr` below `limit`.
//!
//! # Checked by
//! Reference values (`tests/oracle`); steps of descent in the check `learning-rates`.

use crate::form::{Control, Form, with};
use fovea_core::params::{Schema, finite_above};
use fovea_core::{Params, Value, params};

/// $`\max_i|1-\eta\lambda_i|`$.
pub fn factor(eigs: &[f64], lr: f64) -> f64 {
    eigs.iter().fold(0.0, |most, e| most.max((1.0 - lr * e).abs()))
}

/// The least and the largest eigenvalue.
fn ends(eigs: &[f64]) -> (f64, f64) {
    (eigs.iter().copied().fold(f64::INFINITY, f64::min), eigs.iter().copied().fold(0.0, f64::max))
}

impl Args {
    fn table(&self, factor: f64) -> Value {
        let (least, most) = ends(&self.eigs);
        Value::table([
            ("factor", factor.into()),
            ("best_lr", (2.0 / (least + most)).into()),
            ("best_factor", ((most - least) / (most + least)).into()),
            ("limit", (2.0 / most).into()),
        ])
    }
}

params! {
    /// Arguments of `rates.contraction`.
    pub struct Args {
        /// Eigenvalues of the Hessian.
        eigs: Vec<f64> = vec![0.5, 3.0], finite_above(0.0), "";
        /// Learning rate.
        lr: f64 = 0.6, finite_above(0.0), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "rates.contraction",
    text: include_str!("contraction.rs"),
    control: Control {
        what: "the printed factor 1 - lr lambda_min",
        eval: |given| {
            with(given, |a: Args| {
                let (least, _) = ends(&a.eigs);
                Ok(a.table((1.0 - a.lr * least).abs()))
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(a.table(factor(&a.eigs, a.lr)))),
};
