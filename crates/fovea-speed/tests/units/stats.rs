use fovea_speed::stats::Summary;

#[test]
fn best_median_and_spread_are_those_of_the_sorted_numbers() {
    let summary = Summary::of(vec![3.0, 1.0, 5.0, 2.0, 4.0]).unwrap();
    assert_eq!((summary.best, summary.median, summary.spread), (5.0, 3.0, 2.0));
    assert!((summary.relative_spread() - 2.0 / 3.0).abs() < 1e-15);
    assert_eq!(summary.repeats, [3.0, 1.0, 5.0, 2.0, 4.0]);
    let one = Summary::of(vec![2.0]).unwrap();
    assert_eq!((one.best, one.median, one.spread), (2.0, 2.0, 0.0));
    assert!(Summary::of(Vec::new()).is_err() && Summary::of(vec![f64::NAN]).is_err());
}
