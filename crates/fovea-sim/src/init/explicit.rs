//! Weights given by the user.

use super::Initializer;
use fovea_core::params::finite;
use fovea_core::registry::resolve;
use fovea_core::streams::Streams;
use fovea_core::{Entry, ParamError, Params, params};

params! {
    /// The weights themselves, one row a unit.
    pub struct Explicit {
        /// Rows of weights, one a unit.
        weights: Vec<Vec<f64>> = vec![vec![1.0, 0.0]], finite(), "";
    }
}

impl Params for Explicit {}

impl Initializer for Explicit {
    fn weights(&self, n: usize, width: usize, _: &Streams) -> Result<Vec<f64>, ParamError> {
        if self.weights.len() != width || self.weights.iter().any(|row| row.len() != n) {
            let lengths: Vec<usize> = self.weights.iter().map(Vec::len).collect();
            return Err(ParamError::Inconsistent {
                what: format!(
                    "`weights` has rows of lengths {lengths:?} for {width} units on {n} inputs"
                ),
                hint: format!("give {width} rows of {n} numbers"),
            });
        }
        Ok(self.weights.concat())
    }
}

/// The registry row.
pub const ENTRY: Entry<Box<dyn Initializer>> = Entry {
    name: "explicit",
    summary: "weights given as rows of numbers",
    schema: <Explicit as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Explicit>(values)?)),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_that_does_not_fit_is_refused() {
        let streams = Streams::new(0);
        let rule = Explicit { weights: vec![vec![1.0, 2.0, 3.0]] };
        assert_eq!(rule.weights(3, 1, &streams).unwrap().len(), 3);
        assert!(rule.weights(2, 1, &streams).unwrap_err().hint().contains("1 rows of 2"));
        assert!(rule.weights(3, 2, &streams).is_err());
    }
}
