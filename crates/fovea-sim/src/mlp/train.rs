//! Gradient descent of a network on a fixed set of examples.
//!
//! The loss is $`L=\frac1{2m}|z-y|^2`$ over the m examples, and a step moves the parameters of layer l by `-lr rates[l]` times its
//! gradient; [`Shape::rates`](super::Shape::rates) has the rates of a parametrisation. A minibatch samples its examples with replacement,
//! so the mean of its gradient is the full one.

use super::product::all_finite;
use super::{Mlp, Pass};
use crate::schedule::Schedule;
use fovea_core::lanes::LANES;
use fovea_core::streams::{Stream, Streams};
use fovea_core::work;

/// The training set: inputs and targets, one row per example.
#[derive(Clone, Debug)]
pub struct Examples {
    /// Number of examples.
    pub count: usize,
    /// Inputs, row by row.
    pub x: Vec<f64>,
    /// Targets, row by row.
    pub y: Vec<f64>,
}

impl Examples {
    /// Examples from inputs and targets, stored one after the other in `x` and `y`.
    ///
    /// # Panics
    /// `x` or `y` is not a whole number of rows.
    pub fn new(count: usize, x: Vec<f64>, y: Vec<f64>) -> Self {
        assert!(count > 0 && x.len().is_multiple_of(count) && y.len().is_multiple_of(count));
        Self { count, x, y }
    }

    /// Some of them, in this order; an example may occur twice.
    fn pick(&self, rows: &[usize]) -> Self {
        let take = |all: &[f64]| {
            let length = all.len() / self.count;
            rows.iter().flat_map(|i| &all[i * length..(i + 1) * length]).copied().collect()
        };
        Self { count: rows.len(), x: take(&self.x), y: take(&self.y) }
    }
}

/// How a network is trained.
#[derive(Clone, Copy)]
pub struct Descent<'a> {
    /// Learning rate before the schedule and the rates of the layers.
    pub lr: f64,
    /// The factor on the rate of each layer; 0 freezes a layer.
    pub rates: &'a [f64],
    /// The factor on the learning rate at each step.
    pub schedule: &'a dyn Schedule,
    /// Examples per step; `None` takes all of them.
    pub batch: Option<usize>,
    /// Number of steps.
    pub steps: u64,
}

impl Mlp {
    /// Outputs minus targets.
    pub fn errors(&self, set: &Examples) -> Vec<f64> {
        errors(&self.forward(&set.x), set)
    }

    /// One step on all examples of `set`; returns the errors before it. A step that would diverge is not taken: the network stays as it is.
    pub fn descend(&mut self, set: &Examples, lr: f64, rates: &[f64]) -> Step {
        self.descend_by(set, lr, rates, &mut Vec::new())
    }

    /// The same with a buffer for the direction, which is as large as the network: allocating it takes as long as a step.
    fn descend_by(
        &mut self,
        set: &Examples,
        lr: f64,
        rates: &[f64],
        direction: &mut Vec<f64>,
    ) -> Step {
        let pass = self.forward(&set.x);
        let errors = errors(&pass, set);
        let share = lr / set.count as f64;
        let seed: Vec<f64> = errors.iter().map(|error| -share * error).collect();
        self.pull_into(&pass, &seed, direction);
        let taken = all_finite(direction);
        if taken {
            self.shift(direction, rates);
        }
        Step { errors, taken }
    }
}

fn errors(pass: &Pass, set: &Examples) -> Vec<f64> {
    pass.outputs().iter().zip(&set.y).map(|(z, y)| z - y).collect()
}

/// One step.
#[derive(Clone, Debug)]
pub struct Step {
    /// Outputs minus targets before it, on its examples.
    pub errors: Vec<f64>,
    /// Whether it was taken; it is not where the result would not be finite.
    pub taken: bool,
}

impl Descent<'_> {
    /// Trains `mlp` and returns the number of steps taken; `read` sees it before every step, and ends the run with `false`.
    ///
    /// Minibatches come from the stream `mlp/batch`.
    pub fn run(
        &self,
        mlp: &mut Mlp,
        set: &Examples,
        streams: &Streams,
        mut read: impl FnMut(u64, &Mlp) -> bool,
    ) -> u64 {
        let stream = streams.named("mlp/batch");
        let mut direction = Vec::new();
        for step in 0..self.steps {
            work::poll();
            if !read(step, mlp) {
                return step;
            }
            let lr = self.lr * self.schedule.factor(step, self.steps);
            let taken = match self.batch {
                Some(batch) => {
                    let rows = drawn(&stream, step, batch, set.count);
                    mlp.descend_by(&set.pick(&rows), lr, self.rates, &mut direction).taken
                }
                None => mlp.descend_by(set, lr, self.rates, &mut direction).taken,
            };
            if !taken {
                return step;
            }
        }
        self.steps
    }
}

/// The examples of one minibatch, with replacement.
fn drawn(stream: &Stream, step: u64, batch: usize, count: usize) -> Vec<usize> {
    let mut rng = stream.block(step, 0);
    let mut rows = Vec::with_capacity(batch + LANES);
    while rows.len() < batch {
        rows.extend(rng.below(count as u32).map(|i| i as usize));
    }
    rows.truncate(batch);
    rows
}

#[cfg(test)]
mod tests {
    use super::super::Shape;
    use super::*;
    use crate::schedule::constant::Constant;
    use fovea_core::agree::{agrees, has_order, test_seed, within};
    use fovea_core::registry::resolve;
    use fovea_core::stats::Estimate;
    use fovea_core::{Function, Value};

    fn shape(parametrisation: &str, widths: &str) -> Shape {
        let given = [
            ("n_in", "2"),
            ("widths", widths),
            ("activation", "tanh"),
            ("c_b", "0.1"),
            ("parametrisation", parametrisation),
        ];
        let given: Vec<(String, Value)> =
            given.iter().map(|(k, v)| ((*k).to_owned(), Value::from_typed(v))).collect();
        resolve(&given).unwrap()
    }

    fn set() -> Examples {
        Examples::new(3, vec![1.0, 0.2, -0.4, 0.9, 0.3, -1.1], vec![0.5, -0.2, 1.0])
    }

    fn loss(mlp: &Mlp) -> f64 {
        mlp.errors(&set()).iter().map(|e| e * e).sum::<f64>() / 6.0
    }

    /// The loss falls by `lr sum_l rates[l] |grad_l L|^2`, up to a term of second order.
    #[test]
    fn a_step_follows_the_gradient_of_the_averaged_loss_in_every_parametrisation() {
        for name in ["ntk", "standard", "mean-field", "mup"] {
            let shape = shape(name, "[5, 4]");
            let start = shape.draw(&Streams::new(test_seed(module_path!(), 0)));
            let rates = shape.rates();
            let pass = start.forward(&set().x);
            let seed: Vec<f64> = start.errors(&set()).iter().map(|e| e / 3.0).collect();
            let mut squares = start.pull(&pass, &seed).into_iter().map(|g| g * g);
            let mut fall = 0.0;
            for (layer, rate) in start.layers.iter().zip(&rates) {
                let count = layer.weights.len() + layer.biases.len();
                fall += rate * squares.by_ref().take(count).sum::<f64>();
            }
            let steps = [4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4];
            let missed = steps.map(|lr| {
                let mut mlp = start.clone();
                assert!(mlp.descend(&set(), lr, &rates).taken);
                (loss(&start) - loss(&mlp) - lr * fall).abs()
            });
            has_order(&steps, &missed, 2.0).unwrap();
        }
    }

    #[test]
    fn frozen_layers_stay_and_a_step_out_of_the_numbers_is_not_taken() {
        let shape = shape("ntk", "[5]");
        let start = shape.draw(&Streams::new(test_seed(module_path!(), 1)));
        let mut mlp = start.clone();
        mlp.descend(&set(), 0.3, &[1.0, 0.0]);
        assert_eq!(mlp.layers[1].weights, start.layers[1].weights);
        assert_ne!(mlp.layers[0].weights, start.layers[0].weights);
        let before = mlp.clone();
        assert!(!mlp.descend(&set(), f64::INFINITY, &[1.0, 1.0]).taken);
        assert_eq!(mlp.layers[0].weights, before.layers[0].weights);
    }

    #[test]
    fn minibatches_have_the_full_gradient_as_their_mean_and_repeat_by_seed() {
        let linear = Shape {
            n_in: 2,
            widths: Vec::new(),
            c_w: 2.0,
            activation: Function::parse("identity").unwrap(),
            ..Shape::default()
        };
        let start = linear.draw(&Streams::new(test_seed(module_path!(), 2)));
        let step = |seed: u64, batch: Option<usize>| {
            let mut mlp = start.clone();
            let plan =
                Descent { lr: 0.1, rates: &[1.0], schedule: &Constant::default(), batch, steps: 1 };
            plan.run(&mut mlp, &set(), &Streams::new(seed), |_, _| true);
            mlp.layers[0].weights[0] - start.layers[0].weights[0]
        };
        let seed = test_seed(module_path!(), 3);
        within(step(seed, Some(2)), step(seed, Some(2)), 0.0, 0.0).unwrap();
        let moves: Vec<f64> = (0..4000).map(|i| step(seed ^ i, Some(2))).collect();
        let mean = Estimate::from_samples(&moves).unwrap();
        agrees(&mean, step(seed, None), 1).unwrap();
        // The sum over the batch instead of its mean.
        agrees(&mean, 2.0 * step(seed, None), 1).unwrap_err();
    }
}
