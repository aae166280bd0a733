//! The mean loss on a held-out set.

use super::SLICE;
use crate::batch::Batch;
use crate::kernel::{KernelElement, Workspace};
use crate::loss;
use crate::network::Network;
use crate::task::Task;
use fovea_core::streams::Streams;

/// Loss on a fixed set of `samples` fresh samples, in slices so that memory stays bounded; zero for no samples.
pub fn held_out_loss<T: KernelElement>(
    task: &Task,
    network: &Network,
    loss: &'static loss::Row,
    streams: &Streams,
    samples: usize,
) -> f64 {
    let mut workspace = Workspace::<T>::new(network, SLICE.min(samples));
    let mut total = 0.0;
    for (slice, start) in (0..samples).step_by(SLICE).enumerate() {
        let size = SLICE.min(samples - start);
        let batch = Batch::new(task, streams, "eval", slice as u64, size);
        total += workspace.loss_and_grad(network, loss, &batch) * size as f64;
    }
    if samples > 0 { total / samples as f64 } else { 0.0 }
}
