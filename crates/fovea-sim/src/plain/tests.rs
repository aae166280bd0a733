use super::*;
use crate::fused::{FusedElement, Workspace};
use crate::network::Architecture;
use crate::stimulus::Stimulus;
use crate::task::{Class, Labels, Target, Task};
use fovea_core::activation::ALL as ACTIVATIONS;
use fovea_core::agree::same_bits;
use fovea_core::streams::Streams;
use fovea_core::{Item, Value};

/// Classes of nonlinear Gaussian processes with these lengths, on a ring or a torus.
fn task(stimulus: &str, lengths: &[f64], labels: Labels, target: Target) -> Task {
    let class = |(index, xi): (usize, &f64)| {
        let value = Value::from_typed(stimulus);
        let item =
            <Item<Box<dyn Stimulus>> as fovea_core::params::ParamType>::read(&value).unwrap();
        let stimulus = item.set("xi", *xi).build("stimulus").unwrap();
        Class { name: index.to_string(), stimulus, share: 1.0, label: 1.0 - index as f64 / 2.0 }
    };
    Task::new(lengths.iter().enumerate().map(class).collect(), labels, target).unwrap()
}

fn ring(n: usize, labels: Labels) -> Task {
    task(&format!("nlgp(n={n}, gain=3)"), &[1.2, 0.6], labels, Target::Label)
}

/// Activations that are registered nowhere.
const TYPED: [&str; 2] = ["x*tanh(x)", "abs(x) + sin(x/2)"];

/// Settings under which every parameter of an architecture is away from zero and from its neighbours.
fn architectures() -> Vec<(&'static str, &'static str)> {
    vec![
        ("committee(width=3)", ""),
        ("committee(width=9, bias=trainable, bias_value=[0.3, -0.2])", ""),
        ("committee(width=2, bias=frozen, bias_value=0.4)", ""),
        ("two-layer(width=5, readout_spread=0.5, bias=trainable, bias_value=0.1)", "several"),
        (
            "two-layer(width=3, readout=fixed, readout_value=[1, -2], readout_spread=0.3, output_bias_value=0.3)",
            "several",
        ),
        ("two-layer(width=1, output_bias=none, readout_spread=0.1)", ""),
        ("conv-committee(width=2, bias=trainable, bias_value=0.2)", ""),
        ("gated(width=4, gates=glorot, bias=trainable, bias_value=0.1)", ""),
        ("gated(width=8, gate_bias=[0.2, -0.1])", ""),
    ]
}

fn network(typed: &str, activation: &str, task: &Task) -> Network {
    let value = Value::from_typed(typed);
    let item =
        <Item<Box<dyn Architecture>> as fovea_core::params::ParamType>::read(&value).unwrap();
    let item = if typed.starts_with("gated") { item } else { item.set("activation", activation) };
    let architecture = item.build("network").unwrap();
    architecture.network(&task.shape(), task.outputs(), &Streams::new(11)).unwrap()
}

/// The largest gap between the fused pass and the judge, relative to the largest gradient entry.
fn gap<T: FusedElement>(network: &Network, loss: &'static loss::Entry, batch: &Batch<'_>) -> f64 {
    let mut lanes = Workspace::<T>::new(network, batch.size());
    let value = lanes.loss_and_grad(network, loss, batch);
    let (judge_value, judge) = loss_and_grad::<T>(network, loss, batch);
    let scale = judge.iter().fold(0.0, |m: f64, g| m.max(g.abs()));
    let worst = lanes.grad.iter().zip(&judge).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
    (worst / scale).max((value - judge_value).abs() / judge_value)
}

/// Every architecture, activation and loss, and the task they are tried on.
fn combinations(mut check: impl FnMut(&str, &Network, &'static loss::Entry, &Task)) {
    let tasks = [
        ring(6, Labels::Iid),
        task("nlgp(n=5, gain=2)", &[1.2, 0.6, 0.3], Labels::Balanced, Target::OneHot),
        task("nlgp(n=3, dim=2, gain=2)", &[0.8, 0.4], Labels::Iid, Target::SignChanges),
    ];
    for task in &tasks {
        for (typed, outputs) in architectures() {
            if task.outputs() > 1 && outputs != "several" {
                continue;
            }
            for activation in ACTIVATIONS.iter().map(|row| row.name).chain(TYPED) {
                if typed.starts_with("gated") && activation != "relu" {
                    continue;
                }
                let network = network(typed, activation, task);
                for loss in loss::ALL {
                    check(&format!("{typed} {activation} {}", loss.name), &network, loss, task);
                }
            }
        }
    }
}

#[test]
fn the_lanes_equal_the_judge_for_every_architecture_activation_and_loss() {
    let streams = Streams::new(5);
    combinations(|name, network, loss, task| {
        for size in [1, 33, 300] {
            let batch = Batch::new(task, &streams, "train", 2, size);
            // The slope of the absolute error is a sign, which may differ between single precision and the judge.
            if loss.name != "l1" {
                let gap = gap::<f32>(network, loss, &batch);
                assert!(gap < 2e-5, "{name} {size} f32: {gap:e}");
            }
            let gap = gap::<f64>(network, loss, &batch);
            assert!(gap < 1e-12, "{name} {size} f64: {gap:e}");
        }
    });
}

#[test]
fn the_judge_is_the_gradient_of_its_loss() {
    let streams = Streams::new(5);
    combinations(|name, network, loss, task| {
        let batch = Batch::new(task, &streams, "train", 0, 5);
        let (_, grad) = loss_and_grad::<f64>(network, loss, &batch);
        for part in network.parts() {
            for at in [part.at.start, part.at.end - 1] {
                let value = |step: f64| {
                    let mut theta = network.theta().to_vec();
                    theta[at] += step;
                    let moved = network.clone().with_theta(theta).unwrap();
                    loss_and_grad::<f64>(&moved, loss, &batch).0
                };
                let slope = (value(1e-6) - value(-1e-6)) / 2e-6;
                let expected = if part.trained { slope } else { 0.0 };
                let close = (grad[at] - expected).abs() < 1e-8;
                assert!(close, "{name} {} {at}: {slope} against {}", part.role.name(), grad[at]);
            }
        }
    });
}

/// A registered activation hidden in an expression takes the path that is not vectorised, and agrees to rounding.
#[test]
fn a_typed_activation_is_the_registered_one_it_spells() {
    let (task, streams) = (ring(6, Labels::Iid), Streams::new(5));
    let batch = Batch::new(&task, &streams, "train", 2, 300);
    for (typed, _) in architectures().iter().filter(|(typed, _)| !typed.starts_with("gated")) {
        for (name, spelled) in [("tanh", "tanh(x)"), ("relu", "(x + abs(x))/2")] {
            let [registered, plain] =
                [name, spelled].map(|activation| network(typed, activation, &task));
            assert_eq!((registered.notes().len(), plain.notes().len()), (0, 1));
            let numbers = |network: &Network| {
                let mut lanes = Workspace::<f64>::new(network, 300);
                let loss = lanes.loss_and_grad(network, &loss::mse::ENTRY, &batch);
                [lanes.grad, vec![loss]].concat()
            };
            for (a, b) in numbers(&registered).iter().zip(numbers(&plain)) {
                fovea_core::agree::within(*a, b, 1e-12, 1e-14).unwrap();
            }
        }
    }
}

#[test]
fn one_thread_and_three_give_the_same_bits() {
    let (task, streams) = (ring(6, Labels::Iid), Streams::new(5));
    for (typed, _) in architectures() {
        let network = network(typed, "relu", &task);
        let batch = Batch::new(&task, &streams, "train", 0, 3000);
        let numbers = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut lanes = Workspace::<f32>::new(&network, 3000);
                let loss = lanes.loss_and_grad(&network, &loss::mse::ENTRY, &batch);
                lanes.grad.iter().chain([&loss]).copied().collect::<Vec<_>>()
            })
        };
        same_bits(&numbers(3), &numbers(1)).unwrap();
    }
}

#[test]
fn a_batch_holds_exactly_its_samples() {
    let streams = Streams::new(9);
    for size in [1, 31, 32, 33, 100] {
        let task = ring(5, Labels::Balanced);
        let drawn = samples::<f32>(&Batch::new(&task, &streams, "train", 0, size));
        assert_eq!(drawn.len(), size);
        let pos = drawn.iter().filter(|(_, y)| y[0] > 0.75).count();
        assert!(pos.abs_diff(size - pos) <= 1);
    }
}

#[test]
fn a_shared_filter_does_not_see_where_a_sample_sits() {
    let task = task("nlgp(n=3, dim=2, gain=2)", &[0.8, 0.4], Labels::Iid, Target::Label);
    let conv = network("conv-committee(width=2, bias=trainable, bias_value=0.2)", "erf", &task);
    let plain = network("committee(width=2)", "erf", &task);
    let x: Vec<f64> = (0..9).map(|i| libm::sin(f64::from(i * i))).collect();
    let shifted: Vec<f64> = (0..9).map(|i| x[(i / 3 + 1) % 3 * 3 + (i + 2) % 3]).collect();
    let change = |network: &Network| outputs(network, &x)[0] - outputs(network, &shifted)[0];
    assert!(change(&conv).abs() < 1e-15);
    assert!(change(&plain).abs() > 1e-3, "a committee does");
}
