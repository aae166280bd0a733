use super::*;
use crate::bench::Bench;
use crate::desk::train;
use crate::prelude::*;
use std::sync::atomic::AtomicBool;

#[test]
fn jobs_that_cannot_be_shared_leave_threads_idle() {
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
    close(makespan(&[2.0, 2.0, 2.0], 2, true), 3.0);
    close(makespan(&[2.0, 2.0, 2.0], 2, false), 4.0);
    close(makespan(&[1.0, 5.0, 1.0, 1.0], 2, false), 5.0);
    close(makespan(&[], 2, false), 0.0);
}

/// A hundred times the steps are a hundred times the seconds, and the rehearsal takes no longer.
#[test]
fn seconds_grow_with_the_steps_that_are_not_taken() {
    let two = TwoClass { n: 12, xi_pos: 1.5, xi_neg: 0.8, kernel: Kernel::Ring };
    let seconds = |steps: u64| {
        let arm = Arm {
            name: "arm".to_owned(),
            task: two.spec(3.0, Labels::Balanced),
            network: committee(3, &activation::relu::ENTRY, Bias::None, 1.0),
            pace: Pace::online(0.01, 1000),
            plan: Plan::new(steps as usize, Times::Every(steps), &[&probe::ipr::ENTRY]),
        };
        let (rehearsal, stop) = (Rehearsal::default(), AtomicBool::new(false));
        let bench = Bench::rehearsed(0, &rehearsal, &stop);
        let runs = train(&bench, &arm.jobs(bench.streams().part("arm"), 4)).unwrap();
        assert_eq!(runs.get("arm,seed=3").stages[0].records.len(), 2);
        assert_eq!(rehearsal.found().steps, 4 * steps);
        rehearsal.found().seconds
    };
    let (few, many) = (seconds(1_000_000), seconds(100_000_000));
    assert!((30.0..300.0).contains(&(many / few)), "{few} {many}");
}
