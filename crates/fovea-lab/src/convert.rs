//! Values to and from TOML and JSON.

use crate::error::LabError;
use fovea_core::params::{Assignments, between};
use fovea_core::{ParamError, Value};
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
        Value::Table(rows) => {
            toml::Value::Table(rows.iter().map(|(k, v)| (k.clone(), to_toml(v))).collect())
        }
    }
}

fn from_toml(value: &toml::Value) -> Value {
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

/// A seed is a whole number; those beyond TOML's integers are written as words.
fn seed(value: &toml::Value) -> Result<u64, ParamError> {
    let read = match value {
        toml::Value::Integer(i) => u64::try_from(*i).ok(),
        toml::Value::String(word) => word.parse().ok(),
        _ => None,
    };
    read.ok_or_else(|| ParamError::OutOfRange {
        key: "seed".to_owned(),
        got: value.to_string(),
        range: between(0.0, u64::MAX as f64),
    })
}

/// Reads a configuration: plain `key = value` lines, or the `run.toml` of an earlier run.
///
/// # Errors
/// The file cannot be read, does not parse, or is a record of a newer format.
pub fn read_config(path: &Path) -> Result<Config, LabError> {
    let text = std::fs::read_to_string(path).map_err(LabError::io("read", path))?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let before = &text[..error.span().map_or(0, |span| span.start.min(text.len()))];
        LabError::Config {
            path: path.display().to_string(),
            line: before.matches('\n').count() + 1,
            column: before.chars().rev().take_while(|c| *c != '\n').count() + 1,
            message: error.message().to_owned(),
        }
    })?;
    let seed = table.get("seed").map(seed).transpose()?;
    let settings = match table.get("settings").and_then(toml::Value::as_table) {
        Some(settings) => {
            let found = table.get("format").and_then(toml::Value::as_integer).unwrap_or(0);
            if found > crate::record::FORMAT {
                let path = path.display().to_string();
                return Err(LabError::NewerFormat { path, found, known: crate::record::FORMAT });
            }
            settings
        }
        None => &table,
    };
    let rows = settings.iter().filter(|(key, _)| *key != "seed");
    Ok(Config { settings: rows.map(|(k, v)| (k.clone(), from_toml(v))).collect(), seed })
}
