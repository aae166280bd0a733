//! Settings as a user gives them: paths into nested ones, and arrays from files.

use crate::directory::{inputs, read_npy};
use crate::error::RecordError;
use fovea_core::params::{Assignments, Field, Kind, Nested, ParamError, ParamType};
use fovea_core::{Matrix, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// Puts the numbers of a `.npy` file in the place of its name, wherever one is named.
///
/// # Errors
/// A file cannot be read as an array; the message names the setting.
pub fn load_arrays(key: &str, value: &mut Value, folder: &Path) -> Result<(), RecordError> {
    match value {
        Value::Text(name) if name.to_ascii_lowercase().ends_with(".npy") => {
            let path = folder.join(&*name);
            let path = path.canonicalize().map_err(|error| ParamError::Inconsistent {
                what: format!("`{key}`: {} cannot be read: {error}", path.display()),
                hint: "check the name; in a file it is read from where that file is".to_owned(),
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
            // What a record keeps itself belongs to it, wherever it lies.
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

/// Sets a parameter by its path, such as `network.width` or `class.pos.stimulus.gain`; what the path leads through
/// starts from what was given before, or else from the default.
///
/// # Errors
/// The path leads through something that has no parameters.
pub fn set_path(
    settings: &mut Assignments,
    schema: &[Field],
    path: &str,
    value: Value,
) -> Result<(), ParamError> {
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

    /// What stands under `key`, and its default; what has not been set of an item stands at that.
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

/// What stands at `at` with the parameter at the end of `path` set.
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

/// The parameters of the item that `rows` describe.
fn schema_of(item: &Nested, rows: &Assignments) -> Vec<Field> {
    let name = rows.iter().find(|(key, _)| key == "name").map(|(_, value)| value.to_string());
    (item.schema)(&name.unwrap_or_default())
}

/// Settings with every default written out, those of the items they name included: what a record keeps.
pub fn complete(settings: &Assignments, schema: &[Field]) -> Assignments {
    let spelled = |key: &str| key.replace('-', "_");
    let value = |field: &Field| {
        let given = settings.iter().rev().find(|(key, _)| spelled(key) == field.name);
        completed(given.map_or(&field.default, |(_, value)| value), field.kind)
    };
    schema.iter().map(|field| (field.name.to_owned(), value(field))).collect()
}

/// What decides the numbers of a run: its complete settings with their keys sorted at every depth, so that the order in which
/// a program lists them is nobody's matter, and without those that were added later and stand where they were added.
///
/// The tables a user names, such as classes, stay in their order, which the draws of a batch follow.
pub fn decisive(settings: &Assignments, schema: &[Field]) -> Assignments {
    let one = |(key, value): &(String, Value)| {
        let Some(field) = schema.iter().find(|field| field.name == key) else {
            return Some((key.clone(), value.clone()));
        };
        let first = field.added.as_ref().map(|first| completed(first, field.kind));
        (first.as_ref() != Some(value)).then(|| (key.clone(), sorted(value.clone(), field.kind)))
    };
    settings.iter().filter_map(one).collect::<BTreeMap<_, _>>().into_iter().collect()
}

/// One complete value as [`decisive`] has it.
fn sorted(value: Value, kind: Kind) -> Value {
    match (kind, value) {
        (Kind::Item(item), Value::Table(rows)) => {
            let name = rows.iter().filter(|(key, _)| key == "name").cloned().collect();
            Value::Table([name, decisive(&rows, &schema_of(&item, &rows))].concat())
        }
        (Kind::Tables(tables), Value::Table(rows)) => {
            let one = |(name, value): (String, Value)| match value {
                Value::Table(rows) => {
                    let inside = decisive(&rows, &(tables.schema)(&name));
                    (name, Value::Table(inside))
                }
                other => (name, other),
            };
            Value::Table(rows.into_iter().map(one).collect())
        }
        (_, value) => value,
    }
}

fn completed(value: &Value, kind: Kind) -> Value {
    match (kind, value) {
        (Kind::Item(_), Value::Text(name)) => {
            completed(&Value::table([("name", name.as_str().into())]), kind)
        }
        (Kind::Item(item), Value::Table(rows)) => {
            let Some(Value::Text(name)) = value.get("name") else { return value.clone() };
            let name = vec![("name".to_owned(), name.replace('_', "-").as_str().into())];
            Value::Table([name, complete(rows, &schema_of(&item, rows))].concat())
        }
        // Rows that are typed and rows that are a default are the same rows.
        (Kind::Array, Value::List(_)) => {
            Matrix::read(value).map_or_else(|| value.clone(), Value::Array)
        }
        (Kind::Tables(tables), Value::Table(rows)) => {
            let one = |(name, value): &(String, Value)| match value {
                Value::Table(rows) => {
                    (name.clone(), Value::Table(complete(rows, &(tables.schema)(name))))
                }
                other => (name.clone(), other.clone()),
            };
            Value::Table(rows.iter().map(one).collect())
        }
        _ => value.clone(),
    }
}
