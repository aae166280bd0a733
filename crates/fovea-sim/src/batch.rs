//! One batch: which blocks are drawn, of which class, and how many of their samples count.
//!
//! Class counts come first, then whole blocks of one class each, in the order of the classes, the last block of a class
//! partly used. The sum over a batch does not see the order, so the labels are exactly as declared.

use crate::stimulus::Element;
use crate::task::Task;
use fovea_core::lanes::{BLOCK, LANES};
use fovea_core::streams::{Stream, Streams};

/// A batch of labelled samples, drawn when its blocks are asked for.
pub struct Batch<'a> {
    task: &'a Task,
    data: Stream,
    step: u64,
    counts: Vec<usize>,
}

impl<'a> Batch<'a> {
    /// The batch of one step; `purpose` names the stream (`"train"`, `"eval"`).
    pub fn new(task: &'a Task, streams: &Streams, purpose: &str, step: u64, size: usize) -> Self {
        let counts = task.counts(streams, purpose, step, size);
        Self { task, data: streams.named(&format!("{purpose}/data")), step, counts }
    }

    /// What the batch is drawn from.
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

    /// Draws block `index`, the unused samples included, and its targets, one row an output; returns how many samples count.
    pub fn fill<T: Element>(
        &self,
        index: usize,
        scratch: &mut Vec<[T; LANES]>,
        x: &mut [[T; BLOCK]],
        y: &mut [[T; BLOCK]],
    ) -> usize {
        let (class, used) = self.block(index);
        let rng = &mut self.data.block(self.step, index as u32);
        T::fill(self.task.classes()[class].stimulus.as_ref(), rng, scratch, x);
        self.task.targets(class, x, y);
        used
    }
}
