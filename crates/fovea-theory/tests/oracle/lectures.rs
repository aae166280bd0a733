//! The forms of the lectures, and their controls, against reference values.

use super::pairs;
use fovea_core::Value;
use fovea_core::agree::{digits, within};
use fovea_core::params::Assignments;
use fovea_theory::{Form, form};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// Reference values under the names of the forms and of their arguments.
const ORACLE: &str = include_str!("../../data/oracle_lectures.json");

/// Forms that must be met at least once.
const OPS: [&str; 12] = [
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
];

struct Case {
    id: String,
    form: &'static Form,
    given: Assignments,
    expected: Json,
    rel: f64,
    abs: f64,
}

fn cases() -> Vec<Case> {
    let oracle: Json = serde_json::from_str(ORACLE).unwrap();
    let case = |entry: &Json| Case {
        id: entry["id"].as_str().unwrap().to_owned(),
        form: form(entry["op"].as_str().unwrap()).unwrap(),
        given: entry["inputs"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(key, input)| (key.clone(), value(input)))
            .collect(),
        expected: entry["expected"].clone(),
        rel: entry["tolerance"]["rel"].as_f64().unwrap(),
        abs: entry["tolerance"]["abs"].as_f64().unwrap(),
    };
    oracle["entries"].as_array().unwrap().iter().map(case).collect()
}

fn value(json: &Json) -> Value {
    match json {
        Json::Array(items) => Value::List(items.iter().map(value).collect()),
        Json::String(word) => Value::Text(word.clone()),
        number => Value::Real(number.as_f64().unwrap()),
    }
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
