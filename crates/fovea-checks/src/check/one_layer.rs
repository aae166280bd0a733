//! Shared by checks: a network of one hidden tanh layer, its kernels computed by hand, and its descent.

use super::averaged::named;
use fovea_core::streams::Streams;
use fovea_sim::mlp::{Examples, Mlp, Shape, WeightLaw};

/// Standard normal first weights on two entries, second weights uniform on [-1, 1] times `n^(-1/2)`.
pub(super) fn draw(width: usize, streams: &Streams) -> Mlp {
    let gaussian = Shape {
        n_in: 2,
        widths: vec![width],
        activation: named("tanh"),
        c_w: 1.0,
        ..Shape::default()
    };
    let mut mlp = gaussian.draw(streams);
    mlp.layers[0].factor = 1.0;
    let uniform = Shape { law: WeightLaw::Uniform, ..gaussian };
    let second = uniform.draw(&streams.part("second")).layers.swap_remove(1);
    mlp.layers[1].weights = second.weights.iter().map(|w| w / 3.0_f64.sqrt()).collect();
    mlp
}

/// Unit inputs at these angles.
pub(super) fn unit(angles: &[f64]) -> Vec<f64> {
    angles.iter().flat_map(|a| [libm::cos(*a), libm::sin(*a)]).collect()
}

/// The kernels of the first and of the second layer, `(1/n) sum w2^2 s's' x.x'` and `(1/n) sum s s`, by loops.
pub(super) fn kernels(mlp: &Mlp, x: &[f64]) -> [Vec<Vec<f64>>; 2] {
    let inputs: Vec<&[f64]> = x.chunks(2).collect();
    let second = &mlp.layers[1].weights;
    let values = values(mlp, x);
    let weigh = |row: &Vec<f64>| -> Vec<f64> {
        row.iter().zip(second).map(|(s, w2)| w2 * (1.0 - s * s)).collect()
    };
    let slopes: Vec<Vec<f64>> = values.iter().map(weigh).collect();
    let mut first = mean_products(&slopes);
    for (row, a) in first.iter_mut().zip(&inputs) {
        row.iter_mut().zip(&inputs).for_each(|(k, b)| *k *= a[0] * b[0] + a[1] * b[1]);
    }
    [first, mean_products(&values)]
}

/// `tanh(w.x)`, one row per input.
pub(super) fn values(mlp: &Mlp, x: &[f64]) -> Vec<Vec<f64>> {
    let units = |x: &[f64]| -> Vec<f64> {
        let weights = mlp.layers[0].weights.chunks(2);
        weights.map(|w| libm::tanh(w[0] * x[0] + w[1] * x[1])).collect()
    };
    x.chunks(2).map(units).collect()
}

/// `(1/n) sum_k s_ak s_bk` of rows of n numbers.
pub(super) fn mean_products(rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let entry = |a: &Vec<f64>, b: &Vec<f64>| {
        a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>() / a.len() as f64
    };
    rows.iter().map(|a| rows.iter().map(|b| entry(a, b)).collect()).collect()
}

/// `r.K r`.
pub(super) fn form(kernel: &[Vec<f64>], r: &[f64]) -> f64 {
    kernel
        .iter()
        .zip(r)
        .map(|(row, a)| a * row.iter().zip(r).map(|(k, b)| k * b).sum::<f64>())
        .sum()
}

/// The loss `|r|^2/2m`.
pub(super) fn loss(r: &[f64]) -> f64 {
    r.iter().map(|r| r * r).sum::<f64>() / (2.0 * r.len() as f64)
}

/// Examples whose errors at the start are `errors`.
pub(super) fn with_errors(mlp: &Mlp, x: &[f64], errors: &[f64]) -> Examples {
    let pass = mlp.forward(x);
    let y = pass.outputs().iter().zip(errors).map(|(z, r)| z - r).collect();
    Examples::new(errors.len(), x.to_vec(), y)
}

/// Errors after one step of size `lr` with these rates by layer.
pub(super) fn after(mlp: &Mlp, set: &Examples, lr: f64, rates: &[f64]) -> Vec<f64> {
    let mut moved = mlp.clone();
    moved.descend(set, lr, rates);
    moved.errors(set)
}

/// Derivative of the errors by the size of a step, at 0: central differences of two sizes, extrapolated.
pub(super) fn velocity(mlp: &Mlp, set: &Examples, rates: &[f64]) -> Vec<f64> {
    let quotient = |h: f64| -> Vec<f64> {
        let (ahead, behind) = (after(mlp, set, h, rates), after(mlp, set, -h, rates));
        ahead.iter().zip(&behind).map(|(a, b)| (a - b) / (2.0 * h)).collect()
    };
    let (wide, narrow) = (quotient(2e-3), quotient(1e-3));
    wide.iter().zip(&narrow).map(|(w, n)| (4.0 * n - w) / 3.0).collect()
}

/// `A - B` of symmetric matrices, symmetric to the bit.
pub(super) fn difference(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let entry = |i: usize, j: usize| a[i.min(j)][i.max(j)] - b[i.min(j)][i.max(j)];
    (0..a.len()).map(|i| (0..a.len()).map(|j| entry(i, j)).collect()).collect()
}
