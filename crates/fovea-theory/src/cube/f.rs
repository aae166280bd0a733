//! Gated mean of binary data, the teacher term of a ReLU unit, over all corners of the cube.
//!
//! ```math
//! f(w)=E\big[\mathbf 1(\langle w,x\rangle\ge0)\,x\big]=\tfrac12E\big[\mathrm{sgn}\langle w,x\rangle\,x\big],\qquad x\in\{\pm1\}^n
//! ```
//!
//! # Source
//! Note 000 (5), (8)-(12); claims L000.22-25, which replace $`\Sigma`$ by $`\tfrac12C`$ and the third bump by a
//! majority.
//!
//! # Symbols
//! * $`x`$: spins: signs of Gaussians, an Ising ring, or independent
//! * $`w`$: `w`
//! * $`C`$: covariance of the spins, not of the Gaussians behind their signs
//!
//! # Holds when
//! A distribution symmetric under x -> -x. Corners on the hyperplane count half, and no convention for ties then
//! changes the value. The distribution of signs of Gaussians has a closed form up to five sites; the Ising ring and
//! independent spins are summed up to 44.
//!
//! # Checked by
//! Reference values (`tests/oracle`); plain enumeration under both conventions for ties (`spins`); sampled gated means.

use super::{OnCube, largest};
use crate::form::{Control, Form, FormError, with};
use crate::spins::Spins;
use fovea_core::params::{Schema, finite};
use fovea_core::{ParamError, Params, Value, params};

/// The gated mean.
///
/// ```
/// use fovea_theory::{Spins, cube::f::f};
/// // Three equal bumps vote: no maximum is extracted, the second spin counts like the others.
/// let f = f(&Spins::independent(4)?, &[2.0, 1.5, 1.0, 0.0]);
/// assert_eq!(f, [0.25, 0.25, 0.25, 0.0]);
/// # Ok::<(), fovea_theory::spins::SpinsError>(())
/// ```
pub fn f(spins: &Spins, w: &[f64]) -> Vec<f64> {
    spins.gated_mean(w)
}

/// Note 000 (8), (10)-(12): the column of the largest weight, without its 1/2.
fn extracted(spins: &Spins, w: &[f64]) -> Vec<f64> {
    let peak = largest(w);
    (0..w.len()).map(|i| w[peak].signum() * spins.cov(peak, i)).collect()
}

params! {
    /// Arguments of `cube.f`.
    pub struct Args {
        ..on: OnCube;
        /// Weights, one per site.
        w: Vec<f64> = vec![1.0, 0.7, -0.4, 0.2], finite(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        self.on.check_weights(&self.w)
    }
}

impl Args {
    fn value(&self, f: fn(&Spins, &[f64]) -> Vec<f64>) -> Result<Value, FormError> {
        Ok(Value::reals(&f(&self.on.spins()?, &self.w)))
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "cube.f",
    text: include_str!("f.rs"),
    control: Control {
        what: "note 000 (8), (10)-(12): the column of the largest weight, without its 1/2",
        eval: |given| with(given, |a: Args| a.value(extracted)),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| a.value(f)),
};
