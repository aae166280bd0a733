//! Training dynamics: what a step does with a gradient, one rule per file.

mod pace;

use fovea_core::{Entry, Family, registry};

pub use pace::{Pace, Rate, Samples};
pub use sgd::Sgd;

/// Training diverged: the step whose result would not have been finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diverged {
    /// The step that diverged.
    pub step: u64,
}

/// One step of a rule.
pub struct Gradient<'a> {
    /// Number of the step, from 0.
    pub step: u64,
    /// Learning rate of this step, the schedule included.
    pub lr: f64,
    /// Parameters before the step.
    pub theta: &'a [f64],
    /// Gradient of the loss; zero for parameters that are not trained.
    pub grad: &'a [f64],
}

/// A rule that turns gradients into steps.
pub trait Dynamics: Send + Sync {
    /// Learning rate, batch and where the samples come from.
    fn pace(&self) -> &Pace;

    /// How many numbers the rule remembers for each parameter.
    fn memory(&self) -> usize {
        0
    }

    /// Writes the change of every parameter; `memory` starts as zeros and is kept from step to step. What is written for
    /// parameters that are not trained does not count.
    fn change(&self, at: &Gradient<'_>, memory: &mut [Vec<f64>], change: &mut [f64]);
}

impl Family for Box<dyn Dynamics> {
    const NOUN: &'static str = "dynamics";
    fn entries() -> &'static [&'static Entry<Self>] {
        ALL
    }
}

registry! { "src/dynamics": Entry<Box<dyn Dynamics>>, beside pace; adam, momentum, sgd }

#[cfg(test)]
mod properties {
    use super::*;
    use fovea_core::Item;

    /// Three steps on the loss `1/2 (a x^2 + b y^2)`, a = 1, b = 4, from (1, -1).
    fn three_steps(rule: &Item<Box<dyn Dynamics>>) -> Vec<[f64; 2]> {
        let rule = rule.build("dynamics").unwrap();
        let mut memory = vec![vec![0.0; 2]; rule.memory()];
        let mut theta = [1.0, -1.0];
        let step = |step: u64| {
            let grad = [theta[0], 4.0 * theta[1]];
            let lr = rule.pace().rate().at(step, 3);
            let mut change = [0.0; 2];
            rule.change(
                &Gradient { step, lr, theta: &theta, grad: &grad },
                &mut memory,
                &mut change,
            );
            theta = [theta[0] + change[0], theta[1] + change[1]];
            theta
        };
        (0..3).map(step).collect()
    }

    #[track_caller]
    fn follows(rule: &Item<Box<dyn Dynamics>>, expected: [[f64; 2]; 3]) {
        for (got, expected) in three_steps(rule).iter().flatten().zip(expected.iter().flatten()) {
            assert!((got - expected).abs() < 1e-12, "{rule:?}: {got} against {expected}");
        }
    }

    fn rule(name: &str) -> Item<Box<dyn Dynamics>> {
        Item::named(name).set("lr", 0.1)
    }

    #[test]
    fn descent_follows_the_trajectory_worked_out_by_hand() {
        // x <- 0.9 x, y <- 0.6 y.
        follows(&rule("sgd"), [[0.9, -0.6], [0.81, -0.36], [0.729, -0.216]]);
        // With decay 0.5 the factors are 0.85 and 0.55.
        let decayed = rule("sgd").set("weight_decay", 0.5);
        follows(&decayed, [[0.85, -0.55], [0.7225, -0.3025], [0.614125, -0.166375]]);
        // Rates 0.1, 0.05, 0.1/3 under 1 / (1 + step).
        let slowing =
            rule("sgd").set("schedule", fovea_core::Value::from_typed("inverse-time(scale=1)"));
        follows(&slowing, [[0.9, -0.6], [0.855, -0.48], [0.8265, -0.416]]);
        // Two steps of warm-up: rates 0.05, 0.1, 0.1.
        let warm = rule("sgd").set("warmup", 2_usize);
        follows(&warm, [[0.95, -0.8], [0.855, -0.48], [0.7695, -0.288]]);
    }

    #[test]
    fn momentum_follows_the_trajectory_worked_out_by_hand() {
        // v <- v / 2 + grad; theta <- theta - v / 10.
        let heavy = rule("momentum").set("momentum", 0.5);
        follows(&heavy, [[0.9, -0.6], [0.76, -0.16], [0.614, 0.124]]);
        // Nesterov: theta <- theta - (grad + v / 2) / 10 with the new v.
        let nesterov = heavy.set("nesterov", fovea_core::Value::Bool(true));
        follows(&nesterov, [[0.85, -0.4], [0.6975, -0.06], [0.559125, 0.066]]);
    }

    #[test]
    fn adam_follows_the_trajectory_worked_out_by_hand() {
        // beta1 = 1/2, beta2 = 3/4, epsilon = 0, so that the first step is lr in every direction.
        let adam = rule("adam").set("beta1", 0.5).set("beta2", 0.75).set("epsilon", 0.0);
        // Second step, x: m = 0.5 * 0.5 + 0.5 * 0.9 = 0.7, mhat = 0.7 / 0.75; v = 0.75 * 0.25 + 0.25 * 0.81 = 0.39,
        // vhat = 0.39 / 0.4375. y has gradients -4, -3.6, ...: four times x's, so its steps are minus x's.
        let second = 0.9 - 0.1 * (0.7 / 0.75) / (0.39_f64 / 0.4375).sqrt();
        let m = 0.5 * 0.7 + 0.5 * second;
        let v = 0.75 * 0.39 + 0.25 * second * second;
        let third = second - 0.1 * (m / 0.875) / (v / 0.578125_f64).sqrt();
        follows(&adam, [[0.9, -0.9], [second, -second], [third, -third]]);
        // Decay is decoupled: theta shrinks by lr * decay in addition to the step.
        let decayed = adam.set("weight_decay", 1.0);
        assert!((three_steps(&decayed)[0][0] - (0.9 - 0.1)).abs() < 1e-12);
    }
}
