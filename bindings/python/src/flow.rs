//! Flows integrated in time: a closed form of a velocity, or a velocity written in Python.

use crate::attend::{Counter, attend};
use crate::convert::{array, assignments, doubles};
use crate::error::OrRaise;
use fovea_lab::flow::{Care, Velocity, follow};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The forms that give a velocity, with the argument that moves.
#[pyfunction]
pub(crate) fn velocities() -> PyResult<Vec<(&'static str, &'static str)>> {
    let state = |name: &'static str| Ok((name, Velocity::of(name).or_raise()?.state));
    fovea_lab::flow::velocities().into_iter().map(state).collect()
}

/// States at the given times and how often the velocity was evaluated. `velocity` is the name of a form, or a function of
/// time and state.
#[pyfunction]
pub(crate) fn flow<'py>(
    py: Python<'py>,
    velocity: &Bound<'py, PyAny>,
    start: &Bound<'py, PyAny>,
    times: &Bound<'py, PyAny>,
    settings: &Bound<'py, PyDict>,
    tolerances: (f64, f64),
) -> PyResult<(Bound<'py, PyAny>, usize)> {
    let (start, times) = (doubles("start", start)?, doubles("times", times)?);
    let shape = start.as_array().shape().to_vec();
    let (start, times) = (start.as_slice()?, times.as_slice()?);
    let care = Care { rtol: tolerances.0, atol: tolerances.1 };
    let path = match velocity.extract::<String>() {
        Ok(name) => {
            let (form, given) = (Velocity::of(&name).or_raise()?, assignments(settings)?);
            let (counter, cols) = (Counter::default(), shape.last().copied().unwrap_or(1));
            let conditions = counter.conditions(0);
            let said = attend(py, &counter, None, || {
                form.follow(&given, (start, cols), times, care, &conditions)
            })?;
            match said.whole()?.or_raise()? {
                Some(path) => path,
                None => unreachable!("what is stopped has been interrupted"),
            }
        }
        Err(_) => by_function(py, velocity, &shape, (start, times), care)?,
    };
    let rows = path.states.len();
    let states = array(py, &[&[rows], &shape[..]].concat(), path.states.concat())?;
    Ok((states.into_any(), path.evaluations))
}

/// The path under a Python function; the first exception it raises ends it.
fn by_function(
    py: Python<'_>,
    velocity: &Bound<'_, PyAny>,
    shape: &[usize],
    (start, times): (&[f64], &[f64]),
    care: Care,
) -> PyResult<fovea_lab::flow::Path> {
    let mut failure = None;
    let ask = |t: f64, state: &[f64], out: &mut [f64]| -> PyResult<()> {
        py.check_signals()?;
        let state = array(py, shape, state.to_vec())?;
        let said = doubles("velocity", &velocity.call1((t, state))?)?;
        let said = said.as_array();
        if said.shape() != shape {
            let what = format!("the velocity has shape {:?}, the state {shape:?}", said.shape());
            return Err(crate::error::exception(
                py,
                "SettingError",
                &what,
                "return one number for each of the state",
            )?);
        }
        out.iter_mut().zip(said.iter()).for_each(|(out, x)| *out = *x);
        Ok(())
    };
    let path = follow(
        |t, state, out| {
            if failure.is_some() {
                return out.fill(f64::NAN);
            }
            if let Err(error) = ask(t, state, out) {
                failure = Some(error);
                out.fill(f64::NAN);
            }
        },
        start,
        times,
        care,
    );
    match failure {
        Some(error) => Err(error),
        None => path.or_raise(),
    }
}
