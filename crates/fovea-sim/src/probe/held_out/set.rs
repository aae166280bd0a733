//! The samples that a network is evaluated on, the same at every record.

use super::SLICE;
use crate::batch::Batch;
use crate::task::{LookedAt, Task};
use fovea_core::streams::Streams;

/// A set of samples, in slices, so that memory stays bounded.
#[derive(Clone, Copy)]
pub(super) struct Set<'a> {
    pub(super) task: &'a Task,
    pub(super) streams: &'a Streams,
    /// The largest number of samples; rows occur once each, so there may be fewer.
    pub(super) samples: usize,
}

/// Some samples of a set, and the weight of each.
pub(super) type Slice<'a> = (Batch<'a>, f64);

impl<'a> Set<'a> {
    /// The samples that probes use: held-out rows, else samples drawn in the same way as the training samples.
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

    /// The training samples: the one batch of a fixed sample, else the rows.
    pub(super) fn training(self, fixed: Option<usize>) -> Vec<Slice<'a>> {
        match fixed {
            Some(batch) => vec![(Batch::new(self.task, self.streams, "train", 0, batch), 1.0)],
            None => self.by_class(false),
        }
    }

    /// Rows, each once, and fresh samples of a class without rows. The weight of a class is its share, however many
    /// rows it has.
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
                // Every slice has a stream index of its own, so that no two classes share random numbers.
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
