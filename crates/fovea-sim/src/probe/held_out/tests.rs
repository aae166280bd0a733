use super::*;
use crate::dynamics::Sgd;
use crate::network::Bias;
use crate::probe;
use crate::stimulus::Stimulus;
use crate::task::{Class, Labels};
use crate::train::{Ended, Plan, Precision, Progress, Times, Watch, train};
use crate::{loss, plain};
use fovea_core::{Item, activation};

fn task(target: Target) -> Task {
    let class = |name: &str, gain: f64, label: f64| {
        let stimulus = Item::<Box<dyn Stimulus>>::named("nlgp")
            .set("n", 8_usize)
            .set("xi", 1.0)
            .set("gain", gain);
        Class {
            name: name.to_owned(),
            stimulus: stimulus.build("stimulus").unwrap(),
            share: 0.5,
            label,
        }
    };
    let classes = vec![class("pos", 1e6, 1.0), class("neg", 0.01, 0.0)];
    Task::new(classes, Labels::Balanced, target).unwrap()
}

fn plan<'a>(probes: &'a [&'static Probe]) -> Plan<'a> {
    Plan {
        steps: 6,
        record: Times::Every(2),
        checkpoint_every: 0,
        eval_samples: 9000,
        probes,
        loss: &loss::mse::ENTRY,
        precision: Precision::Single,
    }
}

/// What the probes of [`plan`] look at.
fn evaluation<'a>(
    task: &'a Task,
    streams: &'a Streams,
    probes: &'a [&'static Probe],
) -> Evaluation<'a> {
    let Plan { eval_samples: samples, loss, probes, .. } = plan(probes);
    Evaluation { task, streams, samples, loss, probes }
}

fn network(w: &[f64], biases: &[f64]) -> Network {
    let relu = &activation::relu::ENTRY;
    Network::committee(8, biases.len(), relu, Bias::Trainable).with(w, biases).unwrap()
}

/// A single site of binary and of Gaussian data has excess kurtosis -2 and 0; no field has none.
#[test]
fn kurtosis_is_that_of_the_site_class_by_class() {
    let mut w = vec![0.0; 16];
    w[3] = -2.0;
    let probes: [&'static Probe; 1] = [&probe::kurtosis::ENTRY];
    let (task, streams, network) = (task(Target::Label), Streams::new(5), network(&w, &[0.7, 0.7]));
    let evaluation = evaluation(&task, &streams, &probes);
    let seen = Evaluator::new::<f32>(evaluation, &network, &[]).look::<f32>(&network);
    // A sample of signs with mean m has -2 + 4 m^2 to leading order, and m has standard error 1 / sqrt(4500).
    assert!((seen.kurtosis[0][0] + 2.0).abs() < 0.03, "{:?}", seen.kurtosis);
    // Standard error of a Gaussian excess kurtosis: sqrt(24 / 4500) = 0.073.
    assert!(seen.kurtosis[0][1].abs() < 0.3, "{:?}", seen.kurtosis);
    assert_eq!(seen.kurtosis[1], vec![0.0, 0.0]);
}

/// Counted one sample at a time through the plain network.
#[test]
fn accuracy_is_the_share_of_answers_nearest_to_their_label() {
    let w: Vec<f64> = (0..24).map(|i| 0.5 * libm::sin(1.7 * f64::from(i))).collect();
    let (task, streams, network) =
        (task(Target::Label), Streams::new(6), network(&w, &[0.1, -0.2, 0.0]));
    let probes: [&'static Probe; 1] = [&probe::accuracy::ENTRY];
    let evaluation = evaluation(&task, &streams, &probes);
    let seen = Evaluator::new::<f32>(evaluation, &network, &[]).look::<f32>(&network);
    let mut right = 0.0;
    for (slice, size) in [(0, 8192), (1, 808)] {
        let batch = Batch::new(&task, &streams, "eval", slice, size);
        for (x, y) in plain::samples::<f32>(&batch) {
            let answer = plain::outputs(&network, &x)[0];
            right += f64::from(u8::from((answer > 0.5) == (y[0] > 0.5)));
        }
    }
    assert!((seen.accuracy - right / 9000.0).abs() < 1e-12);
    assert!(seen.loss > 0.0);
}

#[test]
fn accuracy_without_classes_is_refused() {
    let probes: [&'static Probe; 1] = [&probe::accuracy::ENTRY];
    assert!(Needs::fit(&probes, &task(Target::SignChanges)).is_err());
    assert!(Needs::fit(&probes, &task(Target::OneHot)).is_ok());
}

/// A flipped field flips every gate; turned back, it agrees with the first again but not with all of them.
#[test]
fn gates_remember_where_they_were() {
    let w: Vec<f64> = (0..8).map(|i| libm::cos(f64::from(i))).collect();
    let flipped: Vec<f64> = w.iter().map(|w| -w).collect();
    let probes: [&'static Probe; 1] = [&probe::gates::ENTRY];
    let (task, streams) = (task(Target::Label), Streams::new(7));
    let evaluation = evaluation(&task, &streams, &probes);
    let (there, back) = (network(&w, &[0.0]), network(&flipped, &[0.0]));
    let mut evaluator = Evaluator::new::<f32>(evaluation, &there, &[]);
    assert_eq!(evaluator.look::<f32>(&there).same_gate, vec![[1.0, 1.0]]);
    assert_eq!(evaluator.look::<f32>(&there).same_gate, vec![[1.0, 1.0]]);
    assert_eq!(evaluator.look::<f32>(&back).same_gate, vec![[0.0, 0.0]]);
    assert_eq!(evaluator.look::<f32>(&back).same_gate, vec![[1.0, 0.0]]);
    // One that was told of the first two remembers as much.
    let seen = [there.theta().to_vec(), back.theta().to_vec()];
    let mut told = Evaluator::new::<f32>(evaluation, &there, &seen);
    assert_eq!(told.look::<f32>(&back).same_gate, vec![[1.0, 0.0]]);
}

struct StopAt(u64);

impl Watch for StopAt {
    fn stepped(&self) {}
    fn stopped(&self) -> bool {
        false
    }
    fn keep(&self, progress: &Progress) -> bool {
        progress.step < self.0
    }
}

struct Keep<'a>(&'a std::sync::Mutex<Option<Progress>>);
impl Watch for Keep<'_> {
    fn stepped(&self) {}
    fn stopped(&self) -> bool {
        false
    }
    fn keep(&self, progress: &Progress) -> bool {
        *self.0.lock().unwrap() = Some(progress.clone());
        false
    }
}

/// A run that goes on from its progress reads the same gates as one that was never stopped.
#[test]
fn gates_survive_an_interruption() {
    let w: Vec<f64> = (0..16).map(|i| 0.3 * libm::sin(2.3 * f64::from(i))).collect();
    let probes: [&'static Probe; 2] = [&probe::gates::ENTRY, &probe::loss::ENTRY];
    let (task, streams) = (task(Target::Label), Streams::new(8));
    let plan = Plan { checkpoint_every: 3, eval_samples: 500, ..plan(&probes) };
    let sgd = Sgd::online(0.5, 40);
    let whole = train(&task, network(&w, &[0.0, 0.1]), &sgd, &streams, &plan, &StopAt(99));
    let kept = std::sync::Mutex::new(None);
    let stopped = train(&task, network(&w, &[0.0, 0.1]), &sgd, &streams, &plan, &Keep(&kept));
    assert!(matches!(stopped.ended, Ended::Interrupted { step: 3 }));
    let progress = kept.into_inner().unwrap().unwrap();
    let resumed = train(&task, progress, &sgd, &streams, &plan, &StopAt(99));
    assert_eq!(whole.records, resumed.records);
    assert!(whole.records.last().unwrap().readings[0][0][1] < 1.0);
}
