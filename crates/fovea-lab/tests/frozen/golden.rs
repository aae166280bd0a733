//! Golden records: the claims of a quick run and the last reading of every curve, to be read by a person.
//!
//! They say by how much a number moved, which a hash does not.

use crate::kept::{command, folder};
use fovea_lab::Outcome;
use serde_json::{Value, json};
use std::path::PathBuf;

/// What is kept: every claim, and the last reading of every curve and probe.
pub(crate) fn golden(outcome: &Outcome) -> Value {
    let claims: Vec<Value> = outcome.claims.iter().map(fovea_lab::Claim::to_json).collect();
    let series = &outcome.series;
    let last = series.step.iter().max().copied().unwrap_or(0);
    let readings: Vec<Value> = (0..series.step.len())
        .filter(|i| series.step[*i] == last)
        .map(|i| json!({ "curve": series.curve[i], "probe": series.probe[i], "value": series.value[i] }))
        .collect();
    json!({ "claims": claims, "last_step": last, "readings": readings })
}

/// The command that writes the record of an experiment.
pub(crate) fn bless(name: &str) -> String {
    command("1", &format!("experiments/{name}.toml"))
}

/// Writes the record of an experiment.
pub(crate) fn write(name: &str, got: &Value) -> Result<(), String> {
    std::fs::write(path(name), format!("{got:#}\n")).map_err(|error| format!("{name}: {error}"))
}

/// Compares with the record of an experiment.
///
/// # Errors
/// Where they differ, or why the record cannot be read.
pub(crate) fn compare(name: &str, got: &Value) -> Result<(), String> {
    let text = std::fs::read_to_string(path(name))
        .map_err(|error| format!("golden/{name}.json: {error}\n{}", bless(name)))?;
    let kept: Value = serde_json::from_str(&text).map_err(|error| format!("{name}: {error}"))?;
    difference(got, &kept, name)
        .map_or(Ok(()), |place| Err(format!("the golden record differs at {place}")))
}

fn path(name: &str) -> PathBuf {
    folder().join(format!("{name}.json"))
}

/// The first place where two documents differ by more than `1e-12` relative.
fn difference(got: &Value, kept: &Value, path: &str) -> Option<String> {
    match (got, kept) {
        (Value::Object(a), Value::Object(b)) if a.len() == b.len() => {
            a.iter().find_map(|(key, value)| match b.get(key) {
                Some(kept) => difference(value, kept, &format!("{path}.{key}")),
                None => Some(format!("{path}.{key}: {value} against nothing")),
            })
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => a
            .iter()
            .zip(b)
            .enumerate()
            .find_map(|(i, (a, b))| difference(a, b, &format!("{path}[{i}]"))),
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64()?, b.as_f64()?);
            ((a - b).abs() > 1e-12 * b.abs()).then(|| format!("{path}: {a} against {b}"))
        }
        (a, b) => (a != b).then(|| format!("{path}: {a} against {b}")),
    }
}

/// What the comparison must notice.
pub(crate) const CONTROLS: &[(&str, fn())] =
    &[("controls::a_moved_number_is_noticed", a_moved_number_is_noticed)];

fn a_moved_number_is_noticed() {
    let kept = json!({ "a": [1.0, 2.0], "b": "x" });
    assert_eq!(difference(&kept, &kept, ""), None);
    assert!(difference(&json!({ "a": [1.0, 2.0 + 1e-9], "b": "x" }), &kept, "").is_some());
    assert!(difference(&json!({ "a": [1.0], "b": "x" }), &kept, "").is_some());
    let renamed = difference(&json!({ "a": [1.0, 2.0], "c": "x" }), &kept, "");
    assert_eq!(renamed.as_deref(), Some(".c: \"x\" against nothing"));
}
