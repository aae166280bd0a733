//! LeCun normal weights with a variance factor.

use super::{Initializer, Start, normal_weights};
use fovea_core::params::between;
use fovea_core::registry::resolve;
use fovea_core::streams::Streams;
use fovea_core::{Entry, ParamError, Params, params};

params! {
    /// Independent normals of variance `init_scale / n`.
    pub struct LeCun {
        /// Factor on the LeCun **variance** `1 / n`.
        init_scale: f64 = 1.0, between(1e-30, 1e30), "";
    }
}

impl Params for LeCun {}

impl Initializer for LeCun {
    fn start(&self, shape: &[usize], width: usize, streams: &Streams) -> Result<Start, ParamError> {
        let inputs: usize = shape.iter().product();
        let std = (self.init_scale / inputs as f64).sqrt();
        Ok(normal_weights(inputs, width, std, streams).into())
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Initializer>> = Entry {
    name: "lecun",
    summary: "normal weights of variance init_scale / n",
    schema: <LeCun as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<LeCun>(values)?)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::agree::{agrees, test_seed};
    use fovea_core::stats::Estimate;

    #[test]
    fn the_scale_multiplies_the_variance() {
        let streams = Streams::new(test_seed(module_path!(), 0));
        let w = LeCun { init_scale: 0.5 }.start(&[40], 1000, &streams).unwrap().weights;
        let variance =
            Estimate::from_samples(&w.iter().map(|w| w * w).collect::<Vec<_>>()).unwrap();
        agrees(&variance, 0.5 / 40.0, 1).unwrap();
        assert!(agrees(&variance, 0.25 / 40.0, 1).is_err(), "a scale on the deviation must fail");
    }
}
