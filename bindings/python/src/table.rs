//! Columns as an Arrow stream, which pandas, polars, pyarrow and DuckDB take over, and as lines of text.

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, Float64Array, Int32Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray,
};
use fovea_lab::table::{Cells, Column, Places, Table};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::sync::Arc;

/// A capsule with the columns as one batch: doubles, whole numbers of 64 or 32 bits, and lists of words.
#[pyfunction]
pub(crate) fn arrow_stream<'py>(
    py: Python<'py>,
    columns: Vec<(String, Bound<'py, PyAny>)>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let column =
        |(name, values): (String, Bound<'py, PyAny>)| -> PyResult<(String, ArrayRef, bool)> {
            Ok((name, arrow(&values)?, false))
        };
    let columns = columns.into_iter().map(column).collect::<PyResult<Vec<_>>>()?;
    let batch = RecordBatch::try_from_iter_with_nullable(columns)
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    let schema = batch.schema();
    let stream = FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new([Ok(batch)], schema)));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}

fn arrow(values: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    if let Ok(doubles) = values.cast::<PyArray1<f64>>() {
        return Ok(Arc::new(Float64Array::from(doubles.to_vec()?)));
    }
    if let Ok(long) = values.cast::<PyArray1<i64>>() {
        return Ok(Arc::new(Int64Array::from(long.to_vec()?)));
    }
    if let Ok(short) = values.cast::<PyArray1<i32>>() {
        return Ok(Arc::new(Int32Array::from(short.to_vec()?)));
    }
    match values.extract::<Vec<String>>() {
        Ok(words) => Ok(Arc::new(StringArray::from(words))),
        Err(_) => Err(PyTypeError::new_err(
            "a column is an array of float64, int64 or int32, or a list of words",
        )),
    }
}

/// Lines of `width` characters for columns of words, whole numbers and doubles, each with its unit; the columns named `below`
/// hold sentences, which stand below their rows.
#[pyfunction]
pub(crate) fn table_lines(
    columns: Vec<(String, String, Bound<'_, PyAny>)>,
    below: Vec<String>,
    width: usize,
) -> PyResult<Vec<String>> {
    let column = |(name, unit, values): (String, String, Bound<'_, PyAny>)| -> PyResult<Column> {
        Ok(Column { name, label: String::new(), unit, cells: cells(&values)? })
    };
    let columns = columns.into_iter().map(column).collect::<PyResult<Vec<_>>>()?;
    let table = Table { name: "table".to_owned(), caption: String::new(), columns };
    table.check().map_err(PyValueError::new_err)?;
    let below: Vec<&str> = below.iter().map(String::as_str).collect();
    Ok(table.lines_below(width, &below))
}

fn cells(values: &Bound<'_, PyAny>) -> PyResult<Cells> {
    if let Ok(doubles) = values.cast::<PyArray1<f64>>() {
        return Ok(Cells::Reals { values: doubles.to_vec()?, places: Places::Digits(4) });
    }
    if let Ok(long) = values.cast::<PyArray1<i64>>() {
        return Ok(Cells::Whole(long.to_vec()?));
    }
    match values.extract::<Vec<String>>() {
        Ok(words) => Ok(Cells::Words(words)),
        Err(_) => Err(PyTypeError::new_err(
            "a column of a table is an array of float64 or int64, or a list of words",
        )),
    }
}
