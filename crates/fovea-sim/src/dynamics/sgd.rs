//! Gradient descent, stochastic or on a fixed set.

use super::{Dynamics, Gradient, Pace};
use fovea_core::registry::resolve;
use fovea_core::{Entry, ParamError, Params, params};

params! {
    /// `theta <- theta - lr (grad L + weight_decay theta)`.
    pub struct Sgd {
        ..pace: Pace;
    }
}

impl Params for Sgd {
    fn check(&self) -> Result<(), ParamError> {
        self.pace.check()
    }
}

impl Sgd {
    /// Plain online descent.
    pub fn online(lr: f64, batch: usize) -> Self {
        Self { pace: Pace::online(lr, batch) }
    }
}

impl Dynamics for Sgd {
    fn pace(&self) -> &Pace {
        &self.pace
    }
    fn change(&self, at: &Gradient<'_>, _: &mut [Vec<f64>], change: &mut [f64]) {
        for ((change, grad), theta) in change.iter_mut().zip(at.grad).zip(at.theta) {
            *change = -at.lr * decayed(*grad, *theta, self.pace.weight_decay);
        }
    }
}

/// The gradient with weight decay in it.
pub(super) fn decayed(grad: f64, theta: f64, decay: f64) -> f64 {
    if decay > 0.0 { grad + decay * theta } else { grad }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Dynamics>> = Entry {
    name: "sgd",
    summary: "gradient descent, on fresh samples at every step or on a fixed set",
    schema: <Sgd as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Sgd>(values)?)),
};
