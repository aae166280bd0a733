//! Samples that a user brings along.

use super::{Covariance, Draw, Element, Law, Moments, Stimulus};
use crate::cholesky::LARGEST;
use fovea_core::lanes::{BLOCK, LANES};
use fovea_core::params::between;
use fovea_core::registry::resolve;
use fovea_core::streams::BlockRng;
use fovea_core::{Entry, Matrix, ParamError, Params, params};

params! {
    /// The rows of an array, each drawn with the same probability, with replacement.
    pub struct Array {
        /// One sample a row.
        samples: Matrix = neighbours(4), between(-1e9, 1e9), "";
    }
}

/// One row a site of a ring: the site and the next one are 1.
fn neighbours(n: usize) -> Matrix {
    let lit = |site: usize, i: usize| i == site || i == (site + 1) % n;
    let number = |at: usize| if lit(at / n, at % n) { 1.0 } else { 0.0 };
    Matrix::new(n, (0..n * n).map(number).collect())
}

impl Params for Array {
    fn check(&self) -> Result<(), ParamError> {
        let (rows, cols) = (self.samples.rows(), self.samples.cols());
        if cols < 2 || rows < 1 {
            return Err(ParamError::Inconsistent {
                what: format!(
                    "`samples` has {rows} rows and {cols} columns; a sample has at least 2 entries"
                ),
                hint: "give one sample a row, its entries side by side".to_owned(),
            });
        }
        Ok(())
    }
}

impl Array {
    /// Builds the sampler.
    ///
    /// # Errors
    /// No sample, or samples of one entry.
    pub fn sampler(&self) -> Result<ArraySampler, ParamError> {
        self.check()?;
        Ok(ArraySampler { samples: self.samples.clone() })
    }
}

/// Draws rows of an [`Array`].
#[derive(Clone, Debug)]
pub struct ArraySampler {
    samples: Matrix,
}

impl Draw for ArraySampler {
    fn dim(&self) -> usize {
        self.samples.cols()
    }
    fn law(&self) -> Law {
        Law { standardized: false, sign_symmetric: false, translation_invariant: false }
    }

    /// Averages over the rows, the mean first.
    fn moments(&self) -> Result<Moments, String> {
        let (rows, n) = (self.samples.rows(), self.samples.cols());
        if n > LARGEST {
            return Err(format!("the covariance of {n} entries is formed up to {LARGEST} of them"));
        }
        let mut mean = vec![0.0; n];
        for r in 0..rows {
            mean.iter_mut().zip(self.samples.row(r)).for_each(|(sum, x)| *sum += x);
        }
        for sum in &mut mean {
            *sum /= rows as f64;
        }
        let mut entries = vec![0.0; n * n];
        for r in 0..rows {
            let gaps: Vec<f64> =
                self.samples.row(r).iter().zip(&mean).map(|(x, m)| x - m).collect();
            for (row, a) in entries.chunks_mut(n).zip(&gaps) {
                row.iter_mut().zip(&gaps).for_each(|(sum, b)| *sum += a * b);
            }
        }
        for sum in &mut entries {
            *sum /= rows as f64;
        }
        Ok(Moments { mean, covariance: Covariance::Full { n, entries } })
    }

    fn draw<T: Element>(
        &self,
        rng: &mut BlockRng,
        _: &mut Vec<[T; LANES]>,
        block: &mut [[T; BLOCK]],
    ) {
        for half in [0, LANES] {
            let chosen = rng.below(self.samples.rows() as u32);
            for (l, row) in chosen.into_iter().enumerate() {
                for (entry, x) in block.iter_mut().zip(self.samples.row(row as usize)) {
                    entry[half + l] = T::from_f64(*x);
                }
            }
        }
    }
}

/// The registry row.
pub const ENTRY: Entry<Box<dyn Stimulus>> = Entry {
    name: "array",
    summary: "rows of an array, drawn with replacement",
    schema: <Array as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Array>(values)?.sampler()?)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampled::{Sampled, samples};

    fn array(cols: usize, numbers: &[f64]) -> Array {
        Array { samples: Matrix::new(cols, numbers.to_vec()) }
    }

    #[test]
    fn drawn_rows_have_the_moments_of_the_array() {
        let numbers = [1.0, -2.0, 0.5, 3.0, 0.0, 0.25, -1.0, 4.0, 2.0, -1.5];
        for (index, cols) in [2, 5].into_iter().enumerate() {
            let sampler = array(cols, &numbers).sampler().unwrap();
            let sampled = Sampled::new(&sampler, module_path!(), index as u64, 400);
            sampled.holds();
            // The estimate from a sample divides by one row less; here the rows are the whole law.
            let exact = Draw::moments(&sampler).unwrap().covariance;
            let rows = (numbers.len() / cols) as f64;
            sampled.rejects(|i, j| exact.at(i, j) * rows / (rows - 1.0));
        }
    }

    #[test]
    fn every_row_comes_up_and_nothing_else() {
        let x = samples::<f32>(&Array::default().sampler().unwrap(), module_path!(), 5, 10);
        for row in &x {
            assert!(row.iter().any(|x| *x > 0.5));
        }
        for s in 0..x[0].len() {
            assert_eq!((0..4).filter(|&i| x[i][s] > 0.5).count(), 2);
        }
    }

    #[test]
    fn one_column_is_refused() {
        let error = array(1, &[1.0, 2.0, 3.0]).sampler().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`samples` has 3 rows and 1 columns; a sample has at least 2 entries"
        );
        assert!(array(3, &[1.0, 2.0, 3.0]).sampler().is_ok(), "one row is a law, if a dull one");
    }
}
