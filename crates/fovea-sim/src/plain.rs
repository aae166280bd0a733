//! The obvious implementation of a training step, one sample at a time in double precision: the judge of [`crate::kernel`].

use crate::batch::{Batch, Element};
use crate::network::{Bias, Committee};
use fovea_core::lanes::BLOCK;

/// Every sample of a batch with its label, as drawn in type `T`.
pub fn samples<T: Element>(batch: &Batch<'_>) -> Vec<(Vec<f64>, f64)> {
    let mut samples = Vec::with_capacity(batch.size());
    let mut x = vec![[T::ZERO; BLOCK]; batch.dim()];
    for index in 0..batch.blocks() {
        batch.fill(index, &mut Vec::new(), &mut x);
        let (class, used) = batch.block(index);
        for s in 0..used {
            samples.push((x.iter().map(|row| row[s].to_f64()).collect(), class.label));
        }
    }
    samples
}

/// The loss `1/2 mean (y_hat - y)^2` and its gradient (weights, then biases).
pub fn loss_and_grad<T: Element>(network: &Committee, batch: &Batch<'_>) -> (f64, Vec<f64>) {
    let (n, width) = (network.inputs(), network.width());
    let mut grad = vec![0.0; width * (n + 1)];
    let mut loss = 0.0;
    for (x, y) in samples::<T>(batch) {
        let h = network.preactivations(&x);
        let error = network.output(&x) - y;
        loss += 0.5 * error * error / batch.size() as f64;
        for k in 0..width {
            let delta = error * (network.activation().slope)(h[k]) / (width * batch.size()) as f64;
            for i in 0..n {
                grad[k * n + i] += delta * x[i];
            }
            if network.bias() == Bias::Trainable {
                grad[width * n + k] += delta;
            }
        }
    }
    (loss, grad)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Workspace;
    use crate::stimulus::nlgp::Nlgp;
    use crate::task::{Labels, Task};
    use fovea_core::activation::ALL as ACTIVATIONS;
    use fovea_core::agree::same_bits;
    use fovea_core::streams::Streams;

    fn task(n: usize, labels: Labels) -> Task {
        let class = |xi: f64| {
            let stimulus = Nlgp { n, xi, gain: 3.0, ..Nlgp::default() };
            Box::new(stimulus.sampler().unwrap())
        };
        Task::new(class(1.2), class(0.6), 0.0, labels).unwrap()
    }

    fn network(n: usize, width: usize, activation: &'static str, bias: Bias) -> Committee {
        let row = ACTIVATIONS.iter().find(|row| row.name == activation).unwrap();
        let mut theta = vec![0.0; width * (n + 1)];
        Streams::new(11).named("init").normals(0, &mut theta);
        let biases = theta.split_off(width * n);
        Committee::new(n, width, row, bias).with(theta, biases).unwrap()
    }

    /// The largest gap between kernel and judge, relative to the largest gradient entry.
    fn gap<T: Element>(network: &Committee, batch: &Batch<'_>) -> f64 {
        let mut lanes = Workspace::<T>::new(network, batch.size());
        let loss = lanes.loss_and_grad(network, batch);
        let (judge_loss, judge) = loss_and_grad::<T>(network, batch);
        let scale = judge.iter().fold(0.0, |m: f64, g| m.max(g.abs()));
        let worst = lanes.grad.iter().zip(&judge).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        (worst / scale).max((loss - judge_loss).abs() / judge_loss)
    }

    #[test]
    fn the_lanes_equal_the_judge_for_every_activation_bias_and_shape() {
        for row in ACTIVATIONS {
            for (n, width, size) in [(5, 1, 1), (6, 3, 700), (7, 9, 33)] {
                for bias in [Bias::None, Bias::Frozen, Bias::Trainable] {
                    let (task, streams) = (task(n, Labels::Iid), Streams::new(5));
                    let network = network(n, width, row.name, bias);
                    let batch = Batch::new(&task, &streams, "train", 2, size);
                    assert!(
                        gap::<f32>(&network, &batch) < 1e-5,
                        "{} {n} {width} {size} f32",
                        row.name
                    );
                    assert!(
                        gap::<f64>(&network, &batch) < 1e-12,
                        "{} {n} {width} {size} f64",
                        row.name
                    );
                }
            }
        }
    }

    #[test]
    fn the_judge_is_the_gradient_of_its_loss() {
        let (task, streams) = (task(6, Labels::Balanced), Streams::new(5));
        let batch = Batch::new(&task, &streams, "train", 0, 64);
        let network = network(6, 3, "erf", Bias::Trainable);
        let (_, grad) = loss_and_grad::<f64>(&network, &batch);
        for at in [0, 7, 17, 18, 20] {
            let loss = |step: f64| {
                let mut theta = [network.weights(), network.biases()].concat();
                theta[at] += step;
                let biases = theta.split_off(18);
                loss_and_grad::<f64>(&network.clone().with(theta, biases).unwrap(), &batch).0
            };
            let slope = (loss(1e-5) - loss(-1e-5)) / 2e-5;
            assert!(
                (slope - grad[at]).abs() < 1e-9,
                "parameter {at}: {slope} against {}",
                grad[at]
            );
        }
    }

    #[test]
    fn one_thread_and_three_give_the_same_bits() {
        let (task, streams) = (task(6, Labels::Iid), Streams::new(5));
        let network = network(6, 3, "relu", Bias::Trainable);
        let batch = Batch::new(&task, &streams, "train", 0, 3000);
        let numbers = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut lanes = Workspace::<f32>::new(&network, 3000);
                let loss = lanes.loss_and_grad(&network, &batch);
                lanes.grad.iter().chain([&loss]).copied().collect::<Vec<_>>()
            })
        };
        same_bits(&numbers(3), &numbers(1)).unwrap();
    }

    #[test]
    fn a_batch_holds_exactly_its_samples() {
        let streams = Streams::new(9);
        for size in [1, 31, 32, 33, 100] {
            let task = task(5, Labels::Balanced);
            let drawn = samples::<f32>(&Batch::new(&task, &streams, "train", 0, size));
            assert_eq!(drawn.len(), size);
            let pos = drawn.iter().filter(|(_, y)| *y > 0.5).count();
            assert!(pos.abs_diff(size - pos) <= 1);
        }
    }
}
