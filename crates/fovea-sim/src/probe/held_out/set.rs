//! Which samples a network is looked at on: the same at every record.

use super::SLICE;
use crate::batch::Batch;
use crate::task::{LookedAt, Task};
use fovea_core::streams::Streams;

/// A set of samples, in slices, so that memory stays bounded.
#[derive(Clone, Copy)]
pub(super) struct Set<'a> {
    pub(super) task: &'a Task,
    pub(super) streams: &'a Streams,
    /// Most samples; of rows, each comes once, and there may be fewer.
    pub(super) samples: usize,
}

/// Some samples of a set, and what each of them weighs.
pub(super) type Slice<'a> = (Batch<'a>, f64);

impl<'a> Set<'a> {
    /// What the probes of samples look at: rows that are held out, else samples drawn as training draws its own.
    pub(super) fn looked_at(self) -> Vec<Slice<'a>> {
        if self.task.looked_at() == LookedAt::HeldOut {
            return self.by_class(true);
        }
        let slice = |(index, start)| {
            let size = SLICE.min(self.samples - start);
            (Batch::new(self.task, self.streams, "eval", index as u64, size), 1.0)
        };
        (0..self.samples).step_by(SLICE).enumerate().map(slice).collect()
    }

    /// What is trained on: the one batch of a fixed sample, else the rows.
    pub(super) fn training(self, fixed: Option<usize>) -> Vec<Slice<'a>> {
        match fixed {
            Some(batch) => vec![(Batch::new(self.task, self.streams, "train", 0, batch), 1.0)],
            None => self.by_class(false),
        }
    }

    /// Rows, each once, and of a class without rows fresh samples. Every class weighs as much as its share, however many
    /// rows there are of it.
    fn by_class(self, held_out: bool) -> Vec<Slice<'a>> {
        let mut slices: Vec<Slice<'a>> = Vec::new();
        for (index, class) in self.task.classes().iter().enumerate() {
            if class.share <= 0.0 {
                continue;
            }
            let most = ((class.share * self.samples as f64).round() as usize).max(1);
            let rows = self.task.rows(index, held_out);
            let count = rows.map_or(most, |rows| rows.count().min(most));
            for start in (0..count).step_by(SLICE) {
                let size = SLICE.min(count - start);
                // Streams are told apart by the place of the slice, so that no two classes share their numbers.
                let step = slices.len() as u64;
                let batch = match rows {
                    Some(rows) => Batch::of_rows(self.task, index, rows, start..start + size),
                    None => Batch::of_class(self.task, self.streams, "eval", step, (index, size)),
                };
                slices.push((batch, class.share / count as f64));
            }
        }
        slices
    }
}
