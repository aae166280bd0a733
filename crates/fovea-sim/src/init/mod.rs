//! Initial weights, one rule per file.

use fovea_core::streams::Streams;
use fovea_core::{Entry, Family, ParamError, registry};

/// Where a hidden layer starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// Weights, row by row.
    pub weights: Vec<f64>,
    /// Biases, where the rule has some of its own.
    pub biases: Option<Vec<f64>>,
}

impl From<Vec<f64>> for Start {
    fn from(weights: Vec<f64>) -> Self {
        Self { weights, biases: None }
    }
}

/// A rule for the weights a network starts from.
pub trait Initializer: Send + Sync {
    /// The start of `width` units on inputs that sit on a torus of this shape.
    ///
    /// # Errors
    /// The rule does not fit this shape.
    fn start(&self, shape: &[usize], width: usize, streams: &Streams) -> Result<Start, ParamError>;
}

impl Family for Box<dyn Initializer> {
    const NOUN: &'static str = "initializer";
    fn entries() -> &'static [&'static Entry<Self>] {
        ALL
    }
}

registry! {
    "src/init": Entry<Box<dyn Initializer>>; basis, bump, explicit, glorot, glorot_truncated, lecun, positive_shifted
}

/// Independent normals of standard deviation `std`, used by every random rule.
fn normal_weights(inputs: usize, width: usize, std: f64, streams: &Streams) -> Vec<f64> {
    let mut weights = vec![0.0; inputs * width];
    streams.named("init").normals(0, &mut weights);
    for w in &mut weights {
        *w *= std;
    }
    weights
}

#[cfg(test)]
mod properties {
    use super::*;
    use fovea_core::agree::same_bits;

    #[test]
    fn every_rule_gives_a_row_a_unit_and_the_same_again() {
        for entry in ALL.iter().filter(|entry| entry.name != "explicit") {
            let rule = (entry.build)(&Vec::new()).unwrap();
            for (shape, width) in [(&[2][..], 1), (&[7], 3), (&[4, 4], 20), (&[3, 3, 3], 2)] {
                let inputs: usize = shape.iter().product();
                let start = rule.start(shape, width, &Streams::new(3)).unwrap();
                assert_eq!(start.weights.len(), inputs * width, "{}", entry.name);
                assert!(start.weights.iter().all(|w| w.is_finite()), "{}", entry.name);
                assert!(start.weights.iter().any(|w| *w != 0.0), "{}", entry.name);
                let again = rule.start(shape, width, &Streams::new(3)).unwrap();
                same_bits(&start.weights, &again.weights).unwrap();
            }
        }
    }
}
