//! One batch: which blocks are sampled, of which class, and how many of their samples count.
//!
//! The class counts are fixed first. Then come whole blocks of one class each, in the order of the classes; the last block of a class is
//! partly used. The sum over a batch does not depend on the order, so the labels are distributed exactly as declared.

use crate::stimulus::{Element, Part};
use crate::task::Task;
use fovea_core::lanes::{BLOCK, LANES};
use fovea_core::streams::{Stream, Streams};
use std::ops::Range;

/// A batch of labelled samples; each block is sampled when it is asked for.
pub struct Batch<'a> {
    task: &'a Task,
    from: From<'a>,
    counts: Vec<usize>,
}

/// Where the samples of a batch come from.
enum From<'a> {
    /// Sampled at this step of the stream.
    Stream(Stream, u64),
    /// These rows, which are all of one class.
    Rows(&'a Part, Range<usize>),
}

impl<'a> Batch<'a> {
    /// The batch of one step; `purpose` names the stream (`"train"`, `"eval"`).
    pub fn new(task: &'a Task, streams: &Streams, purpose: &str, step: u64, size: usize) -> Self {
        let counts = task.counts(streams, purpose, step, size);
        Self { task, from: From::Stream(streams.named(&format!("{purpose}/data")), step), counts }
    }

    /// The batch of one step, all of it of one class.
    pub(crate) fn of_class(
        task: &'a Task,
        streams: &Streams,
        purpose: &str,
        step: u64,
        (class, size): (usize, usize),
    ) -> Self {
        let from = From::Stream(streams.named(&format!("{purpose}/data")), step);
        Self { task, from, counts: alone(task, class, size) }
    }

    /// Some rows of a class, each once.
    pub(crate) fn of_rows(task: &'a Task, class: usize, rows: &'a Part, at: Range<usize>) -> Self {
        let counts = alone(task, class, at.len());
        Self { task, from: From::Rows(rows, at), counts }
    }

    /// The task that the batch is sampled from.
    pub fn task(&self) -> &'a Task {
        self.task
    }

    /// Number of samples.
    pub fn size(&self) -> usize {
        self.counts.iter().sum()
    }

    /// Length of a sample.
    pub fn dim(&self) -> usize {
        self.task.dim()
    }

    /// Number of blocks, the partly used ones included.
    pub fn blocks(&self) -> usize {
        self.counts.iter().map(|count| count.div_ceil(BLOCK)).sum()
    }

    /// Class of block `index` and how many of its samples count.
    pub fn block(&self, index: usize) -> (usize, usize) {
        let mut place = index;
        for (class, count) in self.counts.iter().enumerate() {
            let blocks = count.div_ceil(BLOCK);
            if place < blocks {
                return (class, BLOCK.min(count - place * BLOCK));
            }
            place -= blocks;
        }
        unreachable!("block {index} of {}", self.blocks())
    }

    /// Draws block `index`, the unused samples included, and its targets, one row per output; returns how many samples count.
    pub fn fill<T: Element>(
        &self,
        index: usize,
        scratch: &mut Vec<[T; LANES]>,
        x: &mut [[T; BLOCK]],
        y: &mut [[T; BLOCK]],
    ) -> usize {
        let (class, used) = self.block(index);
        match &self.from {
            From::Stream(data, step) => {
                let rng = &mut data.block(*step, index as u32);
                T::fill(self.task.classes()[class].stimulus.as_ref(), rng, scratch, x);
            }
            From::Rows(rows, at) => {
                let first = at.start + index * BLOCK;
                for s in 0..BLOCK {
                    // Samples that do not count are copies of the last one that does.
                    let row = rows.row(first + s.min(used - 1));
                    x.iter_mut().zip(row).for_each(|(entry, x)| entry[s] = T::from_f64(*x));
                }
            }
        }
        self.task.targets(class, x, y);
        used
    }
}

/// This many samples of one class and none of the others.
fn alone(task: &Task, class: usize, size: usize) -> Vec<usize> {
    (0..task.classes().len()).map(|other| if other == class { size } else { 0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stimulus::nlgp::Nlgp;
    use crate::task::Labels;
    use fovea_core::ring::Kernel;

    /// Whole blocks of every class are drawn, and exactly `batch` samples of them are used.
    #[test]
    fn every_class_of_a_batch_is_drawn_in_whole_blocks() {
        let class = |xi: f64| Box::new(Nlgp::on_ring(8, xi, 3.0, Kernel::Ring).sampler().unwrap());
        let task = Task::pair(class(1.2), class(0.6), 0.0, Labels::Balanced).unwrap();
        for size in [2, 62, 64, 66, 256, 1000, 8192] {
            let batch = Batch::new(&task, &Streams::new(0), "train", 0, size);
            let drawn = batch.blocks() * BLOCK;
            assert_eq!(drawn, 2 * (size / 2).next_multiple_of(BLOCK), "{size}");
            // Fewer would do if samples were drawn one by one, except where half a batch is a whole number of blocks.
            assert_eq!(drawn == size, (size / 2).is_multiple_of(BLOCK), "{size}");
            let mut used = [0; 2];
            for (class, count) in (0..batch.blocks()).map(|index| batch.block(index)) {
                used[class] += count;
            }
            assert_eq!(used, [size / 2; 2]);
        }
    }
}
