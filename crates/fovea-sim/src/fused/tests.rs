//! The numbers do not depend on how the work is cut up in time.

use super::*;
use crate::network::Architecture;
use crate::stimulus::Stimulus;
use crate::task::{Labels, Task};
use fovea_core::Item;
use fovea_core::agree::same_bits;
use fovea_core::streams::Streams;

fn task(n: usize) -> Task {
    let nlgp = |xi: f64| {
        let item = Item::<Box<dyn Stimulus>>::named("nlgp").set("n", n).set("xi", xi);
        item.build("stimulus").unwrap()
    };
    Task::pair(nlgp(2.0), nlgp(1.0), 0.0, Labels::Iid).unwrap()
}

fn network(name: &str, n: usize, width: usize) -> Network {
    let item = Item::<Box<dyn Architecture>>::named(name).set("width", width);
    item.build("network").unwrap().network(&[n], 1, &Streams::new(6)).unwrap()
}

/// Loss and gradient of one batch.
fn step<T: FusedElement>(
    network: &Network,
    task: &Task,
    batch: usize,
    threads: usize,
    in_flight: usize,
) -> Vec<f64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut workspace = Workspace::<T>::with_chunks_in_flight(network, batch, in_flight);
        let drawn = Batch::new(task, &Streams::new(7), "train", 3, batch);
        let loss = workspace.loss_and_grad(network, &loss::mse::ENTRY, &drawn);
        workspace.grad.iter().copied().chain([loss]).collect()
    })
}

#[test]
fn threads_and_chunks_in_flight_leave_the_bits_alone() {
    for (name, n, width, batch) in
        [("committee", 40, 12, 5003), ("two-layer", 11, 5, 2000), ("committee", 7, 21, 1500)]
    {
        let (network, task) = (network(name, n, width), task(n));
        let single = step::<f32>(&network, &task, batch, 1, 64);
        let double = step::<f64>(&network, &task, batch, 1, 64);
        for (threads, in_flight) in [(1, 1), (1, 7), (2, 1), (2, 7), (3, 2), (2, 64)] {
            same_bits(&step::<f32>(&network, &task, batch, threads, in_flight), &single).unwrap();
            same_bits(&step::<f64>(&network, &task, batch, threads, in_flight), &double).unwrap();
        }
    }
}
