//! Values to and from TOML and JSON.

use fovea_core::{Matrix, ParamError, Value};

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

/// A seed as typed.
///
/// # Errors
/// It is not a whole number from 0 to 2^64 - 1.
pub fn read_seed(text: &str) -> Result<u64, ParamError> {
    text.trim().parse().map_err(|_| ParamError::Inconsistent {
        what: format!("`seed` is {text}; it must be a whole number from 0 to {}", u64::MAX),
        hint: "choose a seed such as 0 or 7".to_owned(),
    })
}
