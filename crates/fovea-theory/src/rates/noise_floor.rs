//! Stationary variance of descent with noise at a constant learning rate.
//!
//! ```math
//! \mathrm{Var}=\frac{\eta\,s^2}{\lambda(2-\eta\lambda)}
//! ```
//!
//! # Source
//! Lectures, topic 4; claim T04.3.
//!
//! # Symbols
//! * $`\lambda`$: `curvature`
//! * $`s^2`$: `noise`, the variance of the noise of the gradient
//! * $`\eta`$: `lr`
//!
//! # Holds when
//! One direction of a quadratic loss, noise independent of the position, `0 < lr curvature < 2`.
//!
//! # Checked by
//! The recursion of the variance; the sum over past steps in the check `learning-rates`; sampled descent.

use crate::form::{Control, Form, number};
use fovea_core::params::{Schema, at_least, finite_above};
use fovea_core::{ParamError, Params, Value, params};

/// The stationary variance.
///
/// ```
/// let floor = fovea_theory::rates::noise_floor::noise_floor(0.5, 1.0, 1.0);
/// assert!((floor - 1.0 / 3.0).abs() < 1e-15);
/// ```
pub fn noise_floor(lr: f64, curvature: f64, noise: f64) -> f64 {
    lr * noise / (curvature * (2.0 - lr * curvature))
}

params! {
    /// Arguments of `rates.noise_floor`.
    pub struct Args {
        /// Learning rate.
        lr: f64 = 0.5, finite_above(0.0), "";
        /// Second derivative of the loss.
        curvature: f64 = 1.0, finite_above(0.0), "";
        /// Variance of the noise of the gradient.
        noise: f64 = 1.0, at_least(0.0), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        let limit = 2.0 / self.curvature;
        if self.lr < limit {
            return Ok(());
        }
        Err(ParamError::Inconsistent {
            what: format!(
                "`lr` is {}, and the error grows from {} on",
                Value::Real(self.lr),
                Value::Real(limit)
            ),
            hint: format!("choose `lr` below 2 / curvature = {}", Value::Real(limit)),
        })
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "rates.noise_floor",
    text: include_str!("noise_floor.rs"),
    control: Control {
        what: "its limit at small rates, lr s^2 / (2 lambda)",
        eval: |given| number(given, |a: Args| Ok(0.5 * a.lr * a.noise / a.curvature)),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| number(given, |a: Args| Ok(noise_floor(a.lr, a.curvature, a.noise))),
};

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn the_recursion_of_the_variance_rests_there() {
        let (lr, curvature, noise) = (0.7, 1.9, 0.3);
        let step = |v: f64| (1.0 - lr * curvature) * (1.0 - lr * curvature) * v + lr * lr * noise;
        let rest = (0..200).fold(0.0, |v, _| step(v));
        assert!((rest / noise_floor(lr, curvature, noise) - 1.0).abs() < 1e-14);
    }
}
