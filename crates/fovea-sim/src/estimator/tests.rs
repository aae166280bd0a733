use super::*;
use crate::network::Architecture;
use crate::stimulus::Stimulus;
use crate::task::{Labels, Target};
use fovea_core::activation::ALL as ACTIVATIONS;
use fovea_core::agree::same_bits;
use fovea_core::params::ParamType;
use fovea_core::streams::Streams;
use fovea_core::{Item, Value};

fn stimulus(typed: &str) -> Box<dyn Stimulus> {
    let item = <Item<Box<dyn Stimulus>> as ParamType>::read(&Value::from_typed(typed)).unwrap();
    item.build("stimulus").unwrap()
}

/// One class per stimulus, evenly mixed.
pub(super) fn task(stimuli: &[String], target: Target) -> Task {
    let class = |(index, typed): (usize, &String)| Class {
        name: ["pos", "neg", "third"][index].to_owned(),
        stimulus: stimulus(typed),
        share: 1.0,
        label: [1.0, 0.0, 0.5][index],
    };
    let classes = stimuli.iter().enumerate().map(class).collect();
    Task::new(classes, Labels::Iid, target).unwrap()
}

fn pair(typed: &str, target: Target) -> Task {
    task(
        &[format!("nlgp(gain=3, xi=0.6, {typed})"), format!("nlgp(gain=2, xi=0.4, {typed})")],
        target,
    )
}

/// Weights of which none is a multiple of another.
pub(super) fn network(typed: &str, activation: &str, task: &Task) -> Network {
    let item = <Item<Box<dyn Architecture>> as ParamType>::read(&Value::from_typed(typed)).unwrap();
    let item = if typed.starts_with("gated") { item } else { item.set("activation", activation) };
    let architecture = item.build("network").unwrap();
    architecture.network(&task.shape(), task.outputs(), &Streams::new(11)).unwrap()
}

const BOTH: [Estimator; 2] = [Estimator::Antithetic, Estimator::Orbit];

/// The largest gap between the average over images and the judge, relative to the largest gradient entry, or to a hundredth
/// of the loss where the images cancel, as those of an odd unit between two labels do under the absolute error.
fn gap<T: FusedElement + ImageElement>(
    estimator: Estimator,
    network: &Network,
    loss: &'static loss::Entry,
    batch: &Batch<'_>,
) -> f64 {
    let mut lanes = Gradients::<T>::new(estimator, network, batch.size());
    let value = lanes.loss_and_grad(network, loss, batch);
    let (judge_value, judge) = plain::loss_and_grad::<T>(estimator, network, loss, batch);
    let scale = judge.iter().fold(0.01 * judge_value, |m: f64, g| m.max(g.abs()));
    let worst = lanes.grad().iter().zip(&judge).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
    (worst / scale).max((value - judge_value).abs() / judge_value)
}

/// In both precisions and for both estimators.
fn equals_the_judge(name: &str, network: &Network, loss: &'static loss::Entry, batch: &Batch<'_>) {
    for estimator in BOTH {
        // The slope of the absolute error is a sign, which may differ between single precision and the judge.
        if loss.name != "l1" {
            let gap = gap::<f32>(estimator, network, loss, batch);
            assert!(gap < 2e-5, "{name} {} f32: {gap:e}", estimator.word());
        }
        let gap = gap::<f64>(estimator, network, loss, batch);
        assert!(gap < 1e-12, "{name} {} f64: {gap:e}", estimator.word());
    }
}

#[test]
fn every_activation_and_loss_equals_the_judge_with_and_without_bias() {
    let (streams, mse) = (Streams::new(5), &loss::mse::ENTRY);
    let tasks = [pair("n=6", Target::Label), pair("n=20", Target::Label)];
    for task in &tasks {
        for activation in ACTIVATIONS.iter().map(|row| row.name).chain(["x*tanh(x)"]) {
            for bias in
                ["", ", bias=trainable, bias_value=[0.3, -0.2]", ", bias=frozen, bias_value=0.4"]
            {
                let network = network(&format!("committee(width=3{bias})"), activation, task);
                let batch = Batch::new(task, &streams, "train", 2, 35);
                let losses: &[&'static loss::Entry] =
                    if bias.is_empty() { loss::ALL } else { &[mse] };
                for loss in losses {
                    let name = format!("{} sites {bias} {activation} {}", task.dim(), loss.name);
                    equals_the_judge(&name, &network, loss, &batch);
                }
            }
        }
    }
}

#[test]
fn every_ring_equals_the_judge_by_either_route() {
    let streams = Streams::new(6);
    let mut routes = [0, 0];
    for n in [2, 3, 5, 7, 8, 12, 13, 16, 17, 24, 25, 27, 40] {
        let task = pair(&format!("n={n}"), Target::Label);
        for width in [1, 5] {
            routes[usize::from(orbit::is_direct(&[n], width))] += 1;
            let network = network(&format!("committee(width={width})"), "relu", &task);
            // More than one chunk, classes that end in partly used blocks, and whole blocks of label zero.
            let batch = Batch::new(&task, &streams, "train", 1, if n < 10 { 300 } else { 100 });
            equals_the_judge(
                &format!("{n} sites, {width} units"),
                &network,
                &loss::mse::ENTRY,
                &batch,
            );
        }
    }
    assert!(routes.iter().all(|count| *count > 5), "{routes:?}");
}

#[test]
fn every_architecture_torus_and_target_equals_the_judge() {
    let streams = Streams::new(7);
    let three: Vec<_> = [0.6, 0.5, 0.3].iter().map(|xi| format!("nlgp(n=15, xi={xi})")).collect();
    let tasks = [
        pair("n=6", Target::Label),
        pair("n=18", Target::SignChanges),
        pair("n=3, dim=2", Target::SignChanges),
        // Most of its entries are zero, and there a sample and its negative both count as positive.
        task(
            &["single-pulse(n=6)".to_owned(), "nlgp(n=6, xi=0.4)".to_owned()],
            Target::SignChanges,
        ),
        task(&three, Target::OneHot),
    ];
    for task in &tasks {
        for typed in [
            "committee(width=2, bias=trainable, bias_value=0.2)",
            "two-layer(width=5, readout_spread=0.5, bias=trainable, bias_value=0.1)",
            "two-layer(width=3, readout=fixed, readout_value=[1, -2], readout_spread=0.3, output_bias_value=0.3)",
            "two-layer(width=1, output_bias=none, readout_spread=0.1)",
            "conv-committee(width=2, bias=trainable, bias_value=0.2)",
            "gated(width=4, gates=glorot, bias=trainable, bias_value=0.1, gate_bias=[0.2, -0.1])",
        ] {
            if task.outputs() > 1 && !typed.starts_with("two-layer") {
                continue;
            }
            let network = network(typed, "erf", task);
            let batch = Batch::new(task, &streams, "train", 0, 40);
            for loss in loss::ALL {
                let name = format!("{:?} {} {typed}", task.shape(), loss.name);
                equals_the_judge(&name, &network, loss, &batch);
            }
        }
    }
}

#[test]
fn one_thread_and_three_give_the_same_bits() {
    let (task, streams) = (pair("n=12", Target::Label), Streams::new(5));
    let network = network("committee(width=3)", "relu", &task);
    let batch = Batch::new(&task, &streams, "train", 0, 3000);
    for estimator in BOTH {
        let numbers = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut lanes = Gradients::<f32>::new(estimator, &network, 3000);
                let loss = lanes.loss_and_grad(&network, &loss::mse::ENTRY, &batch);
                lanes.grad().iter().chain([&loss]).copied().collect::<Vec<_>>()
            })
        };
        same_bits(&numbers(3), &numbers(1)).unwrap();
    }
}

#[test]
fn data_without_the_symmetry_is_refused_by_name() {
    let even = "nlgp(n=6, xi=0.6)".to_owned();
    let shifted = task(&[even.clone(), "single-pulse(n=6)".to_owned()], Target::Label);
    let placed =
        task(&[even.clone(), "window(keep=6, base=nlgp(n=12, xi=0.6))".to_owned()], Target::Label);
    let symmetric = task(&[even.clone(), even], Target::Label);
    for estimator in [Estimator::Iid, Estimator::Antithetic, Estimator::Orbit] {
        estimator.fits(&symmetric).unwrap();
        assert_eq!(estimator.fits(&shifted).is_err(), estimator != Estimator::Iid);
        assert_eq!(estimator.fits(&placed).is_err(), estimator == Estimator::Orbit);
    }
    let error = Estimator::Orbit.fits(&placed).unwrap_err().to_string();
    assert!(error.contains("class `neg`") && error.contains("translation invariance"), "{error}");
}
