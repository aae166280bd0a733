//! Errors as Python raises them: the lab's message, its hint, and the built-in exception a caller would expect.

use fovea_core::ParamError;
use fovea_lab::{LabError, RecordError};
use fovea_theory::FormError;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::any::Any;

/// The Python class for an error.
fn class(error: &LabError) -> &'static str {
    match error {
        LabError::Param(ParamError::UnknownKey { .. })
        | LabError::Form(FormError::Param(ParamError::UnknownKey { .. })) => {
            "UnknownParameterError"
        }
        LabError::UnknownName { .. }
        | LabError::Moved { .. }
        | LabError::Param(ParamError::UnknownItem { .. }) => "UnknownNameError",
        LabError::Record(
            RecordError::Io { .. }
            | RecordError::Spoilt { .. }
            | RecordError::NewerFormat { .. }
            | RecordError::Exists { .. }
            | RecordError::Nameless { .. }
            | RecordError::Unfinished { .. }
            | RecordError::Busy { .. }
            | RecordError::NoFile { .. }
            | RecordError::TooLarge { .. }
            | RecordError::NotUnfinished { .. },
        ) => "RecordError",
        LabError::Check { source, .. } => class(source),
        _ => "SettingError",
    }
}

/// The exception for an error.
pub(crate) fn raise(error: LabError) -> PyErr {
    Python::attach(|py| match exception(py, class(&error), &error.to_string(), &hint(&error)) {
        Ok(exception) => exception,
        Err(other) => other,
    })
}

/// The next step, in Python.
fn hint(error: &LabError) -> String {
    match error {
        LabError::Record(RecordError::Exists { .. }) => {
            "choose another `out`, or move the old run away".to_owned()
        }
        LabError::Record(RecordError::Nameless { .. }) => {
            "end `out` in the name of a new directory".to_owned()
        }
        other => [
            ("--out", "`out`"),
            ("--shape 30x30", "shape=(30, 30)"),
            ("fovea bench --only scaling", "fv.bench(\"scaling\")"),
        ]
        .into_iter()
        .fold(other.hint(), |hint, (shell, python)| hint.replace(shell, python)),
    }
}

/// An exception of ours.
pub(crate) fn exception(py: Python<'_>, class: &str, what: &str, hint: &str) -> PyResult<PyErr> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module = MODULE.get_or_try_init(py, || py.import("fovea._errors").map(Bound::unbind))?;
    Ok(PyErr::from_value(module.bind(py).getattr(class)?.call1((what, hint))?))
}

/// A mistake of this program, which should not happen.
pub(crate) fn internal(panic: &Box<dyn Any + Send>) -> PyErr {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    PyRuntimeError::new_err(format!("a mistake inside fovea, not yours: {text}"))
}

/// Results of the lab as results of Python.
pub(crate) trait OrRaise<T> {
    /// The value, or the exception.
    fn or_raise(self) -> PyResult<T>;
}

impl<T, E: Into<LabError>> OrRaise<T> for Result<T, E> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| raise(error.into()))
    }
}
