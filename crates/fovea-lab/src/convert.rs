//! Values to and from TOML and JSON.

use crate::error::LabError;
use crate::settings::load_arrays;
use fovea_core::params::Assignments;
use fovea_core::{Matrix, ParamError, Value};
use std::path::Path;

/// A value as JSON; infinities become the word `inf`, since JSON has none.
pub fn to_json(value: &Value) -> serde_json::Value {
    match value {
        Value::Bool(b) => (*b).into(),
        Value::Int(i) => (*i).into(),
        Value::Real(x) if x.is_finite() => (*x).into(),
        Value::Real(x) => Value::Real(*x).to_string().into(),
        Value::Text(t) => t.clone().into(),
        Value::List(items) => items.iter().map(to_json).collect(),
        Value::Array(matrix) => to_json(&array_as_value(matrix)),
        Value::Table(rows) => rows.iter().map(|(k, v)| (k.clone(), to_json(v))).collect(),
    }
}

/// A value as TOML, which has infinities of its own.
pub fn to_toml(value: &Value) -> toml::Value {
    match value {
        Value::Bool(b) => (*b).into(),
        Value::Int(i) => (*i).into(),
        Value::Real(x) => (*x).into(),
        Value::Text(t) => t.clone().into(),
        Value::List(items) => toml::Value::Array(items.iter().map(to_toml).collect()),
        Value::Array(matrix) => to_toml(&array_as_value(matrix)),
        Value::Table(rows) => {
            toml::Value::Table(rows.iter().map(|(k, v)| (k.clone(), to_toml(v))).collect())
        }
    }
}

/// An array as the file it came from, or else as its rows.
fn array_as_value(matrix: &Matrix) -> Value {
    match matrix.source() {
        Some(source) => source.into(),
        None => Value::List((0..matrix.rows()).map(|i| Value::reals(matrix.row(i))).collect()),
    }
}

/// A value from TOML.
pub(crate) fn from_toml(value: &toml::Value) -> Value {
    match value {
        toml::Value::Boolean(b) => Value::Bool(*b),
        toml::Value::Integer(i) => Value::Int(*i),
        toml::Value::Float(x) => Value::Real(*x),
        toml::Value::String(t) => Value::Text(t.clone()),
        toml::Value::Datetime(d) => Value::Text(d.to_string()),
        toml::Value::Array(items) => Value::List(items.iter().map(from_toml).collect()),
        toml::Value::Table(rows) => {
            Value::Table(rows.iter().map(|(k, v)| (k.clone(), from_toml(v))).collect())
        }
    }
}

/// What a configuration file sets.
#[derive(Debug, Default)]
pub struct Config {
    /// Parameters of the experiment.
    pub settings: Assignments,
    /// The seed, where the file names one.
    pub seed: Option<u64>,
}

/// A seed as typed.
///
/// # Errors
/// It is no whole number from 0 to 2^64 - 1.
pub fn read_seed(text: &str) -> Result<u64, ParamError> {
    text.trim().parse().map_err(|_| ParamError::Inconsistent {
        what: format!("`seed` is {text}; it must be a whole number from 0 to {}", u64::MAX),
        hint: "choose a seed such as 0 or 7".to_owned(),
    })
}

/// What a `run.toml` holds besides its settings.
const RECORD_KEYS: [&str; 10] = [
    "diverged_at_step",
    "diverged_curve",
    "dtype",
    "experiment",
    "format",
    "hash",
    "numeric_version",
    "seed",
    "stamp",
    "status",
];

/// Reads a configuration of `experiment`: plain `key = value` lines, or the `run.toml` of an earlier run. Files of
/// arrays are found from where the configuration is.
///
/// # Errors
/// A file cannot be read, does not parse, or is a record of another experiment or a newer format.
pub fn read_config(path: &Path, experiment: &str) -> Result<Config, LabError> {
    let text = std::fs::read_to_string(path).map_err(LabError::io("read", path))?;
    let mut table: toml::Table = text.parse().map_err(|error| parse_error(path, &text, &error))?;
    let settings = match table.remove("settings") {
        Some(toml::Value::Table(settings)) => {
            check_record(path, &table, experiment)?;
            settings
        }
        Some(other) => toml::Table::from_iter([("settings".to_owned(), other)]),
        None => table.clone().into_iter().filter(|(key, _)| key != "seed").collect(),
    };
    // Seeds beyond TOML's integers are written as words.
    let seed = match table.get("seed") {
        None => None,
        Some(toml::Value::String(word)) => Some(read_seed(word)?),
        Some(value) => Some(read_seed(&value.to_string())?),
    };
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut settings: Assignments =
        settings.iter().map(|(key, value)| (key.clone(), from_toml(value))).collect();
    for (key, value) in &mut settings {
        load_arrays(key, value, folder)?;
    }
    Ok(Config { settings, seed })
}

/// The parser's complaint with the place it is about.
fn parse_error(path: &Path, text: &str, error: &toml::de::Error) -> LabError {
    let start = error.span().map_or(0, |span| span.start);
    let before = text.get(..start).unwrap_or(text);
    LabError::Config {
        path: path.display().to_string(),
        line: before.matches('\n').count() + 1,
        column: before.chars().rev().take_while(|c| *c != '\n').count() + 1,
        message: error.message().to_owned(),
    }
}

/// Refuses a record of another experiment, of a newer format, or with a key no record has.
fn check_record(path: &Path, table: &toml::Table, experiment: &str) -> Result<(), LabError> {
    let path = path.display().to_string();
    let found = table.get("format").and_then(toml::Value::as_integer).unwrap_or(0);
    if found > crate::record::FORMAT {
        return Err(LabError::NewerFormat { path, found, known: crate::record::FORMAT });
    }
    if let Some(key) = table.keys().find(|key| !RECORD_KEYS.contains(&key.as_str())) {
        return Err(ParamError::UnknownKey { key: key.clone(), known: RECORD_KEYS.to_vec() }.into());
    }
    match table.get("experiment").and_then(toml::Value::as_str) {
        Some(found) if found != experiment => {
            let (found, wanted) = (found.to_owned(), experiment.to_owned());
            Err(LabError::OtherExperiment { path, found, wanted })
        }
        _ => Ok(()),
    }
}
