//! Basis vectors: every unit starts at one site.

use super::{Initializer, Start};
use fovea_core::params::{between, finite};
use fovea_core::registry::resolve;
use fovea_core::streams::Streams;
use fovea_core::{Entry, ParamError, Params, params};

params! {
    /// Unit `k` is `scale` times the basis vector of site `first + k`, around the torus.
    pub struct Basis {
        /// Weight at the site.
        scale: f64 = 1.0, finite(), "";
        /// Site of the first unit.
        first: usize = 0, between(0.0, 65535.0), "site";
    }
}

impl Params for Basis {}

impl Initializer for Basis {
    fn start(&self, shape: &[usize], width: usize, _: &Streams) -> Result<Start, ParamError> {
        let inputs: usize = shape.iter().product();
        if self.first >= inputs {
            return Err(ParamError::Inconsistent {
                what: format!("`first` is {}, and there are {inputs} sites", self.first),
                hint: format!("choose first in [0, {}]", inputs - 1),
            });
        }
        let mut weights = vec![0.0; inputs * width];
        for (unit, row) in weights.chunks_mut(inputs).enumerate() {
            row[(self.first + unit) % inputs] = self.scale;
        }
        Ok(weights.into())
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Initializer>> = Entry {
    name: "basis",
    summary: "one site per unit: basis vectors times a scale",
    schema: <Basis as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Basis>(values)?)),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_take_one_site_after_the_other() {
        let rule = Basis { scale: -2.0, first: 2 };
        let start = rule.start(&[3], 2, &Streams::new(0)).unwrap();
        assert_eq!(start.weights, [0.0, 0.0, -2.0, -2.0, 0.0, 0.0]);
        assert!(rule.start(&[2], 1, &Streams::new(0)).is_err());
    }
}
