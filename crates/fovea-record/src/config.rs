//! Configurations: settings of an experiment or a training run in a file.

use crate::complete::as_run;
use crate::convert::{from_toml, read_seed};
use crate::directory::{FORMAT, SMALL, read_text};
use crate::error::RecordError;
use crate::settings::load_arrays;
use fovea_core::ParamError;
use fovea_core::params::{Assignments, Field};
use std::path::Path;

/// What a configuration file sets.
#[derive(Debug, Default)]
pub struct Config {
    /// Parameters of the experiment.
    pub settings: Assignments,
    /// The seed, where the file names one.
    pub seed: Option<u64>,
}

/// What a `run.toml` holds besides its settings.
const RECORD_KEYS: [&str; 11] = [
    "diverged_at_step",
    "diverged_curve",
    "dtype",
    "experiment",
    "files",
    "format",
    "hash",
    "numeric_version",
    "seed",
    "stamp",
    "status",
];

/// Reads a configuration of `experiment`: plain `key = value` lines, or the `run.toml` of an earlier run. Files of
/// arrays are relative to that of the configuration.
///
/// The settings of a record are those it was run with: one that it lacks was added later, and has the default it was
/// added with, which need not be that of today.
///
/// # Errors
/// A file cannot be read, does not parse, or is a record of another experiment or a newer format.
pub fn read_config(path: &Path, experiment: &str, schema: &[Field]) -> Result<Config, RecordError> {
    let (config, is_record) = read(path, experiment)?;
    let settings = if is_record { as_run(&config.settings, schema) } else { config.settings };
    Ok(Config { settings, ..config })
}

/// What a file sets, and whether it is a record.
fn read(path: &Path, experiment: &str) -> Result<(Config, bool), RecordError> {
    let text = read_text(path, SMALL)?;
    let mut table: toml::Table = text.parse().map_err(|error| parse_error(path, &text, &error))?;
    let is_record = table.get("settings").is_some_and(toml::Value::is_table);
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
    Ok((Config { settings, seed }, is_record))
}

/// The parser's error with its place.
fn parse_error(path: &Path, text: &str, error: &toml::de::Error) -> RecordError {
    let start = error.span().map_or(0, |span| span.start);
    let before = text.get(..start).unwrap_or(text);
    RecordError::Config {
        path: path.display().to_string(),
        line: before.matches('\n').count() + 1,
        column: before.chars().rev().take_while(|c| *c != '\n').count() + 1,
        message: error.message().to_owned(),
    }
}

/// Refuses a record of another experiment, of a newer format, or with a key no record has.
fn check_record(path: &Path, table: &toml::Table, experiment: &str) -> Result<(), RecordError> {
    let path = path.display().to_string();
    let found = table.get("format").and_then(toml::Value::as_integer).unwrap_or(0);
    if found > FORMAT {
        return Err(RecordError::NewerFormat { path, found, known: FORMAT });
    }
    if let Some(key) = table.keys().find(|key| !RECORD_KEYS.contains(&key.as_str())) {
        return Err(ParamError::UnknownKey { key: key.clone(), known: RECORD_KEYS.to_vec() }.into());
    }
    match table.get("experiment").and_then(toml::Value::as_str) {
        Some(found) if found != experiment => {
            let (found, wanted) = (found.to_owned(), experiment.to_owned());
            Err(RecordError::OtherExperiment { path, found, wanted })
        }
        _ => Ok(()),
    }
}
