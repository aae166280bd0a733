//! The catalogue as plain data, from which the Python side makes its modules, signatures and documentation.

use crate::convert::{assignments, to_python};
use crate::error::{OrRaise, raise};
use fovea_core::params::{Assignments, Field, Kind};
use fovea_core::{Entry, Family, Item, ParamError};
use fovea_lab::{LabError, catalogue as items};
use fovea_sim::dynamics::Dynamics;
use fovea_sim::init::Initializer;
use fovea_sim::network::Architecture;
use fovea_sim::schedule::Schedule;
use fovea_sim::stimulus::Stimulus;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// Every item: kind, name, summary, facts and parameters.
#[pyfunction]
pub(crate) fn catalogue(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let item = |item: fovea_lab::catalogue::Item| -> PyResult<Bound<'_, PyDict>> {
        let row = PyDict::new(py);
        row.set_item("kind", item.kind)?;
        row.set_item("name", item.name)?;
        row.set_item("summary", item.summary)?;
        let facts = PyDict::new(py);
        for (heading, text) in item.facts {
            facts.set_item(heading, text)?;
        }
        row.set_item("facts", facts)?;
        let parameters = item.schema.iter().map(|f| field(py, f)).collect::<PyResult<Vec<_>>>()?;
        row.set_item("parameters", PyList::new(py, parameters)?)?;
        Ok(row)
    };
    PyList::new(py, items().into_iter().map(item).collect::<PyResult<Vec<_>>>()?)
}

/// The error for the name of a former experiment, which says where that is now.
#[pyfunction]
pub(crate) fn moved(name: &str) -> PyResult<()> {
    fovea_lab::experiments::moved(name).map_or(Ok(()), |moved| Err(raise(moved)))
}

fn field<'py>(py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    row.set_item("name", field.name)?;
    row.set_item("doc", field.doc)?;
    row.set_item("kind", field.kind.to_string())?;
    let (word, words): (&str, &[&str]) = match field.kind {
        Kind::Bool => ("bool", &[]),
        Kind::Int => ("int", &[]),
        Kind::Real => ("real", &[]),
        Kind::Reals => ("reals", &[]),
        Kind::Ints => ("ints", &[]),
        Kind::Matrix => ("matrix", &[]),
        Kind::Array => ("array", &[]),
        Kind::Part => ("part", &[]),
        Kind::Item(item) => (item.noun, &[]),
        Kind::Choice(words) => ("choice", words),
        Kind::Words(words) => ("words", words),
        Kind::Tables(_) => ("tables", &[]),
        Kind::Function(words) => ("function", words),
    };
    row.set_item("type", word)?;
    row.set_item("words", words)?;
    row.set_item("range", field.range.to_string())?;
    row.set_item("unit", field.unit)?;
    row.set_item("default", to_python(py, &field.default)?)?;
    row.set_item("default_text", field.default.to_string())?;
    Ok(row)
}

/// The settings of an item with every default written out; an error for what does not fit.
#[pyfunction]
pub(crate) fn complete<'py>(
    py: Python<'py>,
    kind: &str,
    name: &str,
    settings: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let given = assignments(settings)?;
    let values = match kind {
        "stimulus" => checked::<Box<dyn Stimulus>>(name, &given),
        "network" => checked::<Box<dyn Architecture>>(name, &given),
        "dynamics" => checked::<Box<dyn Dynamics>>(name, &given),
        "schedule" => checked::<Box<dyn Schedule>>(name, &given),
        "initializer" => checked::<Box<dyn Initializer>>(name, &given),
        _ => {
            return Err(raise(LabError::UnknownName {
                kind: "kind",
                name: kind.to_owned(),
                known: Vec::new(),
            }));
        }
    };
    to_python(py, &fovea_core::Value::Table(values?))
}

fn checked<T: Family>(name: &str, given: &Assignments) -> PyResult<Assignments> {
    let entry = entry::<T>(name)?;
    let item = given
        .iter()
        .fold(Item::<T>::named(entry.name), |item, (key, value)| item.set(key, value.clone()));
    (entry.build)(item.values()).or_raise()?;
    Ok(fovea_lab::complete::complete(given, &(entry.schema)()))
}

pub(crate) fn entry<T: Family>(name: &str) -> PyResult<&'static Entry<T>> {
    T::find(name).ok_or_else(|| {
        let known = T::entries().iter().map(|entry| entry.name).collect();
        let (key, name) = (T::NOUN.to_owned(), name.to_owned());
        raise(ParamError::UnknownItem { key, noun: T::NOUN, name, known }.into())
    })
}
