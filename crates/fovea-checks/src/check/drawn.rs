//! Random networks for checks: their shapes, averages over many of them, and theory's covariance of their outputs.

use super::prelude::*;
use fovea_sim::mlp::{Mlp, Shape};
use fovea_theory::layer::Layer;
use fovea_theory::nngp::covariance::{self, covariance};

/// The numbers that `read` computes of each of `count` random networks, as one estimate per number; measured once under the name of its part.
pub(super) fn over_networks<const N: usize>(
    effort: &Effort,
    shape: &Shape,
    part: &str,
    count: usize,
    read: impl Fn(&Mlp) -> [f64; N],
) -> Result<[Estimate; N], LabError> {
    effort.once(part, || {
        let streams: Streams = effort.streams.part(part);
        let count = effort.samples(count);
        let readings: Vec<[f64; N]> =
            (0..count as u64).map(|i| read(&shape.draw(&streams.replica(i)))).collect();
        let mut estimates = Vec::with_capacity(N);
        for n in 0..N {
            let column: Vec<f64> = readings.iter().map(|row| row[n]).collect();
            estimates.push(Estimate::from_samples(&column)?);
        }
        Ok(std::array::from_fn(|n| estimates[n]))
    })
}

pub(super) fn shape(
    activation: &str,
    n_in: usize,
    widths: &[usize],
    [c_w, c_b]: [f64; 2],
) -> Shape {
    Shape {
        n_in,
        widths: widths.to_vec(),
        activation: named(activation),
        c_w,
        c_b,
        ..Shape::default()
    }
}

pub(super) fn mean_square(z: &[f64]) -> f64 {
    z.iter().map(|z| z * z).sum::<f64>() / z.len() as f64
}

/// A layer, inputs and the number of hidden layers, and the covariance of the outputs.
pub(super) type Covariance = fn(&Layer, &[Vec<f64>], usize) -> Result<Vec<Vec<f64>>, FormError>;

/// Theory's covariance of outputs in the limit of width.
pub(super) fn wide_covariance(effort: &Effort) -> Covariance {
    effort.form(&covariance::ENTRY, covariance, |layer, x, layers| {
        let scaled = |row: &Vec<f64>| scaled((row.len() as f64).sqrt(), row);
        covariance(layer, &x.iter().map(scaled).collect::<Vec<_>>(), layers)
    })
}
