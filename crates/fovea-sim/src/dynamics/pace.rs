//! What every rule shares: learning rate, batch, and where the samples come from.

use crate::estimator::Estimator;
use crate::schedule::Schedule;
use fovea_core::params::{any, between, finite_above, inside};
use fovea_core::{Item, ParamError, Params, Range, params};

/// A fraction in [0, 1) that is kept from step to step.
pub(super) const fn below_one() -> Range {
    Range { open_low: false, ..inside(0.0, 1.0) }
}

fovea_core::choice! {
    /// Where the samples of a step come from.
    pub enum Samples {
        /// New samples at every step: online descent.
        Fresh = "fresh",
        /// The same batch at every step: full-batch descent on a fixed set.
        Fixed = "fixed",
    }
}

params! {
    /// Learning rate, batch, estimator and samples; time is `t = step * lr`.
    pub struct Pace {
        /// Learning rate of the loss, `mse` with its factor 1/2.
        lr: f64 = 0.01, finite_above(0.0), "";
        /// Samples per step; the estimator may use many images of each.
        batch: usize = 1000, between(1.0, 1e8), "samples";
        /// Which images of every sample the gradient is averaged over: the sample alone, also its negative, or every shift of both.
        estimator: Estimator = Estimator::Iid, any(), "";
        /// Fresh samples at every step, or one fixed set of `batch` samples.
        samples: Samples = Samples::Fresh, any(), "";
        /// How the learning rate changes over the run.
        schedule: Item<Box<dyn Schedule>> = Item::named("constant"), any(), "";
        /// Steps over which the learning rate first rises in a straight line.
        warmup: usize = 0, between(0.0, 1e15), "steps";
        /// Weight decay: adds `weight_decay * theta` to the gradient; in `adam` it is decoupled from the gradient.
        weight_decay: f64 = 0.0, between(0.0, 1e6), "";
    }
}

impl Params for Pace {
    fn check(&self) -> Result<(), ParamError> {
        self.schedule.build("schedule").map(|_| ())
    }
}

impl Pace {
    /// Plain online descent.
    pub fn online(lr: f64, batch: usize) -> Self {
        Self { lr, batch, ..Self::default() }
    }

    /// The learning rate over the run.
    ///
    /// # Panics
    /// The schedule does not build, which [`Params::check`] has refused.
    pub fn rate(&self) -> Rate {
        let schedule = self.schedule.build("schedule").expect("a checked schedule builds");
        Rate { lr: self.lr, warmup: self.warmup as f64, schedule }
    }

    /// Which batch of the stream `step` trains on.
    pub fn batch_index(&self, step: u64) -> u64 {
        if self.samples == Samples::Fixed { 0 } else { step }
    }
}

/// A learning rate that changes over a run.
pub struct Rate {
    lr: f64,
    warmup: f64,
    schedule: Box<dyn Schedule>,
}

impl Rate {
    /// The learning rate at `step` of a run of `steps`.
    pub fn at(&self, step: u64, steps: u64) -> f64 {
        let rise = (step + 1) as f64 / self.warmup.max(1.0);
        self.lr * self.schedule.factor(step, steps) * rise.min(1.0)
    }

    /// The time at each step of `at`, which increases, in a run of `steps`: the sum of the learning rates of all earlier steps.
    pub fn times(&self, at: &[u64], steps: u64) -> Vec<f64> {
        // Compensated, so that a million steps lose no digit.
        let (mut sum, mut lost, mut taken) = (0.0_f64, 0.0_f64, 0);
        let time = |step: &u64| {
            while taken < *step {
                let rate = self.at(taken, steps) - lost;
                let next = sum + rate;
                (lost, sum, taken) = ((next - sum) - rate, next, taken + 1);
            }
            sum
        };
        at.iter().map(time).collect()
    }
}
