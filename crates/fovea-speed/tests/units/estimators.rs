use fovea_sim::{Estimator, Labels};
use fovea_speed::estimators::{Case, Setting, trace, variance};

#[test]
fn the_orbit_has_far_less_variance_at_the_start_and_after_training() {
    for trained in [false, true] {
        let case = Case { n: 40, width: 1, labels: Labels::Balanced, trained };
        let setting = Setting { groups: 8, steps: 16, entries: 20_000, training: 300 };
        let (task, network) = case.task_and_network(&setting).unwrap();
        let of = |estimator| variance(estimator, (&task, &network), &setting).unwrap();
        let (plain, pair, orbit) =
            (of(Estimator::Iid), of(Estimator::Antithetic), of(Estimator::Orbit));
        let ratio = plain.mean() / pair.mean();
        assert!((1.0..4.0).contains(&ratio), "{ratio} in {case:?}");
        // Twenty times the orbit's variance is still five standard errors below that of plain draws.
        let se = libm::hypot(plain.se(), 20.0 * orbit.se());
        assert!(plain.mean() - 20.0 * orbit.mean() > 5.0 * se, "{plain:?} {orbit:?} {case:?}");
    }
}

#[test]
fn the_trace_is_the_sum_of_the_variances() {
    let vectors = [vec![1.0, 5.0], vec![3.0, 5.0], vec![5.0, 8.0]];
    assert!((trace(&vectors) - (4.0 + 3.0)).abs() < 1e-12);
}
