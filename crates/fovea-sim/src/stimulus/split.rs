//! Stimuli with a finite number of samples, once a run has split these into training rows and held-out rows.
//! Only this module knows which row is which; tasks, batches and probes ask it.

use super::Stimulus;
use fovea_core::Matrix;
use fovea_core::lanes::BLOCK;
use fovea_core::streams::{BlockRng, Streams};
use std::sync::Arc;

/// A stimulus as a run uses it, once its rows have been split.
pub struct Split {
    /// Draws the training samples; none of them is a held-out row or made from one.
    pub training: Box<dyn Stimulus>,
    /// The rows, where the samples are rows; `None` for a stimulus made from their moments alone.
    pub rows: Option<Rows>,
}

/// The rows that a stimulus is made from.
#[derive(Clone, Debug)]
pub struct Rows {
    /// Those that training draws.
    pub training: Part,
    /// Those that it never sees; none where nothing is held out.
    pub held_out: Part,
    /// How many times random factors were applied to them, each time from another place of the stream.
    pub(super) factor_sets: u64,
}

impl Rows {
    /// Both parts, transformed in the same way: `made` writes the new row, or several images of it, or nothing.
    #[must_use]
    pub(super) fn remade(&self, cols: usize, made: impl Fn(&[f64], &mut Vec<f64>)) -> Self {
        let remade = |part: &Part| part.remade(cols, |_, row, into| made(row, into));
        Self {
            training: remade(&self.training),
            held_out: remade(&self.held_out),
            factor_sets: self.factor_sets,
        }
    }
}

impl Rows {
    /// Both parts, each row times a random factor; `draw` gives those of a block.
    #[must_use]
    pub(super) fn with_factors(
        self,
        streams: &Streams,
        draw: impl Fn(&mut BlockRng) -> [f64; BLOCK],
    ) -> Self {
        let stream = streams.named("held-out/factors");
        let scale = |part: &Part, place: u64| {
            let blocks = (0..part.count().div_ceil(BLOCK) as u32)
                .flat_map(|block| draw(&mut stream.block(2 * self.factor_sets + place, block)));
            let factors: Vec<f64> = blocks.collect();
            part.remade(part.dim(), |i, row, into| into.extend(row.iter().map(|x| factors[i] * x)))
        };
        Self {
            training: scale(&self.training, 0),
            held_out: scale(&self.held_out, 1),
            factor_sets: self.factor_sets + 1,
        }
    }
}

/// Some rows of an array, in the order in which they are used.
#[derive(Clone, Debug)]
pub struct Part {
    matrix: Matrix,
    order: Arc<[u32]>,
}

impl Part {
    /// The rows of these indices.
    pub fn new(matrix: &Matrix, order: Vec<u32>) -> Self {
        Self { matrix: matrix.clone(), order: order.into() }
    }

    /// All rows in the order of the array.
    pub fn all(matrix: &Matrix) -> Self {
        Self::new(matrix, (0..matrix.rows() as u32).collect())
    }

    /// Number of rows.
    pub fn count(&self) -> usize {
        self.order.len()
    }

    /// Length of a row.
    pub fn dim(&self) -> usize {
        self.matrix.cols()
    }

    /// One row.
    pub fn row(&self, i: usize) -> &[f64] {
        self.matrix.row(self.order[i] as usize)
    }

    /// Every row, in order.
    pub fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.order.iter().map(|i| self.matrix.row(*i as usize))
    }

    /// Its rows at these places.
    #[must_use]
    pub(super) fn at(&self, places: &[u32]) -> Self {
        Self::new(&self.matrix, places.iter().map(|i| self.order[*i as usize]).collect())
    }

    /// The same rows in the order of the array.
    #[must_use]
    pub(super) fn in_place(&self) -> Self {
        let mut order = self.order.to_vec();
        order.sort_unstable();
        Self::new(&self.matrix, order)
    }

    /// Other rows instead of these: `made` is given the index of a row and the row and writes its images, `cols` numbers per image.
    #[must_use]
    pub(super) fn remade(&self, cols: usize, made: impl Fn(usize, &[f64], &mut Vec<f64>)) -> Self {
        let mut numbers = Vec::new();
        for (i, row) in self.rows().enumerate() {
            made(i, row, &mut numbers);
        }
        Self::all(&Matrix::new(cols, numbers))
    }

    /// How many of these rows are also among `others`, bit for bit.
    pub(super) fn also_in(&self, others: &Self) -> usize {
        let bits = |row: &[f64]| row.iter().map(|x| x.to_bits()).collect::<Vec<u64>>();
        // By a hash of each row first, so that no row is copied.
        let mut known: Vec<(u64, usize)> = others.rows().map(digest).zip(0..).collect();
        known.sort_unstable();
        let stands = |row: &&[f64]| {
            let number = digest(row);
            let from = known.partition_point(|(other, _)| *other < number);
            let alike = known[from..].iter().take_while(|(other, _)| *other == number);
            alike.into_iter().any(|(_, i)| bits(others.row(*i)) == bits(row))
        };
        self.rows().filter(stands).count()
    }
}

/// A hash of a row.
fn digest(row: &[f64]) -> u64 {
    row.iter().fold(0xcbf2_9ce4_8422_2325, |hash, x| {
        (hash ^ x.to_bits()).wrapping_mul(0x0100_0000_01b3).rotate_left(23)
    })
}

/// The numbers below `count` in a random order. It is the same for every stimulus of a run, so that when several classes are made
/// from one array, the same rows are held out of all of them.
pub(super) fn shuffled(count: usize, streams: &Streams) -> Vec<u32> {
    let mut rng = streams.named("held-out").block(0, 0);
    let mut keys: Vec<(f64, u32)> = Vec::with_capacity(count);
    while keys.len() < count {
        let left = count - keys.len();
        let first = keys.len() as u32;
        keys.extend(rng.uniforms().into_iter().take(left).zip(first..));
    }
    // Equal keys are ordered by index.
    keys.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    keys.into_iter().map(|(_, i)| i).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_comes_once_and_the_order_is_that_of_the_seed() {
        for count in [0, 1, 15, 16, 17, 1000] {
            let order = shuffled(count, &Streams::new(3));
            assert_eq!(order, shuffled(count, &Streams::new(3)));
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert!(sorted.iter().copied().eq(0..count as u32));
            if count > 100 {
                assert_ne!(order, sorted);
                assert_ne!(order, shuffled(count, &Streams::new(4)));
            }
        }
    }
}
