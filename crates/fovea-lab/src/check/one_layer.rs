//! What two checks share: a network of one hidden tanh layer, its kernels written out by hand, and descent of it.

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
    let (first, second) = (&mlp.layers[0].weights, &mlp.layers[1].weights);
    let n = second.len() as f64;
    let sum = |f: &dyn Fn(f64, f64, f64, f64) -> f64| -> Vec<Vec<f64>> {
        let entry = |a: &[f64], b: &[f64]| {
            let overlap = a[0] * b[0] + a[1] * b[1];
            let units = first.chunks(2).zip(second);
            let terms = units.map(|(w, w2)| {
                f(w[0] * a[0] + w[1] * a[1], w[0] * b[0] + w[1] * b[1], *w2, overlap)
            });
            terms.sum::<f64>() / n
        };
        inputs.iter().map(|a| inputs.iter().map(|b| entry(a, b)).collect()).collect()
    };
    let slope = |z: f64| 1.0 - libm::tanh(z) * libm::tanh(z);
    [
        sum(&|u, v, w2, overlap| w2 * w2 * slope(u) * slope(v) * overlap),
        sum(&|u, v, _, _| libm::tanh(u) * libm::tanh(v)),
    ]
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
