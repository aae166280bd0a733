//! Variance of descent with noise under a learning rate that decreases as one over the step.
//!
//! ```math
//! v_t=(1-\tfrac{c\lambda}t)^2v_{t-1}+\tfrac{c^2}{t^2}s^2,\qquad t\,v_t\to\frac{c^2s^2}{2c\lambda-1}\quad(2c\lambda>1)
//! ```
//!
//! # Source
//! Lectures, topic 4; claim T04.4, whose limit needs $`2c\lambda>1`$.
//!
//! # Symbols
//! * $`c`$: `scale`, of $`\eta_t=c/t`$
//! * $`\lambda`$: `curvature`
//! * $`s^2`$: `noise`
//! * $`v_0`$: `start`
//! * $`t\,v_t`$: `scaled`, after `steps`
//!
//! # Holds when
//! One direction of a quadratic loss. If `2 scale curvature` is 1 the variance decreases as $`\ln t/t`$, and below as
//! $`t^{-2c\lambda}`$: `limit` is `inf` there, and so are values that overflow.
//!
//! # Checked by
//! Reference values (`tests/oracle`); the three rates of decay; sums of products in the check `learning-rates`.

use crate::form::{Control, Form, with};
use fovea_core::params::{Schema, at_least, between, finite_above};
use fovea_core::{Params, Value, params};

/// The variance after `steps` steps.
pub fn variance(scale: f64, curvature: f64, noise: f64, start: f64, steps: usize) -> f64 {
    (1..=steps).fold(start, |v, t| {
        let lr = scale / t as f64;
        (1.0 - lr * curvature) * (1.0 - lr * curvature) * v + lr * lr * noise
    })
}

/// The limit of $`t\,v_t`$, infinite where $`2c\lambda\le1`$.
pub fn limit(scale: f64, curvature: f64, noise: f64) -> f64 {
    let excess = 2.0 * scale * curvature - 1.0;
    if excess > 0.0 { scale * scale * noise / excess } else { f64::INFINITY }
}

impl Args {
    fn table(&self, at: usize) -> Value {
        let v = variance(self.scale, self.curvature, self.noise, self.start, at);
        Value::table([
            ("scaled", (self.steps as f64 * v).into()),
            ("limit", limit(self.scale, self.curvature, self.noise).into()),
        ])
    }
}

params! {
    /// Arguments of `rates.schedule`.
    pub struct Args {
        /// The learning rate at step t is scale / t.
        scale: f64 = 1.0, finite_above(0.0), "";
        /// Second derivative of the loss.
        curvature: f64 = 1.0, finite_above(0.0), "";
        /// Variance of the noise of the gradient.
        noise: f64 = 1.0, at_least(0.0), "";
        /// Variance at the start.
        start: f64 = 1.0, at_least(0.0), "";
        /// Steps.
        steps: usize = 1000, between(1.0, 1e8), "";
    }
}

impl Params for Args {}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "rates.schedule",
    text: include_str!("schedule.rs"),
    control: Control {
        what: "half as many steps, the clock of a loss without its 1/2",
        eval: |given| with(given, |a: Args| Ok(a.table(a.steps.div_ceil(2)))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(a.table(a.steps))),
};

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn the_three_rates_of_decay() {
        let v = |scale: f64, steps: usize| variance(scale, 1.0, 1.0, 1.0, steps);
        assert!((1e5 * v(1.0, 100_000) - limit(1.0, 1.0, 1.0)).abs() < 1e-6);
        assert!((1e5 * v(3.0, 100_000) - limit(3.0, 1.0, 1.0)).abs() < 1e-3);
        // At 2 c lambda = 1 a factor of ten in the steps adds c^2 ln 10 to t v.
        let more = 1e6 * v(0.5, 1_000_000) - 1e5 * v(0.5, 100_000);
        assert!((more - 0.25 * libm::log(10.0)).abs() < 1e-4);
        // Below, t^(-2 c lambda).
        let slope = libm::log10(v(0.2, 1_000_000) / v(0.2, 100_000));
        assert!((slope + 0.4).abs() < 5e-3 && limit(0.2, 1.0, 1.0).is_infinite());
    }
}
