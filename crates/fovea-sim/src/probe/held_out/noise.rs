//! Rows without a rule: the network memorises those it trains on, and its accuracy on held-out rows is one half.

use crate::dynamics::Dynamics;
use crate::network::Architecture;
use crate::probe::{self, Probe};
use crate::stimulus::Stimulus;
use crate::task::{Labels, Task};
use crate::train::{Plan, Precision, Progress, Times, Watch, train};
use fovea_core::agree::{agrees, noise_limit, test_seed};
use fovea_core::stats::Estimate;
use fovea_core::streams::Streams;
use fovea_core::{Item, Matrix, Value};

const SEEDS: u64 = 20;
const STEPS: u64 = 1000;

struct Nobody;

impl Watch for Nobody {
    fn stepped(&self) {}
    fn stopped(&self) -> bool {
        false
    }
}

/// Accuracy and training accuracy at the end of training 60 units on two classes of 200 rows of normal numbers.
fn accuracies(seed: u64, held_out: &str) -> [f64; 2] {
    let streams = Streams::new(seed);
    let class = |name: &str| {
        let mut numbers = vec![0.0; 200 * 40];
        streams.named(name).normals(0, &mut numbers);
        let rows = Value::Array(Matrix::new(40, numbers));
        let array = Item::<Box<dyn Stimulus>>::named("array").set("samples", rows);
        array.set("held_out", Value::from_typed(held_out)).build("stimulus").unwrap()
    };
    let task = Task::pair(class("rows of pos"), class("rows of neg"), 0.0, Labels::Iid);
    let task = task.unwrap().split(&streams).unwrap();
    let network = Item::<Box<dyn Architecture>>::named("two-layer").set("width", 60_usize);
    let network = network.set("activation", "relu").set("bias", "trainable").build("n").unwrap();
    let network = network.network(&task.shape(), task.outputs(), &streams).unwrap();
    let adam = Item::<Box<dyn Dynamics>>::named("adam").set("batch", 100_usize).set("lr", 0.01);
    let adam = adam.build("dynamics").unwrap();
    let probes: [&'static Probe; 2] = [&probe::accuracy::ENTRY, &probe::training_accuracy::ENTRY];
    let plan = Plan {
        steps: STEPS,
        record: Times::Every(STEPS),
        checkpoint_every: 0,
        eval_samples: 1000,
        probes: &probes,
        loss: &crate::loss::mse::ENTRY,
        precision: Precision::Single,
    };
    let run = train(&task, Progress::from(network), adam.as_ref(), &streams, &plan, &Nobody);
    let last = &run.records.last().unwrap().readings;
    [last[0][0][0], last[1][0][0]]
}

#[test]
fn rows_of_noise_are_learned_by_heart_and_rows_held_out_are_right_half_of_the_time() {
    let seeds: Vec<u64> = (0..SEEDS).map(|index| test_seed(module_path!(), index)).collect();
    let runs = |held_out: &str| -> (Estimate, Vec<f64>) {
        let both: Vec<[f64; 2]> = seeds.iter().map(|seed| accuracies(*seed, held_out)).collect();
        let looked_at: Vec<f64> = both.iter().map(|both| both[0]).collect();
        (Estimate::from_samples(&looked_at).unwrap(), both.iter().map(|both| both[1]).collect())
    };
    let (held_out, training) = runs("auto");
    println!("z = {:+.3} for the accuracy on rows that are held out", held_out.z(0.5));
    agrees(&held_out, 0.5, 1).unwrap();
    assert!(
        training.iter().all(|accuracy| accuracy.to_bits() == 1.0_f64.to_bits()),
        "{training:?}"
    );
    let distance = held_out.z(1.0).abs();
    assert!(distance > noise_limit(1, held_out.dof()).max(8.0), "only {distance:.1} away");
    // The control: the accuracy on draws of the rows that are trained on.
    let (drawn, _) = runs("0");
    assert!(agrees(&drawn, 0.5, 1).is_err(), "{drawn:?}");
    assert!(drawn.mean() > 0.999, "{drawn:?}");
}
