//! Many layers and the limit of large depth: right at every variance, or refused quickly. Reference values by mpmath, 30 digits.

use fovea_core::Value;
use fovea_core::agree::within;
use fovea_theory::{FormError, form};

/// A form at some arguments.
fn eval(name: &str, given: &[(&str, Value)]) -> Result<Value, FormError> {
    let given: Vec<(String, Value)> =
        given.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    form(name).unwrap().at(&given)
}

/// A number of a table.
fn number(value: &Value, key: &str) -> f64 {
    match value.get(key) {
        Some(Value::Real(x)) => *x,
        other => panic!("{key} is {other:?}"),
    }
}

/// The form is right at these arguments, for each of these entries, to the digits given.
fn is_right(name: &str, given: &[(&str, Value)], entries: &[(&str, f64)], relative: f64) {
    let found = eval(name, given).unwrap();
    for (key, exact) in entries {
        within(number(&found, key), *exact, relative, 0.0)
            .map_err(|e| format!("{name} {given:?} {key}: {e:?}"))
            .unwrap();
    }
}

fn text(name: &str) -> Value {
    Value::from(name)
}

#[test]
fn variances_that_die_end_at_once_and_right() {
    let recursion = "criticality.recursion";
    is_right(
        recursion,
        &[("c_w", 0.5.into()), ("k_ab", 1.0.into()), ("layers", 60_usize.into())],
        &[("k_aa", 1.9704117093994818e-19), ("k_ab", 1.9704117093994818e-19)],
        1e-12,
    );
    is_right(
        recursion,
        &[("c_w", 0.01.into()), ("layers", 10_usize.into())],
        &[("k_aa", 3.911884570998307e-21), ("k_ab", 1.848551989507083e-21)],
        1e-10,
    );
    is_right(
        recursion,
        &[("k_ab", 1e-6.into()), ("layers", 10_usize.into())],
        &[("k_aa", 0.05220008278702868), ("k_ab", 4.519426085709336e-8)],
        1e-12,
    );
    is_right(
        recursion,
        &[("c_w", 0.5.into()), ("layers", 30_usize.into())],
        &[("k_aa", 2.115713464672055e-10), ("k_ab", 9.883142067821508e-11)],
        1e-10,
    );
    // A variance that is halved a million times is zero long before and stays zero.
    is_right(
        recursion,
        &[("c_w", 0.5.into()), ("layers", 1_000_000_usize.into())],
        &[("k_aa", 0.0), ("k_ab", 0.0), ("r", 1.0)],
        1e-12,
    );
}

/// Evaluations that end because the layers no longer change anything, or because the work is used up.
#[test]
fn no_depth_hangs() {
    let deep = |given: &[(&str, Value)]| eval("criticality.recursion", given);
    // A variance and a covariance that do not change in any bit.
    let kept =
        deep(&[("c_w", 1.7.into()), ("c_b", 0.2.into()), ("layers", 1_000_000_usize.into())]);
    let before = deep(&[("c_w", 1.7.into()), ("c_b", 0.2.into()), ("layers", 1000_usize.into())]);
    match (kept, before) {
        (Ok(kept), Ok(before)) => {
            within(number(&kept, "k_aa"), number(&before, "k_aa"), 1e-14, 0.0).unwrap();
        }
        other => panic!("{other:?}"),
    }
    // A variance that decreases as one over the depth, without end.
    let typed = || ("activation", text("tanh(x)"));
    for (name, given) in [
        ("criticality.recursion", vec![typed(), ("layers", Value::from(1_000_000_usize))]),
        ("nngp.variance", vec![("layers", 1_000_000_usize.into())]),
        ("ntk.kernel", vec![typed(), ("layers", 100_000_usize.into())]),
    ] {
        let refused = eval(name, &given);
        assert!(matches!(refused, Err(FormError::Work(_))), "{name} {given:?}: {refused:?}");
    }
}

#[test]
fn covariances_and_tangent_kernels_of_tiny_weights_are_right() {
    let found = eval("nngp.covariance", &[("c_w", 1e-6.into())]).unwrap();
    let Value::List(rows) = &found else { panic!("{found:?}") };
    let entry = |a: usize, b: usize| match &rows[a] {
        Value::List(row) => match row[b] {
            Value::Real(x) => x,
            ref other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    within(entry(0, 0), 9.999980000036665e-19, 1e-12, 0.0).unwrap();
    within(entry(1, 1), 6.249992187506021e-19, 1e-12, 0.0).unwrap();
    within(entry(0, 1), 2.499995937504557e-19, 1e-12, 0.0).unwrap();
    // Two layers, linear except for the first: C_w^2 (2 E tanh^2 + E tanh'^2).
    is_right(
        "ntk.kernel",
        &[("activation", text("tanh")), ("c_w", 1e-12.into())],
        &[("theta_aa", 1.2529918832439506e-24)],
        1e-11,
    );
}

#[test]
fn the_phase_is_decided_by_the_map_and_not_by_a_limit() {
    let phase = |given: &[(&str, Value)], word: &str, k: f64| {
        let found = eval("criticality.phase", given).unwrap();
        assert_eq!(found.get("phase"), Some(&text(word)), "{given:?} {found:?}");
        within(number(&found, "k_star"), k, 1e-12, 0.0)
            .map_err(|e| format!("{given:?}: {e:?}"))
            .unwrap();
    };
    let relu = ("activation", text("relu"));
    phase(&[("c_w", 1e8.into())], "chaotic", 99992020.83608316);
    phase(
        &[relu.clone(), ("c_w", 1.999_999_99.into()), ("c_b", 1.0.into())],
        "ordered",
        200000001.2154942,
    );
    phase(&[relu.clone(), ("c_w", 1.5.into()), ("c_b", 1e8.into())], "ordered", 4e8);
    phase(&[relu, ("c_w", 2.1.into())], "exploding", f64::INFINITY);
    phase(&[("c_w", 0.5.into()), ("start", 2e8.into())], "ordered", 0.0);
    phase(&[("c_w", 0.5.into()), ("c_b", 1e-20.into())], "ordered", 2e-20);
    phase(&[("activation", text("softplus")), ("c_w", 2.1.into())], "exploding", f64::INFINITY);
    phase(&[("activation", text("exp(x)"))], "exploding", f64::INFINITY);
    // A bounded wave that quadrature cannot resolve is not called exploding.
    let wave = eval("criticality.phase", &[("activation", text("sin(3*x)")), ("c_w", 1e12.into())]);
    assert!(
        !matches!(&wave, Ok(found) if found.get("phase") == Some(&text("exploding"))),
        "{wave:?}"
    );
}

/// A covariance is allowed, and accurate, even if the product of the variances overflows: $`\kappa_1(1/2)/2`$ of their mean for the
/// rectifier.
#[test]
fn a_pair_may_be_as_small_or_large_as_numbers_allow() {
    for k in [1e-200, 1e200] {
        is_right(
            "criticality.kernel",
            &[
                ("activation", text("relu")),
                ("k_aa", k.into()),
                ("k_bb", k.into()),
                ("k_ab", (0.5 * k).into()),
            ],
            &[("k_aa", 0.5 * k), ("k_ab", 0.304_498_890_522_114_7 * k)],
            1e-13,
        );
    }
}
