use fovea_core::vector::cosine;

#[test]
fn opposite_fields_have_cosine_minus_one() {
    assert!((cosine(&[1.0, -2.0], &[-2.0, 4.0]) + 1.0).abs() < 1e-15);
    assert!(cosine(&[0.0, 0.0], &[1.0, 1.0]).abs() < 1e-15);
}
