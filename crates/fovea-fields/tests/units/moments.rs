use fovea_fields::moments::measure::Bins;

#[test]
fn few_values_have_a_bin_each_and_many_share_forty() {
    let coin = Bins::fit(vec![1.0, -1.0, 1.0, 1.0, -1.0]);
    assert_eq!((coin.count(), coin.of(-1.0), coin.of(0.0), coin.of(1.0)), (5, 1, 2, 3));
    let many = Bins::fit((0..1000).map(f64::from).collect());
    assert_eq!((many.count(), many.of(-50.0), many.of(2000.0)), (42, 0, 41));
    let flat = |x: f64| Ok::<_, ()>((x / 999.0).clamp(0.0, 1.0));
    assert!((many.probabilities(flat).unwrap().iter().sum::<f64>() - 1.0).abs() < 1e-12);
}
