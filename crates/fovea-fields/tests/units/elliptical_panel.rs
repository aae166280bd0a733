use fovea_fields::elliptical_panel::measure::left;
use std::f64::consts::TAU;

#[test]
fn an_offset_sinusoid_leaves_nothing_and_another_wave_all_of_itself() {
    let n = 40;
    let wave = |periods: f64, i: usize| libm::sin(0.3 + TAU * periods * i as f64 / 39.0);
    let one: Vec<f64> = (0..n).map(|i| 0.04 + 0.005 * wave(1.0, i)).collect();
    assert!(left(&one).relative() < 1e-14);
    let two: Vec<f64> = (0..n).map(|i| 0.04 + 0.005 * wave(8.0, i)).collect();
    let left = left(&two);
    assert!((left.mse / (0.005 * 0.005 / 2.0) - 1.0).abs() < 0.1, "{left:?}");
    assert!(fovea_fields::elliptical_panel::measure::left(&[0.0; 8]).relative().abs() < 1e-15);
}
