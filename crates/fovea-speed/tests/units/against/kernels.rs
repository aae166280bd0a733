use fovea_speed::against::kernels::{KernelContest, Way, gap};
use fovea_speed::stats::Summary;
use fovea_speed::tangent::Precision;

#[test]
fn the_gap_is_that_of_the_worst_entry() {
    assert!((gap(&[1.0, 4.1], &[1.0, 4.0]) - 0.025).abs() < 1e-15);
    assert!(gap(&[1.0], &[1.0, 4.0]).is_infinite());
}

/// A kernel off by more than rounding is noticed: the control of the comparison.
#[test]
fn another_kernel_does_not_agree() {
    let rate = || Summary::of(vec![1.0]).unwrap();
    let contest = |gap| KernelContest {
        precision: Precision::Single,
        rate: rate(),
        ways: vec![Way {
            program: "jax",
            route: "grams".to_owned(),
            rate: rate(),
            ratio: rate(),
            best_ratio: 1.0,
            median_ratio: 1.0,
            gap,
        }],
        limit: Precision::Single.limit(),
        load: None,
    };
    assert!(contest(4e-7).agrees());
    assert!(!contest(1e-4).agrees());
}
