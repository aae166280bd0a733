//! Complete settings: every default written out, and which of them determine the numbers of a run.

use fovea_core::params::{Assignments, Field, Kind, Nested, ParamType};
use fovea_core::{Matrix, Value};
use std::collections::BTreeMap;

/// The parameters of the item that `rows` describe.
pub fn schema_of(item: &Nested, rows: &Assignments) -> Vec<Field> {
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

/// What determines the numbers of a run: its complete settings with their keys sorted at every depth, so that the order in which
/// a program lists them does not matter, and without those that were added later and have their first default.
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

/// Complete settings without the defaults of the items they name: one spelling for all that mean the same, in
/// which an experiment shows them, however they were given.
pub fn plain(settings: &Assignments, schema: &[Field]) -> Assignments {
    let one = |(key, value): (String, Value)| {
        let field = schema.iter().find(|field| field.name == key);
        let value =
            field.map_or_else(|| value.clone(), |field| without_defaults(&value, field.kind));
        (key, value)
    };
    complete(settings, schema).into_iter().map(one).collect()
}

/// A complete value without the defaults of the items in it.
fn without_defaults(value: &Value, kind: Kind) -> Value {
    let (Kind::Item(item), Value::Table(rows)) = (kind, value) else { return value.clone() };
    let schema = schema_of(&item, rows);
    let own = |(key, value): &(String, Value)| {
        let Some(field) = schema.iter().find(|field| field.name == key) else {
            return Some((key.clone(), value.clone()));
        };
        let default = completed(&field.default, field.kind);
        (*value != default).then(|| (key.clone(), without_defaults(value, field.kind)))
    };
    Value::Table(rows.iter().filter_map(own).collect())
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

/// The settings of a record as it was run: those that it lacks were added since, and have their first default.
pub fn as_run(settings: &Assignments, schema: &[Field]) -> Assignments {
    let inside = |(key, value): &(String, Value)| {
        let field = schema.iter().find(|field| field.name == key);
        let value = field.map_or_else(|| value.clone(), |field| value_as_run(value, field.kind));
        (key.clone(), value)
    };
    let lacks = |field: &&Field| settings.iter().all(|(key, _)| key != field.name);
    let added = |field: &Field| Some((field.name.to_owned(), field.added.clone()?));
    let given = settings.iter().map(inside);
    given.chain(schema.iter().filter(lacks).filter_map(added)).collect()
}

fn value_as_run(value: &Value, kind: Kind) -> Value {
    match (kind, value) {
        (Kind::Item(item), Value::Table(rows)) if value.get("name").is_some() => {
            Value::Table(as_run(rows, &schema_of(&item, rows)))
        }
        (Kind::Tables(tables), Value::Table(rows)) => {
            let one = |(name, value): &(String, Value)| match value {
                Value::Table(rows) => {
                    (name.clone(), Value::Table(as_run(rows, &(tables.schema)(name))))
                }
                other => (name.clone(), other.clone()),
            };
            Value::Table(rows.iter().map(one).collect())
        }
        _ => value.clone(),
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
        // Rows that are typed and rows that are a default are the same.
        (Kind::Array | Kind::Part, Value::List(_)) => {
            Matrix::read(value).map_or_else(|| value.clone(), Value::Array)
        }
        // A share is a number, however it is written.
        (Kind::Part, Value::Int(share)) => Value::Real(*share as f64),
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
