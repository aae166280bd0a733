//! Adam, with decoupled weight decay.

use super::pace::below_one;
use super::{Dynamics, Gradient, Pace};
use fovea_core::params::between;
use fovea_core::registry::resolve;
use fovea_core::{Entry, ParamError, Params, params};

params! {
    /// Steps along the running mean of the gradient, each parameter in units of its running root mean square, both
    /// corrected for their start at zero. Weight decay shrinks the parameters separately.
    pub struct Adam {
        ..pace: Pace;
        /// Memory of the mean.
        beta1: f64 = 0.9, below_one(), "";
        /// Memory of the mean square.
        beta2: f64 = 0.999, below_one(), "";
        /// Added to the root mean square.
        epsilon: f64 = 1e-8, between(0.0, 1.0), "";
    }
}

impl Params for Adam {
    fn check(&self) -> Result<(), ParamError> {
        self.pace.check()
    }
}

impl Dynamics for Adam {
    fn pace(&self) -> &Pace {
        &self.pace
    }
    fn memory(&self) -> usize {
        2
    }
    fn change(&self, at: &Gradient<'_>, memory: &mut [Vec<f64>], change: &mut [f64]) {
        let (first, second) = memory.split_at_mut(1);
        let taken = (at.step + 1) as f64;
        let mean_weight = 1.0 - libm::pow(self.beta1, taken);
        let square_weight = 1.0 - libm::pow(self.beta2, taken);
        for (i, (mean, square)) in first[0].iter_mut().zip(&mut second[0]).enumerate() {
            let grad = at.grad[i];
            *mean = self.beta1 * *mean + (1.0 - self.beta1) * grad;
            *square = self.beta2 * *square + (1.0 - self.beta2) * grad * grad;
            let size = (*square / square_weight).sqrt() + self.epsilon;
            // A parameter that never had a gradient has no root mean square to divide by.
            let along = if size > 0.0 { *mean / mean_weight / size } else { 0.0 };
            change[i] = -at.lr * (along + self.pace.weight_decay * at.theta[i]);
        }
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Dynamics>> = Entry {
    name: "adam",
    summary: "Adam with decoupled weight decay",
    schema: <Adam as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Adam>(values)?)),
};
