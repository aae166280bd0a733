mod kernels;
mod opponent;

use fovea_speed::against::{Contest, Turns, select};
use fovea_speed::tangent;
use fovea_speed::workload::{self};

fn contest(losses: &[Vec<f64>; 2]) -> Contest {
    let turns = Turns {
        steps: 10,
        routes: vec!["modes".to_owned()],
        rates: vec![vec![10.0, 20.0, 30.0], vec![100.0, 100.0, 60.0]],
        losses: losses.to_vec(),
        start: 0.5,
        load: None,
    };
    turns.contest(workload::ALL[0], &["jax"], 1).unwrap()
}

#[test]
fn ratios_are_ours_over_theirs_by_best_by_median_and_turn_by_turn() {
    let contest = contest(&[vec![0.1, 0.11, 0.12], vec![0.1, 0.11, 0.13]]);
    let other = &contest.others[0];
    assert_eq!(contest.rate.repeats, [100.0, 100.0, 60.0]);
    assert!((other.best_ratio - 100.0 / 30.0).abs() < 1e-12);
    assert!((other.median_ratio - 5.0).abs() < 1e-12);
    assert_eq!(other.ratio.repeats, [10.0, 5.0, 2.0]);
    assert!((other.ratio.spread - 4.0).abs() < 1e-12);
    assert!(other.agrees());
}

/// A loss that no seed explains is noticed: the control of the comparison.
#[test]
fn a_program_with_another_loss_does_not_agree() {
    let around = |mean: f64| [-1e-5, 0.0, 1e-5].map(|off| mean + off).to_vec();
    assert!(contest(&[around(0.1), around(0.1)]).others[0].agrees());
    assert!(!contest(&[around(0.3), around(0.1)]).others[0].agrees());
}

#[test]
fn workloads_are_chosen_by_name_or_beginning() {
    let names = |given: &str| -> Vec<&str> {
        let chosen = select(&[given.to_owned()]).unwrap();
        let kernels = chosen.kernels.into_iter().map(tangent::Precision::name);
        chosen.workloads.iter().map(|workload| workload.name).chain(kernels).collect()
    };
    assert_eq!(names("c"), ["c-relu", "c-sigmoid"]);
    assert_eq!(names("d"), ["d"]);
    assert_eq!(names("ntk"), ["ntk-f32", "ntk-f64"]);
    let all = select(&[]).unwrap();
    assert_eq!((all.workloads.len(), all.kernels.len()), (7, 2));
    assert!(select(&["f".to_owned()]).is_err());
}
