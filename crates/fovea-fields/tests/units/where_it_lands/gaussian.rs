use fovea_core::ring::Kernel;
use fovea_core::ring::RingKernel;
use fovea_fields::where_it_lands::gaussian::{crest, lives};
use std::f64::consts::TAU;

#[test]
fn the_crest_of_a_shifted_bump_is_its_centre_and_that_of_a_dip_too() {
    let bump = |sign: f64| -> Vec<f64> {
        (0..40).map(|i| sign * (1.0 + libm::cos(TAU * (f64::from(i) - 31.0) / 40.0))).collect()
    };
    assert!((crest(&bump(1.0)) - 31.0).abs() < 1e-12);
    assert!((crest(&bump(-1.0)) - 31.0).abs() < 1e-12);
}

#[test]
fn life_times_are_those_of_the_catalogue() {
    let [pos, neg] = [2.0, 1.0].map(|xi| RingKernel::new(40, xi, Kernel::Ring).unwrap());
    let [first, second] = lives(&pos, &neg);
    assert!((first - 123.7).abs() < 0.05 && (second - 32.4).abs() < 0.05);
    assert!(lives(&neg, &pos)[0].is_infinite());
}
