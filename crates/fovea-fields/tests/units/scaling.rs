use fovea_fields::scaling::measure::slope;

#[test]
fn the_slope_of_a_power_law_is_its_exponent() {
    let x: Vec<f64> = (0..5).map(f64::from).collect();
    let y: Vec<f64> = x.iter().map(|x| 1.25 * x - 3.0).collect();
    assert!((slope(&x, &y) - 1.25).abs() < 1e-12);
}
