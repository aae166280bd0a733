use fovea_core::Value;
use fovea_core::params::ParamType;
use fovea_fields::loss_label_bias::arm::{Arm, Arms, WORDS, all};

#[test]
fn a_user_types_arms_as_a_list_and_impossible_ones_do_not_exist() {
    assert_eq!(all().into_iter().map(Arm::word).collect::<Vec<_>>(), WORDS);
    let read = |typed: &str| Arms::read(&Value::from_typed(typed));
    assert_eq!(read("mse,l1+b2"), Some(Arms(vec![Arm::Mse, Arm::L1Bias])));
    assert_eq!(read("mse-pm"), Some(Arms(vec![Arm::MsePm])));
    assert_eq!(read("cross-entropy-pm"), None);
    assert_eq!(Arms::read(&Value::List(Vec::new())), None);
    assert_eq!(Arms::read(&Arms::distinct().write()), Some(Arms::distinct()));
}

#[test]
fn nine_of_the_twelve_problems_are_distinct() {
    assert_eq!(Arms::distinct().0.len(), 9);
    for arm in all() {
        if let Some((twin, _)) = arm.twin() {
            assert!(twin.twin().is_none() && twin.biased() == arm.biased());
            assert!(twin.negative_label() > arm.negative_label());
        }
    }
}
