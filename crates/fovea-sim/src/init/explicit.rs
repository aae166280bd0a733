//! Weights given by the user, typed or from a `.npy` file.

use super::{Initializer, Start};
use fovea_core::params::finite;
use fovea_core::registry::resolve;
use fovea_core::streams::Streams;
use fovea_core::{Entry, Matrix, ParamError, Params, params};

params! {
    /// The weights themselves, one row per unit: those of a trained network, say, to continue it or to use it as gates.
    pub struct Explicit {
        /// Rows of weights, one per unit.
        weights: Matrix = Matrix::new(2, vec![1.0, 0.0]), finite(), "";
        /// Biases in one row, one per unit; a single zero stands for none.
        biases: Matrix = Matrix::new(1, vec![0.0]), finite(), "";
    }
}

impl Params for Explicit {}

impl Initializer for Explicit {
    fn start(&self, shape: &[usize], width: usize, _: &Streams) -> Result<Start, ParamError> {
        let inputs: usize = shape.iter().product();
        let (weights, biases) = (&self.weights, &self.biases);
        if (weights.rows(), weights.cols()) != (width, inputs) {
            return Err(ParamError::Inconsistent {
                what: format!(
                    "`weights` has {} rows of {} numbers for {width} units on {inputs} inputs",
                    weights.rows(),
                    weights.cols()
                ),
                hint: format!("give {width} rows of {inputs} numbers"),
            });
        }
        let biases = biases.numbers();
        if biases == [0.0] {
            return Ok(weights.numbers().to_vec().into());
        }
        if biases.len() != width {
            return Err(ParamError::Inconsistent {
                what: format!("`biases` has {} numbers for {width} units", biases.len()),
                hint: format!("give {width} numbers"),
            });
        }
        Ok(Start { weights: weights.numbers().to_vec(), biases: Some(biases.to_vec()) })
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Initializer>> = Entry {
    name: "explicit",
    summary: "weights (and biases) given as rows of numbers or as .npy files",
    schema: <Explicit as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Explicit>(values)?)),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_that_does_not_fit_is_refused() {
        let streams = Streams::new(0);
        let weights = Matrix::new(3, vec![1.0, 2.0, 3.0]);
        let rule = Explicit { weights, ..Explicit::default() };
        assert_eq!(rule.start(&[3], 1, &streams).unwrap().weights, [1.0, 2.0, 3.0]);
        assert!(rule.start(&[2], 1, &streams).unwrap_err().hint().contains("1 rows of 2"));
        assert!(rule.start(&[3], 2, &streams).is_err());
        let biased = Explicit { biases: Matrix::new(1, vec![0.5]), ..rule.clone() };
        assert_eq!(biased.start(&[3], 1, &streams).unwrap().biases, Some(vec![0.5]));
        let two = Explicit { biases: Matrix::new(2, vec![0.5, 1.0]), ..rule };
        assert!(two.start(&[3], 1, &streams).is_err());
    }
}
