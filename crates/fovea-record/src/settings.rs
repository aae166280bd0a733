//! Settings as a user gives them: paths into nested ones, and arrays from files.

use crate::complete::schema_of;
use crate::directory::{inputs, read_npy};
use crate::error::RecordError;
use fovea_core::params::{Assignments, Field, Kind, Nested, ParamError};
use fovea_core::registry::too_deep;
use fovea_core::value::MOST_LEVELS;
use fovea_core::{Matrix, Value};
use std::path::Path;

/// Replaces the name of a `.npy` file by its numbers, wherever one is named.
///
/// # Errors
/// A file cannot be read as an array; the message names the setting.
pub fn load_arrays(key: &str, value: &mut Value, folder: &Path) -> Result<(), RecordError> {
    match value {
        Value::Text(name) if name.to_ascii_lowercase().ends_with(".npy") => {
            let path = folder.join(&*name);
            let path = path.canonicalize().map_err(|error| ParamError::Inconsistent {
                what: format!("`{key}`: {} cannot be read: {error}", path.display()),
                hint: "check the name; in a file it is relative to that file".to_owned(),
            })?;
            let array = read_npy(&path).map_err(|error| error.about(key))?;
            let cols = *array.shape.last().unwrap_or(&1);
            if array.shape.len() > 2 || array.data.is_empty() {
                return Err(ParamError::Inconsistent {
                    what: format!("`{key}`: {name} has shape {:?}", array.shape),
                    hint: "give an array of one row or of rows and columns".to_owned(),
                }
                .into());
            }
            let matrix = Matrix::new(cols, array.data);
            // The inputs that a record keeps belong to it, wherever it is.
            let own = name.starts_with(inputs::FOLDER) && folder.join("run.toml").is_file();
            let source = path.display().to_string();
            *value = Value::Array(if own { matrix } else { matrix.from_source(&source) });
        }
        Value::Table(rows) => {
            for (name, value) in rows {
                load_arrays(&format!("{key}.{name}"), value, folder)?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// Sets a parameter by its path, such as `network.width` or `class.pos.stimulus.gain`; the items on the path
/// start from what was given before, or else from the default.
///
/// # Errors
/// The path leads through something that has no parameters.
pub fn set_path(
    settings: &mut Assignments,
    schema: &[Field],
    path: &str,
    value: Value,
) -> Result<(), ParamError> {
    if path.split('.').count() > MOST_LEVELS {
        let key = path.split('.').next().unwrap_or_default();
        return Err(too_deep(key));
    }
    let Some((key, rest)) = path.split_once('.') else {
        settings.push((path.to_owned(), value));
        return Ok(());
    };
    let plain = key.replace('-', "_");
    let given = settings.iter().rev().find(|(name, _)| name.replace('-', "_") == plain);
    let Some(field) = schema.iter().find(|field| field.name == plain) else {
        let known = schema.iter().map(|field| field.name).collect();
        return Err(ParamError::UnknownKey { key: key.to_owned(), known });
    };
    let current = given.map_or(&field.default, |(_, value)| value);
    let changed = changed(current, &Inside::of(field.kind), (key, rest), value)?;
    settings.push((key.to_owned(), changed));
    Ok(())
}

/// What a path leads into.
enum Inside {
    /// An item, whose name says which parameters it has.
    Item(Nested),
    /// Tables with names of the user's choice.
    Tables(Nested),
    /// One of those tables, which has these parameters.
    Table(Vec<Field>),
    /// Something without parameters.
    Plain,
}

impl Inside {
    fn of(kind: Kind) -> Self {
        match kind {
            Kind::Item(nested) => Self::Item(nested),
            Kind::Tables(nested) => Self::Tables(nested),
            _ => Self::Plain,
        }
    }

    /// The value of `key`, and its default; parameters of an item that were not set have theirs.
    fn under(&self, key: &str, rows: &Assignments) -> (Self, Value) {
        let nothing = Value::Table(Vec::new());
        let schema = match self {
            Self::Tables(nested) => return (Self::Table((nested.schema)(key)), nothing),
            Self::Item(nested) => schema_of(nested, rows),
            Self::Table(schema) => schema.clone(),
            Self::Plain => Vec::new(),
        };
        let field = schema.into_iter().find(|field| field.name == key);
        field.map_or((Self::Plain, nothing), |field| (Self::of(field.kind), field.default))
    }
}

/// The value at `at` with the parameter at the end of `path` set.
fn changed(
    current: &Value,
    inside: &Inside,
    (at, path): (&str, &str),
    value: Value,
) -> Result<Value, ParamError> {
    let mut rows = match current {
        Value::Table(rows) => rows.clone(),
        Value::Text(name) => vec![("name".to_owned(), Value::Text(name.clone()))],
        other => {
            return Err(ParamError::Inconsistent {
                what: format!("`{at}` is {other}, which has no parameter `{path}`"),
                hint: format!("set `{at}` itself"),
            });
        }
    };
    let (key, rest) = path.split_once('.').map_or((path, None), |(key, rest)| (key, Some(rest)));
    let place = rows.iter().position(|(name, _)| *name == key);
    let new = match rest {
        None => value,
        Some(rest) => {
            let (under, default) = inside.under(key, &rows);
            let current = place.map_or(&default, |i| &rows[i].1);
            changed(current, &under, (&format!("{at}.{key}"), rest), value)?
        }
    };
    match place {
        Some(i) => rows[i].1 = new,
        None => rows.push((key.to_owned(), new)),
    }
    Ok(Value::Table(rows))
}
