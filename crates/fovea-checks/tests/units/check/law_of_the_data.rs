use fovea_checks::check::by_hand::dot;
use fovea_checks::check::corners::Corners;
use fovea_checks::check::law_of_the_data::{RING, WEIGHTS};

#[test]
fn no_corner_lies_within_a_difference_quotient_of_the_wall() {
    let nearest = Corners::ising(RING, 0.0)
        .states()
        .map(|x| dot(&WEIGHTS, x).abs())
        .fold(f64::INFINITY, f64::min);
    assert!(nearest > 4e-3, "{nearest}");
}
