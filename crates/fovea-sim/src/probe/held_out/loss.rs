//! The mean loss on a set of samples.

use super::set::{Set, Slice};
use crate::fused::{FusedElement, Workspace};
use crate::loss;
use crate::network::Network;
use crate::task::Task;
use fovea_core::streams::Streams;

/// Loss on a fixed set of `samples` fresh samples, or on the held-out rows, each once and at most this many; zero for
/// no samples.
pub fn held_out_loss<T: FusedElement>(
    task: &Task,
    network: &Network,
    loss: &'static loss::Entry,
    streams: &Streams,
    samples: usize,
) -> f64 {
    mean_loss::<T>(network, loss, &Set { task, streams, samples }.looked_at())
}

/// The mean loss over these slices.
pub(super) fn mean_loss<T: FusedElement>(
    network: &Network,
    loss: &'static loss::Entry,
    slices: &[Slice<'_>],
) -> f64 {
    let largest = slices.iter().map(|(batch, _)| batch.size()).max().unwrap_or(0);
    let mut workspace = Workspace::<T>::new(network, largest);
    let (mut total, mut all) = (0.0, 0.0);
    for (batch, weight) in slices {
        let size = batch.size() as f64;
        total += workspace.loss_and_grad(network, loss, batch) * size * weight;
        all += size * weight;
    }
    if slices.is_empty() { 0.0 } else { total / all }
}
