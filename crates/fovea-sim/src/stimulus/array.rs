//! Samples given by the user.

use super::split::shuffled;
use super::{Covariance, Declared, Draw, Element, Moments, Part, Rows, Split, Stimulus};
use crate::cholesky::LARGEST;
use fovea_core::lanes::{BLOCK, LANES};
use fovea_core::params::{Range, between};
use fovea_core::registry::resolve;
use fovea_core::streams::{BlockRng, Streams};
use fovea_core::{Entry, Matrix, ParamError, Params, params};

mod held_out;
#[cfg(test)]
mod tests;

pub use held_out::HeldOut;

params! {
    /// The rows of an array, each sampled with the same probability, with replacement; a training run first holds some of them out.
    ///
    /// The seed of a run decides which rows it holds out, the same ones for every array with this number of rows. A stimulus made from an
    /// array, by `scaled`, `filtered`, `mirrored`, `window` or `gaussian-clone`, is then made from the training rows, and its `covariance`
    /// and mean are theirs; before a run, and where nothing is held out, they are those of all rows.
    pub struct Array {
        /// One sample per row.
        samples: Matrix = neighbours(4), between(-1e9, 1e9), "";
        /// Rows that a run never trains on: a share in [0, 1) of `samples`, or separate rows. `auto` is 0.2 from 50 rows on, else 0.
        held_out: HeldOut = HeldOut::Auto, Range { open_high: true, ..between(0.0, 1.0) }, "", added = HeldOut::Share(0.0);
    }
}

/// One row per site of a ring: the site and the next one are 1.
fn neighbours(n: usize) -> Matrix {
    let lit = |site: usize, i: usize| i == site || i == (site + 1) % n;
    let number = |at: usize| if lit(at / n, at % n) { 1.0 } else { 0.0 };
    Matrix::new(n, (0..n * n).map(number).collect())
}

impl Params for Array {
    fn check(&self) -> Result<(), ParamError> {
        let refused = |what: String, hint: &str| {
            Err(ParamError::Inconsistent { what, hint: hint.to_owned() })
        };
        let (rows, cols) = (self.samples.rows(), self.samples.cols());
        if cols < 2 || rows < 1 {
            let what = format!(
                "`samples` has {rows} rows and {cols} columns; a sample has at least 2 entries"
            );
            return refused(what, "give one sample per row, its entries side by side");
        }
        match &self.held_out {
            HeldOut::Rows(others) if others.cols() != cols => {
                let what = format!(
                    "`held_out` has {} columns and `samples` {cols}: every row is one sample",
                    others.cols()
                );
                refused(what, "give rows of the same length")
            }
            share if share.count(rows) >= rows => {
                let what = format!(
                    "`held_out` keeps {} of {rows} rows from training, which leaves none to train on",
                    share.count(rows)
                );
                refused(what, "choose a smaller share, or 0, or give more rows")
            }
            _ => Ok(()),
        }
    }
}

impl Array {
    /// All rows for training, none held out.
    pub fn of(samples: Matrix) -> Self {
        Self { samples, held_out: HeldOut::Share(0.0) }
    }

    /// Builds the sampler.
    ///
    /// # Errors
    /// No sample, samples of one entry, or none left to train on.
    pub fn sampler(&self) -> Result<ArraySampler, ParamError> {
        self.check()?;
        let drawn = Part::all(&self.samples);
        Ok(ArraySampler { drawn, held_out: self.held_out.clone(), notes: Vec::new() })
    }
}

/// Draws rows of an [`Array`].
#[derive(Clone, Debug)]
pub struct ArraySampler {
    drawn: Part,
    held_out: HeldOut,
    notes: Vec<String>,
}

impl ArraySampler {
    /// The rows of a run, those that are trained on and those that are not, each part in a random order.
    fn rows(&self, streams: &Streams) -> Rows {
        let order = shuffled(self.drawn.count(), streams);
        let (held_out, trained) = order.split_at(self.held_out.count(self.drawn.count()));
        let held_out = match &self.held_out {
            HeldOut::Rows(others) => Part::new(others, shuffled(others.rows(), streams)),
            _ => self.drawn.at(held_out),
        };
        Rows { training: self.drawn.at(trained), held_out, factor_sets: 0 }
    }
}

/// What a user should know of the rows of a run.
fn notes(rows: &Rows) -> Vec<String> {
    let (training, held_out) = (rows.training.count(), rows.held_out.count());
    if held_out == 0 {
        return vec![format!("all {training} rows are trained on, none is held out")];
    }
    let mut notes = vec![format!("{held_out} rows are held out, {training} are trained on")];
    let twice = rows.held_out.also_in(&rows.training);
    if twice > 0 {
        let are = if twice == 1 { "is" } else { "are" };
        notes.push(format!("{twice} of the rows held out {are} also among those trained on"));
    }
    notes
}

impl Draw for ArraySampler {
    fn dim(&self) -> usize {
        self.drawn.dim()
    }
    fn declared(&self) -> Declared {
        Declared { standardized: false, sign_symmetric: false, translation_invariant: false }
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
    fn has_rows(&self) -> bool {
        true
    }

    fn split(&self, streams: &Streams) -> Result<Option<Split>, ParamError> {
        let rows = self.rows(streams);
        // The training rows keep the order of the array, so that without held-out rows the draws are those of all rows.
        let (drawn, notes) = (rows.training.in_place(), notes(&rows));
        let training = Self { drawn, held_out: HeldOut::Share(0.0), notes };
        Ok(Some(Split { training: Box::new(training), rows: Some(rows) }))
    }

    /// Averages over the rows, starting with the mean.
    fn moments(&self) -> Result<Moments, String> {
        let (rows, n) = (self.drawn.count(), self.drawn.dim());
        if n > LARGEST {
            return Err(format!("the covariance of {n} entries is formed up to {LARGEST} of them"));
        }
        let mut mean = vec![0.0; n];
        for r in 0..rows {
            mean.iter_mut().zip(self.drawn.row(r)).for_each(|(sum, x)| *sum += x);
        }
        for sum in &mut mean {
            *sum /= rows as f64;
        }
        let mut entries = vec![0.0; n * n];
        for r in 0..rows {
            let gaps: Vec<f64> = self.drawn.row(r).iter().zip(&mean).map(|(x, m)| x - m).collect();
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
            let chosen = rng.below(self.drawn.count() as u32);
            for (l, row) in chosen.into_iter().enumerate() {
                for (entry, x) in block.iter_mut().zip(self.drawn.row(row as usize)) {
                    entry[half + l] = T::from_f64(*x);
                }
            }
        }
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Stimulus>> = Entry {
    name: "array",
    summary: "rows of an array, sampled with replacement, some of them held out from training",
    schema: <Array as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Array>(values)?.sampler()?)),
};
