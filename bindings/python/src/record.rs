//! Records as Python sees them: what was run, its numbers, its figures, its page.

use crate::convert::{array, json, to_python};
use crate::error::OrRaise;
use fovea_core::Value;
use fovea_lab::figure::Figure as Drawn;
use fovea_lab::record::Record as Kept;
use fovea_lab::table::{Cells, Table};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A run directory, on disk or in memory.
#[pyclass(frozen, module = "fovea._fovea")]
pub(crate) struct Record(pub(crate) Kept);

#[pymethods]
impl Record {
    /// Reads a run directory.
    #[staticmethod]
    fn open(path: PathBuf) -> PyResult<Self> {
        Kept::open(&path).or_raise().map(Self)
    }

    /// The record that these files are.
    #[staticmethod]
    fn from_files(files: BTreeMap<String, Vec<u8>>) -> PyResult<Self> {
        Kept::from_files(files).or_raise().map(Self)
    }

    /// Its files of numbers by their paths.
    fn files<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let named = PyDict::new(py);
        for (name, bytes) in self.0.files().or_raise()? {
            named.set_item(name, PyBytes::new(py, &bytes))?;
        }
        Ok(named)
    }

    /// Writes it to a new directory and says where it is.
    fn save(&self, py: Python<'_>, target: PathBuf) -> PyResult<PathBuf> {
        py.detach(|| self.0.save(&target)).or_raise()
    }

    /// What was run and how it went.
    fn about<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (record, about) = (&self.0, PyDict::new(py));
        about.set_item("experiment", &record.experiment)?;
        about.set_item("status", &record.status)?;
        about.set_item("seed", record.seed)?;
        about.set_item("hash", &record.hash)?;
        about.set_item("dtype", &record.dtype)?;
        about.set_item("settings", to_python(py, &Value::Table(record.settings.clone()))?)?;
        about.set_item("stamp", to_python(py, &Value::Table(record.stamp.clone()))?)?;
        let path = record.path();
        about.set_item("path", (!path.as_os_str().is_empty()).then_some(path))?;
        Ok(about)
    }

    /// The columns of its readings over time.
    fn series<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (series, columns) = (self.0.series().or_raise()?, PyDict::new(py));
        columns.set_item("curve", series.curve)?;
        columns.set_item("step", PyArray1::from_vec(py, series.step))?;
        columns.set_item("time", PyArray1::from_vec(py, series.time))?;
        columns.set_item("probe", series.probe)?;
        columns.set_item("unit", PyArray1::from_vec(py, series.unit))?;
        columns.set_item("value", PyArray1::from_vec(py, series.value))?;
        Ok(columns)
    }

    /// Its tables: name, caption, columns, units, and the lines a terminal shows.
    fn tables<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let report = self.0.report().or_raise()?;
        report.tables().map(|table| cells(py, table)).collect()
    }

    /// The names of its arrays.
    fn array_names(&self) -> PyResult<Vec<String>> {
        self.0.array_names().or_raise()
    }

    /// One of its arrays.
    fn array<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let found = self.0.array(name).or_raise()?;
        Ok(array(py, &found.shape, found.data)?.into_any())
    }

    /// Its claims, each as a table.
    fn claims<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        // Parsed strictly once, then passed on with everything in the file.
        self.0.claims().or_raise()?;
        let files = self.0.files().or_raise()?;
        let bytes = files.get("claims.json").map_or(&[][..], Vec::as_slice);
        let file: serde_json::Value = serde_json::from_slice(bytes)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        json(py, &file["claims"])
    }

    /// Its figures by name.
    fn figures(&self) -> PyResult<Vec<(String, Figure)>> {
        let report = self.0.report().or_raise()?;
        let name = |files: &[String]| {
            let file = files.first().map_or("figure", String::as_str);
            file.trim_start_matches("figures/").split('.').next().unwrap_or(file).to_owned()
        };
        Ok(report.figures().map(|(figure, files)| (name(files), Figure(figure.clone()))).collect())
    }

    /// Its page.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| self.0.report().map(|report| report.html())).or_raise()
    }
}

/// A table: a column of estimates is two, the second with its name and the ending `_se`.
fn cells<'py>(py: Python<'py>, table: &Table) -> PyResult<Bound<'py, PyDict>> {
    let (columns, units) = (PyDict::new(py), PyDict::new(py));
    for column in &table.columns {
        let name = &column.name;
        match &column.cells {
            Cells::Words(words) => columns.set_item(name, words)?,
            Cells::Whole(values) => columns.set_item(name, PyArray1::from_slice(py, values))?,
            Cells::Reals { values, .. } => {
                columns.set_item(name, PyArray1::from_slice(py, values))?;
            }
            Cells::Estimates { values, errors, .. } => {
                columns.set_item(name, PyArray1::from_slice(py, values))?;
                columns.set_item(format!("{name}_se"), PyArray1::from_slice(py, errors))?;
            }
        }
        if !column.unit.is_empty() {
            units.set_item(name, &column.unit)?;
        }
    }
    let told = PyDict::new(py);
    told.set_item("name", &table.name)?;
    told.set_item("caption", &table.caption)?;
    told.set_item("columns", columns)?;
    told.set_item("units", units)?;
    told.set_item("lines", table.lines(100))?;
    Ok(told)
}

/// A figure as data, drawn on demand.
#[pyclass(frozen, module = "fovea._fovea")]
pub(crate) struct Figure(Drawn);

#[pymethods]
impl Figure {
    /// The figure of a text that `text()` made.
    #[staticmethod]
    fn read(text: &str) -> PyResult<Self> {
        serde_json::from_str(text)
            .map(Self)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The whole figure, as a text.
    fn text(&self) -> PyResult<String> {
        serde_json::to_string(&self.0).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    #[getter]
    fn title(&self) -> &str {
        &self.0.title
    }

    #[getter]
    fn description(&self) -> &str {
        &self.0.description
    }

    /// As SVG, of a given width in pixels.
    #[pyo3(signature = (width = None))]
    fn svg(&self, py: Python<'_>, width: Option<f64>) -> String {
        py.detach(|| self.wide(width).svg())
    }

    /// As PNG, `scale` image pixels per pixel of the figure.
    #[pyo3(signature = (scale = 2.0, width = None))]
    fn png<'py>(
        &self,
        py: Python<'py>,
        scale: f32,
        width: Option<f64>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let drawn = py.detach(|| self.wide(width).png(scale));
        drawn
            .map(|bytes| PyBytes::new(py, &bytes))
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

impl Figure {
    fn wide(&self, width: Option<f64>) -> Drawn {
        match width {
            Some(width) => self.0.clone().width(width),
            None => self.0.clone(),
        }
    }
}
