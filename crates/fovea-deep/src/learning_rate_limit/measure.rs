//! The largest rate at which the error of a network falls at every step, and the top of its tangent kernel.

use super::{EIGENVALUES, LearningRateLimit};
use fovea_core::symmetric::eigen;
use fovea_desk::prelude::*;
use fovea_desk::widths::{kernel_rows, norm};
use fovea_sim::mlp::{Examples, Shape};

/// Halvings of the interval in which the largest rate is sought.
const HALVINGS: usize = 14;

/// Steps of the linear model.
const STEPS: usize = 10;

/// What one network came to.
#[derive(Clone, Copy)]
pub(super) struct Limit {
    /// The largest rate.
    pub(super) rate: f64,
    /// The top eigenvalue of the kernel over the number of examples.
    pub(super) top: f64,
    /// The squared gradient on the first example.
    pub(super) square: f64,
}

impl LearningRateLimit {
    /// Seeks the largest rate, from errors along the top eigenvector of the kernel whose root mean square is that of `error`.
    pub(super) fn largest(
        &self,
        (shape, part): &(Shape, String),
        x: &[f64],
        error: f64,
        index: u64,
        desk: &Desk<'_>,
    ) -> Limit {
        let start = shape.draw(&desk.streams().part(part).replica(index));
        let m = x.len() / shape.n_in;
        let outputs = start.forward(x).outputs().to_vec();
        let rates = shape.rates();
        let mut set = Examples::new(m, x.to_vec(), outputs);
        let kernel = eigen(&kernel_rows(&start, &set, &rates));
        let root = error * (m as f64).sqrt();
        for (y, v) in set.y.iter_mut().zip(&kernel.vectors[m - 1]) {
            *y -= root * v;
        }
        let falls = |lr: f64| {
            let mut mlp = start.clone();
            let mut last = f64::INFINITY;
            (0..=self.steps).all(|_| {
                let step = mlp.descend(&set, lr, &rates);
                let size = norm(step.errors);
                let fell = step.taken && size < last || size < 1e-12 * error.abs();
                last = size;
                fell
            })
        };
        let top = kernel.values[m - 1] / m as f64;
        let (mut low, mut high) = (0.0, 8.0 / top);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            *(if falls(middle) { &mut low } else { &mut high }) = middle;
        }
        let square = start.tangent(&start.forward(&x[..shape.n_in]), 0)[0];
        Limit { rate: 0.5 * (low + high), top, square }
    }
}

/// The factor by which the slowest error of a linear model shrinks a step.
pub(super) fn slowest(lr: f64) -> f64 {
    let linear = Shape {
        n_in: 2,
        widths: Vec::new(),
        activation: Function::Registered(&activation::identity::ENTRY),
        c_w: 2.0,
        ..Shape::default()
    };
    let mut mlp = linear.draw(&Streams::new(0));
    mlp.layers[0].weights.fill(0.0);
    let [a, b] = EIGENVALUES.map(f64::sqrt);
    // Two inputs at right angles, both errors 1; the loss is a mean over two.
    let set = Examples::new(2, vec![a, 0.0, 0.0, b], vec![-1.0, -1.0]);
    let errors: Vec<Vec<f64>> =
        (0..=STEPS).map(|_| mlp.descend(&set, 2.0 * lr, &[1.0]).errors).collect();
    let one = |i: usize| libm::pow((errors[STEPS][i] / errors[0][i]).abs(), 1.0 / STEPS as f64);
    one(0).max(one(1))
}
