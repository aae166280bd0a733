use super::*;
use crate::batch::Batch;
use crate::dynamics::Sgd;
use crate::network::Bias;
use crate::probe;
use crate::stimulus::Stimulus;
use crate::task::{Class, Labels, LookedAt};
use crate::train::{Ended, Plan, Precision, Progress, Times, Watch, train};
use crate::{loss, plain};
use fovea_core::lanes::BLOCK;
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

/// What the probes of [`plan`] are evaluated on.
fn evaluation<'a>(
    task: &'a Task,
    streams: &'a Streams,
    pace: &'a Pace,
    probes: &'a [&'static Probe],
) -> Evaluation<'a> {
    let Plan { eval_samples: samples, loss, probes, .. } = plan(probes);
    Evaluation { task, streams, samples, pace, loss, probes }
}

fn network(w: &[f64], biases: &[f64]) -> Network {
    let relu = &activation::relu::ENTRY;
    Network::committee(8, biases.len(), relu, Bias::Trainable).with(w, biases).unwrap()
}

/// A single site of binary and of Gaussian data has excess kurtosis -2 and 0; a zero field has 0.
#[test]
fn kurtosis_is_that_of_the_site_class_by_class() {
    let mut w = vec![0.0; 16];
    w[3] = -2.0;
    let probes: [&'static Probe; 1] = [&probe::kurtosis::ENTRY];
    let (task, streams, network) = (task(Target::Label), Streams::new(5), network(&w, &[0.7, 0.7]));
    let pace = Pace::default();
    let evaluation = evaluation(&task, &streams, &pace, &probes);
    let seen = Evaluator::new::<f32>(evaluation, &network, &[]).look::<f32>(&network).0;
    // A sample of signs with mean m has -2 + 4 m^2 to leading order, and m has standard error 1 / sqrt(4500).
    assert!((seen.kurtosis[0][0] + 2.0).abs() < 0.03, "{:?}", seen.kurtosis);
    // Standard error of a Gaussian excess kurtosis: sqrt(24 / 4500) = 0.073.
    assert!(seen.kurtosis[0][1].abs() < 0.3, "{:?}", seen.kurtosis);
    assert_eq!(seen.kurtosis[1], vec![0.0, 0.0]);
}

/// Against a count of one sample at a time through the plain network.
#[test]
fn accuracy_is_the_share_of_answers_nearest_to_their_label() {
    let w: Vec<f64> = (0..24).map(|i| 0.5 * libm::sin(1.7 * f64::from(i))).collect();
    let (task, streams, network) =
        (task(Target::Label), Streams::new(6), network(&w, &[0.1, -0.2, 0.0]));
    let probes: [&'static Probe; 1] = [&probe::accuracy::ENTRY];
    let pace = Pace::default();
    let evaluation = evaluation(&task, &streams, &pace, &probes);
    let seen = Evaluator::new::<f32>(evaluation, &network, &[]).look::<f32>(&network).0;
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
    assert!(Needs::fit(&probes, &task(Target::SignChanges), &Pace::default()).is_err());
    assert!(Needs::fit(&probes, &task(Target::OneHot), &Pace::default()).is_ok());
}

/// A flipped field flips every gate; turned back, it agrees with the first again but not with all of them.
#[test]
fn gates_remember_where_they_were() {
    let w: Vec<f64> = (0..8).map(|i| libm::cos(f64::from(i))).collect();
    let flipped: Vec<f64> = w.iter().map(|w| -w).collect();
    let probes: [&'static Probe; 1] = [&probe::gates::ENTRY];
    let (task, streams) = (task(Target::Label), Streams::new(7));
    let pace = Pace::default();
    let evaluation = evaluation(&task, &streams, &pace, &probes);
    let (there, back) = (network(&w, &[0.0]), network(&flipped, &[0.0]));
    let mut evaluator = Evaluator::new::<f32>(evaluation, &there, &[]);
    assert_eq!(evaluator.look::<f32>(&there).0.same_gate, vec![[1.0, 1.0]]);
    assert_eq!(evaluator.look::<f32>(&there).0.same_gate, vec![[1.0, 1.0]]);
    assert_eq!(evaluator.look::<f32>(&back).0.same_gate, vec![[0.0, 0.0]]);
    assert_eq!(evaluator.look::<f32>(&back).0.same_gate, vec![[1.0, 0.0]]);
    // An evaluator that was given the first two remembers as much.
    let seen = [there.theta().to_vec(), back.theta().to_vec()];
    let mut told = Evaluator::new::<f32>(evaluation, &there, &seen);
    assert_eq!(told.look::<f32>(&back).0.same_gate, vec![[1.0, 0.0]]);
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

/// A run continued from its progress reads the same gates as one that was never stopped.
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

/// Rows of one class: `x = (side, i)`, so that a field along the first entry is correct for the class of its sign.
fn of_rows(share: f64, rows: usize, side: f64) -> Class {
    let numbers = (0..2 * rows).map(|at| if at % 2 == 0 { side } else { (at / 2) as f64 });
    let samples = fovea_core::Value::Array(fovea_core::Matrix::new(2, numbers.collect()));
    let stimulus = Item::<Box<dyn Stimulus>>::named("array").set("samples", samples);
    let name = format!("class {side}");
    let label = if side > 0.0 { 1.0 } else { 0.0 };
    Class { name, stimulus: stimulus.build("stimulus").unwrap(), share, label }
}

fn rows_of(slices: &[Slice<'_>]) -> Vec<(usize, Vec<f64>, f64)> {
    let mut seen = Vec::new();
    let (mut scratch, mut x, mut y) = (Vec::new(), vec![[0.0_f64; BLOCK]; 2], vec![[0.0; BLOCK]]);
    for (batch, weight) in slices {
        for index in 0..batch.blocks() {
            let used = batch.fill(index, &mut scratch, &mut x, &mut y);
            let class = batch.block(index).0;
            seen.extend((0..used).map(|s| (class, vec![x[0][s], x[1][s]], *weight)));
        }
    }
    seen
}

#[test]
fn every_row_that_is_held_out_is_looked_at_once_and_none_that_is_trained_on() {
    let classes = vec![of_rows(0.25, 200, 1.0), of_rows(0.75, 500, -1.0)];
    let streams = Streams::new(8);
    let task = Task::new(classes, Labels::Iid, Target::Label).unwrap().split(&streams).unwrap();
    assert_eq!(task.looked_at(), LookedAt::HeldOut);
    let set = Set { task: &task, streams: &streams, samples: 8192 };
    let (held_out, training) = (rows_of(&set.looked_at()), rows_of(&set.training(None)));
    assert_eq!((held_out.len(), training.len()), (140, 560));
    let weights =
        |class: usize| held_out.iter().filter(|row| row.0 == class).map(|row| row.2).sum::<f64>();
    assert!((weights(0) - 0.25).abs() < 1e-12 && (weights(1) - 0.75).abs() < 1e-12);
    let mut all: Vec<(usize, u64)> =
        held_out.iter().chain(&training).map(|(class, x, _)| (*class, x[1] as u64)).collect();
    all.sort_unstable();
    assert!(all.into_iter().eq((0..200).map(|i| (0, i)).chain((0..500).map(|i| (1, i)))));
    // The samples that training draws are among the training rows.
    let batch = Batch::new(&task, &streams, "train", 3, 400);
    for (x, _) in plain::samples::<f64>(&batch) {
        assert!(training.iter().any(|row| row.1 == x));
    }
    // No more than are asked for, and of each class its share.
    let few = rows_of(&Set { samples: 40, ..set }.looked_at());
    assert_eq!(few.iter().filter(|row| row.0 == 0).count(), 10);
    assert_eq!(few.len(), 40);
}

/// A field of the first entry is correct for every row of `pos` and, by its bias, of `neg`.
#[test]
fn the_classes_weigh_as_their_shares_however_many_rows_they_have() {
    let streams = Streams::new(8);
    let classes = vec![of_rows(0.25, 200, 1.0), of_rows(0.75, 500, -1.0)];
    let task = Task::new(classes, Labels::Iid, Target::Label).unwrap().split(&streams).unwrap();
    let relu = &activation::relu::ENTRY;
    let always_pos =
        Network::committee(2, 1, relu, Bias::Trainable).with(&[0.0, 0.0], &[1.0]).unwrap();
    let probes: [&'static Probe; 3] =
        [&probe::accuracy::ENTRY, &probe::training_accuracy::ENTRY, &probe::training_loss::ENTRY];
    let pace = Pace::default();
    let evaluation = evaluation(&task, &streams, &pace, &probes);
    let (held_out, on_training) =
        Evaluator::new::<f32>(evaluation, &always_pos, &[]).look::<f32>(&always_pos);
    assert!((held_out.accuracy - 0.25).abs() < 1e-12 && (held_out.loss - 0.375).abs() < 1e-6);
    assert!((on_training.accuracy - 0.25).abs() < 1e-12 && (on_training.loss - 0.375).abs() < 1e-6);
    let first = Network::committee(2, 1, relu, Bias::Trainable).with(&[1.0, 0.0], &[0.0]).unwrap();
    let (held_out, on_training) =
        Evaluator::new::<f64>(evaluation, &first, &[]).look::<f64>(&first);
    assert_eq!((held_out.accuracy, on_training.accuracy), (1.0, 1.0));
    assert_eq!((held_out.loss, on_training.loss), (0.0, 0.0));
}

#[test]
fn what_is_looked_at_is_called_what_it_is() {
    let streams = Streams::new(8);
    let named = |classes: Vec<Class>| {
        let task = Task::new(classes, Labels::Iid, Target::Label).unwrap().split(&streams);
        task.map(|task| {
            [Needs::Answers, Needs::TrainingAnswers, Needs::Weights].map(|needs| needs.word(&task))
        })
    };
    let (held_out, training) = (Some("held-out rows"), Some("training rows"));
    let two = |a: usize, b: usize| vec![of_rows(0.5, a, 1.0), of_rows(0.5, b, -1.0)];
    assert_eq!(named(two(50, 60)).unwrap(), [held_out, training, None]);
    assert_eq!(named(two(49, 49)).unwrap(), [training, training, None]);
    let error = named(two(49, 50)).err().unwrap().to_string();
    assert!(error.contains("class `class -1` holds 10 rows out and trains on 40"), "{error}");
    // A class that is never drawn does not matter.
    let alone = vec![of_rows(1.0, 60, 1.0), of_rows(0.0, 10, -1.0)];
    assert_eq!(named(alone).unwrap(), [held_out, training, None]);
    let fresh = task(Target::Label).split(&streams).unwrap();
    assert_eq!(Needs::Answers.word(&fresh), None);
    let unsplit = Task::new(two(60, 60), Labels::Iid, Target::Label).unwrap();
    assert_eq!(Needs::Answers.word(&unsplit), training, "nobody split it");
}

#[test]
fn what_is_trained_on_is_a_question_for_rows_and_fixed_samples_alone() {
    let probes: [&'static Probe; 1] = [&probe::training_loss::ENTRY];
    let fresh = task(Target::Label);
    let error = Needs::fit(&probes, &fresh, &Pace::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the probe training-loss is about the training samples, and here every step draws fresh samples"
    );
    let fixed = Pace { samples: Samples::Fixed, batch: 100, ..Pace::default() };
    Needs::fit(&probes, &fresh, &fixed).unwrap();
    let (streams, w) = (Streams::new(3), network(&[0.3; 8], &[0.1]));
    let look = |pace: &Pace| {
        let evaluation = evaluation(&fresh, &streams, pace, &probes);
        Evaluator::new::<f64>(evaluation, &w, &[]).look::<f64>(&w).1.loss
    };
    let batch = Batch::new(&fresh, &streams, "train", 0, 100);
    let judged = plain::loss_and_grad::<f64>(&w, &loss::mse::ENTRY, &batch).0;
    assert!((look(&fixed) / judged - 1.0).abs() < 1e-12);
}
