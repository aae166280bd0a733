//! The forms of the lectures, and their controls, compared with reference values.

use super::{Case, pairs, value};
use fovea_core::agree::{digits, within};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// Reference values under the names of the forms and of their arguments.
const ORACLE: &str = include_str!("../../data/oracle_lectures.json");

/// Forms that must be met at least once.
const OPS: [&str; 13] = [
    "criticality.kernel",
    "criticality.chi",
    "criticality.recursion",
    "criticality.solve",
    "criticality.phase",
    "nngp.kurtosis",
    "nngp.variance",
    "ntk.kernel",
    "ntk.gram",
    "ntk.width",
    "rates.contraction",
    "rates.gradient_norm",
    "rates.schedule",
];

fn cases() -> Vec<Case> {
    let oracle: Json = serde_json::from_str(ORACLE).unwrap();
    let case = |entry: &Json| {
        let inputs = entry["inputs"].as_object().unwrap().iter();
        let given = inputs.map(|(key, input)| (key.clone(), value(input))).collect();
        Case::of(entry, entry["op"].as_str().unwrap(), given, entry["expected"].clone())
    };
    oracle["entries"].as_array().unwrap().iter().map(case).collect()
}

#[test]
fn every_form_of_the_lectures_has_the_digits_of_the_oracle() {
    let mut worst: BTreeMap<&str, f64> = BTreeMap::new();
    for case in cases() {
        let got = case.form.at(&case.given).unwrap();
        for (expected, got) in pairs(&case.expected, &got) {
            if let Err(gap) = within(got, expected, case.rel, case.abs) {
                panic!("{} {}: {gap}", case.id, case.form.name);
            }
            let worst = worst.entry(case.form.name).or_insert(17.0);
            *worst = worst.min(digits(got, expected));
        }
    }
    for (name, digits) in &worst {
        println!("{name:<22} {digits:5.2} digits at worst");
    }
    for op in OPS {
        assert!(worst.contains_key(op), "{op} was not met");
    }
}

#[test]
fn every_control_of_the_lectures_fails_the_oracle() {
    for case in cases() {
        let wrong = case.form.control.at(&case.given).unwrap();
        let caught = pairs(&case.expected, &wrong)
            .into_iter()
            .any(|(expected, got)| within(got, expected, case.rel, case.abs).is_err());
        assert!(caught, "{} {}: {}", case.id, case.form.name, case.form.control.what);
    }
}
