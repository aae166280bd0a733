use super::*;
use crate::network::Bias;
use crate::stimulus::Stimulus;
use crate::task::Labels;
use fovea_core::agree::{same_bits, within};
use fovea_core::{Item, activation};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Keeps every checkpoint in memory.
#[derive(Default)]
struct Shelf(Mutex<Vec<Progress>>);

impl Watch for Shelf {
    fn stepped(&self) {}
    fn stopped(&self) -> bool {
        false
    }
    fn keep(&self, progress: &Progress) -> bool {
        self.0.lock().unwrap().push(progress.clone());
        true
    }
}

fn task(negative_label: f64) -> Task {
    let class = |xi: f64| -> Box<dyn Stimulus> {
        let item = Item::<Box<dyn Stimulus>>::named("nlgp").set("n", 12_usize).set("xi", xi);
        item.build("stimulus").unwrap()
    };
    Task::pair(class(1.5), class(0.8), negative_label, Labels::Iid).unwrap()
}

fn committee(activation: &'static activation::Entry, scale: f64) -> Network {
    let mut theta = vec![0.0; 3 * 13];
    Streams::new(4).named("start").normals(0, &mut theta);
    let network = Network::committee(12, 3, activation, Bias::Trainable);
    network.with_theta(theta.iter().map(|theta| scale * theta).collect()).unwrap()
}

fn plan(steps: u64) -> Plan<'static> {
    Plan {
        steps,
        record: Times::Every(7),
        checkpoint_every: 10,
        eval_samples: 64,
        probes: &[&crate::probe::loss::ENTRY, &crate::probe::weights::ENTRY],
        loss: &loss::mse::ENTRY,
        precision: Precision::Double,
    }
}

#[test]
fn every_checkpoint_leads_to_the_same_end() {
    let (task, streams, shelf) = (task(0.0), Streams::new(2), Shelf::default());
    let item = Item::<Box<dyn Dynamics>>::named("adam").set("batch", 50_usize).set("lr", 0.02);
    let adam = item.build("dynamics").unwrap();
    let start = committee(&activation::relu::ENTRY, 0.3);
    let whole = train(&task, start, adam.as_ref(), &streams, &plan(35), &shelf);
    let kept = shelf.0.into_inner().unwrap();
    assert_eq!(kept.iter().map(|progress| progress.step).collect::<Vec<_>>(), [10, 20, 30]);
    for progress in kept {
        let rest = Shelf::default();
        let resumed = train(&task, progress, adam.as_ref(), &streams, &plan(35), &rest);
        same_bits(resumed.network.theta(), whole.network.theta()).unwrap();
        assert_eq!(resumed.records, whole.records);
    }
}

/// L001.65: `1/(1 + e^-h) = (1 + tanh(h/2))/2`, so that the logistic network with labels 1 and 0 is the tanh network with
/// labels 1 and -1, half the weights, four times the loss and a sixteenth of the rate.
#[test]
fn a_logistic_network_is_a_tanh_network_in_other_units() {
    let streams = Streams::new(6);
    let end = |activation, scale, label, lr| {
        let sgd = crate::Sgd::online(lr, 100);
        let start = committee(activation, scale);
        train(&task(label), start, &sgd, &streams, &plan(60), &Shelf::default())
    };
    let logistic = end(&activation::sigmoid::ENTRY, 1.0, 0.0, 16.0);
    let tanh = end(&activation::tanh::ENTRY, 0.5, -1.0, 1.0);
    for (w, v) in logistic.network.theta().iter().zip(tanh.network.theta()) {
        within(2.0 * v, *w, 1e-10, 1e-10).unwrap();
    }
    let last = |run: &Run| run.records.last().unwrap().readings[0][0][0];
    within(last(&tanh), 4.0 * last(&logistic), 1e-10, 0.0).unwrap();
    // At a quarter of the rate it would be another trajectory.
    let other = end(&activation::tanh::ENTRY, 0.5, -1.0, 4.0);
    let gap = |(w, v): (&f64, &f64)| (2.0 * v - w).abs();
    let furthest = logistic.network.theta().iter().zip(other.network.theta()).map(gap);
    assert!(furthest.fold(0.0, f64::max) > 0.1);
}

/// Sets the stop switch after this many steps, but reports it only once the work was already cut short.
struct Within {
    step: u64,
    taken: AtomicU64,
    asked: AtomicU64,
    stop: Arc<AtomicBool>,
    kept: Shelf,
}

impl Watch for Within {
    fn stepped(&self) {
        let taken = self.taken.fetch_add(1, Ordering::Relaxed) + 1;
        self.stop.store(taken == self.step, Ordering::Relaxed);
    }
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) && self.asked.fetch_add(1, Ordering::Relaxed) > 0
    }
    fn keep(&self, progress: &Progress) -> bool {
        self.kept.keep(progress)
    }
}

#[test]
fn a_stop_within_a_step_or_a_record_keeps_what_was_whole_and_changes_no_bit() {
    let (task, streams, sgd) = (task(0.0), Streams::new(2), crate::Sgd::online(0.1, 2000));
    let plan = Plan { checkpoint_every: 0, ..plan(35) };
    let start = || committee(&activation::relu::ENTRY, 0.3);
    let whole = train(&task, start(), &sgd, &streams, &plan, &Shelf::default());
    // Within the step after 17, and within the record after 14, which evaluates the held-out set.
    for (step, records) in [(17, 3), (14, 2)] {
        let (stop, kept) = (Arc::new(AtomicBool::new(false)), Shelf::default());
        let (taken, asked) = (AtomicU64::new(0), AtomicU64::new(u64::from(step == 14)));
        let watch = Within { step, taken, asked, stop: Arc::clone(&stop), kept };
        let run = work::until(&stop, || train(&task, start(), &sgd, &streams, &plan, &watch));
        let run = run.unwrap();
        assert_eq!((run.ended, run.records.len()), (Ended::Interrupted { step }, records));
        let kept = watch.kept.0.into_inner().unwrap().remove(0);
        assert_eq!((kept.step, kept.records.len()), (step, records));
        let resumed = train(&task, kept, &sgd, &streams, &plan, &Shelf::default());
        same_bits(resumed.network.theta(), whole.network.theta()).unwrap();
        assert_eq!(resumed.records, whole.records);
    }
}

/// When a run is part of other work that is stopped, the other work ends, not the run alone.
#[test]
fn a_stop_of_other_work_passes_through_a_run() {
    let (task, streams, sgd) = (task(0.0), Streams::new(2), crate::Sgd::online(0.1, 2000));
    let stop = Arc::new(AtomicBool::new(true));
    let run = work::until(&stop, || {
        train(
            &task,
            committee(&activation::relu::ENTRY, 0.3),
            &sgd,
            &streams,
            &plan(5),
            &Shelf::default(),
        )
    });
    assert!(run.is_err());
}
