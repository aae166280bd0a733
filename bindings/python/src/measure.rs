//! Probes on an array of weights.

use crate::convert::{array, doubles};
use crate::error::OrRaise;
use fovea_lab::Array;
use fovea_lab::measure::{Fields, probes};
use fovea_sim::probe::Columns;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The reading of a probe on weights, one row per unit: an array where it is one number, or one per site or the like; else a
/// table of named ones. `single` says that there was one unit, which then has no axis.
#[pyfunction]
pub(crate) fn measure<'py>(
    py: Python<'py>,
    probe: &str,
    weights: &Bound<'py, PyAny>,
    shape: Option<Vec<usize>>,
) -> PyResult<Bound<'py, PyAny>> {
    let weights = doubles("weights", weights)?;
    let view = weights.as_array();
    let (axes, data) = (view.shape().to_vec(), view.iter().copied().collect());
    let single = shape.is_none() && axes.len() == 1;
    let given = Array { name: "weights".to_owned(), shape: axes, data };
    let fields = Fields::new(&given, shape.as_deref()).or_raise()?;
    let probe = probes(&[probe.to_owned()]).or_raise()?;
    let reading = py.detach(|| fields.measure(&probe)).or_raise()?.remove(0);
    let rows = reading.rows.len();
    let keep = reading.is_of_units() && !single;
    let lead = |rest: &[usize]| -> Vec<usize> {
        if keep { [&[rows], rest].concat() } else { rest.to_vec() }
    };
    let width = reading.rows.first().map_or(0, Vec::len);
    let column = |at: usize| reading.rows.iter().map(|row| row[at]).collect::<Vec<f64>>();
    match reading.probe.columns {
        Columns::One => Ok(array(py, &lead(&[]), column(0))?.into_any()),
        Columns::Per(_) => Ok(array(py, &lead(&[width]), reading.rows.concat())?.into_any()),
        Columns::Named(names) => {
            let table = PyDict::new(py);
            for (at, name) in names.iter().enumerate() {
                table.set_item(*name, array(py, &lead(&[]), column(at))?)?;
            }
            Ok(table.into_any())
        }
    }
}
