use fovea_fields::early_time::measure::Courses;

/// A flow that stands still at (1, 0); runs that leave it along the first axis, a little apart along the second.
fn leaving() -> Courses {
    let run = |sign: f64| (0..6).map(|t| vec![1.0 + 0.1 * f64::from(t), 0.01 * sign]).collect();
    let flow = vec![vec![1.0, 0.0]; 6];
    Courses { flow, wrong: None, runs: vec![run(1.0), run(-1.0)] }
}

#[test]
fn distance_noise_and_split_are_those_of_a_constructed_pair() {
    let start = leaving();
    for t in 1..6 {
        let away = 0.1 * t as f64;
        assert!((start.distance(t) - (away * away + 1e-4).sqrt()).abs() < 1e-12);
        assert!((start.noise(t) - 2e-4_f64.sqrt()).abs() < 1e-12);
        assert!((start.excess(&start.flow, t) - libm::log(away * away / 1e-4)).abs() < 1e-9);
    }
    assert!((start.early_noise().unwrap() - 2e-4_f64.sqrt()).abs() < 1e-12);
    let split = |factor: f64| start.split(factor).unwrap();
    assert_eq!((split(3.0), split(10.0), split(100.0)), (Some(1), Some(2), None));
}
