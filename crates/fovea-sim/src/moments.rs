//! Exact mean and covariance of a stimulus, computed without sampling.
//!
//! Computed by quadrature, enumeration or linear algebra from the definition of the stimulus; `fovea-theory` derives the
//! same numbers in closed form, and tests in `fovea-lab` compare the two.

/// Mean and covariance of one sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Moments {
    /// Mean of every entry.
    pub mean: Vec<f64>,
    /// Covariance of every pair of entries.
    pub covariance: Covariance,
}

/// A covariance matrix.
#[derive(Clone, Debug, PartialEq)]
pub enum Covariance {
    /// The covariance of two sites of a torus depends on their offset alone.
    Lags {
        /// Sides of the torus, the last one running fastest.
        shape: Vec<usize>,
        /// Covariance of site 0 with every site.
        row: Vec<f64>,
    },
    /// Any symmetric matrix, row by row.
    Full {
        /// Entries of a sample.
        n: usize,
        /// The `n * n` entries.
        entries: Vec<f64>,
    },
}

impl Moments {
    /// Mean zero and a covariance that depends on the offset alone.
    pub fn stationary(shape: Vec<usize>, row: Vec<f64>) -> Self {
        Self { mean: vec![0.0; row.len()], covariance: Covariance::Lags { shape, row } }
    }
}

impl Covariance {
    /// Covariance of entries `i` and `j`.
    pub fn at(&self, i: usize, j: usize) -> f64 {
        match self {
            Self::Lags { shape, row } => row[offset(shape, i, j)],
            Self::Full { n, entries } => entries[i * n + j],
        }
    }

    /// The same covariance multiplied by `factor`.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Self {
        let (Self::Lags { row: entries, .. } | Self::Full { entries, .. }) = &mut self;
        for c in entries {
            *c *= factor;
        }
        self
    }
}

/// The site whose offset from site 0 is that of site `j` from site `i`.
pub(crate) fn offset(shape: &[usize], i: usize, j: usize) -> usize {
    let (mut i, mut j, mut stride, mut at) = (i, j, 1, 0);
    for side in shape.iter().rev() {
        at += stride * ((j % side + side - i % side) % side);
        (i, j, stride) = (i / side, j / side, stride * side);
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_wrap_around_every_side() {
        assert_eq!(offset(&[5], 4, 1), 2);
        // On a 3 x 4 torus from (2, 3) to (0, 1): one row on, two columns on.
        assert_eq!(offset(&[3, 4], 2 * 4 + 3, 1), 4 + 2);
        assert_eq!(offset(&[3, 4], 7, 7), 0);
    }
}
