//! Values of Python to those of the lab and back.

use crate::error::{OrRaise, exception};
use fovea_core::params::Assignments;
use fovea_core::{Matrix, Value};
use fovea_lab::Array;
use fovea_lab::settings::load_arrays;
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use std::path::Path;

/// A number or a word as it is most often given; `None` for anything else.
pub(crate) fn simple(object: &Bound<'_, PyAny>) -> Option<Value> {
    if let Ok(x) = object.cast::<PyFloat>() {
        return Some(Value::Real(x.value()));
    }
    if object.is_exact_instance_of::<PyInt>() {
        // Beyond the integers a number is out of any range, and is named as it is.
        return Some(object.extract().map_or_else(|_| Value::Real(huge(object)), Value::Int));
    }
    if let Ok(word) = object.cast_exact::<PyString>() {
        return Some(Value::Text(word.to_str().ok()?.to_owned()));
    }
    object.cast_exact::<PyBool>().ok().map(|b| Value::Bool(b.is_true()))
}

fn huge(object: &Bound<'_, PyAny>) -> f64 {
    let below = object.lt(0).unwrap_or(false);
    let infinite = if below { f64::NEG_INFINITY } else { f64::INFINITY };
    object.extract().unwrap_or(infinite)
}

/// Any value; `key` is its name in an error.
pub(crate) fn value(key: &str, object: &Bound<'_, PyAny>) -> PyResult<Value> {
    if let Some(value) = simple(object) {
        return Ok(value);
    }
    // An item says what it is itself.
    if let Ok(spelled) = object.getattr("_fovea_value_") {
        return value(key, &spelled.call0()?);
    }
    if let Ok(rows) = object.cast::<PyDict>() {
        return Ok(Value::Table(assignments_within(key, rows)?));
    }
    if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        let items = object.try_iter()?.map(|item| value(key, &item?));
        return items.collect::<PyResult<_>>().map(Value::List);
    }
    if let Ok(path) = object.getattr("__fspath__") {
        return value(key, &path.call0()?);
    }
    let py = object.py();
    if is_array(object) {
        let array = doubles(key, object)?;
        let array = array.as_array();
        let numbers: Vec<f64> = array.iter().copied().collect();
        return match *array.shape() {
            [] => Ok(Value::Real(numbers[0])),
            [_] => Ok(Value::reals(&numbers)),
            [_, cols] if cols > 0 && !numbers.is_empty() => {
                Ok(Value::Array(Matrix::new(cols, numbers)))
            }
            _ => {
                let what = format!("`{key}` is an array of shape {:?}", array.shape());
                Err(exception(
                    py,
                    "SettingError",
                    &what,
                    "give an array of one row, or of rows and columns",
                )?)
            }
        };
    }
    if let Ok(whole) = object.extract::<i64>() {
        return Ok(Value::Int(whole));
    }
    if let Ok(number) = object.extract::<f64>() {
        return Ok(Value::Real(number));
    }
    let kind = object.get_type().name()?;
    let what = format!("`{key}` is {}, a Python {kind}", object.repr()?);
    Err(exception(
        py,
        "SettingError",
        &what,
        "give a number, a word, a list, an array or an item such as fv.stimulus.nlgp()",
    )?)
}

/// Whether an object is an array, ours or another library's.
fn is_array(object: &Bound<'_, PyAny>) -> bool {
    ["__array__", "__dlpack__"].iter().any(|name| object.hasattr(*name).unwrap_or(false))
}

/// An array of doubles in row-major order, copied only where it is something else; `key` is its name in an error.
pub(crate) fn doubles<'py>(
    key: &str,
    object: &Bound<'py, PyAny>,
) -> PyResult<PyReadonlyArrayDyn<'py, f64>> {
    static DOUBLES: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = object.py();
    let convert =
        || -> PyResult<Py<PyAny>> { Ok(py.import("fovea._arrays")?.getattr("doubles")?.unbind()) };
    let doubles = DOUBLES.get_or_try_init(py, convert)?.bind(py).call1((key, object))?;
    Ok(doubles.cast_into::<PyArrayDyn<f64>>()?.try_readonly()?)
}

/// Settings by name, arrays from files included.
pub(crate) fn assignments(rows: &Bound<'_, PyDict>) -> PyResult<Assignments> {
    let mut settings = assignments_within("", rows)?;
    for (key, value) in &mut settings {
        load_arrays(key, value, Path::new(".")).or_raise()?;
    }
    Ok(settings)
}

fn assignments_within(outer: &str, rows: &Bound<'_, PyDict>) -> PyResult<Assignments> {
    let row = |(key, object): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let key: String = key.extract()?;
        let path = if outer.is_empty() { key.clone() } else { format!("{outer}.{key}") };
        Ok((key, value(&path, &object)?))
    };
    rows.iter().map(row).collect()
}

/// A seed: any whole number from 0 to 2^64 - 1.
pub(crate) fn seed(object: &Bound<'_, PyAny>) -> PyResult<u64> {
    match object.extract::<u64>() {
        Ok(seed) if !object.is_instance_of::<PyBool>() => Ok(seed),
        _ => fovea_lab::convert::read_seed(&object.str()?.to_string()).or_raise(),
    }
}

/// A value for Python; rectangles of numbers become arrays.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Bool(b) => PyBool::new(py, *b).to_owned().into_any(),
        Value::Int(i) => i.into_pyobject(py)?.into_any(),
        Value::Real(x) => PyFloat::new(py, *x).into_any(),
        Value::Text(text) => PyString::new(py, text).into_any(),
        Value::Array(matrix) => {
            array(py, &[matrix.rows(), matrix.cols()], matrix.numbers().to_vec())?.into_any()
        }
        Value::List(items) => {
            if let Some((shape, numbers)) = rectangle(value) {
                return Ok(array(py, &shape, numbers)?.into_any());
            }
            let items =
                items.iter().map(|item| to_python(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_any()
        }
        Value::Table(rows) => {
            let table = PyDict::new(py);
            for (key, value) in rows {
                table.set_item(key, to_python(py, value)?)?;
            }
            table.into_any()
        }
    })
}

/// Shape and numbers of a list of numbers, or of lists of them of one length.
pub(crate) fn rectangle(value: &Value) -> Option<(Vec<usize>, Vec<f64>)> {
    fn walk(
        value: &Value,
        depth: usize,
        shape: &mut Vec<usize>,
        numbers: &mut Vec<f64>,
    ) -> Option<()> {
        match value {
            Value::List(items) => {
                match shape.get(depth) {
                    None if numbers.is_empty() => shape.push(items.len()),
                    Some(length) if *length == items.len() => {}
                    _ => return None,
                }
                items.iter().try_for_each(|item| walk(item, depth + 1, shape, numbers))
            }
            Value::Int(_) | Value::Real(_) if depth == shape.len() => {
                numbers.push(value.as_real()?);
                Some(())
            }
            _ => None,
        }
    }
    let (mut shape, mut numbers) = (Vec::new(), Vec::new());
    walk(value, 0, &mut shape, &mut numbers)?;
    Some((shape, numbers))
}

/// Numbers as a NumPy array that owns them.
pub(crate) fn array<'py>(
    py: Python<'py>,
    shape: &[usize],
    numbers: Vec<f64>,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    PyArray1::from_vec(py, numbers).reshape(shape.to_vec())
}

/// Arrays by their names.
pub(crate) fn arrays(py: Python<'_>, all: Vec<Array>) -> PyResult<Bound<'_, PyDict>> {
    let named = PyDict::new(py);
    for Array { name, shape, data } in all {
        named.set_item(name, array(py, &shape, data)?)?;
    }
    Ok(named)
}

/// JSON for Python; the words `inf` and `-inf` instead of a number become numbers.
pub(crate) fn json<'py>(py: Python<'py>, value: &serde_json::Value) -> PyResult<Bound<'py, PyAny>> {
    use serde_json::Value as Json;
    Ok(match value {
        Json::Null => py.None().into_bound(py),
        Json::Bool(b) => PyBool::new(py, *b).to_owned().into_any(),
        Json::Number(n) => match n.as_i64() {
            Some(i) => i.into_pyobject(py)?.into_any(),
            None => PyFloat::new(py, n.as_f64().unwrap_or(f64::NAN)).into_any(),
        },
        Json::String(text) => match text.as_str() {
            "inf" => PyFloat::new(py, f64::INFINITY).into_any(),
            "-inf" => PyFloat::new(py, f64::NEG_INFINITY).into_any(),
            text => PyString::new(py, text).into_any(),
        },
        Json::Array(items) => {
            let items = items.iter().map(|item| json(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_any()
        }
        Json::Object(rows) => {
            let table = PyDict::new(py);
            for (key, value) in rows {
                table.set_item(key, json(py, value)?)?;
            }
            table.into_any()
        }
    })
}
