//! Columns as an Arrow stream, which pandas, polars, pyarrow and DuckDB take over.

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, Float64Array, Int32Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray,
};
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
