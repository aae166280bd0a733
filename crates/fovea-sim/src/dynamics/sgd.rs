//! Plain stochastic gradient descent with fresh samples at every step.

use crate::batch::{Batch, Element};
use crate::kernel::Workspace;
use crate::network::Committee;
use crate::task::Task;
use fovea_core::params::{between, finite_above};
use fovea_core::registry::resolve;
use fovea_core::streams::Streams;
use fovea_core::{Entry, Params, params};

params! {
    /// `theta <- theta - lr * grad L`, `L = 1/2 mean (y_hat - y)^2` over a fresh batch; time is `t = step * lr`.
    pub struct Sgd {
        /// Learning rate of the loss with its factor 1/2.
        lr: f64 = 0.01, finite_above(0.0), "";
        /// Samples of a step.
        batch: usize = 1000, between(1.0, 1e8), "samples";
    }
}

impl Params for Sgd {}

/// Training ran away: the step that would have left the finite numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diverged {
    /// The step that broke.
    pub step: u64,
}

impl Sgd {
    /// Takes step number `step` and returns the batch's loss before it.
    ///
    /// # Errors
    /// The loss or a weight would no longer be finite; the network is left as it was.
    pub fn step<T: Element>(
        &self,
        network: &mut Committee,
        task: &Task,
        streams: &Streams,
        step: u64,
        workspace: &mut Workspace<T>,
    ) -> Result<f64, Diverged> {
        let batch = Batch::new(task, streams, "train", step, self.batch);
        let loss = workspace.loss_and_grad(network, &batch);
        // A step that would leave the finite numbers is not taken, so the network stays readable.
        let theta = network.weights().iter().chain(network.biases());
        // The kernel reads the weights in its own type, where an infinite one makes a unit silent instead of loud.
        let finite = |theta: f64| T::from_f64(theta).to_f64().is_finite();
        let stays_finite = theta.zip(&workspace.grad).all(|(t, g)| finite(t - self.lr * g));
        if !(loss.is_finite() && stays_finite) {
            return Err(Diverged { step });
        }
        network.shift(-self.lr, &workspace.grad);
        Ok(loss)
    }
}

/// The registry row.
pub const ENTRY: Entry<Sgd> = Entry {
    name: "sgd",
    summary: "stochastic gradient descent, fresh samples at every step",
    schema: <Sgd as fovea_core::params::Schema>::schema,
    build: resolve::<Sgd>,
};
