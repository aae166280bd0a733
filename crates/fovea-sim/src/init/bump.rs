//! Small bumps: every unit starts localized, the centres spread evenly over the torus.

use super::{Initializer, Start};
use fovea_core::params::{any, finite, finite_above};
use fovea_core::registry::resolve;
use fovea_core::ring::distance;
use fovea_core::streams::Streams;
use fovea_core::{Entry, ParamError, Params, params};

params! {
    /// `height * exp(-d^2 / (2 spread^2))` around the unit's centre, `d` the distance on the torus.
    pub struct Bump {
        /// Height of the bump.
        height: f64 = 0.1, finite(), "";
        /// Standard deviation of the bump.
        spread: f64 = 1.0, finite_above(0.0), "sites";
        /// Whether every other unit is multiplied by -1.
        alternate: bool = false, any(), "";
    }
}

impl Params for Bump {}

impl Initializer for Bump {
    fn start(&self, shape: &[usize], width: usize, _: &Streams) -> Result<Start, ParamError> {
        let inputs: usize = shape.iter().product();
        let mut weights = vec![0.0; inputs * width];
        for (unit, row) in weights.chunks_mut(inputs).enumerate() {
            let centre = unit * inputs / width % inputs;
            let sign = if self.alternate && unit % 2 == 1 { -1.0 } else { 1.0 };
            for (site, w) in row.iter_mut().enumerate() {
                let steps = squared_distance(shape, centre, site).sqrt() / self.spread;
                *w = sign * self.height * libm::exp(-0.5 * steps * steps);
            }
        }
        Ok(weights.into())
    }
}

/// Squared distance of two sites on a torus.
fn squared_distance(shape: &[usize], i: usize, j: usize) -> f64 {
    let (mut i, mut j, mut sum) = (i, j, 0);
    for side in shape.iter().rev() {
        let d = distance(i % side, j % side, *side);
        sum += d * d;
        (i, j) = (i / side, j / side);
    }
    sum as f64
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Initializer>> = Entry {
    name: "bump",
    summary: "small Gaussian bumps, centres spread evenly",
    schema: <Bump as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Bump>(values)?)),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bumps_sit_apart_and_alternate() {
        let rule = Bump { height: 0.5, spread: 1.0, alternate: true };
        let w = rule.start(&[8], 2, &Streams::new(0)).unwrap().weights;
        assert!((w[0] - 0.5).abs() < 1e-15 && (w[8 + 4] + 0.5).abs() < 1e-15);
        assert!((w[1] - w[7]).abs() < 1e-15 && w[1] < w[0]);
        assert!((squared_distance(&[4, 6], 0, 3 * 6 + 5) - 2.0).abs() < 1e-15);
    }
}
