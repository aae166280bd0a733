//! One batch: which blocks are drawn, of which class, and how many of their samples count.
//!
//! Class counts come first, then whole blocks of one class each, `pos` before `neg`, the last block of a class partly
//! used. The sum over a batch does not see the order, so the labels are exactly as declared.

use crate::stimulus::Stimulus;
use crate::task::{Class, Task};
use fovea_core::lanes::{BLOCK, LANES, Real};
use fovea_core::streams::{BlockRng, Stream, Streams};

/// A number type a stimulus can be drawn in.
pub trait Element: Real {
    /// Draws one block of a stimulus in this type.
    fn fill(
        stimulus: &dyn Stimulus,
        rng: &mut BlockRng,
        scratch: &mut Vec<[Self; LANES]>,
        block: &mut [[Self; BLOCK]],
    );
}

impl Element for f32 {
    fn fill(
        s: &dyn Stimulus,
        rng: &mut BlockRng,
        scratch: &mut Vec<[f32; LANES]>,
        block: &mut [[f32; BLOCK]],
    ) {
        s.fill_single(rng, scratch, block);
    }
}

impl Element for f64 {
    fn fill(
        s: &dyn Stimulus,
        rng: &mut BlockRng,
        scratch: &mut Vec<[f64; LANES]>,
        block: &mut [[f64; BLOCK]],
    ) {
        s.fill_double(rng, scratch, block);
    }
}

/// A batch of labelled samples, drawn when its blocks are asked for.
pub struct Batch<'a> {
    task: &'a Task,
    data: Stream,
    step: u64,
    size: usize,
    pos: usize,
}

impl<'a> Batch<'a> {
    /// The batch of one step; `purpose` names the stream (`"train"`, `"eval"`).
    pub fn new(task: &'a Task, streams: &Streams, purpose: &str, step: u64, size: usize) -> Self {
        let pos = task.count_pos(&streams.named(&format!("{purpose}/labels")), step, size);
        Self { task, data: streams.named(&format!("{purpose}/data")), step, size, pos }
    }

    /// Number of samples.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Length of a sample.
    pub fn dim(&self) -> usize {
        self.task.dim()
    }

    /// Number of blocks, the partly used ones included.
    pub fn blocks(&self) -> usize {
        self.pos.div_ceil(BLOCK) + (self.size - self.pos).div_ceil(BLOCK)
    }

    /// Class of block `index` and how many of its samples count.
    pub fn block(&self, index: usize) -> (&'a Class, usize) {
        let blocks_pos = self.pos.div_ceil(BLOCK);
        let (class, count, place) = if index < blocks_pos {
            (&self.task.pos, self.pos, index)
        } else {
            (&self.task.neg, self.size - self.pos, index - blocks_pos)
        };
        (class, BLOCK.min(count - place * BLOCK))
    }

    /// Draws block `index`, the unused samples included.
    pub fn fill<T: Element>(
        &self,
        index: usize,
        scratch: &mut Vec<[T; LANES]>,
        x: &mut [[T; BLOCK]],
    ) {
        let (class, _) = self.block(index);
        T::fill(class.stimulus.as_ref(), &mut self.data.block(self.step, index as u32), scratch, x);
    }
}
