use fovea_core::vector::cosine;
use fovea_fields::deformation::measure::centred;

#[test]
fn fields_are_turned_to_their_peak_and_cosines_know_no_scale() {
    let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-15);
    assert!(same(&centred(&[0.1, -3.0, 1.0]), &[3.0, -1.0, -0.1]));
    assert!((cosine(&[1.0, 2.0], &[2.0, 4.0]) - 1.0).abs() < 1e-15);
    assert!(cosine(&[1.0, 2.0], &[-2.0, 1.0]).abs() < 1e-15);
}
