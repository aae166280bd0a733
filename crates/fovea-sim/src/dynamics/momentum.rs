//! Gradient descent with momentum.

use super::pace::below_one;
use super::sgd::decayed;
use super::{Dynamics, Gradient, Pace};
use fovea_core::params::any;
use fovea_core::registry::resolve;
use fovea_core::{Entry, ParamError, Params, params};

params! {
    /// `v <- momentum v + grad L`, `theta <- theta - lr v`; Nesterov's form steps along `grad L + momentum v`.
    pub struct Momentum {
        ..pace: Pace;
        /// Share of the velocity that a step keeps.
        momentum: f64 = 0.9, below_one(), "";
        /// Whether the step looks ahead, as Nesterov's does.
        nesterov: bool = false, any(), "";
    }
}

impl Params for Momentum {
    fn check(&self) -> Result<(), ParamError> {
        self.pace.check()
    }
}

impl Dynamics for Momentum {
    fn pace(&self) -> &Pace {
        &self.pace
    }
    fn memory(&self) -> usize {
        1
    }
    fn change(&self, at: &Gradient<'_>, memory: &mut [Vec<f64>], change: &mut [f64]) {
        for (i, velocity) in memory[0].iter_mut().enumerate() {
            let grad = decayed(at.grad[i], at.theta[i], self.pace.weight_decay);
            *velocity = self.momentum * *velocity + grad;
            let direction =
                if self.nesterov { grad + self.momentum * *velocity } else { *velocity };
            change[i] = -at.lr * direction;
        }
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Dynamics>> = Entry {
    name: "momentum",
    summary: "gradient descent with heavy-ball or Nesterov momentum",
    schema: <Momentum as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Momentum>(values)?)),
};
