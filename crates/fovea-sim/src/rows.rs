//! Samples as rows of an array: one sample after the other, its entries side by side.

use crate::simd::{Body, Simd, dispatch};
use crate::stimulus::{Element, Stimulus};
use fovea_core::lanes::{BLOCK, Real, Room};
use fovea_core::streams::Stream;
use fovea_core::work::{self, Listening};
use rayon::prelude::*;

/// Blocks of a chunk, the unit of parallel work.
const CHUNK: usize = 32;

/// The largest number of samples of a stream at one step.
pub const MOST: u64 = BLOCK as u64 * (1 << 32);

/// A number type in which samples are written as rows.
///
/// The loop is behind its method, so that it is compiled here and not again, less optimised, in every crate that samples.
pub trait RowElement: Element {
    /// See [`fill_rows`].
    fn fill_rows(
        stimulus: &dyn Stimulus,
        stream: &Stream,
        first: u64,
        rows: &mut [Self],
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> bool;
}

macro_rules! written {
    ($($type:ty),+) => {
        $(impl RowElement for $type {
            fn fill_rows(
                stimulus: &dyn Stimulus,
                stream: &Stream,
                first: u64,
                rows: &mut [$type],
                stopped: &(dyn Fn() -> bool + Sync),
            ) -> bool {
                write(stimulus, stream, first, rows, stopped)
            }
        })+
    };
}

written!(f32, f64);

/// Writes samples `first`, `first + 1`, ... of a stream into `rows`, one row per sample; `stopped` is asked now and then.
///
/// Block `b` of the stream holds samples `32 b` to `32 b + 31`, so a sample is the same wherever a call begins or ends and
/// on any number of threads. Only the rows are kept: a block is drawn, written into its rows and forgotten.
///
/// Returns whether all rows were written.
///
/// # Panics
/// The rows are not whole samples, or reach beyond [`MOST`].
pub fn fill_rows<T: RowElement>(
    stimulus: &dyn Stimulus,
    stream: &Stream,
    first: u64,
    rows: &mut [T],
    stopped: &(dyn Fn() -> bool + Sync),
) -> bool {
    T::fill_rows(stimulus, stream, first, rows, stopped)
}

fn write<T: Element>(
    stimulus: &dyn Stimulus,
    stream: &Stream,
    first: u64,
    rows: &mut [T],
    stopped: &(dyn Fn() -> bool + Sync),
) -> bool {
    let dim = stimulus.dim();
    assert!(rows.len().is_multiple_of(dim), "a sample has {dim} entries");
    let count = (rows.len() / dim) as u64;
    assert!(
        first.checked_add(count).is_some_and(|end| end <= MOST),
        "a stream holds {MOST} samples"
    );
    // The first block may start in its middle; after it chunks begin with whole blocks.
    let inside = (first % BLOCK as u64) as usize;
    let head = if inside == 0 { 0 } else { (BLOCK - inside).min(rows.len() / dim) };
    let (head, rest) = rows.split_at_mut(head * dim);
    let draw = |mut sample: u64, rows: &mut [T]| {
        let (mut scratch, mut block) = (Vec::new(), Room::new(dim));
        let mut rows = rows;
        while !rows.is_empty() {
            work::poll();
            let (index, skip) = ((sample / BLOCK as u64) as u32, (sample % BLOCK as u64) as usize);
            T::fill(stimulus, &mut stream.block(0, index), &mut scratch, &mut block);
            let count = (BLOCK - skip).min(rows.len() / dim);
            let (now, later) = rows.split_at_mut(count * dim);
            if count == BLOCK {
                dispatch(Whole { block: &block, rows: now });
            } else {
                turn(&block, 0, skip, now, dim);
            }
            (rows, sample) = (later, sample + count as u64);
        }
    };
    draw(first, head);
    let start = first + (head.len() / dim) as u64;
    let chunk = CHUNK * BLOCK;
    let here = Listening::here();
    rest.par_chunks_mut(chunk * dim)
        .enumerate()
        .map(|(i, rows)| {
            let go = !stopped();
            if go {
                here.help(|| draw(start + (i * chunk) as u64, rows));
            }
            go
        })
        .all(|done| done)
}

/// All samples of a block into their rows, eight entries of eight samples at a time.
struct Whole<'a, T> {
    block: &'a [[T; BLOCK]],
    rows: &'a mut [T],
}

/// Entries and samples of a tile.
const TILE: usize = 8;

impl<T: Real> Body for Whole<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { block, rows } = self;
        let dim = block.len();
        let whole = dim - dim % TILE;
        for first in (0..BLOCK).step_by(TILE) {
            for i in (0..whole).step_by(TILE) {
                let mut tile = [[T::ZERO; TILE]; TILE];
                for (row, entries) in tile.iter_mut().zip(&block[i..]) {
                    row.copy_from_slice(&entries[first..first + TILE]);
                }
                for (sample, entries) in T::columns(s, tile).iter().enumerate() {
                    rows[(first + sample) * dim + i..][..TILE].copy_from_slice(entries);
                }
            }
        }
        turn(block, whole, 0, rows, dim);
    }
}

/// The entries from `from` on of samples `skip`, `skip + 1`, ... into their rows.
#[inline(always)]
fn turn<T: Copy>(block: &[[T; BLOCK]], from: usize, skip: usize, rows: &mut [T], dim: usize) {
    for (s, row) in rows.chunks_exact_mut(dim).enumerate() {
        for (entry, column) in row[from..].iter_mut().zip(&block[from..]) {
            *entry = column[skip + s];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::agree::same_bits;
    use fovea_core::streams::Streams;

    /// More than a tile and less than two.
    const SITES: usize = 11;

    fn small() -> fovea_core::params::Assignments {
        vec![("n".to_owned(), SITES.into()), ("xi".to_owned(), 1.0.into())]
    }

    fn rows(first: u64, count: usize, threads: usize) -> Vec<f64> {
        let stimulus = (crate::stimulus::nlgp::ENTRY.build)(&small());
        let (stimulus, stream) = (stimulus.unwrap(), Streams::new(3).named("sample"));
        let mut rows = vec![f64::NAN; SITES * count];
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let never = || false;
        assert!(pool.install(|| fill_rows(stimulus.as_ref(), &stream, first, &mut rows, &never)));
        rows
    }

    #[test]
    fn a_sample_is_the_same_wherever_a_call_begins_and_on_any_number_of_threads() {
        let all = rows(0, 3000, 1);
        assert!(all.iter().all(|x| x.is_finite()));
        same_bits(&all, &rows(0, 3000, 2)).unwrap();
        for (first, count) in [(0, 1), (1, 31), (5, 7), (31, 2), (40, 1100), (1024, 32), (2999, 1)]
        {
            let part = rows(first, count, 2);
            same_bits(&part, &all[SITES * first as usize..SITES * (first as usize + count)])
                .unwrap();
        }
        assert_ne!(all[..SITES], all[SITES..2 * SITES]);
    }

    #[test]
    fn rows_are_the_samples_of_the_blocks() {
        let stimulus = (crate::stimulus::nlgp::ENTRY.build)(&small());
        let mut block = vec![[0.0; BLOCK]; SITES];
        let stream = Streams::new(3).named("sample");
        stimulus.unwrap().fill_double(&mut stream.block(0, 1), &mut Vec::new(), &mut block);
        let rows = rows(32, 32, 1);
        for (s, row) in rows.chunks(SITES).enumerate() {
            let sample: Vec<f64> = block.iter().map(|entry| entry[s]).collect();
            same_bits(row, &sample).unwrap();
        }
    }

    /// Single precision is transposed in registers, double precision number by number.
    #[test]
    fn both_precisions_are_turned_alike() {
        let block: Vec<[f32; BLOCK]> =
            (0..SITES).map(|i| std::array::from_fn(|s| (100 * i + s) as f32)).collect();
        let wide: Vec<[f64; BLOCK]> = block.iter().map(|row| row.map(f64::from)).collect();
        let (mut single, mut double) = (vec![0.0; SITES * BLOCK], vec![0.0; SITES * BLOCK]);
        dispatch(Whole { block: &block, rows: &mut single });
        dispatch(Whole { block: &wide, rows: &mut double });
        let single: Vec<f64> = single.into_iter().map(f64::from).collect();
        let expected = |at: usize| (100 * (at % SITES) + at / SITES) as f64;
        same_bits(&single, &(0..SITES * BLOCK).map(expected).collect::<Vec<_>>()).unwrap();
        same_bits(&single, &double).unwrap();
    }

    #[test]
    fn a_stop_is_told() {
        let stimulus = (crate::stimulus::nlgp::ENTRY.build)(&Vec::new()).unwrap();
        let stream = Streams::new(3).named("sample");
        let mut rows = vec![0.0_f32; 40 * 64];
        assert!(!fill_rows(stimulus.as_ref(), &stream, 0, &mut rows, &|| true));
    }
}
