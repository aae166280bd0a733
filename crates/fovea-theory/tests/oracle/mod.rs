//! Every form, and every control, compared with reference values.

use fovea_core::Value;
use fovea_core::agree::{digits, within};
use fovea_core::params::Assignments;
use fovea_theory::{Form, form};
use serde_json::Value as Json;
use std::collections::BTreeMap;

mod lectures;

/// Reference values computed with 25 to 40 digits by programs that share nothing with this crate.
const ORACLE: &str = include_str!("../../data/oracle_localization.json");

/// Operations of the oracle that must be met at least once.
const OPS: [&str; 38] = [
    "ring_eigs",
    "ring_min_eig",
    "ring_critical_xi",
    "wrapped_eigs",
    "nlgp_marginal",
    "nlgp_cov",
    "nlgp_fourth",
    "nlgp_zero_crossings",
    "relu_f_gauss",
    "relu_flow_single",
    "relu_flow_exact",
    "relu_loss",
    "relu_steady",
    "relu_stable_mode",
    "relu_pair_moments",
    "relu_pair_vec",
    "relu_f_jacobian",
    "relu_flow_multi",
    "relu_gate_agreement",
    "elliptical_constant",
    "nlgp_cond_mean",
    "dictator_fixed_point",
    "pulse_gated",
    "starting_relu",
    "starting_erf_site",
    "starting_erf_gauss",
    "diff_leading_mode",
    "dominance_abs",
    "uncertainty_measures",
    "uncertainty_real_gabor",
    "cube_f",
    "sign_pmf4",
    "cube_chow",
    "cube_delta",
    "nlgp_preact_kurtosis",
    "nlgp_f_two_bumps",
    "variational_r_site",
    "variational_crossing_gain",
];

struct Case {
    id: String,
    form: &'static Form,
    given: Assignments,
    expected: Json,
    rel: f64,
    abs: f64,
}

impl Case {
    /// The case of an entry for the form that is called `name` here.
    fn of(entry: &Json, name: &str, given: Assignments, expected: Json) -> Self {
        Self {
            id: entry["id"].as_str().unwrap().to_owned(),
            form: form(name).unwrap(),
            given,
            expected,
            rel: entry["tolerance"]["rel"].as_f64().unwrap(),
            abs: entry["tolerance"]["abs"].as_f64().unwrap(),
        }
    }
}

fn cases() -> Vec<Case> {
    let oracle: Json = serde_json::from_str(ORACLE).unwrap();
    let case = |(entry, given, expected): (&Json, Assignments, Json)| {
        Case::of(entry, our_form(entry["op"].as_str().unwrap()), given, expected)
    };
    let entries = oracle["entries"].as_array().unwrap();
    entries
        .iter()
        .flat_map(|entry| {
            questions(entry).into_iter().map(move |(given, json)| (entry, given, json))
        })
        .map(case)
        .collect()
}

/// The questions of an entry: mostly one, two where it names two distributions at once.
fn questions(entry: &Json) -> Vec<(Assignments, Json)> {
    let inputs = entry["inputs"].as_object().unwrap();
    let family = inputs.get("family").and_then(Json::as_str);
    let given = |radius: Option<&str>| -> Assignments {
        let numbers = inputs.iter().filter(|(_, v)| !v.is_string());
        let numbers = numbers.map(|(k, v)| (our_name(k), value(v)));
        numbers.chain(radius.map(|r| ("radius".to_owned(), Value::Text(r.to_owned())))).collect()
    };
    let expected = &entry["expected"];
    match family {
        // The oracle has K(-dL/dw), in the notes' time; our flows include every factor of the loss.
        None if entry["op"] == "relu_flow_multi" => {
            let width = inputs["W"].as_array().unwrap().len() as f64;
            vec![(given(None), scaled(expected, 1.0 / width))]
        }
        None => vec![(given(None), expected.clone())],
        Some("sphere_ball") => [("shell", "c_sphere"), ("ball", "c_ball")]
            .map(|(law, key)| (given(Some(law)), serde_json::json!({ "c_cov": expected[key] })))
            .into(),
        Some("t") => vec![(given(Some("student")), expected.clone())],
        Some(law) => vec![(given(Some(law)), expected.clone())],
    }
}

/// Every number in a nested list times `factor`.
fn scaled(json: &Json, factor: f64) -> Json {
    match json {
        Json::Array(items) => items.iter().map(|item| scaled(item, factor)).collect(),
        number => (number.as_f64().unwrap() * factor).into(),
    }
}

/// Our name for the form that the oracle calls `op`.
fn our_form(op: &str) -> &str {
    match op {
        "zero_crossings" => "nlgp_zero_crossings",
        "single_pulse" => "pulse_gated",
        "relu_start_loss" => "starting_relu",
        "erf_start_loss" => "starting_erf_site",
        "erf_start_loss_gauss" => "starting_erf_gauss",
        "abs_dominance" => "dominance_abs",
        "uncertainty" => "uncertainty_measures",
        "real_gabor_product" => "uncertainty_real_gabor",
        "hypercube_f" => "cube_f",
        "chow_counts" => "cube_chow",
        "partition_delta" => "cube_delta",
        "gate_agreement" => "relu_gate_agreement",
        "elliptic_const" => "elliptical_constant",
        "variational_R" => "variational_r_site",
        "crossing_gain" => "variational_crossing_gain",
        same => same,
    }
}

/// Our name for an argument of the oracle.
fn our_name(name: &str) -> String {
    match name {
        "xi1" => "xi_pos",
        "xi0" => "xi_neg",
        "r" => "rho",
        "T" => "t",
        "idx" => "sites",
        "W" => "w",
        "lens" => "lengths",
        "sw" => "std_w",
        "s1" => "std_pos",
        "s0" => "std_neg",
        "r11" => "var_s",
        "rkk" => "var_t",
        "r1k" => "cov",
        "nu" => "dof",
        same => same,
    }
    .to_owned()
}

fn value(json: &Json) -> Value {
    match json {
        Json::Array(items) => Value::List(items.iter().map(value).collect()),
        Json::String(word) => Value::Text(word.clone()),
        number => Value::Real(number.as_f64().unwrap()),
    }
}

/// Pairs of (expected, got), for every number the oracle states.
fn pairs(expected: &Json, got: &Value) -> Vec<(f64, f64)> {
    match (expected, got) {
        (Json::Object(rows), table) => rows
            .iter()
            .flat_map(|(key, row)| pairs(row, table.get(key).unwrap_or_else(|| panic!("no {key}"))))
            .collect(),
        (Json::Array(items), Value::List(values)) => {
            assert_eq!(items.len(), values.len());
            items.iter().zip(values).flat_map(|(item, value)| pairs(item, value)).collect()
        }
        (Json::Bool(expected), Value::Bool(got)) => {
            vec![(f64::from(u8::from(*expected)), f64::from(u8::from(*got)))]
        }
        (number, got) => vec![(number.as_f64().unwrap(), got.as_real().unwrap())],
    }
}

#[test]
fn every_form_has_the_digits_of_the_oracle() {
    let mut worst: BTreeMap<&str, f64> = BTreeMap::new();
    for case in cases() {
        let got = case.form.at(&case.given).unwrap();
        for (expected, got) in pairs(&case.expected, &got) {
            if let Err(gap) = within(got, expected, case.rel, case.abs) {
                panic!("{} {}: {gap}", case.id, case.form.name);
            }
            // A number below the oracle's absolute tolerance has no relative digits to count.
            if expected.abs() > case.abs {
                let worst = worst.entry(case.form.name).or_insert(17.0);
                *worst = worst.min(digits(got, expected));
            }
        }
    }
    for (name, digits) in &worst {
        println!("{name:<22} {digits:5.2} digits at worst");
    }
    for op in OPS {
        assert!(worst.keys().any(|name| name.replace('.', "_") == *op), "{op} was not met");
    }
}

#[test]
fn every_control_fails_the_oracle() {
    for case in cases() {
        let wrong = case.form.control.at(&case.given).unwrap();
        let caught = pairs(&case.expected, &wrong)
            .into_iter()
            .any(|(expected, got)| within(got, expected, case.rel, case.abs).is_err());
        assert!(caught, "{} {}: {}", case.id, case.form.name, case.form.control.what);
    }
}
