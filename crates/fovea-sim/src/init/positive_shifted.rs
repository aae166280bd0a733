//! Glorot normal weights shifted off zero.

use super::{Initializer, Start, normal_weights};
use fovea_core::params::{between, finite};
use fovea_core::registry::resolve;
use fovea_core::streams::Streams;
use fovea_core::{Entry, ParamError, Params, params};

params! {
    /// `shift` plus independent normals of variance `init_scale * 2 / (n + K)`.
    pub struct PositiveShifted {
        /// Added to every weight.
        shift: f64 = 0.1, finite(), "";
        /// Factor on the Glorot **variance** `2 / (n + K)`.
        init_scale: f64 = 0.001, between(1e-30, 1e30), "";
    }
}

impl Params for PositiveShifted {}

impl Initializer for PositiveShifted {
    fn start(&self, shape: &[usize], width: usize, streams: &Streams) -> Result<Start, ParamError> {
        let inputs: usize = shape.iter().product();
        let std = (self.init_scale * 2.0 / (inputs + width) as f64).sqrt();
        let mut weights = normal_weights(inputs, width, std, streams);
        for w in &mut weights {
            *w += self.shift;
        }
        Ok(weights.into())
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Initializer>> = Entry {
    name: "positive-shifted",
    summary: "normal weights of variance init_scale * 2/(n + K) around a shift",
    schema: <PositiveShifted as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<PositiveShifted>(values)?)),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_noise_leaves_every_weight_positive() {
        let start = PositiveShifted::default().start(&[40], 12, &Streams::new(5)).unwrap();
        assert!(start.weights.iter().all(|w| *w > 0.0));
        let mean = start.weights.iter().sum::<f64>() / 480.0;
        assert!((mean - 0.1).abs() < 0.002, "{mean}");
    }
}
