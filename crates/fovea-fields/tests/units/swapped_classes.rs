use fovea_core::agree::within;
use fovea_core::ring::Kernel;
use fovea_desk::two_class::TwoClass;
use fovea_fields::swapped_classes::measure::{Bounds, gain_of};
use fovea_theory::variational::loss;

fn at(xi_pos: f64, xi_neg: f64, gain: f64) -> Bounds {
    Bounds::new(&TwoClass { n: 40, xi_pos, xi_neg, kernel: Kernel::Ring }, gain).unwrap()
}

#[test]
fn binary_data_give_the_dictator_loss_in_either_order() {
    let infinite = f64::INFINITY;
    let (there, back) = (at(2.0, 1.0, infinite), at(1.0, 2.0, infinite));
    within(loss(there.gate), 0.1829671681, 1e-9, 0.0).unwrap();
    within(there.gate, back.gate, 1e-13, 0.0).unwrap();
    within(there.site, 0.5, 1e-15, 0.0).unwrap();
    within(gain_of(loss(0.3)), 0.3, 1e-15, 0.0).unwrap();
}

#[test]
fn a_gate_never_does_worse_than_its_site_and_gaussian_data_prefer_the_mode() {
    for gain in [0.01, 0.5, 1.0, 3.0, f64::INFINITY] {
        for (xi_pos, xi_neg) in [(2.0, 1.0), (1.0, 2.0)] {
            let bounds = at(xi_pos, xi_neg, gain);
            assert!(bounds.gate >= bounds.site, "{bounds:?}");
            // The covariance of signs falls off more slowly in frequency, so that the best mode is no longer the last.
            let wave = if gain.is_infinite() { 15 } else { 20 };
            assert_eq!(bounds.frequency, if xi_pos > xi_neg { 0 } else { wave });
        }
    }
    // L000.38: one over pi at gain 0, and the flat mode at .424.
    let gaussian = at(2.0, 1.0, 1e-6);
    within(gaussian.site, std::f64::consts::FRAC_1_PI, 1e-9, 0.0).unwrap();
    assert!((gaussian.mode - 0.4244).abs() < 1e-4 && gaussian.gate < gaussian.mode);
}
