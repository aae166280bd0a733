use fovea_fields::gate_flips::measure::Fresh;

#[test]
fn gates_are_followed_sample_by_sample() {
    let samples = vec![vec![1.0, 0.0], vec![0.0, 1.0], vec![-1.0, 2.0], vec![-2.0, 1.0]];
    let fields = vec![vec![vec![1.0, 0.0]], vec![vec![0.0, -1.0]], vec![vec![1.0, 1.0]]];
    // Gates at the end: open, open, open, shut; at the start open, open, shut, shut; in between open, shut, shut, shut.
    let fresh = Fresh::new(&fields, &samples).unwrap();
    assert_eq!(fresh.unlike_final, vec![0.25, 0.5, 0.0]);
    // One gate flips at the second record, two at the third, which is the last tenth.
    assert!((fresh.early.mean() - 0.25).abs() < 1e-15);
    assert!((fresh.late.mean() - 0.5).abs() < 1e-15);
    assert!((fresh.unsettled.mean() - 0.5).abs() < 1e-15);
    // Flips by sample 0, 2, 1, 0.
    assert!((fresh.deviation[0] - (11.0_f64 / 12.0).sqrt()).abs() < 1e-15);
    // The second record and the third are parts of their own.
    let parts = [0.5, (1.0_f64 / 3.0).sqrt()];
    assert!(
        fresh.in_parts.iter().zip(parts).all(|(a, b)| (a - b).abs() < 1e-15),
        "{:?}",
        fresh.in_parts
    );
}
