use super::*;
use crate::prelude::*;
use crate::{Conditions, Silent};
use fovea_sim::Moment;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const TWO: TwoClass = TwoClass { n: 8, xi_pos: 1.2, xi_neg: 0.6, kernel: Kernel::Ring };
const PROBES: [&Probe; 2] = [&probe::ipr::ENTRY, &probe::weights::ENTRY];

/// Two seeds of an arm, and a job that begins where the first one was after 4 steps.
fn jobs(lr: f64) -> Vec<Job> {
    let arm = Arm {
        name: "arm".to_owned(),
        task: TWO.spec(2.0, Labels::Balanced),
        network: committee(1, &activation::relu::ENTRY, Bias::None, 0.5),
        pace: Pace::online(lr, 16),
        plan: Plan::new(8, Times::Every(4), &PROBES),
    };
    let streams = Streams::new(3).part("arm");
    let mut jobs = arm.jobs(streams, 2);
    let weights = Moment::Step(4);
    let start = Start::From { job: jobs[0].label.clone(), weights, gates: Some(weights) };
    jobs.push(Job::new("after", start, jobs[0].stages[0].clone()));
    jobs
}

struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let dir =
            std::env::temp_dir().join(format!("fovea-finished-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        Self(dir)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Counts the steps of real training: a kept job takes all of its steps at once, with nothing in between.
fn trained(finished: &Finished, jobs: &[Job]) -> Vec<Trained> {
    let stop = AtomicBool::new(false);
    finished.train(jobs, &Conditions::new(3, &Silent, &stop)).unwrap()
}

#[track_caller]
fn assert_same(a: &[Trained], b: &[Trained]) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        assert_eq!((&a.job.label, a.ended(), &a.notes), (&b.job.label, b.ended(), &b.notes));
        assert_eq!(a.network().theta(), b.network().theta());
        for (a, b) in a.stages.iter().zip(&b.stages) {
            assert_eq!(a.records, b.records);
        }
    }
}

#[test]
fn jobs_that_ended_are_read_back_to_the_bit_and_the_others_are_trained() {
    let scratch = Scratch::new("bits");
    let first = Finished::open(&scratch.0).unwrap();
    let jobs = jobs(0.1);
    let whole = trained(&first, &jobs);
    assert!(!scratch.0.join("jobs").exists(), "what takes no time is not worth a file");
    first.keep_all();
    let second = Finished::open(&scratch.0).unwrap();
    assert_eq!((second.len(), second.damaged()), (3, 0));
    assert_same(&trained(&second, &jobs), &whole);
    // Nothing was trained, so there is nothing new to be kept.
    assert!(second.waiting.lock().unwrap().bytes.is_empty());
}

#[test]
fn a_job_of_other_settings_is_another_job() {
    let scratch = Scratch::new("other");
    let first = Finished::open(&scratch.0).unwrap();
    trained(&first, &jobs(0.1));
    first.keep_all();
    let second = Finished::open(&scratch.0).unwrap();
    let other = trained(&second, &jobs(0.2));
    assert!(!second.waiting.lock().unwrap().bytes.is_empty());
    let fresh = Finished::open(&Scratch::new("fresh").0).unwrap();
    assert_same(&other, &trained(&fresh, &jobs(0.2)));
    assert_eq!(key(&jobs(0.1)[1]), key(&jobs(0.1)[1]));
    let keys: Vec<Key> = jobs(0.1).iter().map(key).collect();
    assert!(keys[0] != keys[1] && keys[1] != keys[2]);
}

/// Ends a run after some steps.
struct After(AtomicUsize, usize);

impl Watch for After {
    fn stepped(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
    fn stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= self.1
    }
}

#[test]
fn what_was_stopped_is_not_kept_and_what_ended_is() {
    let scratch = Scratch::new("stopped");
    let first = Finished::open(&scratch.0).unwrap();
    let (jobs, stop) = (jobs(0.1), After(AtomicUsize::new(0), 18));
    let some = first.train(&jobs, &stop).unwrap();
    let ended = some.iter().filter(|run| run.completed()).count();
    assert_eq!(ended, 2, "the last job takes 4 steps more, and is stopped after 2");
    let second = Finished::open(&scratch.0).unwrap();
    assert_eq!(second.len(), ended);
    let fresh = Finished::open(&Scratch::new("unstopped").0).unwrap();
    assert_same(&trained(&second, &jobs), &trained(&fresh, &jobs));
}
