use super::*;
use crate::dynamics::Pace;
use crate::job::{Moment, Stage, Start, sgd};
use crate::train::{Plan, Precision};
use crate::{Labels, Times, loss, probe};
use fovea_core::Item;
use fovea_core::streams::Streams;
use std::sync::atomic::{AtomicUsize, Ordering};

struct Quiet;

impl Watch for Quiet {
    fn stepped(&self) {}
    fn stopped(&self) -> bool {
        false
    }
}

fn task(gain: f64) -> Arc<TaskSpec> {
    let class = |xi: f64| Item::named("nlgp").set("n", 8_usize).set("xi", xi).set("gain", gain);
    Arc::new(TaskSpec::pair(class(1.2), class(0.6), 0.0, Labels::Balanced))
}

fn stage(task: &Arc<TaskSpec>, steps: u64, streams: Streams) -> Stage {
    let plan = Plan {
        steps,
        record: Times::Every(5),
        checkpoint_every: 0,
        eval_samples: 0,
        probes: &[&probe::weights::ENTRY, &probe::ipr::ENTRY],
        loss: &loss::mse::ENTRY,
        precision: Precision::Single,
    };
    Stage { task: Arc::clone(task), dynamics: sgd(Pace::online(0.1, 16)), plan, streams }
}

fn drawn(label: &str, index: u64) -> Job {
    let streams = Streams::new(3).replica(index);
    let network = Item::named("committee").set("width", 3_usize).set("activation", "relu");
    let network = network.set("bias", "none");
    Job::new(label, Start::Drawn { network, streams }, stage(&task(2.0), 20, streams))
}

fn from(label: &str, weights: Moment, gates: Option<Moment>) -> Job {
    let start = Start::From { job: "first".to_owned(), weights, gates };
    Job::new(label, start, stage(&task(2.0), 20, Streams::new(3).replica(0)))
}

/// The same jobs one by one, the last of every wave first.
fn one_by_one(jobs: &[Job]) -> Vec<Trained> {
    let one =
        |job: &Job, tasks: &Tasks, from: Option<&Trained>| carry_out(job, tasks, from, &Quiet);
    in_waves(jobs, one, &|count, run| (0..count).rev().for_each(run)).unwrap()
}

fn all() -> Vec<Job> {
    let two_stages = drawn("two stages", 1).then(stage(&task(5.0), 10, Streams::new(9)));
    vec![
        from("frozen", Moment::Step(10), Some(Moment::Step(10))),
        from("final gates", Moment::Step(0), Some(Moment::End)),
        from("on", Moment::End, None),
        from("free", Moment::Step(0), None),
        drawn("first", 0),
        two_stages,
    ]
}

#[test]
fn every_engine_gives_the_same_bits_in_the_order_of_the_jobs() {
    let jobs = all();
    let crew = Crew.train(&jobs, &Quiet).unwrap();
    for ((job, a), b) in jobs.iter().zip(&crew).zip(&one_by_one(&jobs)) {
        assert_eq!((&a.job.label, &b.job.label), (&job.label, &job.label));
        assert_eq!(a.network().theta(), b.network().theta(), "{}", job.label);
        assert!(
            a.completed() && a.stages.iter().zip(&b.stages).all(|(a, b)| a.records == b.records)
        );
    }
}

/// Nothing frozen, from the start, on the same samples: this repeats the other job. Later gates give something else.
#[test]
fn a_job_begins_from_a_record_of_another() {
    let trained = Crew.train(&all(), &Quiet).unwrap();
    let [frozen, gates, on, free, first, _] = &trained[..] else { panic!("six jobs") };
    assert_eq!(free.network().theta(), first.network().theta());
    assert_eq!(
        frozen.reading(&probe::weights::ENTRY, 10),
        first.reading(&probe::weights::ENTRY, 10)
    );
    assert_ne!(frozen.network().theta(), first.network().theta());
    assert_ne!(gates.network().theta(), first.network().theta());
    assert_eq!(on.readings(&probe::weights::ENTRY)[0], first.last(&probe::weights::ENTRY));
    assert_eq!((frozen.job.steps(), gates.job.steps()), (10, 20));
}

#[test]
fn stages_follow_each_other_with_one_clock() {
    let jobs = [all().swap_remove(5)];
    let trained = &Crew.train(&jobs, &Quiet).unwrap()[0];
    let steps: Vec<u64> = trained.records().iter().map(|record| record.step).collect();
    assert_eq!(steps, [0, 5, 10, 15, 20, 25, 30]);
    for record in trained.records() {
        assert!((record.time - 0.1 * record.step as f64).abs() < 1e-14);
    }
    assert_eq!(trained.job.steps(), 30);
    let second = &trained.stages[1].records[0].readings;
    assert_eq!(
        &trained.stages[0].records[4].readings, second,
        "a stage begins where the last ended"
    );
}

#[test]
fn a_falling_rate_has_its_own_clock() {
    let pace = Pace { schedule: Item::named("linear"), ..Pace::online(0.3, 1) };
    let times = pace.rate().times(&[0, 1, 10], 10);
    // 0.3 (10 + 9 + ... + 1) / 10.
    assert!((times[1] - 0.3).abs() < 1e-15 && (times[2] - 0.3 * 5.5).abs() < 1e-15, "{times:?}");
}

/// Ends every run after this many steps in total.
struct After(AtomicUsize);

impl Watch for After {
    fn stepped(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
    fn stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

/// A job is not begun if the job it starts from was stopped before the moment it needs, and neither is any job that waits for it.
#[test]
fn a_job_is_not_begun_where_the_one_before_was_stopped() {
    let on = Start::From { job: "on".to_owned(), weights: Moment::End, gates: None };
    let last = Job::new("last", on, stage(&task(2.0), 20, Streams::new(3)));
    let jobs = [from("on", Moment::Step(10), None), drawn("first", 0), last];
    let trained = Crew.train(&jobs, &After(AtomicUsize::new(7))).unwrap();
    let ended: Vec<Ended> = trained.iter().map(Trained::ended).collect();
    let stopped = |step| Ended::Interrupted { step };
    assert_eq!(ended, [stopped(0), stopped(7), stopped(0)]);
    assert!(trained[0].records().is_empty() && trained[0].network().inputs() == 8);
}
