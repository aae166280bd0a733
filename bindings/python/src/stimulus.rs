//! Stimuli: samples into the caller's array, and exact moments and declared properties.

use crate::attend::{Counter, attend};
use crate::catalogue::entry;
use crate::convert::{array, assignments};
use crate::error::{OrRaise, exception};
use fovea_core::streams::Streams;
use fovea_lab::memory;
use fovea_sim::rows::{MOST, RowElement, fill_rows};
use fovea_sim::stimulus::Stimulus as Source;
use numpy::{PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A source of samples, ready for use.
#[pyclass(frozen, module = "fovea._fovea")]
pub(crate) struct Stimulus {
    source: Box<dyn Source>,
}

#[pymethods]
impl Stimulus {
    #[new]
    fn new(name: &str, settings: &Bound<'_, PyDict>) -> PyResult<Self> {
        let source = (entry::<Box<dyn Source>>(name)?.build)(&assignments(settings)?).or_raise()?;
        Ok(Self { source })
    }

    /// Entries of a sample.
    #[getter]
    fn dim(&self) -> usize {
        self.source.dim()
    }

    /// Sides of the ring or torus.
    #[getter]
    fn shape(&self) -> Vec<usize> {
        self.source.shape()
    }

    /// Notes from the construction for the user.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.source.notes()
    }

    /// Declared properties of the distribution.
    #[getter]
    fn law<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (law, said) = (self.source.declared(), PyDict::new(py));
        said.set_item("standardized", law.standardized)?;
        said.set_item("sign_symmetric", law.sign_symmetric)?;
        said.set_item("translation_invariant", law.translation_invariant)?;
        said.set_item("is_gaussian", self.source.is_gaussian())?;
        Ok(said)
    }

    /// Exact mean and covariance.
    fn exact_moments<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let n = self.source.dim();
        let hint = "estimate them from samples: numpy.cov(stimulus.sample(...), rowvar=False)";
        memory::fits(n as u128 * n as u128, 8, "the covariance", hint).or_raise()?;
        let counter = Counter::default();
        let said = attend(py, &counter, None, || {
            let moments = self.source.moments()?;
            let at = |place: usize| moments.covariance.at(place / n, place % n);
            let covariance = (0..n * n).map(at).collect::<Vec<f64>>();
            Ok::<_, String>((moments.mean, covariance))
        })?;
        match said.whole()? {
            Ok((mean, covariance)) => {
                Ok((array(py, &[n], mean)?.into_any(), array(py, &[n, n], covariance)?.into_any()))
            }
            Err(why) => Err(exception(py, "SettingError", &why, hint)?),
        }
    }

    /// Refuses a number of samples that would not fit into memory, at this many bytes per number.
    fn fits(&self, count: u64, size: u64) -> PyResult<()> {
        let (numbers, dim) = (u128::from(count) * self.source.dim() as u128, self.source.dim());
        let what = format!("{count} samples of {dim} entries");
        let hint =
            "draw fewer at a time: sample(count, first=...) goes on where another call ended";
        memory::fits(numbers, u128::from(size), &what, hint).or_raise()
    }

    /// Writes samples `first`, `first + 1`, ... of a seed into an array, a row per sample.
    fn fill(
        &self,
        py: Python<'_>,
        out: &Bound<'_, PyAny>,
        seed: &Bound<'_, PyAny>,
        first: u64,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let seed = crate::convert::seed(seed)?;
        match out.cast::<PyArray2<f32>>() {
            Ok(single) => self.fill_in(py, single, seed, first, progress),
            Err(_) => self.fill_in(py, out.cast::<PyArray2<f64>>()?, seed, first, progress),
        }
    }
}

impl Stimulus {
    fn fill_in<T: RowElement + numpy::Element>(
        &self,
        py: Python<'_>,
        out: &Bound<'_, PyArray2<T>>,
        seed: u64,
        first: u64,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (rows, cols) = (out.shape()[0], out.shape()[1]);
        let dim = self.source.dim();
        if cols != dim || first.checked_add(rows as u64).is_none_or(|end| end > MOST) {
            let what = format!("`out` has shape ({rows}, {cols}), from sample {first} on");
            let hint =
                format!("give rows of {dim} entries, and at most {MOST} samples of one seed");
            return Err(exception(py, "SettingError", &what, &hint)?);
        }
        let mut out = out.try_readwrite()?;
        let rows = out.as_slice_mut()?;
        let (stream, counter) = (Streams::new(seed).named("sample"), Counter::default());
        let stopped = || counter.is_stopped();
        let work = || fill_rows(self.source.as_ref(), &stream, first, rows, &stopped);
        attend(py, &counter, progress, work)?.whole().map(|_| ())
    }
}
