use super::*;
use crate::conditions::Conditions;
use crate::desk::train;
use crate::prelude::*;
use fovea_sim::engine::Tasks;
use std::sync::atomic::AtomicBool;

#[test]
fn jobs_that_cannot_be_shared_leave_threads_idle() {
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
    close(makespan(&[2.0, 2.0, 2.0], 2, true), 3.0);
    close(makespan(&[2.0, 2.0, 2.0], 2, false), 4.0);
    close(makespan(&[1.0, 5.0, 1.0, 1.0], 2, false), 5.0);
    close(makespan(&[], 2, false), 0.0);
}

fn arm(steps: u64) -> Arm {
    let two = TwoClass { n: 12, xi_pos: 1.5, xi_neg: 0.8, kernel: Kernel::Ring };
    Arm {
        name: "arm".to_owned(),
        task: two.spec(3.0, Labels::Balanced),
        network: committee(3, &activation::relu::ENTRY, Bias::None, 1.0),
        pace: Pace::online(0.01, 1000),
        plan: Plan::new(steps as usize, Times::Every(steps), &[&probe::ipr::ENTRY]),
    }
}

/// A hundred times the steps are a hundred times the seconds, and the rehearsal takes no longer.
#[test]
fn seconds_grow_with_the_steps_that_are_not_taken() {
    let seconds = |steps: u64| {
        let (rehearsal, stop) = (Rehearsal::default(), AtomicBool::new(false));
        let conditions = Conditions::rehearsed(0, &rehearsal, &stop);
        let runs =
            train(&conditions, &arm(steps).jobs(conditions.streams().part("arm"), 4)).unwrap();
        assert_eq!(runs.get("arm,seed=3").stages[0].records.len(), 2);
        assert_eq!(rehearsal.found().steps, 4 * steps);
        rehearsal.found().seconds
    };
    let (few, many) = (seconds(1_000_000), seconds(100_000_000));
    assert!((30.0..300.0).contains(&(many / few)), "{few} {many}");
}

/// Of many jobs of a kind the first take steps; the others stay where they began, with readings of their own.
#[test]
fn a_few_jobs_of_a_kind_are_timed() {
    let (rehearsal, stop) = (Rehearsal::default(), AtomicBool::new(false));
    let conditions = Conditions::rehearsed(0, &rehearsal, &stop);
    let jobs = arm(1_000_000).jobs(conditions.streams(), 8 + 8 * rayon::current_num_threads());
    let (runs, tasks) = (train(&conditions, &jobs).unwrap(), Tasks::of(&jobs).unwrap());
    let moved = |run: &&Trained| {
        let start = run.job.begin(tasks.get(&run.job.stages[0].task), None).unwrap();
        start.network.theta() != run.network().theta()
    };
    let timed = runs.iter().filter(moved).count();
    assert!((ENOUGH..jobs.len() / 2).contains(&timed), "{timed} of {}", jobs.len());
    let [one, other] = [jobs.len() - 2, jobs.len() - 1].map(|job| runs.get(&jobs[job].label));
    assert_ne!(one.last(&probe::ipr::ENTRY), other.last(&probe::ipr::ENTRY));
}
