use fovea_core::ring::Kernel;
use fovea_desk::two_class::TwoClass;
use fovea_fields::loss_label_bias::arm::{Arm, all};
use fovea_fields::loss_label_bias::theory::Theory;

fn two(xi_pos: f64, xi_neg: f64) -> TwoClass {
    TwoClass { n: 40, xi_pos, xi_neg, kernel: Kernel::Ring }
}

#[test]
fn the_candidates_are_those_of_the_catalogue() {
    let theory = Theory::of(&two(2.0, 1.0)).unwrap();
    let candidate = |arm| theory.predict(arm, 1).candidate.unwrap();
    assert!((candidate(Arm::Mse).1 - 0.2513).abs() < 5e-5);
    assert!((candidate(Arm::MsePm).0 + 0.1614).abs() < 5e-5);
    assert!((candidate(Arm::MseBias).0 + 0.5 * 0.1614).abs() < 5e-5);
    let back = Theory::of(&two(1.0, 2.0)).unwrap().predict(Arm::MsePm, 1).candidate.unwrap();
    assert!((back.0 - 0.1614).abs() < 5e-5 && (back.1 + 0.51).abs() < 5e-3, "{back:?}");
}

#[test]
fn one_arm_of_one_unit_has_a_dictator_state() {
    let theory = Theory::of(&two(2.0, 1.0)).unwrap();
    for arm in all() {
        let expected = matches!(arm, Arm::Mse | Arm::MseReadout);
        assert_eq!(theory.predict(arm, 1).stays(0.0), Some(expected), "{arm:?}");
    }
    assert_eq!(theory.predict(Arm::Mse, 2).stays(0.0), Some(true));
    assert_eq!(theory.predict(Arm::MsePm, 2).stays(0.0), Some(false));
    assert_eq!(theory.predict(Arm::MseBias, 2).stays(0.0), Some(true));
    assert_eq!(theory.predict(Arm::MseBias, 2).stays(0.2), Some(false));
    assert_eq!(theory.predict(Arm::CrossEntropyBias, 2).stays(0.0), None);
    assert_eq!(theory.predict(Arm::Mse, 12).stays(0.0), None);
}
