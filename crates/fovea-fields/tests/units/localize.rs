use fovea_fields::localize::measure::late_mean;

#[test]
fn the_late_mean_leaves_the_first_half_out() {
    let fields = [vec![9.0], vec![9.0], vec![1.0], vec![3.0]];
    assert!((late_mean(&fields)[0] - 2.0).abs() < 1e-15);
    assert!(late_mean(&[]).is_empty());
}
